#include "tokens/object_cache.h"

#include "foundation/check.h"
#include "foundation/names.h"

#include <array>
#include <chrono>
#include <cstring>

namespace footfall::tokens {
namespace {

/// How far an operation moves the hand. More than the one object it may have added, so that the
/// hand is faster than the growth also while it finds much that was used again.
constexpr std::size_t looks_an_operation = 16;

/// And when it looks for large objects only, of which there are few.
constexpr std::size_t looks_for_large = 2;
/// With less memory than this there are no cold objects: a lane would hardly have room for two
/// chunks of them.
constexpr std::size_t cold_from = 1 << 20;
/// Neither kind gets less than an eighth of the memory.
constexpr std::size_t least_share = 8;
/// So many misses more of one kind give it all there is to give.
constexpr std::size_t share_steps = 65'536;

constexpr std::string_view loads_name = "footfall_token_loads_total";
constexpr std::string_view loads_help =
    "Objects loaded: from the store's memory within the request, or waiting for its disk.";

}  // namespace

ObjectCache::ObjectCache(
    storage::Store& store,
    const Clock& clock,
    SipKey secret,
    metrics::Metrics& metrics,
    std::span<const CounterConfig> counters,
    Options options
)
    : store_{&store},
      clock_{&clock},
      secret_{secret},
      counters_{counters},
      options_{options},
      puts_{metrics.counter("footfall_tokens_put_total", "Tokens put, new or not.")},
      added_{metrics.counter("footfall_tokens_added_total", "Tokens put that were not live before.")
      },
      unsure_{metrics.counter(
          "footfall_tokens_unsure_total",
          "Tokens put of which nobody knows whether they were live: above their counter's limit."
      )},
      loads_now_{metrics.counter(loads_name, loads_help, {{"from", "memory"}})},
      loads_waited_{metrics.counter(loads_name, loads_help, {{"from", "disk"}})},
      evictions_{metrics.counter(
          "footfall_token_evictions_total", "Objects that left memory to make room for others."
      )},
      sums_{metrics},
      // By short hashes nothing could be told that is not to be asked of the store anyway.
      has_cold_{memory_bytes() >= cold_from && !options.fresh_for},
      small_share_{memory_bytes() / 4} {
    for (std::size_t lane = 0; lane < decltype(lanes_)::count; ++lane) {
        lanes_.with(lane, [this](Lane& state) { state.objects.use(cold_memory_, sums_); });
    }
    store_losses_ = store.on_lost_writes([this] { drop_objects(); });
}

std::size_t ObjectCache::lane_of(std::uint16_t counter, std::string_view object) const {
    return decltype(lanes_)::lane_of(hash_of(counter, object));
}

std::optional<Result<Count>> ObjectCache::operate(
    std::uint16_t counter, std::string_view object, const Operation& operation, CountDone* done
) {
    look_at_clock();
    const std::uint64_t hash = hash_of(counter, object);
    Begun begun = lanes_.with(decltype(lanes_)::lane_of(hash), [&](Lane& lane) {
        return begin(lane, hash, counter, object, operation, done);
    });
    if (begun.must_load) {
        begun.answer = load_for(begun.place, operation, done);
    }
    follow(begun.place, std::move(begun.followup));
    if (!fits() || !small_fit()) {
        evict_some(begun.place.lane);
    }
    return std::move(begun.answer);
}

std::vector<ActivitySecond> ObjectCache::activity_between(std::int64_t from, std::int64_t before) {
    for (std::size_t lane = 0; lane < decltype(lanes_)::count; ++lane) {
        const ActivitySecond closed = lanes_.with(lane, [before](Lane& state) {
            return state.activity.second < before ? std::exchange(state.activity, {})
                                                  : ActivitySecond{};
        });
        activity_.add(closed, before);
    }
    return activity_.between(from, before);
}

MemoryAudit ObjectCache::audit(std::size_t lane) {
    return lanes_.with(lane, [](const Lane& state) { return state.objects.audit(); });
}

const CounterConfig& ObjectCache::config_of(const ObjectEntry& entry) const {
    return counters_[entry.counter()];
}

/// Of the counter's index as two bytes, then the object's name.
std::uint64_t ObjectCache::hash_of(std::uint16_t counter, std::string_view object) const {
    std::array<char, 2 + longest_name_bytes> text;  // NOLINT: what is used of it is written
    CHECK(object.size() <= longest_name_bytes, "names are checked before", object.size());
    text[0] = static_cast<char>(counter & 0xff);
    text[1] = static_cast<char>(counter >> 8);
    std::memcpy(text.data() + 2, object.data(), object.size());
    return siphash13(secret_, {text.data(), 2 + object.size()});
}

ObjectCache::Begun ObjectCache::begin(
    Lane& lane,
    std::uint64_t hash,
    std::uint16_t counter,
    std::string_view object,
    const Operation& operation,
    CountDone* done
) {
    Begun begun{.place = {.hash = hash, .lane = decltype(lanes_)::lane_of(hash)}};
    LaneObjects::Slot slot = lane.objects.find(hash, counter, object);
    const bool again = static_cast<bool>(slot);
    slot = again ? slot : warm_up(lane, hash, counter, object);
    if (!slot) {
        begun.place.entry = &*add(lane, hash, counter, object);
        begun.must_load = true;
        return begun;
    }
    if (!slot->busy) {
        Applied applied = apply_in_lane(slot, begun.place.lane, operation, lane);
        if (applied.step == Applied::Step::answered) {
            slot.set_used_again(again);
            begun.answer = std::move(applied.count);
            return begun;
        }
        if (slot->packed() && store_->durable(slot->last_position())) {
            // Its short hashes do not tell, and all of it can be read at once.
            give_share(2);
            slot.set_busy(true);
            begun.place.entry = &*slot;
            begun.place.directory = slot->directory();
            lane.objects.drop_state(slot);
            begun.must_load = true;
            return begun;
        }
        if (done != nullptr) {
            begun.followup = suspend(lane, slot, begun.place, operation, applied.step);
        }
    }
    if (done != nullptr) {
        begun.answer = enqueue(lane, slot, operation, *done);
    }
    begun.place.entry = &*slot;
    return begun;
}

/// Adds an object that is about to be loaded.
LaneObjects::Slot ObjectCache::add(
    Lane& lane, std::uint64_t hash, std::uint16_t counter, std::string_view object
) {
    const LaneObjects::Slot slot = lane.objects.add(hash, counter, object);
    note_size(lane, decltype(lanes_)::lane_of(hash));
    return slot;
}

/// Brings the object back from among the cold ones; none if it is not there.
LaneObjects::Slot ObjectCache::warm_up(
    Lane& lane, std::uint64_t hash, std::uint16_t counter, std::string_view object
) {
    const LaneObjects::Slot slot = lane.objects.warm_up(hash, counter, object);
    note_size(lane, decltype(lanes_)::lane_of(hash));
    return slot;
}

void ObjectCache::take_out(Lane& lane, const Place& place) {
    lane.objects.remove(place.hash, *place.entry);
    note_size(lane, place.lane);
}

void ObjectCache::note_size(const Lane& lane, std::size_t index) {
    sizes_[index].store(lane.objects.size(), std::memory_order_relaxed);
}

bool ObjectCache::fits() const {
    return sums_.bytes() <= memory_bytes();
}

/// Whether small objects that are not cold keep within what they may take.
bool ObjectCache::small_fit() const {
    return !has_cold_ || sums_.small() <= small_share_.load(std::memory_order_relaxed);
}

/// Gives small objects that are not cold so many steps more of the memory, or takes them away.
void ObjectCache::give_share(int steps) {
    const std::size_t share = memory_bytes();
    const std::size_t least = share / least_share;
    const std::size_t wanted = small_share_.load(std::memory_order_relaxed) +
                               static_cast<std::size_t>(steps) * (share / share_steps);
    small_share_.store(std::clamp(wanted, least, share - least), std::memory_order_relaxed);
}

Applied ObjectCache::apply_in_lane(
    LaneObjects::Slot slot, std::size_t index, const Operation& operation, Lane& lane
) {
    const Instant now = clock_->now();
    Applied applied;
    lane.objects.change(slot, [&](CountedObject& state) {
        applied = apply(
            state,
            {.config = &config_of(*slot),
             .object = slot->name(),
             .lane = static_cast<std::int64_t>(index),
             .rows_a_partition = options_.rows_a_partition},
            operation,
            now,
            *store_,
            lane.scratch
        );
    });
    if (operation.kind == Operation::Kind::put && applied.step == Applied::Step::answered &&
        applied.count) {
        note(lane, applied, now);
    }
    return applied;
}

/// Counts a PUT into the second it belongs to; a second that is over is handed on.
void ObjectCache::note(Lane& lane, const Applied& applied, Instant now) {
    puts_.add();
    if (applied.added) {
        added_.add();
    }
    if (applied.unsure) {
        unsure_.add();
    }
    const std::int64_t second =
        std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    if (lane.activity.second != second) {
        activity_.add(lane.activity, second);
        lane.activity = {.second = second};
    }
    lane.activity.put += 1;
    lane.activity.added += applied.added ? 1 : 0;
    lane.activity.unsure += applied.unsure ? 1 : 0;
}

/// Whom the hand finds may go: small objects while they have more than their share, or nothing cold
/// is left that could go instead; large ones while all together have more than theirs.
struct ObjectCache::EvictionRules {
    ObjectCache* cache;
    Lane* lane;

