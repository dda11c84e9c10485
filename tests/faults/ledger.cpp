#include "ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace footfall::faults {
namespace {

using http_server::ClientResponse;
using http_server::Method;

constexpr std::size_t objects_a_batch = 10;

std::string object_name(std::size_t batch, std::size_t object) {
    return fmt::format("object-{}-{}", batch, object);
}

std::string lines_of(std::size_t batch) {
    std::string lines;
    for (std::size_t line = 0; line < Ledger::lines_a_batch; ++line) {
        // As long as tokens may well be: the disk is full sooner.
        fmt::format_to(
            std::back_inserter(lines),
            "{{\"object\":\"{}\",\"token\":\"{:016x}{:064x}\"}}\n",
            object_name(batch, line % objects_a_batch),
            (batch * Ledger::lines_a_batch + line + 1) * 0x9e3779b97f4a7c15,
            line
        );
    }
    return lines;
}

}  // namespace

ClientResponse Ledger::post(test_support::Api& api) {
    const std::size_t batch = acknowledged_.size();
    acknowledged_.push_back(false);
    ClientResponse answer = api.send(Method::post, "/api/v1/counter", lines_of(batch));
    acknowledged_.back() = answer.status == 200;
    return answer;
}

std::size_t Ledger::acknowledged() const {
    return static_cast<std::size_t>(std::ranges::count(acknowledged_, true));
}

std::uint64_t Ledger::lost(test_support::Api& api) const {
    constexpr const char* added = "footfall_tokens_added_total";
    const std::uint64_t before = api.metric(added);
    for (std::size_t batch = 0; batch < acknowledged_.size(); ++batch) {
        if (acknowledged_[batch]) {
            api.post_lines(lines_of(batch));
        }
    }
    return api.metric(added) - before;
}

std::vector<std::string> Ledger::differences(test_support::Api& api) const {
    const std::string wanted = fmt::format("{}\n", lines_a_batch / objects_a_batch);
    std::vector<std::string> found;
    for (std::size_t batch = 0; batch < acknowledged_.size(); ++batch) {
        for (std::size_t object = 0; object < objects_a_batch && acknowledged_[batch]; ++object) {
            const std::string name = object_name(batch, object);
            const ClientResponse answer = api.send(Method::get, test_support::counter_path(name));
            if (answer.status != 200 || answer.body != wanted) {
                found.push_back(fmt::format("{}: {} {}", name, answer.status, answer.body));
            }
        }
    }
    return found;
}

}  // namespace footfall::faults
