#include "segment_events/filling.h"

#include "projecting/writer.h"
#include "runtime/lanes.h"
#include "storage/blocking.h"

#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segment_events {
namespace {

constexpr std::size_t marks_at_once = 20'000;

std::vector<std::uint32_t> every_lane() {
    std::vector<std::uint32_t> lanes(runtime::lane_count);
    std::iota(lanes.begin(), lanes.end(), 0);
    return lanes;
}

/// The longest text that stands in each event that the term counts: few records have it.
std::string rarest_text(const segment_rules::EventTerm& term) {
    std::string rarest = term.action;
    for (const std::string& each : {term.object, term.ad, term.reseller, term.publisher}) {
        if (each.size() > rarest.size()) {
            rarest = each;
        }
    }
    return rarest;
}

/// Who writes what is found of a lane.
std::string filling_writer(const by_profile::LanesWalk::At& at) {
    return projecting::writer_of(at.log, at.lane) + 'f';
}

}  // namespace

Filling::Filling(
    intake::Intake& intake,
    storage::Store& store,
    const segment_rules::EventTerm& term,
    SegmentEvents::NoteIds note,
    Instant now,
    KnownAs known_as
)
    : store_{&store},
      terms_{std::set{term}},
      counted_{.term = term, .hash = hash_of(term)},
      note_{std::move(note)},
      known_as_{std::move(known_as)},
      from_{now - term.within},
      walk_{intake, {.lanes = every_lane(), .from = from_, .text = rarest_text(term)}} {}

Result<bool> Filling::step() {
    TRY(const bool more,
        walk_.step([this](const events::JudgedEvent& judged, const by_profile::LanesWalk::At& at) {
            take(judged, at);
        }));
    if (!more || marks_ >= marks_at_once) {
        TRY_VOID(write());
    }
    return more;
}

void Filling::take(const events::JudgedEvent& judged, const by_profile::LanesWalk::At& at) {
    const events::Event& event = judged.event;
    if (!judged.verdict.counted() || event.time < from_ ||
        !segment_rules::is_counted_by(counted_.term, event)) {
        return;
    }
    if (const std::optional<Id> id = id_of(event)) {
        found_[{.id = known_as_ ? known_as_(*id) : *id,
                .term = counted_.hash,
                .writer = filling_writer(at)}]
            .push_back({.time = event.time, .lane = at.lane, .offset = at.offset});
        ++marks_;
    }
}

Result<void> Filling::write() {
    storage::Batch batch;
    TRY(const std::vector<Id> changed, merge_marks(*store_, found_, terms_, batch));
    if (!changed.empty()) {
        TRY_VOID(note_(changed, batch));
        TRY_VOID(storage::write_durably(*store_, batch));
    }
    found_.clear();
    marks_ = 0;
    return {};
}

}  // namespace footfall::segment_events
