#include "projecting/verify.h"

#include "events/event_keys.h"
#include "projecting/lane_walk.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <variant>

namespace footfall::projecting {
namespace {

/// Events of a lane that are counted again in one go.
constexpr std::uint64_t events_a_part = 1'000'000;
/// Events between two words of progress.
constexpr std::uint64_t told_every = 10'000;

/// How far the rows of all lanes are stored, and since when no further.
class StoredEnds {
public:
    explicit StoredEnds(const VerifiedParts& parts) : parts_{&parts}, ends_(parts.log->lanes()) {}

    Result<void> ask() {
        TRY(const std::vector<std::uint64_t> offsets, parts_->stored());
        const auto now = std::chrono::steady_clock::now();
        for (std::size_t lane = 0; lane < offsets.size(); ++lane) {
            End& end = ends_[lane];
            if (offsets[lane] > end.offset || end.since == End{}.since) {
                end = {.offset = offsets[lane], .since = now};
            }
        }
        return {};
    }

    std::uint64_t of(std::uint32_t lane) const { return ends_[lane].offset; }

    /// False: none came of this lane for too long.
    Result<bool> wait(std::uint32_t lane) {
        const auto is_late = [&] {
            return std::chrono::steady_clock::now() > ends_[lane].since + parts_->patience;
        };
        if (!is_late()) {
            constexpr std::chrono::milliseconds pause{100};
            std::this_thread::sleep_for(pause);  // tidy-allow(sleep): others write, and tell nobody
        }
        TRY_VOID(ask());
        return !is_late();
    }

private:
    struct End {
        std::uint64_t offset = 0;
        std::chrono::steady_clock::time_point since{};
    };

    const VerifiedParts* parts_;
    std::vector<End> ends_;
};

class RowsOfLane final : public WrittenRows {
public:
    RowsOfLane(StoredEnds& ends, std::uint32_t lane) : ends_{&ends}, lane_{lane} {}

    std::uint64_t end() const override { return ends_->of(lane_); }

    Result<bool> wait() override { return ends_->wait(lane_); }

private:
    StoredEnds* ends_;
    const std::uint32_t lane_;
};

class Verifier {
public:
    Verifier(const VerifiedParts& parts, const MakeRecount& make, const VerifyListeners& listeners)
        : parts_{&parts}, make_{&make}, listeners_{&listeners}, stored_{parts} {}

    Result<Verified> run() {
        TRY_VOID(stored_.ask());
        for (std::uint32_t lane = 0; lane < parts_->log->lanes(); ++lane) {
            const std::uint64_t end = parts_->ends[lane];
            const std::uint64_t records = end - std::min(end, parts_->log->begin(lane));
            const std::uint64_t parts = 1 + records / events_a_part;
            for (std::uint64_t number = 0; number < parts; ++number) {
                const bool is_last = lane + 1 == parts_->log->lanes() && number + 1 == parts;
                TRY_VOID(verify_part({.lane = lane, .number = number, .of = parts}, is_last));
            }
        }
        return verified_;
    }

private:
    /// Again, for as long as events leave the log while it is read.
    Result<void> verify_part(const RecountPart& part, bool is_last) {
        const std::uint32_t lane = part.lane;
        for (;;) {
            const std::uint64_t begin = parts_->log->begin(lane);
            const std::unique_ptr<Recount> recount = (*make_)(
                {.store = parts_->store,
                 .secret = parts_->secret,
                 .log = parts_->log->id(),
                 .lane = lane,
                 .begins_later = begin > 0,
                 .number = part.number,
                 .of = part.of,
                 .seals = parts_->seals,
                 .now = parts_->now,
                 .clock = parts_->clock,
                 .stop = parts_->stop,
                 .progress = [this](std::uint64_t rows
                             ) { listeners_->progress(verified_.events + rows); },
                 .left = &left_,
                 .is_last = is_last,
                 .alone = parts_->alone}
            );
            TRY(const bool whole, count_and_read(lane, begin, *recount));
            if (whole) {
                tell(*recount);
                return {};
            }
        }
    }

    /// From `begin` on, where the lane began. False: events left the log meanwhile.
    Result<bool> count_and_read(std::uint32_t lane, std::uint64_t begin, Recount& recount) {
        LaneWalk walk{.log = parts_->log, .lane = lane};
        std::uint64_t told = 0;
        const auto add = [&](std::uint64_t offset, const events::LogRecord& record) {
            if (parts_->stop.stop_requested()) {
                return Result<void>{fail(ErrorKind::cancelled, "the comparison was stopped")};
            }
            if (const auto* const control = std::get_if<events::Control>(&record)) {
                return recount.control(offset, *control);
            }
            const Result<void> added = recount.add(told_of(offset, record));
            if (recount.events() >= told + told_every) {
                told = recount.events();
                listeners_->progress(verified_.events + told);
            }
            return added;
        };
        TRY(const bool counted, walk.walk(begin, parts_->ends[lane], add));
        if (!counted) {
            return false;
        }
        RowsOfLane rows{stored_, lane};
        TRY(const std::uint64_t through, recount.read_stored(rows));
        const auto add_behind = [&](std::uint64_t offset, const events::LogRecord& record) {
            if (const auto* const control = std::get_if<events::Control>(&record)) {
                return recount.control_behind(offset, *control);
            }
            recount.add_behind(told_of(offset, record));
            return Result<void>{};
        };
        return walk.walk(parts_->ends[lane], through, add_behind);
    }

    JudgedRecord told_of(std::uint64_t offset, const events::LogRecord& record) const {
        const auto& judged = std::get<events::JudgedEvent>(record);
        return {
            .offset = offset,
            .judged = &judged,
            .person = events::counted_person(judged.event, parts_->secret)
        };
    }

    void tell(const Recount& recount) {
        const std::vector<std::string> differences = recount.differences();
        verified_.events += recount.events();
        verified_.objects += recount.objects();
        verified_.differences += differences.size();
        std::ranges::for_each(differences, listeners_->difference);
        if (listeners_->remark) {
            std::ranges::for_each(recount.remarks(), listeners_->remark);
        }
        listeners_->progress(verified_.events);
    }

    const VerifiedParts* parts_;
    const MakeRecount* make_;
    const VerifyListeners* listeners_;
    StoredEnds stored_;
    std::shared_ptr<void> left_;
    Verified verified_;
};

}  // namespace

Result<Verified> verify(
    const VerifiedParts& parts, const MakeRecount& make, const VerifyListeners& listeners
) {
    return Verifier{parts, make, listeners}.run();
}

}  // namespace footfall::projecting
