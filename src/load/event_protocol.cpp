#include "load/http_wire.h"
#include "load/protocol.h"
#include "load/wire_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <chrono>

namespace footfall::load {
namespace {

/// What people come with: about as long as real ones, none of them a known robot.
constexpr std::array<std::string_view, 4> agents{
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/126.0.0.0 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.5 Safari/605.1.15",
};

/// The events of a request happened when it was written.
std::string time_now() {
    const auto now =
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    return fmt::format("{:%FT%T}Z", now);
}

class EventProtocol final : public Protocol {
public:
    EventProtocol(
        const std::string& host, std::uint64_t people, bool full, const std::string& authorization
    )
        : people_{people},
          full_{full},
          after_target_{common_head(host, authorization)},
          post_{
              "POST /api/v1/events" + after_target_ +
              "Content-Type: application/x-ndjson\r\nContent-Length: "
          } {}

    void append_put(std::string& out, const Operation& operation) const override {
        append_batch(out, {&operation, 1});
    }

    void append_batch(std::string& out, std::span<const Operation> operations) const override {
        const std::string time = time_now();
        out.append(post_);
        append_body(out, [&](std::string& body) {
            for (const Operation& operation : operations) {
                append_event(body, operation, time);
            }
        });
    }

    void append_get(std::string& out, std::uint64_t object) const override {
        out.append("GET /api/v1/views/").append(Digits{object}.text());
        out.append(after_target_).append("\r\n");
    }

    void append_check(std::string& out, std::uint64_t object) const override {
        append_get(out, object);
    }

    ReadAnswer read(std::string_view bytes) const override { return read_http_answer(bytes); }

private:
    void append_event(std::string& out, const Operation& operation, std::string_view time) const {
        const std::uint64_t person = operation.token % people_;
        out.append(R"({"id":")").append(Digits{operation.token}.text());
        out.append(R"(","time":")").append(time);
        out.append(R"(","action":"view","object":")").append(Digits{operation.object}.text());
        out.append(R"(","actor":"user-)").append(Digits{person}.text());
        if (full_) {
            const auto byte = [&](unsigned shift) { return Digits{person >> shift & 0xff}; };
            out.append(R"(","address":"100.)").append(Digits{64 + (person >> 16 & 0x3f)}.text());
            out.append(".").append(byte(8).text()).append(".").append(byte(0).text());
            out.append(R"(","agent":")").append(agents[person % agents.size()]);
        }
        out.append("\"}\n");
    }

    std::uint64_t people_;
    bool full_;
    std::string after_target_;
    std::string post_;
};

}  // namespace

std::unique_ptr<Protocol> event_protocol(
    const std::string& host, std::uint64_t people, bool full, const std::string& authorization
) {
    return std::make_unique<EventProtocol>(host, people, full, authorization);
}

}  // namespace footfall::load
