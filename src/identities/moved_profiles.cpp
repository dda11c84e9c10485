#include "identities/moved_profiles.h"

#include "identities/schema.h"
#include "identities/sid.h"
#include "identities/timed_notes.h"
#include "storage/blocking.h"

#include <string_view>
#include <utility>

namespace footfall::identities {
namespace {

constexpr std::string_view followed_moves = "moves";
constexpr std::size_t stored_sid_bytes = 16;
constexpr std::size_t note_bytes_max = 1000 * stored_sid_bytes;

}  // namespace

MovedProfiles::MovedProfiles(
    storage::Store& store, const Clock* clock, bool shared, std::int64_t tokens
)
    : store_{&store}, clock_{clock}, shared_{shared}, next_token_{tokens} {
    if (clock == nullptr || shared) {
        is_noted_ = clock != nullptr;
    }
}

Result<void> MovedProfiles::follow(Told told) {
    {
        const std::lock_guard lock{mutex_};
        told_ = std::move(told);
    }
    if (shared_ || clock_ == nullptr) {
        return {};
    }
    const std::lock_guard nobody_settles{settling_};
    if (is_noted_ == true) {
        return {};
    }
    storage::Batch batch;
    batch.upsert(profile_follower_table, {followed_moves, std::int64_t{1}});
    TRY_VOID(storage::write_durably(*store_, batch));
    is_noted_ = true;
    return {};
}

void MovedProfiles::stop_telling() {
    const std::lock_guard lock{mutex_};
    told_ = {};
}

Result<void> MovedProfiles::look_for_followers() {
    const std::lock_guard nobody_settles{settling_};
    if (!is_noted_) {
        TRY(const auto row,
            storage::read_one(*store_, profile_follower_table, {std::string{followed_moves}}));
        is_noted_ = row.has_value();
    }
    return {};
}

Result<MovedProfiles::Writing> MovedProfiles::begin_writing() {
    Writing writing{.lock = std::shared_lock{settling_}};
    if (!is_noted_) {
        writing.lock.unlock();
        TRY_VOID(look_for_followers());
        writing.lock.lock();
    }
    writing.is_noted = is_noted_.value_or(false);
    if (writing.is_noted) {
        writing.since = clock_->now();
    }
    return writing;
}

void MovedProfiles::add(const Names& sids, storage::Batch& batch) {
    std::string what;
    const auto add_row = [&] {
        add_timed_note(profile_moved_table, clock_->now(), next_token_++, what, batch);
        what.clear();
    };
    for (const std::string& each : sids) {
        what += stored_sid(each);
        if (what.size() >= note_bytes_max) {
            add_row();
        }
    }
    if (!what.empty()) {
        add_row();
    }
}

void MovedProfiles::tell(const Names& sids, Instant since) {
    if (sids.empty()) {
        return;
    }
    const std::lock_guard lock{mutex_};
    if (told_) {
        told_(sids, since);
    }
}

std::vector<std::string> read_moved_note(std::string_view what) {
    std::vector<std::string> sids;
    for (; what.size() >= stored_sid_bytes; what.remove_prefix(stored_sid_bytes)) {
        sids.push_back(read_sid(what.substr(0, stored_sid_bytes)));
    }
    return sids;
}

}  // namespace footfall::identities