    bool spares_small() const { return cache->small_fit() && lane->objects.cold() > 0; }

    bool concerns(const ObjectEntry& entry) const {
        return entry.packed() ? !spares_small() : !cache->fits();
    }

    LaneObjects::Fate fate_of(const ObjectEntry& entry) const { return cache->fate_of(entry); }

    bool enough() const { return cache->fits() && cache->small_fit(); }
};

/// Makes room in the next lane in turn, or in `own` if that has more objects, by looking at a few
/// of them. In turn alone, chance would give one lane more than another, and a table that has grown
/// stays as large as it is.
void ObjectCache::evict_some(std::size_t own) {
    const auto size = [this](std::size_t lane) {
        return sizes_[lane].load(std::memory_order_relaxed);
    };
    const std::size_t turn =
        evict_next_.fetch_add(1, std::memory_order_relaxed) % decltype(lanes_)::count;
    const std::size_t larger = size(own) > size(turn) ? own : turn;
    std::vector<ObjectEntry::Owner> evicted;  // freed once the mutex is released
    lanes_.with(larger, [&](Lane& lane) {
        const std::size_t before = lane.objects.size();
        const EvictionRules rules{.cache = this, .lane = &lane};
        const std::size_t looks = rules.spares_small() ? looks_for_large : looks_an_operation;
        lane.objects.evict(looks, evicted, rules);
        if (evicted.empty() && !fits()) {
            clean(lane);
        }
        note_size(lane, larger);
        const std::size_t left = before - lane.objects.size();
        evictions_.add(static_cast<double>(left));
        if (left > 0 && options_.memory != nullptr) {
            options_.memory->note_short();
        }
    });
}

/// Lets the oldest of the lane's cold objects go.
void ObjectCache::clean(Lane& lane) {
    lane.objects.clean(looks_an_operation, [this](std::uint16_t counter, std::string_view name) {
        return hash_of(counter, name);
    });
}

/// Whether the object may leave the table. It then becomes cold if it can, unless it makes room for
/// a large one: cold it would still take some.
LaneObjects::Fate ObjectCache::fate_of(const ObjectEntry& entry) const {
    if (entry.busy || !store_->durable(entry.last_position())) {
        return LaneObjects::Fate::stays;
    }
    const bool becomes_cold = has_cold_ && entry.packed() && !small_fit();
    return becomes_cold ? LaneObjects::Fate::becomes_cold : LaneObjects::Fate::goes;
}

/// Where the clock was ahead and has been set back, objects in memory lack what had expired by it,
/// and have tokens that would live for too long: they are loaded anew.
void ObjectCache::look_at_clock() {
    const Instant now = clock_->now();
    const std::optional<Instant> latest = clock_watch_.set_back(now);
    if (!latest) {
        return;
    }
    {
        const std::lock_guard lock{ahead_mutex_};
        was_ahead_ = {.latest = *latest, .set_back = now};
    }
    ever_ahead_.store(true);
    incarnation_.fetch_add(1);  // what is being loaded is as of then
    for (std::size_t index = 0; index < decltype(lanes_)::count; ++index) {
        lanes_.with(index, [this, index](Lane& lane) { forget_old_times(lane, index); });
    }
}

/// What the store does not have yet stays until it has, and is loaded then.
void ObjectCache::forget_old_times(Lane& lane, std::size_t index) {
    const std::vector<const ObjectEntry*> left =
        lane.objects.forget_all_but([this](const ObjectEntry& entry) {
            return entry.loaded() && !store_->durable(entry.last_position());
        });
    for (const ObjectEntry* const entry : left) {
        const std::uint64_t hash = hash_of(entry->counter(), entry->name());
        lane.objects.change(lane.objects.slot_of(hash, *entry), [](CountedObject& state) {
            state.fresh_until = 0;
        });
    }
    note_size(lane, index);
}

std::optional<ObjectLoad::WasAhead> ObjectCache::was_ahead() const {
    if (!ever_ahead_.load(std::memory_order_relaxed)) {
        return std::nullopt;
    }
    const std::lock_guard lock{ahead_mutex_};
    return was_ahead_;
}

/// Writes were lost: what is in memory may never have happened.
void ObjectCache::drop_objects() {
    incarnation_.fetch_add(1);
    for (std::size_t index = 0; index < decltype(lanes_)::count; ++index) {
        lanes_.with(index, [this, index](Lane& lane) {
            lane.objects.forget_all();
            note_size(lane, index);
        });
    }
}

}  // namespace footfall::tokens
