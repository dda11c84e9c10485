#include "identities/settling.h"
#include "storage/blocking.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace footfall::identities {
namespace {

/// Ids that are looked at together: their neighbourhoods are read once where they are the same.
constexpr std::size_t noted_at_once = 256;

/// Says that somebody settles what was noted, from before the first row is read to behind the last
/// one that is written.
class UnderWay {
public:
    UnderWay(std::atomic<std::uint64_t>& begun, std::atomic<std::uint64_t>& ended) : ended_{ended} {
        ++begun;
    }

    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

    ~UnderWay() { ++ended_; }

private:
    std::atomic<std::uint64_t>& ended_;
};

}  // namespace

Result<void> Settling::note(std::span<const Id> ids, LaterReason reason, const LaterWait& wait)
    const {
    constexpr std::size_t notes_a_write = 16;
    for (std::size_t at = 0; at < ids.size();) {
        storage::Batch batch;
        const std::size_t begin = at;
        for (std::size_t notes = 0; notes < notes_a_write && at < ids.size(); ++notes) {
            const auto some = ids.subspan(at, std::min(later_ids_max, ids.size() - at));
            add_later(
                {.token = next_token_++,
                 .reason = reason,
                 .ids = {some.begin(), some.end()},
                 .wait = wait},
                batch
            );
            at += some.size();
        }
        TRY_VOID(storage::write_durably(*store_, batch));
        noted_.add(ids.subspan(begin, at - begin));
    }
    return {};
}

/// What rows say of noted ids themselves is never trusted: some were left half settled.
Sight Settling::sight_of(LaterReason reason, std::span<const Id> ids) const {
    Sight sight = this->sight();
    sight.facts_max = options_.later_facts_max;
    sight.trusts_shared = reason != LaterReason::guards;
    sight.doubted = {ids.begin(), ids.end()};
    return sight;
}

Result<void> Settling::settle_some_noted(
    std::span<const Id> ids, LaterReason reason, const std::stop_token& stop, StillNoted& left
) const {
    std::vector<Id> few;
    for (const Id& each : ids) {
        (huge_.has(each) ? left.too_large : few).push_back(each);
    }
    if (few.empty()) {
        return {};
    }
    if (stop.stop_requested()) {
        return fail(ErrorKind::cancelled, "settling was stopped");
    }
    const std::string writer = noted_writer();
    Sight sight = sight_of(reason, few);
    sight.crowd = &huge_;
    const Result<Neighbourhood> known =
        settle_again(few, writer, std::move(sight), Beside::others_of_noted);
    if (known) {
        crowd_.learn(*known, options_.sight.facts_max);
        std::size_t noted_again = 0;
        for (const Id& each : few) {
            if (reason == LaterReason::decided && known->resolution.shared.contains(each)) {
                TRY_VOID(settle_others_of(
                    each, {.writer = writer, .beside = Beside::others}, noted_again
                ));
            }
        }
        return {};
    }
    if (known.error().kind == ErrorKind::unavailable) {
        left.again.insert(left.again.end(), few.begin(), few.end());
        return {};
    }
    if (known.error().kind != ErrorKind::conflict) {
        return std::unexpected(known.error());
    }
    if (few.size() == 1) {
        left.too_large.push_back(few.front());
        return {};
    }
    const std::span<const Id> all{few};
    const std::size_t half = all.size() / 2;
    TRY_VOID(settle_some_noted(all.first(half), reason, stop, left));
    return settle_some_noted(all.subspan(half), reason, stop, left);
}

Result<Settling::StillNoted> Settling::settle_noted(
    std::span<const Id> ids, LaterReason reason, const std::stop_token& stop
) const {
    const std::lock_guard one{later_};
    const UnderWay under_way{later_begun_, later_ended_};
    StillNoted left;
    for (std::size_t at = 0; at < ids.size(); at += noted_at_once) {
        TRY_VOID(settle_some_noted(
            ids.subspan(at, std::min(noted_at_once, ids.size() - at)), reason, stop, left
        ));
    }
    return left;
}

Result<void> Settling::finish_noted() const {
    const std::lock_guard one{later_};
    const UnderWay under_way{later_begun_, later_ended_};
    return finish_in_name_of(noted_writer(), options_.later_facts_max, Beside::others_of_noted);
}

}  // namespace footfall::identities
