#include "reading/telling_again.h"

#include "events/event_keys.h"
#include "reading/told_reads.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::reading {
namespace {

/// So many are in one record of the log at most.
constexpr std::size_t reads_a_record = 200;

}  // namespace

/// All of what is left under former readers, by lane and day.
Result<void> TellingAgain::tell(const people::Past& past) {
    const auto reader = sources_.people->sharers().reader_of(past.now);
    if (!reader) {
        return {};
    }
    TRY(const auto reads, own_reads(*sources_.readership, {.formers = past.formers}));
    std::map<std::pair<std::uint32_t, people::UtcDay>, std::vector<ToldRead>> parts;
    const auto say = [&](std::uint32_t lane, people::UtcDay day, std::vector<ToldRead>& part
                     ) -> Result<void> {
        auto seal = sources_.seals->seal_text(*reader, day, text_of(part));
        part.clear();
        return seal ? sources_.say(events::ReadsToldAgain{.seal = *std::move(seal)}, lane)
                    : Result<void>{};  // the day has ended, and its facts with it
    };
    for (const OwnRead& each : reads) {
        const std::uint32_t lane = events::lane_of(each.url, sources_.secret);
        const people::UtcDay day = people::utc_day_of(each.latest);
        std::vector<ToldRead>& part = parts[{lane, day}];
        part.push_back({.url = each.url, .quarter = quarter_of(each.latest)});
        if (part.size() == reads_a_record) {
            TRY_VOID(say(lane, day, part));
        }
    }
    for (auto& [of, part] : parts) {
        if (!part.empty()) {
            TRY_VOID(say(of.first, of.second, part));
        }
    }
    return {};
}

Result<void> TellingAgain::turn(const std::stop_token& stop) {
    const auto pasts = sources_.people->sharers().pasts();
    std::map<std::string, Told, std::less<>> told;
    if (sources_.clock->now() < begun_ + after) {
        return {};  // what others took in meanwhile may not have come through the log yet
    }
    for (const std::shared_ptr<const people::Past>& past : pasts) {
        const Instant now = sources_.clock->now();
        const Instant through = past->formers.back().at;
        const std::string actor = sources_.people->sharers().actor_of(past->now);
        if (stop.stop_requested()) {
            return {};
        }
        if (actor.empty() || through + after > now) {
            continue;
        }
        const auto known = told_.find(actor);
        if (known == told_.end() || known->second.through != through) {
            TRY_VOID(tell(*past));
            told.emplace(actor, Told{.at = sources_.clock->now(), .through = through});
        } else if (known->second.at + until_it_is_known > now) {
            told.insert(*known);
        } else {
            TRY_VOID(sources_.people->forget_formers(actor, through));
        }
    }
    told_ = std::move(told);
    return {};
}

}  // namespace footfall::reading
