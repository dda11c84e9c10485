#include "intake/lane_replay.h"

#include "intake/questions.h"
#include "intake/room.h"
#include "storage/blocking.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace footfall::intake {

LaneReplay::LaneReplay(
    const Context& context,
    JudgeLanes& lanes,
    std::uint32_t lane,
    const LaneJudge::Checkpoint& checkpoint,
    bool remembers
)
    : context_{&context},
      lanes_{&lanes},
      lane_{lane},
      checkpoint_{checkpoint},
      remembers_{remembers} {}

Result<void> LaneReplay::run() {
    std::uint64_t next = std::min(checkpoint_.offset, projected_to());
    if (!remembers_) {
        lanes_->with(lane_, [&](auto& judge) { judge->begin(checkpoint_); });
        next = std::min(next, checkpoint_.guard.offset);
    }
    for (;;) {
        TRY(const journal::Records records, context_->log->read(lane_, next, {}));
        if (records.empty()) {
            sources_.begin_at(checkpoint_.next_source);
            lanes_->with(lane_, [&](auto& judge) { judge->begin_sources_at(sources_.next()); });
            // The lane's next events are judged by the rules in force now.
            TRY(const storage::CommitPosition told, once_there_is_room([&] {
                    return lanes_->with(lane_, [](auto& judge) { return judge->tell_rules(); });
                }));
            if (!context_->log->is_in(*context_->store)) {
                TRY_VOID(journal::wait_durable(*context_->log, told));
            }
            // From now on rows are looked for in the store.
            return wait_durable(*context_->store, last_row_);
        }
        TRY_VOID(replay(records));
        read_ += records.size();
        next = records.next();
    }
}

Result<void> LaneReplay::replay(const journal::Records& records) {
    std::vector<Record> replayed;
    std::vector<projecting::ControlRecord> controls;
    replayed.reserve(records.size());
    for (std::size_t at = 0; at < records.size(); ++at) {
        TRY(events::LogRecord record, events::read_record(records[at]));
        const std::uint64_t offset = records.first() + at;
        if (offset >= checkpoint_.offset) {
            sources_.begin_at(checkpoint_.next_source);
        }
        if (sources_.repeats(record)) {
            continue;
        }
        if (const auto* const control = std::get_if<events::Control>(&record)) {
            lanes_->with(lane_, [&](auto& judge) { judge->remember(*control); });
            controls.push_back({.offset = offset, .control = *control});
            continue;
        }
        auto& judged = std::get<events::JudgedEvent>(record);
        if (context_->reads != nullptr) {
            context_->reads->seals().open(judged);
            context_->reads->seals().name_reader(judged);
        }
        const events::EventKeys keys = events::keys_of(judged, context_->secret);
        replayed.push_back({.offset = offset, .judged = std::move(judged), .keys = keys});
    }
    const auto first_unstored = std::ranges::partition_point(replayed, [&](const Record& each) {
        return each.offset < checkpoint_.offset;
    });
    lanes_->with(lane_, [&](auto& judge) {
        for (const Record& each : replayed) {
            if (!remembers_ && each.offset >= checkpoint_.guard.offset) {
                judge->remember(each.offset, each.judged, each.keys);
            }
        }
    });
    if (context_->shared_rates != nullptr) {
        context_->shared_rates->settle();
    }
    const std::span<Record> unstored{first_unstored, replayed.end()};
    const std::uint64_t projected_to = this->projected_to();
    unstored_ +=
        static_cast<std::uint64_t>(std::ranges::count_if(replayed, [&](const Record& each) {
            return each.offset >= std::min(checkpoint_.offset, projected_to);
        }));
    TRY_VOID(find_unstored_ids(unstored));
    TRY_VOID(submit_rows(unstored));
    return project(replayed, controls, records.next());
}

/// Which of these records need a row by which their ids are found.
Result<void> LaneReplay::find_unstored_ids(std::span<Record> records) {
    std::vector<Arriving> asked;
    std::vector<Record*> of_asked;
    for (Record& each : records) {
        if (each.keys.identity != 0) {
            asked.push_back({.judged = each.judged, .keys = each.keys});
            of_asked.push_back(&each);
        }
    }
    std::vector<Arriving*> questions;
    questions.reserve(asked.size());
    for (Arriving& each : asked) {
        questions.push_back(&each);
    }
    TRY_VOID(ask_for_ids(*context_->store, StandingRows{*context_}, questions, context_->secret));
    for (std::size_t at = 0; at < asked.size(); ++at) {
        of_asked[at]->unstored_id = unstored_id(asked[at]);
    }
    return {};
}

/// A lane has no duplicates: what is not the first of its id says something else than that.
events::IdKeys LaneReplay::unstored_id(const Arriving& asked) {
    const bool first_is_stored = asked.earlier.has_value();
    if (!first_is_stored && is_first_of_id(asked.keys.identity, asked.judged.arrival)) {
        return id_keys(asked.keys);
    }
    const bool is_first = first_is_stored && asked.earlier->content == asked.keys.content;
    if (is_first || asked.same_conflict) {
        return {};
    }
    return conflict_keys(asked.keys, asked.event().object, context_->secret);
}

/// Asked in the order of the lane, of events whose ids the store does not know. One that came after
/// the first was not to be known any more is a new event.
bool LaneReplay::is_first_of_id(std::uint64_t identity, Instant arrival) {
    const auto [known, is_new] = ids_.try_emplace(identity, arrival);
    if (!is_new && context_->keep_rows && arrival >= known->second + *context_->keep_rows) {
        known->second = arrival;
        return true;
    }
    return is_new;
}

Result<void> LaneReplay::submit_rows(std::span<Record> records) {
    for (const Record& each : records) {
        TRY(last_row_, once_there_is_room([&] {
                return lanes_->with(lane_, [&](auto& judge) {
                    return judge->submit_again(
                        each.offset, each.judged, each.keys, each.unstored_id
                    );
                });
            }));
    }
    return {};
}

/// From where the projections are to be told of the lane.
std::uint64_t LaneReplay::projected_to() const {
    return context_->host != nullptr ? context_->host->next(lane_).offset
                                     : std::numeric_limits<std::uint64_t>::max();
}

/// The host knows which of these records each projection has already.
Result<void> LaneReplay::project(
    std::span<const Record> records,
    std::span<const projecting::ControlRecord> controls,
    std::uint64_t end
) {
    if (context_->host == nullptr) {
        return {};
    }
    std::vector<projecting::JudgedRecord> judged;
    judged.reserve(records.size());
    for (const Record& each : records) {
        judged.push_back(
            {.offset = each.offset,
             .judged = &each.judged,
             .person = counted_person(each.judged.event, each.keys)}
        );
    }
    // A projection that has no memory left waits for the store, as a start with much to read again
    // has to.
    TRY_VOID(once_there_is_room([&] { return context_->host->wait_for_room(); }));
    const projecting::Mark mark{.offset = end, .source = sources_.next()};
    context_->host->tell(lane_, {.events = judged, .controls = controls, .end = mark});
    return {};
}

}  // namespace footfall::intake
