#include "intake/recent_ids.h"

#include "foundation/check.h"

namespace footfall::intake {

bool RecentIds::note(
    const events::EventKeys& keys, storage::CommitPosition position, const journal::Writer& writer
) {
    CHECK(keys.identity != 0, "an event without an id repeats none");
    const std::lock_guard lock{mutex_};
    Place& place = places_[(keys.identity ^ keys.content) % places];
    const bool same = place.identity == keys.identity && place.content == keys.content;
    if (same && (place.position == position || writer.durable(place.position))) {
        return true;
    }
    // An append that is not durable may still fail: the later one is as good.
    place = {.identity = keys.identity, .content = keys.content, .position = position};
    return false;
}

}  // namespace footfall::intake
