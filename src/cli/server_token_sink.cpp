#include "cli/token_sink.h"
#include "foundation/utf8.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include <thread>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

using http_server::ClientResponse;
using http_server::Method;

constexpr std::size_t lines_a_batch = 10'000;
constexpr std::size_t bytes_a_batch = 4 << 20;
constexpr int busy_attempts = 60;
constexpr std::chrono::seconds busy_pause{1};

/// "detail" of a problem+json body, or the body itself.
std::string detail_of(const ClientResponse& response) {
    boost::json::error_code error;
    const boost::json::value document = boost::json::parse(response.body, error);
    const boost::json::object* object = error ? nullptr : document.if_object();
    const boost::json::value* detail = object == nullptr ? nullptr : object->if_contains("detail");
    return detail != nullptr && detail->is_string() ? std::string{detail->as_string()}
                                                    : response.body;
}

void append_string(std::string& out, std::string_view text) {
    out += boost::json::serialize(boost::json::string_view{text.data(), text.size()});
}

class ServerTokenSink final : public TokenSink {
public:
    ServerTokenSink(http_server::ServerUrl server, const std::string& counter, RejectLine reject)
        : client_{std::move(server)},
          target_{"/api/v1/counter?counter=" + http_server::percent_encode(counter)},
          reject_{std::move(reject)} {}

    Result<void> put(const SourceToken& token) override {
        if (!is_utf8(token.object) || !is_utf8(token.token)) {
            // JSON cannot carry it; the server would say no more.
            reject_(
                token.line,
                is_utf8(token.object) ? "the token is not UTF-8" : "the object name is not UTF-8"
            );
            return {};
        }
        body_ += R"({"object":)";
        append_string(body_, token.object);
        body_ += R"(,"token":)";
        append_string(body_, token.token);
        if (token.ttl) {
            fmt::format_to(std::back_inserter(body_), R"(,"ttl":{})", token.ttl->count());
        }
        body_ += "}\n";
        source_lines_.push_back(token.line);
        return source_lines_.size() >= lines_a_batch || body_.size() >= bytes_a_batch
                   ? send()
                   : Result<void>{};
    }

    Result<void> finish() override { return source_lines_.empty() ? Result<void>{} : send(); }

    std::uint64_t imported() const override { return imported_; }

private:
    Result<void> send() {
        for (int attempt = 1;; ++attempt) {
            TRY(const ClientResponse response,
                client_.send(
                    Method::post, target_, body_, {{"Content-Type", "application/x-ndjson"}}
                ));
            if (response.status == 200) {
                TRY_VOID(take_answer(response));
                body_.clear();
                source_lines_.clear();
                return {};
            }
            if (response.status != 503 || attempt == busy_attempts) {
                return fail(
                    response.status < 500 ? ErrorKind::invalid_input : ErrorKind::unavailable,
                    fmt::format("the server answered {}: {}", response.status, detail_of(response))
                );
            }
            // A token counts once however often it is sent, so the whole batch goes again.
            std::this_thread::sleep_for(busy_pause);  // tidy-allow(sleep): as the server asked
        }
    }

    Result<void> take_answer(const ClientResponse& response) {
        boost::json::error_code error;
        const boost::json::value document = boost::json::parse(response.body, error);
        const boost::json::object* object = error ? nullptr : document.if_object();
        if (object == nullptr || !object->contains("accepted") || !object->contains("rejected")) {
            return fail(
                ErrorKind::unavailable, "the server's answer is not the one of a footfall server"
            );
        }
        imported_ += object->at("accepted").to_number<std::uint64_t>();
        for (const boost::json::value& each : object->at("rejected").as_array()) {
            const auto line = each.at("line").to_number<std::size_t>();
            const std::string reason{each.at("detail").as_string()};
            reject_(
                line >= 1 && line <= source_lines_.size() ? source_lines_[line - 1] : 0, reason
            );
        }
        return {};
    }

    http_server::Client client_;
    const std::string target_;
    RejectLine reject_;
    std::string body_;
    std::vector<std::uint64_t> source_lines_;  ///< Of the lines in `body_`.
    std::uint64_t imported_ = 0;
};

}  // namespace

std::unique_ptr<TokenSink> make_server_sink(
    http_server::ServerUrl server, const std::string& counter, RejectLine reject
) {
    return std::make_unique<ServerTokenSink>(std::move(server), counter, std::move(reject));
}

}  // namespace footfall::cli
