#include "intake/follower.h"

#include "events/event_keys.h"
#include "foundation/log.h"
#include "intake/room.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <variant>

namespace footfall::intake {
namespace {

/// How often projections are let write, and checkpoints moved.
constexpr std::chrono::seconds write_period{1};
/// After this long without confirm() (the process was stopped, say) others may have the lanes.
constexpr std::chrono::seconds silence_max{7};

}  // namespace

Follower::Follower(const Context& context) : context_{context}, holds_{silence_max} {
    store_losses_ = context_.store->on_lost_writes([this] { lose(); });
}

/// Said before, so that nothing is told from here on, and once more behind it: lanes may be opened
/// again in between, and are dropped after that.
void Follower::lose() {
    lost_.store(true);
    context_.host->drop();
    lost_.store(true);
}

Result<std::vector<std::uint64_t>> Follower::assigned(std::span<const std::uint32_t> lanes) {
    TRY_VOID(context_.store->write_after_others());
    TRY_VOID(context_.log->find_begins());
    TRY_VOID(open(lanes));
    if (!holds_.begin(lanes)) {
        revoked(lanes, true);
        return fail(ErrorKind::unavailable, "lanes that were given out may be another's by now");
    }
    std::vector<std::uint64_t> offsets;
    for (const std::uint32_t lane : lanes) {
        offsets.push_back(next(lane));
    }
    return offsets;
}

/// Begins these lanes where the projections lack something.
Result<void> Follower::open(std::span<const std::uint32_t> lanes) {
    TRY(const std::vector<projecting::Mark> starts, context_.host->open(lanes));
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        events::SourceOrder& sources = sources_[lanes[at]];
        sources = {};
        sources.begin_at(starts[at].source);
        ends_[lanes[at]] = starts[at].offset;
    }
    lane_count_ = sources_.size();
    return {};
}

void Follower::revoked(std::span<const std::uint32_t> lanes, bool lost) {
    holds_.end(lanes, lost);
    if (!lost && !lost_) {
        if (const Result<void> written = write_all(); !written) {
            log(LogLevel::warning,
                "lanes were handed over with rows to write ({}); the next owner writes them",
                written.error().message);
        }
    }
    context_.host->close(lanes);
    for (const std::uint32_t lane : lanes) {
        sources_.erase(lane);
    }
    lane_count_ = sources_.size();
}

std::uint64_t Follower::next(std::uint32_t lane) {
    return context_.host->next(lane).offset;
}

Result<void> Follower::consume(std::uint32_t lane, const journal::Records& records) {
    if (lost_) {
        return fail(ErrorKind::unavailable, "the store lost writes; the lane is read again");
    }
    const std::uint64_t next = this->next(lane);
    if (records.first() > next) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("lane {}: records before {} are missing", lane, records.first())
        );
    }
    events::SourceOrder sources = sources_.at(lane);
    std::vector<events::JudgedEvent> judged;
    std::vector<projecting::JudgedRecord> told;
    std::vector<projecting::ControlRecord> controls;
    judged.reserve(records.size());
    told.reserve(records.size());
    for (std::size_t at = next - records.first(); at < records.size(); ++at) {
        TRY(events::LogRecord record, events::read_record(records[at]));
        const std::uint64_t offset = records.first() + at;
        if (sources.repeats(record)) {
            continue;
        }
        if (const auto* const control = std::get_if<events::Control>(&record)) {
            controls.push_back({.offset = offset, .control = *control});
            continue;
        }
        auto& event = std::get<events::JudgedEvent>(record);
        if (context_.reads != nullptr) {
            context_.reads->seals().name_reader(event);
        }
        const auto person = events::counted_person(event.event, context_.secret);
        judged.push_back(std::move(event));
        told.push_back({.offset = offset, .judged = &judged.back(), .person = person});
    }
    TRY_VOID(once_there_is_room([&] { return context_.host->wait_for_room(); }));
    const projecting::Mark end{.offset = records.next(), .source = sources.next()};
    context_.host->tell(lane, {.events = told, .controls = controls, .end = end});
    sources_.at(lane) = sources;
    ends_[lane] = std::max(next, end.offset);
    projected_ += judged.size();
    return {};
}

void Follower::confirm(bool ours) {
    if (!holds_.confirm(ours)) {
        context_.host->drop();
    }
}

Result<journal::LaneReader::Next> Follower::settle() {
    const auto now = std::chrono::steady_clock::now();
    confirm(true);
    if (holds_.is_over()) {
        return Next::rejoin;
    }
    if (lost_) {
        std::vector<std::uint32_t> ours;
        ours.reserve(sources_.size());
        for (const auto& [lane, sources] : sources_) {
            ours.push_back(lane);
        }
        lost_.store(false);  // before: what is lost from here on is lost once more
        if (Result<void> opened = open(ours); !opened) {
            lost_.store(true);
            return std::unexpected(std::move(opened).error());
        }
        return Next::anew;
    }
    if (now >= written_at_ + write_period) {
        written_at_ = now;
        TRY_VOID(context_.host->flush(false));
        TRY_VOID(write_checkpoints());
    }
    return Next::as_before;
}

Result<void> Follower::write_all() {
    TRY_VOID(context_.host->flush(true));
    TRY(const storage::CommitPosition position, write_checkpoints());
    return wait_durable(*context_.store, position);
}

/// What a feed gives is durable in the log.
Result<storage::CommitPosition> Follower::write_checkpoints() {
    std::array<std::uint64_t, std::tuple_size_v<FollowedEnds>> durable{};
    for (const auto& [lane, sources] : sources_) {
        durable[lane] = ends_[lane];
    }
    return context_.host->write_checkpoints(durable);
}

}  // namespace footfall::intake
