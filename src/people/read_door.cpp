#include "people/read_door.h"

#include "events/canonical_url.h"
#include "events/event_keys.h"
#include "people/person.h"

#include <utility>

namespace footfall::people {

void ReadDoor::take(events::JudgedEvent& judged) const {
    events::Event& event = judged.event;
    if (event.action != events::read_action) {
        return;
    }
    event.object = events::article_named(event.object);
    if (judged.door != events::Door::trusted_door || event.actor.empty()) {
        return;
    }
    events::ReadBy read{
        .id_hash = event.id.empty() ? 0 : events::id_hash(event.id, options_.secret),
        .salt = options_.salt
    };
    read.reader = shared_by(judged);
    if (!read.reader) {
        events::strip(event);
    }
    judged.read = std::move(read);
}

/// Absent: it is not shared.
std::optional<std::uint64_t> ReadDoor::shared_by(const events::JudgedEvent& judged) const {
    const events::Event& event = judged.event;
    if (days_->find(utc_day_of(event.time)) == nullptr) {
        return std::nullopt;
    }
    const std::string_view site = events::site_of(event.object);
    if (!is_on_sites(site, options_.sites)) {
        return std::nullopt;
    }
    const auto sharing = sharers_->sharing(event.actor, site, clock_->now());
    return sharing ? std::optional{sharing->reader.number} : std::nullopt;
}

}  // namespace footfall::people
