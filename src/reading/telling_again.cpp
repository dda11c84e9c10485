#include "reading/telling_again.h"

#include "events/event_keys.h"
#include "reading/told_reads.h"
#include "runtime/lanes.h"

#include <algorithm>
#include <utility>

namespace footfall::reading {
namespace {

/// So many are in one record of the log at most.
constexpr std::size_t reads_a_record = 200;
/// So many records are written together, and wait once for the disk.
constexpr std::size_t records_a_write = 1000;
/// So many people are forgotten together.
constexpr std::size_t people_a_write = 100;
constexpr std::size_t people_a_read = 1000;

constexpr std::chrono::seconds pause_of_nothing{60};
constexpr std::chrono::seconds pause_for_lanes{5};

}  // namespace

std::chrono::seconds TellingAgain::pause() const {
    return waits_ ? pause_for_lanes : pause_of_nothing;
}

/// Those of whom nothing was taken back for long enough.
std::vector<TellingAgain::Due> TellingAgain::due() const {
    const Instant now = sources_.clock->now();
    const people::Sharers& sharers = sources_.people->sharers();
    std::vector<Due> all;
    for (const std::shared_ptr<const people::Past>& past : sharers.pasts()) {
        Due each{.actor = sharers.actor_of(past->now), .past = past};
        if (!each.actor.empty() && each.through() + after <= now) {
            all.push_back(std::move(each));
        }
    }
    return all;
}

bool TellingAgain::was_told(const Due& due) const {
    const auto known = told_.find(due.actor);
    return known != told_.end() && known->second.through == due.through();
}

/// Adds records of all that is left under the former readers, by lane and day.
Result<void> TellingAgain::add_reads(
    const people::Past& past, std::vector<events::ControlInLane>& records
) {
    const auto reader = sources_.people->sharers().reader_of(past.now);
    if (!reader) {
        return {};
    }
    TRY(const auto reads, own_reads(*sources_.readership, {.formers = past.formers}));
    std::map<std::pair<std::uint32_t, people::UtcDay>, std::vector<ToldRead>> parts;
    const auto add = [&](std::uint32_t lane, people::UtcDay day, std::vector<ToldRead>& part) {
        // Without a key the day has ended, and its facts with it.
        if (auto seal = sources_.seals->seal_text(*reader, day, text_of(part))) {
            records.push_back(
                {.lane = lane, .control = events::ReadsToldAgain{.seal = *std::move(seal)}}
            );
        }
        part.clear();
    };
    for (const OwnRead& each : reads) {
        const std::uint32_t lane = events::lane_of(each.url, sources_.secret);
        const people::UtcDay day = people::utc_day_of(each.latest);
        std::vector<ToldRead>& part = parts[{lane, day}];
        part.push_back({.url = each.url, .quarter = quarter_of(each.latest)});
        if (part.size() == reads_a_record) {
            add(lane, day, part);
        }
    }
    for (auto& [of, part] : parts) {
        if (!part.empty()) {
            add(of.first, of.second, part);
        }
    }
    return {};
}

Result<void> TellingAgain::tell_all(std::span<const Due> all, const std::stop_token& stop) {
    std::vector<events::ControlInLane> records;
    std::vector<const Due*> of_records;
    const auto write = [&]() -> Result<void> {
        if (!records.empty()) {
            TRY_VOID(sources_.say(records));
        }
        const Instant now = sources_.clock->now();
        for (const Due* const each : of_records) {
            told_[each->actor] = {.at = now, .through = each->through()};
        }
        records.clear();
        of_records.clear();
        return {};
    };
    Result<void> outcome;  // of whom it cannot be told holds up nobody else
    for (const Due& each : all) {
        if (stop.stop_requested()) {
            break;
        }
        std::vector<events::ControlInLane> own;
        if (Result<void> added = add_reads(*each.past, own); !added) {
            outcome = std::move(added);
            continue;
        }
        records.insert(
            records.end(), std::move_iterator{own.begin()}, std::move_iterator{own.end()}
        );
        of_records.push_back(&each);
        if (records.size() >= records_a_write) {
            TRY_VOID(write());
        }
    }
    TRY_VOID(write());
    return outcome;
}

Result<void> TellingAgain::forget_all(std::span<const Due> all) {
    for (std::size_t begin = 0; begin < all.size(); begin += people_a_write) {
        std::vector<people::People::Forgotten> some;
        for (const Due& each : all.subspan(begin, std::min(people_a_write, all.size() - begin))) {
            some.push_back({.actor = each.actor, .through = each.through()});
        }
        TRY_VOID(sources_.people->forget_formers(some));
        for (const people::People::Forgotten& each : some) {
            told_.erase(each.actor);
        }
    }
    return {};
}

/// While one is on its way there is no other, unless it takes too long.
Result<void> TellingAgain::say_mark(std::optional<Instant> passed) {
    const Instant now = sources_.clock->now();
    if (mark_ && (!passed || *passed < *mark_) && now < *mark_ + mark_again) {
        return {};
    }
    std::vector<events::ControlInLane> marks;
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        marks.push_back({.lane = lane, .control = events::ReadsMark{.said = now}});
    }
    TRY_VOID(sources_.say(marks));
    mark_ = now;
    return {};
}

/// Another process tells again: what it has erased goes here, too.
Result<void> TellingAgain::follow(std::span<const Due> all) {
    told_.clear();
    mark_.reset();
    for (std::size_t begin = 0; begin < all.size(); begin += people_a_read) {
        std::vector<std::string> actors;
        for (const Due& each : all.subspan(begin, std::min(people_a_read, all.size() - begin))) {
            actors.push_back(each.actor);
        }
        TRY_VOID(sources_.people->forget_with_others(actors));
    }
    return {};
}

/// Keeps of those who were told the ones that are still due.
void TellingAgain::keep_told(std::span<const Due> all) {
    std::map<std::string, Told, std::less<>> told;
    for (const Due& each : all) {
        told.insert(told_.extract(each.actor));
    }
    told_ = std::move(told);
}

/// On a cluster by a mark of this process: the clock of who told before may be ahead of ours.
bool TellingAgain::has_passed(Instant told, std::optional<Instant> passed) const {
    return passed >= told && (sources_.owners == nullptr || (mark_ >= told && passed >= mark_));
}

/// Who was told is forgotten when what was told is in rows, too, by a later mark.
Result<void> TellingAgain::turn(const std::stop_token& stop) {
    const std::vector<Due> all = due();
    waits_ = false;
    if (sources_.owners != nullptr && !sources_.owners->counted_here(telling_lane)) {
        TRY_VOID(follow(all));
        waits_ = !all.empty();  // until the one who tells has erased them
        return {};
    }
    keep_told(all);
    if (all.empty()) {
        return {};
    }
    const std::optional<Instant> passed = sources_.readership->passed_by_all();
    std::vector<Due> to_tell;
    std::vector<Due> to_forget;
    for (const Due& each : all) {
        if (was_told(each)) {
            if (has_passed(told_.find(each.actor)->second.at, passed)) {
                to_forget.push_back(each);
            }
        } else if (passed >= each.through() + after) {
            to_tell.push_back(each);
        }
    }
    TRY_VOID(forget_all(to_forget));
    TRY_VOID(tell_all(to_tell, stop));
    const bool waits = to_forget.size() < all.size();
    if (waits && sources_.owners != nullptr) {
        TRY_VOID(say_mark(passed));
    }
    waits_ = waits;  // not where something failed: a part may have been said, and is said again
    return {};
}

}  // namespace footfall::reading
