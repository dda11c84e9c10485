#include "foundation/check.h"
#include "load/http_wire.h"
#include "load/protocol.h"

#include <utility>

namespace footfall::load {
namespace {

class TargetProtocol final : public Protocol {
public:
    TargetProtocol(
        const std::string& host, std::vector<std::string> targets, const std::string& authorization
    )
        : targets_{std::move(targets)}, after_target_{common_head(host, authorization) + "\r\n"} {}

    void append_put(std::string& /*out*/, const Operation& /*operation*/) const override {
        CHECK(false, "a target is only asked for");
    }

    void append_batch(std::string& /*out*/, std::span<const Operation> /*operations*/)
        const override {
        CHECK(false, "a target is only asked for");
    }

    void append_get(std::string& out, std::uint64_t object) const override {
        out.append("GET ").append(targets_.at(object)).append(after_target_);
    }

    void append_check(std::string& out, std::uint64_t object) const override {
        append_get(out, object);
    }

    ReadAnswer read(std::string_view bytes) const override {
        ReadAnswer read = read_http_answer(bytes);
        read.answer.has_number = true;  // whatever it says is good
        return read;
    }

private:
    std::vector<std::string> targets_;
    std::string after_target_;
};

}  // namespace

std::unique_ptr<Protocol> target_protocol(
    const std::string& host, std::vector<std::string> targets, const std::string& authorization
) {
    return std::make_unique<TargetProtocol>(host, std::move(targets), authorization);
}

}  // namespace footfall::load
