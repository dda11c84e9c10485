#include "tokens/lane_objects.h"

#include <optional>

namespace footfall::tokens {

ObjectSums::ObjectSums(metrics::Metrics& metrics)
    : objects_gauge_{metrics.gauge("footfall_token_objects", "Objects in memory.")},
      cold_gauge_{metrics.gauge(
          "footfall_token_cold_objects",
          "Of the objects in memory those packed more tightly, not used for a while."
      )},
      bytes_gauge_{metrics.gauge(
          "footfall_token_bytes", "What objects in memory take, as the heap rounds it."
      )} {}

MemoryUse ObjectSums::use() const {
    return {
        .objects = objects_.load(),
        .cold = cold_.load(),
        .bytes = bytes_.load(),
        .small = small_.load()
    };
}

/// What took `before` takes `after`.
void ObjectSums::book(const MemoryUse& before, const MemoryUse& after) {
    // The sums may wrap, and come back.
    const auto add = [](std::atomic<std::size_t>& sum, std::size_t from, std::size_t to) {
        if (from != to) {
            sum.fetch_add(to - from, std::memory_order_relaxed);
        }
    };
    const auto show = [](metrics::Gauge& gauge, std::size_t from, std::size_t to) {
        if (from != to) {
            gauge.add(static_cast<double>(to) - static_cast<double>(from));
        }
    };
    add(objects_, before.objects, after.objects);
    add(cold_, before.cold, after.cold);
    add(bytes_, before.bytes, after.bytes);
    add(small_, before.small, after.small);
    show(objects_gauge_, before.objects, after.objects);
    show(cold_gauge_, before.cold, after.cold);
    show(bytes_gauge_, before.bytes, after.bytes);
}

void LaneObjects::use(ChunkPool& pool, ObjectSums& sums) {
    cold_.use(pool);
    sums_ = &sums;
}

LaneObjects::Slot LaneObjects::add(
    std::uint64_t hash, std::uint16_t counter, std::string_view name
) {
    ObjectEntry::Owner* owner = nullptr;
    with(table_, [&] { owner = &table_.insert(hash, counter, name); });
    book({}, use_of(**owner));
    return Slot{owner};
}

LaneObjects::Slot LaneObjects::warm_up(
    std::uint64_t hash, std::uint16_t counter, std::string_view name
) {
    std::optional<CountedObject> state;
    with(cold_, [&] { state = cold_.take(hash, counter, name); });
    if (!state) {
        return {};
    }
    const Slot slot = add(hash, counter, name);
    slot.set_busy(false);
    set_state(slot, *std::move(state));
    return slot;
}

void LaneObjects::set_state(Slot slot, CountedObject state) {
    with_entry(slot, [&](ObjectEntry::Owner& entry) {
        ObjectEntry::give_state(entry, std::move(state));
    });
}

void LaneObjects::drop_state(Slot slot) {
    with_entry(slot, [](ObjectEntry::Owner& entry) { entry->drop_state(); });
}

std::deque<Waiting>& LaneObjects::waiting_of(Slot slot) {
    std::deque<Waiting>* waiting = nullptr;
    with_entry(slot, [&](ObjectEntry::Owner& entry) { waiting = &entry->waiting(); });
    return *waiting;
}

void LaneObjects::remove(std::uint64_t hash, const ObjectEntry& entry) {
    forget(entry);
    table_.take(hash, entry);
}

MemoryAudit LaneObjects::audit() const {
    MemoryUse counted;
    const auto add = [&counted](const MemoryUse& use) {
        counted.objects += use.objects;
        counted.cold += use.cold;
        counted.bytes += use.bytes;
        counted.small += use.small;
    };
    add(use_of(table_));
    add(use_of(cold_));
    table_.for_each([&](const ObjectEntry& entry) { add(use_of(entry)); });
    return {.booked = booked_, .counted = counted};
}

/// Of the table itself.
MemoryUse LaneObjects::use_of(const ObjectTable& table) {
    return {.bytes = table.bytes(), .small = table.bytes()};
}

MemoryUse LaneObjects::use_of(const ColdObjects& cold) {
    return {.objects = cold.size(), .cold = cold.size(), .bytes = cold.bytes()};
}

/// What took `before` takes `after`.
void LaneObjects::book_change(const MemoryUse& before, const MemoryUse& after) {
    booked_.objects += after.objects - before.objects;
    booked_.cold += after.cold - before.cold;
    booked_.bytes += after.bytes - before.bytes;
    booked_.small += after.small - before.small;
    sums_->book(before, after);
}

/// The entry is about to leave the table.
void LaneObjects::forget(const ObjectEntry& entry) {
    book(use_of(entry), {});
}

/// Puts the object among the cold ones, if it can be packed.
void LaneObjects::cool_down(std::uint64_t hash, ObjectEntry& entry) {
    with(cold_, [&] { cold_.put(hash, entry.counter(), entry.name(), entry.take_state()); });
}

}  // namespace footfall::tokens
