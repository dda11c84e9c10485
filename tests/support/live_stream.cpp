#include "test_support/live_stream.h"

#include "test_support/api.h"

#include <fmt/format.h>

namespace footfall::test_support {
namespace {

/// The head and the text of all chunks that are complete.
std::string without_chunks(std::string_view received) {
    const std::size_t head = received.find("\r\n\r\n");
    if (head == received.npos) {
        return {};
    }
    std::string text{received.substr(0, head + 4)};
    received.remove_prefix(head + 4);
    for (;;) {
        const std::size_t line = received.find("\r\n");
        if (line == received.npos) {
            return text;
        }
        const std::size_t size = std::stoul(std::string{received.substr(0, line)}, nullptr, 16);
        if (received.size() < line + 2 + size + 2) {
            return text;
        }
        text += received.substr(line + 2, size);
        received.remove_prefix(line + 2 + size + 2);
    }
}

}  // namespace

LiveStream::LiveStream(
    const FootfallProcess& server, std::string_view target, std::string_view headers
)
    : connection_{server.port()} {
    connection_.send(fmt::format(
        "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n{}\r\n", target, headers
    ));
}

std::string LiveStream::read_until(const std::function<bool(const std::string&)>& enough) {
    return without_chunks(connection_.receive_until([&](const std::string& received) {
        return enough(without_chunks(received));
    }));
}

std::vector<boost::json::object> LiveStream::events(std::string_view text, std::string_view name) {
    std::vector<boost::json::object> found;
    const std::string start = fmt::format("event: {}\ndata: ", name);
    for (std::size_t at = text.find(start); at != text.npos; at = text.find(start, at)) {
        at += start.size();
        const std::size_t end = text.find("\n\n", at);
        if (end != text.npos) {
            found.push_back(parse_object(text.substr(at, end - at)));
        }
    }
    return found;
}

std::uint64_t sum(const std::vector<boost::json::object>& seconds, const char* field) {
    std::uint64_t total = 0;
    for (const boost::json::object& each : seconds) {
        total += each.at(field).to_number<std::uint64_t>();
    }
    return total;
}

}  // namespace footfall::test_support
