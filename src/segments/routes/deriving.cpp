#include "segments_routes/deriving.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::segments::routes {
namespace {

using std::chrono::milliseconds;

/// Where another process derives, it is looked again whether that is so.
constexpr milliseconds idle_period{200};
constexpr milliseconds after_failure{1000};
/// What was counted waits so long for more of the same id.
constexpr milliseconds counted_interval{300};

}  // namespace

Deriving::Deriving(
    Segments& segments,
    SizeHistory& sizes,
    AskedPeople& people,
    storage::Store& store,
    const Clock& clock,
    journal::LogId log
)
    : segments_{&segments},
      sizes_{&sizes},
      people_{&people},
      events_{
          store,
          clock,
          segments.counted_terms(),
          [&segments](std::span<const segment_events::Id> ids, storage::Batch& batch) {
              return segments.note_did(ids, batch);
          },
          {.log = log,
           .known_as = [&segments](segment_events::Id id
                       ) { return segments.known_as(std::move(id)); },
           .tell = [&segments](std::span<const segment_events::Id> ids) { segments.tell_did(ids); },
           .interval = counted_interval}
      } {}

/// Not in the background: on a machine with much to do it would have a twentieth of a core, and
/// what is asked for would fall minutes behind.
void Deriving::start() {
    turns_.emplace("segments", runtime::Urgency::work, [this](const std::stop_token& stop) {
        return turn(stop);
    });
}

void Deriving::stop() {
    if (turns_) {
        turns_->stop();
    }
}

Result<void> Deriving::begin(std::span<const projecting::LaneStart> lanes) {
    TRY_VOID(segments_->refresh_rules());
    const auto derives = [](const projecting::LaneStart& each) {
        return each.lane == deriving_lane;
    };
    if (std::ranges::any_of(lanes, derives)) {
        tenure_.fetch_add(1);
        is_here_ = true;
    }
    return {};
}

void Deriving::drop_lane(std::uint32_t lane) {
    events_.drop_lane(lane);
    if (lane == deriving_lane) {
        is_here_ = false;
    }
}

Result<std::string> Deriving::answer(std::uint32_t lane, std::string_view question) {
    if (lane != deriving_lane) {
        return fail(ErrorKind::invalid_input, "segments are derived where another lane is");
    }
    return people_->answer(question);
}

/// That a store is away is said by the store itself.
milliseconds Deriving::turn(const std::stop_token& stop) {
    const Result<milliseconds> pause = take_turn(stop);
    if (!pause && pause.error().kind != ErrorKind::cancelled &&
        pause.error().kind != ErrorKind::unavailable) {
        troubles_.say(
            LogLevel::warning,
            fmt::format("segments do not follow their members: {}", pause.error().message)
        );
    }
    return pause.value_or(after_failure);
}

Result<milliseconds> Deriving::take_turn(const std::stop_token& stop) {
    const std::uint64_t tenure = tenure_;
    const bool is_here = is_here_;
    TRY_VOID(segments_->refresh_rules());
    if (begun_ != 0 && (!is_here || begun_ != tenure)) {
        segments_->end();
        begun_ = 0;
    }
    if (!is_here) {
        return idle_period;
    }
    if (begun_ == 0) {
        TRY_VOID(segments_->begin());
        begun_ = tenure;
    }
    TRY(const milliseconds pause, segments_->derive(stop));
    TRY_VOID(sizes_->keep());
    return pause;
}

}  // namespace footfall::segments::routes
