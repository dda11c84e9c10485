#include "tokens/object_cache.h"

#include "foundation/check.h"
#include "tokens/names.h"

#include <array>
#include <chrono>
#include <cstring>

namespace footfall::tokens {
namespace {

/// How far an operation moves the hand. More than the one object it may have added, so that the
/// hand is faster than the growth also while it finds much that was used again.
constexpr std::size_t looks_an_operation = 16;

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
      objects_gauge_{metrics.gauge("footfall_token_objects", "Objects in memory.")},
      bytes_gauge_{metrics.gauge(
          "footfall_token_bytes", "What objects in memory take, as the heap rounds it."
      )} {
    store.on_lost_writes([this] { drop_objects(); });
}

std::size_t ObjectCache::lane_of(std::uint16_t counter, std::string_view object) const {
    return decltype(lanes_)::lane_of(hash_of(counter, object));
}

std::optional<Result<Count>> ObjectCache::operate(
    std::uint16_t counter, std::string_view object, const Operation& operation, CountDone* done
) {
    const std::uint64_t hash = hash_of(counter, object);
    Begun begun = lanes_.with(decltype(lanes_)::lane_of(hash), [&](Lane& lane) {
        return begin(lane, hash, counter, object, operation, done);
    });
    if (begun.must_load) {
        begun.answer = load_for(begun.place, operation, done);
    }
    follow(begun.place, std::move(begun.followup));
    if (bytes_.load(std::memory_order_relaxed) > options_.memory_bytes) {
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
        activity_.add(closed);
    }
    return activity_.between(from, before);
}

MemoryUse ObjectCache::memory_use() const {
    return {.objects = objects_.load(), .bytes = bytes_.load()};
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
    ObjectEntry::Owner* const slot = lane.objects.find(hash, counter, object);
    if (slot == nullptr) {
        begun.place.entry = add(lane, hash, counter, object).get();
        begun.must_load = true;
        return begun;
    }
    if (!(*slot)->busy) {
        Applied applied = apply_in_lane(*slot, begun.place.lane, operation, lane);
        if (applied.step == Applied::Step::answered) {
            (*slot)->used_again = true;
            begun.answer = std::move(applied.count);
            return begun;
        }
        if (done != nullptr) {
            begun.followup = suspend(**slot, operation, applied.step);
        }
    }
    if (done != nullptr) {
        begun.answer = enqueue(**slot, operation, *done);
    }
    begun.place.entry = slot->get();
    return begun;
}

/// Adds an object that is about to be loaded.
ObjectEntry::Owner& ObjectCache::add(
    Lane& lane, std::uint64_t hash, std::uint16_t counter, std::string_view object
) {
    const std::size_t before = lane.objects.bytes();
    ObjectEntry::Owner& entry = lane.objects.insert(hash, counter, object);
    account(before, lane.objects.bytes() + entry->bytes());
    objects_.fetch_add(1, std::memory_order_relaxed);
    objects_gauge_.add(1);
    note_size(lane, hash);
    return entry;
}

ObjectEntry::Owner ObjectCache::take_out(Lane& lane, const Place& place) {
    forget(*place.entry);
    ObjectEntry::Owner taken = lane.objects.take(place.hash, *place.entry);
    note_size(lane, place.hash);
    return taken;
}

void ObjectCache::note_size(const Lane& lane, std::uint64_t hash) {
    sizes_[decltype(lanes_)::lane_of(hash)].store(lane.objects.size(), std::memory_order_relaxed);
}

/// The object is about to leave the table.
void ObjectCache::forget(const ObjectEntry& entry) {
    account(entry.bytes(), 0);
    objects_.fetch_sub(1, std::memory_order_relaxed);
    objects_gauge_.add(-1);
}

/// What took `before` bytes takes `after`.
void ObjectCache::account(std::size_t before, std::size_t after) {
    if (before != after) {
        bytes_.fetch_add(after - before, std::memory_order_relaxed);  // modulo 2^64
        bytes_gauge_.add(static_cast<double>(after) - static_cast<double>(before));
    }
}

/// Has `work` done with the state of the object.
template <class Work>
void ObjectCache::with_state(ObjectEntry::Owner& entry, const Work& work) {
    const std::size_t bytes = entry->bytes();
    CountedObject state = entry->take_state();
    work(state);
    ObjectEntry::give_state(entry, std::move(state));
    account(bytes, entry->bytes());
}

Applied ObjectCache::apply_in_lane(
    ObjectEntry::Owner& entry, std::size_t index, const Operation& operation, Lane& lane
) {
    const Instant now = clock_->now();
    Applied applied;
    with_state(entry, [&](CountedObject& state) {
        applied = apply(
            state,
            {.config = &config_of(*entry),
             .object = entry->name(),
             .lane = static_cast<std::int64_t>(index)},
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

/// The object may be packed, since nobody waits for it any more.
void ObjectCache::pack(ObjectEntry::Owner& entry) {
    with_state(entry, [](CountedObject& /*unchanged*/) {});
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
        activity_.add(lane.activity);
        lane.activity = {.second = second};
    }
    lane.activity.put += 1;
    lane.activity.added += applied.added ? 1 : 0;
    lane.activity.unsure += applied.unsure ? 1 : 0;
}

/// Moves the hand of the next lane in turn, or of `own` if that has more objects, over a few of
/// them. In turn alone, chance would give one lane more than another, and a table that has grown
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
        lane.objects.evict(
            looks_an_operation,
            evicted,
            [this](const ObjectEntry& entry) {
                if (entry.busy || !store_->durable(entry.last_position())) {
                    return false;
                }
                forget(entry);
                return true;
            },
            [this] { return bytes_.load(std::memory_order_relaxed) <= options_.memory_bytes; }
        );
        sizes_[larger].store(lane.objects.size(), std::memory_order_relaxed);
    });
    if (!evicted.empty()) {
        evictions_.add(static_cast<double>(evicted.size()));
    }
}

/// Writes were lost: what is in memory may never have happened.
void ObjectCache::drop_objects() {
    incarnation_.fetch_add(1);
    for (std::size_t index = 0; index < decltype(lanes_)::count; ++index) {
        lanes_.with(index, [this](Lane& lane) {
            lane.objects.erase_if([this](ObjectEntry& entry) {
                if (!entry.busy) {
                    forget(entry);
                    return true;
                }
                unload(entry);
                return false;
            });
        });
    }
}

/// Leaves nothing of the object but its name and those who wait.
void ObjectCache::unload(ObjectEntry& entry) {
    const std::size_t bytes = entry.bytes();
    entry.drop_state();
    account(bytes, entry.bytes());
}

}  // namespace footfall::tokens
