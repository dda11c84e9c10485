// What ObjectCache asks of the store: objects that are not in memory, and single rows of saturated
// ones. An object is busy from the moment that is decided, under its lane's mutex, until resume();
// in between the mutex is free and operations queue.

#include "foundation/check.h"
#include "foundation/log.h"
#include "tokens/levels.h"
#include "tokens/object_cache.h"
#include "tokens/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace footfall::tokens {
namespace {

/// An object is fresh for a millisecond for every so many tokens: a hundred times of what it costs
/// to load them over the network, some 2.5 us of CPU each.
constexpr std::size_t tokens_a_millisecond = 4;
/// And for so many milliseconds for each partition that had to be asked for.
constexpr std::int64_t milliseconds_a_partition = 4;

/// What the levels of `loaded` add to the time that it is fresh for.
std::chrono::milliseconds fresh_by_levels(const CountedObject& loaded) {
    std::int64_t partitions = 0;
    if (loaded.rare) {
        for (const SpanLevel& span : loaded.rare->levels) {
            for (std::int64_t level = 1; level <= span.level; ++level) {
                partitions += buckets_of(level);
            }
        }
    }
    return std::chrono::milliseconds{partitions * milliseconds_a_partition};
}

}  // namespace

/// Takes `done` into the object's queue, or answers that it is full.
std::optional<Result<Count>> ObjectCache::enqueue(
    Lane& lane, LaneObjects::Slot slot, const Operation& operation, CountDone& done
) {
    std::deque<Waiting>& waiting = lane.objects.waiting_of(slot);
    if (waiting.size() >= options_.waiting_limit) {
        return fail(ErrorKind::overloaded, "too many requests wait for this object to be loaded");
    }
    waiting.push_back(
        {.operation = operation, .token = std::string{operation.token}, .done = std::move(done)}
    );
    return std::nullopt;
}

/// Loads the object on this thread if the store has it in memory, and does what is asked before
/// anything that was asked meanwhile.
std::optional<Result<Count>> ObjectCache::load_for(
    Place place, const Operation& operation, CountDone* done
) {
    const std::uint64_t incarnation = incarnation_.load();
    ObjectLoad load = load_of(place);
    std::optional<Result<CountedObject>> loaded = load.read_now();
    const bool complete = loaded.has_value();
    std::optional<Result<Count>> answer;
    Answers answers;
    Followup followup;
    lanes_.with(place.lane, [&](Lane& lane) {
        if (complete && !*loaded) {
            answer = std::unexpected(fail_all(lane, place, std::move(*loaded).error(), answers));
            return;
        }
        const LaneObjects::Slot slot = lane.objects.slot_of(place.hash, *place.entry);
        const bool installed =
            complete && install(lane, place, slot, incarnation, **std::move(loaded), followup);
        if (installed) {
            Applied applied = apply_in_lane(slot, place.lane, operation, lane);
            if (applied.step == Applied::Step::answered) {
                answer = std::move(applied.count);
            }
        }
        if (!answer && done != nullptr) {
            lane.objects.waiting_of(slot).push_front(
                {.operation = operation,
                 .token = std::string{operation.token},
                 .done = std::move(*done)}
            );
        }
        place.entry = &*slot;
        if (installed) {
            followup = resume(lane, place, answers);
        }
    });
    if (complete) {
        loads_now_.add();
    } else {
        read_on(place, incarnation, std::move(load));
    }
    finish(place, std::move(answers), std::move(followup));
    return answer;
}

ObjectLoad ObjectCache::load_of(const Place& place) const {
    const ObjectEntry& entry = *place.entry;
    return {
        *store_,
        config_of(entry),
        std::string{entry.name()},
        secret_,
        clock_->now(),
        place.directory,
        was_ahead()
    };
}

/// Waits for what could not be read at once.
void ObjectCache::read_on(const Place& place, std::uint64_t incarnation, ObjectLoad load) {
    loads_waited_.add();
    ObjectLoad::read_on(std::move(load), [this, place, incarnation](Result<CountedObject> loaded) {
        take_loaded(place, incarnation, std::move(loaded));
    });
}

