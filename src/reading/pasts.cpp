#include "reading/pasts.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace footfall::reading {
namespace {

/// The place of one of the person's ids among their readers.
std::size_t place_of(ReaderId id, const people::Past& past) {
    return static_cast<std::size_t>(std::ranges::find(past.before, id) - past.before.begin());
}

}  // namespace

void Pasts::add(std::shared_ptr<const people::Past> past) {
    of_ids_.emplace_back(past->now, past.get());
    for (const ReaderId each : past->before) {
        of_ids_.emplace_back(each, past.get());
    }
    pasts_.push_back(std::move(past));
}

void Pasts::sort() {
    std::ranges::sort(of_ids_);
}

const people::Past* Pasts::past_of(ReaderId id) const {
    const auto found =
        std::ranges::lower_bound(of_ids_, id, {}, &std::pair<ReaderId, const people::Past*>::first);
    return found == of_ids_.end() || found->first != id ? nullptr : found->second;
}

std::vector<ReaderId> Pasts::take_out(std::vector<ReaderId>& matched) const {
    std::vector<ReaderId> taken;
    std::erase_if(matched, [&](ReaderId each) {
        const bool is_theirs = past_of(each) != nullptr;
        if (is_theirs) {
            taken.push_back(each);
        }
        return is_theirs;
    });
    return taken;
}

std::vector<std::pair<ReaderId, Instant>> Pasts::left(
    std::string_view url, std::span<const std::pair<ReaderId, Instant>> reads
) const {
    std::unordered_map<const people::Past*, std::vector<std::optional<Instant>>> times;
    for (const auto& [id, time] : reads) {
        const people::Past* const past = past_of(id);
        if (past != nullptr) {
            std::vector<std::optional<Instant>>& own = times[past];
            own.resize(past->before.size() + 1);
            std::optional<Instant>& of_id = own[place_of(id, *past)];
            of_id = std::max(of_id, std::optional{time});
        }
    }
    std::vector<std::pair<ReaderId, Instant>> left;
    for (const auto& [past, own] : times) {
        if (const auto latest = people::left_of(past->formers, url, own)) {
            left.emplace_back(past->now, *latest);
        }
    }
    return left;
}

void Pasts::append_left(
    std::string_view url,
    std::span<const std::pair<ReaderId, Instant>> reads,
    std::vector<ReaderId>& matched
) const {
    for (const auto& [id, latest] : left(url, reads)) {
        matched.push_back(id);
    }
}

}  // namespace footfall::reading
