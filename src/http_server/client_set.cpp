#include "http_server/client_set.h"

#include "foundation/check.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>

#include <list>
#include <map>
#include <optional>

namespace footfall::http_server {
namespace {

namespace beast_http = boost::beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;
using Steady = std::chrono::steady_clock;

struct KeptConnection {
    tcp::socket socket;
    boost::beast::flat_buffer buffer;
    bool reused = false;  ///< It brought an answer before.
};

beast_http::request<beast_http::string_body> request_of(const Post& post) {
    beast_http::request<beast_http::string_body> request{beast_http::verb::post, post.target, 11};
    request.set(beast_http::field::host, fmt::format("{}:{}", post.address, post.port));
    for (const auto& [name, value] : post.headers) {
        request.set(name, value);
    }
    request.body() = post.body;
    request.prepare_payload();
    return request;
}

/// A request on its way. Its operations refer to it until they are done.
struct Conversation {
    explicit Conversation(const Post& asked) : post{&asked}, request{request_of(asked)} {
        parser.body_limit(ClientSet::answer_bytes_max);
    }

    bool done() const { return error != boost::asio::error::would_block; }

    const Post* post;
    KeptConnection* connection = nullptr;
    beast_http::request<beast_http::string_body> request;
    beast_http::response_parser<beast_http::string_body> parser;
    bool sent = false;
    error_code error = boost::asio::error::would_block;
};

void converse(Conversation& one) {
    tcp::socket& socket = one.connection->socket;
    // Both at once: who refuses a request may answer before all of it is sent.
    beast_http::async_write(socket, one.request, [&one](error_code error, std::size_t) {
        one.sent = !error;
    });
    beast_http::async_read(
        socket,
        one.connection->buffer,
        one.parser,
        [&one](error_code error, std::size_t) { one.error = error; }
    );
}

Result<ClientResponse> outcome_of(const Conversation& one, bool late) {
    const std::string server = fmt::format("http://{}:{}", one.post->address, one.post->port);
    if (late) {
        return fail(ErrorKind::timed_out, server + " did not answer in time");
    }
    if (one.error) {
        return fail(
            ErrorKind::unavailable, fmt::format("{} went away: {}", server, one.error.message())
        );
    }
    const auto& message = one.parser.get();
    return ClientResponse{
        .status = static_cast<int>(message.result_int()),
        .content_type = std::string{message[beast_http::field::content_type]},
        .body = message.body()
    };
}

}  // namespace

class ClientSet::Impl {
public:
    std::vector<Result<ClientResponse>> send(
        const std::vector<Post>& posts, std::chrono::milliseconds patience
    ) {
        const auto deadline = Steady::now() + patience;
        if (kept_.size() + posts.size() > connections_max) {
            kept_.clear();
        }
        std::vector<Result<ClientResponse>> answers(
            posts.size(), fail(ErrorKind::timed_out, "nothing was asked")
        );
        std::vector<std::size_t> all(posts.size());
        for (std::size_t at = 0; at < all.size(); ++at) {
            all[at] = at;
        }
        const std::vector<std::size_t> stale = send_these(posts, all, deadline, answers);
        if (!stale.empty()) {
            send_these(posts, stale, deadline, answers);
        }
        return answers;
    }

private:
    /// Answers which of them met a kept connection that was closed.
    std::vector<std::size_t> send_these(
        const std::vector<Post>& posts,
        const std::vector<std::size_t>& which,
        Steady::time_point deadline,
        std::vector<Result<ClientResponse>>& answers
    ) {
        std::list<Conversation> conversations;  // each stays where it is
        for (const std::size_t at : which) {
            begin(conversations.emplace_back(posts[at]));
        }
        context_.restart();
        context_.run_until(deadline);
        std::vector<std::size_t> stale;
        auto one = conversations.begin();
        for (const std::size_t at : which) {
            const bool late = !one->done();
            const bool again = !late && one->error && one->connection->reused;
            answers[at] = outcome_of(*one, late);
            one->connection->reused = true;
            if (again) {
                stale.push_back(at);
            }
            if (late || one->error || !one->sent || !one->parser.keep_alive()) {
                error_code ignored;
                one->connection->socket.close(ignored);
            }
            ++one;
        }
        context_.restart();
        context_.run();  // what was given up ends
        for (const Conversation& each : conversations) {
            if (!each.connection->socket.is_open()) {
                kept_.erase(name_of(*each.post));
            }
        }
        return stale;
    }

    void begin(Conversation& one) {
        const auto [place, is_new] = kept_.try_emplace(name_of(*one.post));
        CHECK(is_new || place->second->socket.is_open(), "a closed connection is not kept");
        if (!is_new) {
            one.connection = place->second.get();
            converse(one);
            return;
        }
        place->second = std::make_unique<KeptConnection>(tcp::socket{context_});
        one.connection = place->second.get();
        error_code error;
        const auto address = boost::asio::ip::make_address(one.post->address, error);
        if (error) {
            one.error = error;
            return;
        }
        one.connection->socket.async_connect(
            tcp::endpoint{address, one.post->port},
            [&one](error_code failed) {
                if (failed) {
                    one.error = failed;
                    return;
                }
                error_code ignored;
                one.connection->socket.set_option(tcp::no_delay{true}, ignored);
                converse(one);
            }
        );
    }

    static std::string name_of(const Post& post) {
        return fmt::format("{}:{}", post.address, post.port);
    }

    boost::asio::io_context context_{1};
    std::map<std::string, std::unique_ptr<KeptConnection>> kept_;
};

ClientSet::ClientSet() : impl_{std::make_unique<Impl>()} {}

ClientSet::~ClientSet() = default;

std::vector<Result<ClientResponse>> ClientSet::send(
    const std::vector<Post>& posts, std::chrono::milliseconds patience
) {
    return impl_->send(posts, patience);
}

}  // namespace footfall::http_server
