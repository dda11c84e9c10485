// Any bytes as requests of one connection. The first byte chooses the limits, the second how the
// rest is cut. Properties: requests and refusals do not depend on how the bytes are cut; a request
// keeps within the limits; what waits for more is less than a header's limit.
#include "foundation/check.h"
#include "http_server/request_parser.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace footfall;
using namespace footfall::http_server;

/// Reads in pieces of `first`, `first + 1`, ... bytes; writes down what was read, then how it
/// ended.
std::string read(std::string_view bytes, std::size_t first, ParserLimits limits) {
    RequestParser parser{limits};
    std::string kept;
    std::string answer;
    for (std::size_t size = first; !bytes.empty(); ++size) {
        const std::string_view piece = bytes.substr(0, size);
        bytes.remove_prefix(piece.size());
        kept += piece;
        for (;;) {
            std::size_t taken = 0;
            const RequestParser::State state = parser.feed(kept, taken);
            CHECK(taken <= kept.size(), "took more than there was", taken, kept.size());
            if (state == RequestParser::State::failed) {
                return answer + "refused " + std::to_string(parser.status());
            }
            if (state == RequestParser::State::need_more) {
                kept.erase(0, taken);
                CHECK(kept.size() < limits.header_bytes, "waits without a bound", kept.size());
                break;
            }
            const Request& request = parser.request();
            CHECK(request.body.size() <= limits.body_bytes, "a body over the limit");
            answer += std::to_string(static_cast<int>(request.method));
            answer.append(request.path).append("?").append(request.query).append("\n");
            for (const auto& [name, value] : request.headers) {
                answer.append(name).append(":").append(value).append("\n");
            }
            answer += parser.keep_alive() ? "keep " : "close ";
            answer += std::to_string(request.body.size()).append("\n").append(request.body);
            answer.append(request.known.host).append("\n");
            parser.reset();
            kept.erase(0, taken);
        }
    }
    return answer + (parser.started() ? "unfinished" : "finished");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::string_view bytes{reinterpret_cast<const char*>(data) + 2, size - 2};
    const bool tight = (data[0] & 1) != 0;
    const ParserLimits limits{
        .header_bytes = tight ? 64U : 8192U, .body_bytes = tight ? 16U : 1U << 20
    };
    const std::string whole = read(bytes, bytes.size(), limits);
    const std::string pieces = read(bytes, 1U + data[1] % 32, limits);
    CHECK(whole == pieces, "cuts change the answer", whole, pieces);
    return 0;
}
