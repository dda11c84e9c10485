#include "bulk_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace footfall::crash {
namespace {

using http_server::Method;

/// Objects stay small (so that a start may load them in a blink), and yet span several batches (so
/// that a partition lies in several generations).
constexpr std::size_t batches_an_object = 8;
constexpr std::size_t objects_a_batch = 100;

}  // namespace

void BulkLoad::run(const test_support::FootfallProcess& server, std::size_t batches) {
    http_server::Client client = server.client(std::chrono::seconds{20});
    for (std::size_t posted = 0; posted < batches; ++posted) {
        const std::size_t batch = acknowledged_.size();
        acknowledged_.push_back(false);
        const auto answer = client.send(Method::post, "/api/v1/counter", lines_of(batch));
        if (!answer) {
            return;
        }
        const std::string wanted =
            fmt::format("{{\"accepted\":{},\"rejected\":[]}}\n", lines_a_batch);
        if (answer->status == 200 && answer->body == wanted) {
            acknowledged_.back() = true;
        } else if (answer->status == 503) {
            ++refusals_;
        } else {
            complaints_.push_back(
                fmt::format("a bulk batch was answered {} {}", answer->status, answer->body)
            );
        }
    }
}

std::string BulkLoad::object_of(std::size_t batch, std::size_t line) const {
    return fmt::format("bulk-{}-{}-{}", number_, batch / batches_an_object, line % objects_a_batch);
}

std::string BulkLoad::lines_of(std::size_t batch) const {
    std::string lines;
    lines.reserve(lines_a_batch * 64);
    for (std::size_t line = 0; line < lines_a_batch; ++line) {
        fmt::format_to(
            std::back_inserter(lines),
            "{{\"object\":\"{}\",\"token\":\"{}-{}-{}\"}}\n",
            object_of(batch, line),
            number_,
            batch,
            line
        );
    }
    return lines;
}

BulkLoad::Bounds BulkLoad::bounds_of_an_object_in(std::size_t batch, std::size_t which) const {
    Bounds bounds{.object = object_of(batch, which)};
    const std::size_t first = batch / batches_an_object * batches_an_object;
    const std::size_t last = std::min(first + batches_an_object, acknowledged_.size());
    for (std::size_t sibling = first; sibling < last; ++sibling) {
        const std::size_t tokens = lines_a_batch / objects_a_batch;
        bounds.least += acknowledged_[sibling] ? tokens : 0;
        bounds.most += tokens;
    }
    return bounds;
}

std::uint64_t BulkLoad::tokens_acknowledged() const {
    return static_cast<std::uint64_t>(std::ranges::count(acknowledged_, true)) * lines_a_batch;
}

}  // namespace footfall::crash
