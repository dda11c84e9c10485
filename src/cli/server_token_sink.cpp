#include "cli/batch_sender.h"
#include "cli/token_sink.h"
#include "foundation/json_string.h"
#include "foundation/utf8.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace footfall::cli {
namespace {

class ServerTokenSink final : public TokenSink {
public:
    ServerTokenSink(
        http_server::ServerUrl server, const std::string& counter, const RejectLine& reject
    )
        : sender_{std::move(server), "/api/v1/counter?counter=" + http_server::percent_encode(counter), reject},
          reject_{reject} {}

    Result<void> put(const SourceToken& token) override {
        if (!is_utf8(token.object) || !is_utf8(token.token)) {
            // JSON cannot carry it; the server would say no more.
            reject_(
                token.line,
                is_utf8(token.object) ? "the token is not UTF-8" : "the object name is not UTF-8"
            );
            return {};
        }
        std::string& body = sender_.body();
        body += R"({"object":)";
        append_json_string(body, token.object);
        body += R"(,"token":)";
        append_json_string(body, token.token);
        if (token.ttl) {
            fmt::format_to(std::back_inserter(body), R"(,"ttl":{})", token.ttl->count());
        }
        body += '}';
        return sender_.end_line(token.line);
    }

    Result<void> finish() override { return sender_.finish(); }

    std::uint64_t imported() const override { return sender_.accepted(); }

private:
    BatchSender sender_;
    RejectLine reject_;
};

}  // namespace

std::unique_ptr<TokenSink> make_server_sink(
    http_server::ServerUrl server, const std::string& counter, const RejectLine& reject
) {
    return std::make_unique<ServerTokenSink>(std::move(server), counter, reject);
}

}  // namespace footfall::cli
