// A peer for benchmarks: an HTTP server the way Beast's documentation writes them, with a
// `tcp_stream`, a timeout for every operation, a strand for every connection and string bodies. It
// answers "43\n" to everything.
//
//   beast_peer PORT

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::chrono::seconds patience{30};

class Session : public std::enable_shared_from_this<Session> {
public:
    explicit Session(tcp::socket&& socket) : stream_{std::move(socket)} {
        stream_.socket().set_option(tcp::no_delay{true});
    }

    void start() {
        asio::dispatch(
            stream_.get_executor(), beast::bind_front_handler(&Session::read, shared_from_this())
        );
    }

private:
    void read() {
        request_ = {};
        stream_.expires_after(patience);
        http::async_read(
            stream_,
            buffer_,
            request_,
            beast::bind_front_handler(&Session::on_read, shared_from_this())
        );
    }

    void on_read(beast::error_code failed, std::size_t) {
        if (failed) {
            return;
        }
        response_ = {http::status::ok, request_.version()};
        response_.set(http::field::content_type, "text/plain");
        response_.keep_alive(request_.keep_alive());
        response_.body() = "43\n";
        response_.prepare_payload();
        http::async_write(
            stream_, response_, beast::bind_front_handler(&Session::on_write, shared_from_this())
        );
    }

    void on_write(beast::error_code failed, std::size_t) {
        if (!failed && response_.keep_alive()) {
            read();
        }
    }

    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    http::request<http::string_body> request_;
    http::response<http::string_body> response_;
};

class Listener {
public:
    Listener(asio::io_context& context, std::uint16_t port)
        : context_{&context}, acceptor_{context, {asio::ip::make_address("127.0.0.1"), port}} {}

    void accept() {
        acceptor_.async_accept(
            asio::make_strand(*context_),
            [this](beast::error_code failed, tcp::socket socket) {
                if (!failed) {
                    std::make_shared<Session>(std::move(socket))->start();
                }
                accept();
            }
        );
    }

private:
    asio::io_context* context_;
    tcp::acceptor acceptor_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: beast_peer PORT\n", stderr);
        return 2;
    }
    asio::io_context context{1};
    Listener listener{context, static_cast<std::uint16_t>(std::stoi(argv[1]))};
    listener.accept();
    asio::signal_set signals{context, SIGINT, SIGTERM};
    signals.async_wait([&](beast::error_code, int) { context.stop(); });
    context.run();
    return 0;
}
