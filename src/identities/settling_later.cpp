#include "identities/settling_later.h"

#include "foundation/log.h"
#include "storage/blocking.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace footfall::identities {
namespace {

/// More than that are listed only once some of them are settled.
constexpr std::size_t listed_max = 200'000;
/// Notes with more ids than that are taken in the next turn.
constexpr std::size_t taken_max = 20'000;

/// A note of another process stands so long before it is taken for left alone.
constexpr std::chrono::seconds others_patience{10};

/// Until ids that are too large are tried again: twice as long each time.
constexpr std::int64_t first_pause = 1;  // minutes
constexpr std::int64_t longest_pause_doublings = 6;

std::size_t number_of(LaterReason reason) {
    return static_cast<std::size_t>(reason);
}

}  // namespace

bool SettlingLater::is_due(const Later& later, Instant now) {
    if (later.wait.tries > 0) {
        return later.wait.due <= now || later.wait.version != version_.version;
    }
    if (!identities_->is_shared() || identities_->settling().is_mine(later.token)) {
        return true;
    }
    const Instant seen = seen_.try_emplace(later.token, now).first->second;
    return seen + others_patience <= now;
}

/// All notes, of which some are to be taken now.
Result<SettlingLater::Listed> SettlingLater::list() {
    const GuardsVersion version = identities_->guards().version;
    if (version != version_) {
        identities_->settling().forget_too_large();
        version_ = version;
    }
    NotedIds& noted = identities_->settling().noted();
    noted.begin_listing();
    TRY(std::vector<Later> all, read_later(store(), listed_max));
    const Instant now = identities_->clock().now();
    std::map<std::int64_t, Instant> seen;
    std::set<Id> ids;
    std::set<Id> too_large;
    std::size_t taken = 0;
    Listed listed;
    for (Later& each : all) {
        (each.wait.tries > 0 ? too_large : ids).insert(each.ids.begin(), each.ids.end());
        const bool is_taken = is_due(each, now) && taken < taken_max;
        if (const auto found = seen_.find(each.token); found != seen_.end()) {
            seen.insert(*found);
        }
        if (is_taken) {
            taken += each.ids.size();
            listed.due.push_back(std::move(each));
        } else if (each.wait.tries > 0) {
            listed.wait.at(number_of(each.reason)).insert(each.ids.begin(), each.ids.end());
        }
    }
    seen_ = std::move(seen);
    std::set<Id> all_ids = ids;
    all_ids.insert(too_large.begin(), too_large.end());
    noted.end_listing(all_ids);
    std::erase_if(ids, [&](const Id& each) { return too_large.contains(each); });
    waiting_ = ids.size();
    too_large_ = too_large.size();
    return listed;
}

Result<void> SettlingLater::look() {
    const Result<Listed> listed = list();
    return listed ? Result<void>{} : std::unexpected(listed.error());
}

Result<bool> SettlingLater::go_on(const std::stop_token& stop) {
    TRY(const Listed listed, list());
    if (listed.due.empty()) {
        return false;
    }
    const bool has_others = std::ranges::any_of(listed.due, [&](const Later& each) {
        return !identities_->settling().is_mine(each.token);
    });
    if (!is_finished_ || has_others) {
        TRY_VOID(identities_->settling().finish_noted());
        is_finished_ = true;
    }
    for (std::size_t reason = 0; reason < later_reasons; ++reason) {
        const Result<void> settled = settle(listed, static_cast<LaterReason>(reason), stop);
        if (!settled) {
            is_finished_ = false;
            return std::unexpected(settled.error());
        }
    }
    TRY_VOID(look());
    return true;
}

Result<void> SettlingLater::have_wait(
    std::span<const Id> ids, LaterReason reason, std::int64_t tries
) {
    if (ids.empty()) {
        return {};
    }
    if (tries == 1) {
        log(LogLevel::warning,
            "identities: too much hangs together with {} ids to make profiles of it, the first one "
            "of the network {}: what was said of them is kept. Guards keep apart what is nobody: "
            "shared_above, per_profile or never of an [[identifier]] (docs/identities.md); "
            "identity_later has the ids",
            ids.size(),
            ids.front().identifier);
    }
    const std::chrono::minutes pause{first_pause << std::min(tries - 1, longest_pause_doublings)};
    return identities_->settling().note(
        ids,
        reason,
        {.tries = tries, .due = identities_->clock().now() + pause, .version = version_.version}
    );
}

/// What stays noted is written down anew before the notes that had it are erased. An id that waits
/// since it is too large is not tried because it was said again: it would be so each time.
Result<void> SettlingLater::settle(
    const Listed& listed, LaterReason reason, const std::stop_token& stop
) {
    std::set<Id> ids;
    std::int64_t tries = 0;
    storage::Batch taken;
    for (const Later& each : listed.due) {
        if (each.reason == reason) {
            ids.insert(each.ids.begin(), each.ids.end());
            tries = std::max(tries, each.wait.tries);
            erase_later(each.token, taken);
            if (each.wait.tries > 0) {
                identities_->settling().forget_too_large();
            }
        }
    }
    if (taken.empty()) {
        return {};
    }
    const std::set<Id>& wait = listed.wait.at(number_of(reason));
    std::erase_if(ids, [&](const Id& each) { return wait.contains(each); });
    TRY(const Settling::StillNoted left,
        identities_->settle_noted(std::vector<Id>{ids.begin(), ids.end()}, reason, stop));
    TRY_VOID(identities_->settling().note(left.again, reason));
    TRY_VOID(have_wait(left.too_large, reason, tries + 1));
    return storage::write_durably(store(), taken);
}

}  // namespace footfall::identities