void ObjectCache::take_loaded(
    Place place, std::uint64_t incarnation, Result<CountedObject> loaded
) {
    Answers answers;
    Followup followup;
    lanes_.with(place.lane, [&](Lane& lane) {
        if (!loaded) {
            fail_all(lane, place, std::move(loaded).error(), answers);
            return;
        }
        const LaneObjects::Slot slot = lane.objects.slot_of(place.hash, *place.entry);
        const bool installed =
            install(lane, place, slot, incarnation, *std::move(loaded), followup);
        place.entry = &*slot;
        if (installed) {
            followup = resume(lane, place, answers);
        }
    });
    finish(place, std::move(answers), std::move(followup));
}

/// Says until when `loaded` may be answered from memory. From now on, not from when it was asked
/// for: what waits has to be answered by it however long the load took.
void ObjectCache::note_fresh(CountedObject& loaded) const {
    if (options_.fresh_for) {
        const std::int64_t now_ms = to_milliseconds(clock_->now());
        const std::chrono::milliseconds by_size = std::chrono::milliseconds{
            static_cast<std::int64_t>(loaded.set.count(now_ms) / tokens_a_millisecond)
        };
        const std::chrono::milliseconds fresh =
            std::max(*options_.fresh_for, by_size + fresh_by_levels(loaded));
        loaded.fresh_until = now_ms + fresh.count();
    }
}

/// Makes `loaded` the object's state, unless writes were lost since it was read: it may hold what
/// is gone, or miss what came back, and has to be read again.
bool ObjectCache::install(
    Lane& lane,
    Place& place,
    LaneObjects::Slot slot,
    std::uint64_t incarnation,
    CountedObject loaded,
    Followup& followup
) {
    if (incarnation != incarnation_.load()) {
        place.directory = {};
        followup.kind = Followup::Kind::load;
        return false;
    }
    note_fresh(loaded);
    if (loaded.directory.size_class >= 0) {
        give_share(-1);  // with more of them cold it might have been here still
    }
    lane.objects.set_state(slot, std::move(loaded));
    return true;
}

/// Tells all who wait that the object cannot be loaded, and answers what they are told; the next
/// one tries again.
Error ObjectCache::fail_all(Lane& lane, const Place& place, Error reason, Answers& answers) {
    Error error =
        with_context(std::move(reason), fmt::format("load object {}", place.entry->name()));
    const bool store_says_it = error.kind == ErrorKind::unavailable && !store_->health();
    if (!store_says_it) {
        failed_loads_.say(LogLevel::warning, error.message);
    }
    if (place.entry->anyone_waits()) {
        const LaneObjects::Slot slot = lane.objects.slot_of(place.hash, *place.entry);
        for (Waiting& waiting : lane.objects.waiting_of(slot)) {
            answers.emplace_back(std::move(waiting.done), std::unexpected(error));
        }
    }
    take_out(lane, place);
    return error;
}

/// Marks the object busy until the store has said what `operation` has to know.
ObjectCache::Followup ObjectCache::suspend(
    Lane& lane, LaneObjects::Slot slot, Place& place, const Operation& operation, Applied::Step step
) {
    slot.set_busy(true);
    place.entry = &*slot;
    const storage::CommitPosition after = slot->last_position();
    place.directory = {};
    if (step == Applied::Step::needs_load) {
        place.directory = slot->directory();
        lane.objects.drop_state(slot);
        return {.kind = Followup::Kind::load, .after = after};
    }
    const std::int64_t expiry = expiry_of(clock_->now(), operation.ttl);
    return {
        .kind = Followup::Kind::probe,
        .token = std::string{operation.token},
        .expiry = expiry,
        .level = slot->level_of(span_of(config_of(*slot), expiry)).level,
        .after = after
    };
}

/// Applies what waited for the object, in order, until nothing waits or the store is needed again.
ObjectCache::Followup ObjectCache::resume(Lane& lane, Place& place, Answers& answers) {
    const LaneObjects::Slot slot = lane.objects.slot_of(place.hash, *place.entry);
    slot.set_busy(false);
    const bool waited = slot->anyone_waits();
    while (slot->anyone_waits()) {
        std::deque<Waiting>& queue = lane.objects.waiting_of(slot);
        Waiting& waiting = queue.front();
        waiting.operation.token = waiting.token;
        Applied applied = apply_in_lane(slot, place.lane, waiting.operation, lane);
        if (applied.step != Applied::Step::answered) {
            return suspend(lane, slot, place, waiting.operation, applied.step);
        }
        answers.emplace_back(std::move(waiting.done), std::move(applied.count));
        queue.pop_front();
    }
    place.entry = &*slot;
    if (!slot->is_stored()) {
        // Nothing was ever put on it: asking for names that do not exist must not fill the memory.
        take_out(lane, place);
        return {};
    }
    if (waited) {
        // It may be packed, since nobody waits for it any more.
        lane.objects.change(slot, [](CountedObject& /*unchanged*/) {});
        place.entry = &*slot;
    }
    return {};
}

/// Gives the answers, then does what follows.
void ObjectCache::finish(const Place& place, Answers answers, Followup followup) {
    for (auto& [done, answer] : answers) {
        done(std::move(answer));
    }
    follow(place, std::move(followup));
}

/// Asks the store, once it holds all that was written of the object so far. Should those writes
/// have been lost, the answer is void: the handler of lost writes, which runs next, drops it.
void ObjectCache::follow(const Place& place, Followup followup) {
    if (followup.kind == Followup::Kind::none) {
        return;
    }
    const storage::CommitPosition after = followup.after;
    auto ask = [this,
                place = Place{place},
                followup = std::move(followup)](const Result<void>& stored) mutable {
        if (followup.kind == Followup::Kind::load) {
            if (!stored) {
                place.directory = {};  // it was lost with them
            }
            const std::uint64_t incarnation = incarnation_.load();
            read_on(place, incarnation, load_of(place));
        } else {
            probe(place, followup);
        }
    };
    store_->when_durable(after, std::move(ask));
}

void ObjectCache::probe(const Place& place, const Followup& followup) {
    const std::uint64_t incarnation = incarnation_.load();
    const std::int64_t expiry = followup.expiry;
    const CounterConfig& config = config_of(*place.entry);
    std::vector<std::vector<storage::Value>> rows;
    const std::uint64_t hash = token_hash(secret_, followup.token);
    for (std::int64_t level = 0; level <= followup.level; ++level) {
        rows.push_back(
            {config.name,
             std::string{place.entry->name()},
             level,
             bucket_of(hash, level),
             span_of(config, expiry),
             followup.token}
        );
    }
    store_->read_many(
        token_table,
        std::move(rows),
        [this, place, incarnation, expiry](Result<storage::Found> found) {
            take_probed(place, incarnation, expiry, std::move(found));
        }
    );
}

void ObjectCache::take_probed(
    Place place, std::uint64_t incarnation, std::int64_t expiry, Result<storage::Found> found
) {
    Answers answers;
    Followup followup;
    lanes_.with(place.lane, [&](Lane& lane) {
        const LaneObjects::Slot slot = lane.objects.slot_of(place.hash, *place.entry);
        if (incarnation != incarnation_.load() || !slot->loaded()) {
            followup.kind = Followup::Kind::load;  // the object was dropped meanwhile
            return;
        }
        std::deque<Waiting>& queue = lane.objects.waiting_of(slot);
        Waiting& asker = queue.front();
        if (!found) {
            answers.emplace_back(std::move(asker.done), std::unexpected(std::move(found).error()));
            queue.pop_front();
        } else {
            std::int64_t stored = 0;
            for (std::size_t row = 0; row < found->rows.size(); ++row) {
                stored = std::max(stored, found->rows.at(row, 6).number());
            }
            if (stored >= expiry * 1000) {
                asker.operation.kind =
                    Operation::Kind::get;  // it lives long enough already: nothing to write
                if (options_.fresh_for) {
                    // Another process put it: memory does not have it yet.
                    place.directory = slot->directory();
                    lane.objects.drop_state(slot);
                    followup.kind = Followup::Kind::load;
                    return;
                }
            } else {
                asker.operation.probed_span = span_of(config_of(*slot), expiry);
            }
        }
        followup = resume(lane, place, answers);
    });
    finish(place, std::move(answers), std::move(followup));
}

}  // namespace footfall::tokens
