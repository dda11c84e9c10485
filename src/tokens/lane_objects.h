#pragma once

#include "metrics/metrics.h"
#include "tokens/cold_objects.h"
#include "tokens/object_entry.h"
#include "tokens/object_table.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::tokens {

/// What objects in memory take.
struct MemoryUse {
    std::size_t objects = 0;
    std::size_t cold = 0;   ///< Of these, those that are cold (cold_objects.h).
    std::size_t bytes = 0;  ///< Of the heap.
    std::size_t small = 0;  ///< Of these, what entries that could be cold take, and their tables.

    friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};

/// What a lane's account says, and the same counted anew.
struct MemoryAudit {
    MemoryUse booked;
    MemoryUse counted;
};

/// What the objects of all lanes take together, and the metrics that say so. Only LaneObjects books
/// in it. Thread-safe, lock-free.
class ObjectSums {
public:
    explicit ObjectSums(metrics::Metrics& metrics);

    MemoryUse use() const;

    std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

    std::size_t small() const { return small_.load(std::memory_order_relaxed); }

private:
    friend class LaneObjects;

    void book(const MemoryUse& before, const MemoryUse& after);

    std::atomic<std::size_t> objects_ = 0;
    std::atomic<std::size_t> cold_ = 0;
    std::atomic<std::size_t> bytes_ = 0;
    std::atomic<std::size_t> small_ = 0;
    metrics::Gauge objects_gauge_;
    metrics::Gauge cold_gauge_;
    metrics::Gauge bytes_gauge_;
};

/// The objects of one lane that are in memory, as entries of a table or cold, with the account of
/// what they take. Whoever uses it sees entries as constants: all that changes what they take is a
/// call of this class, which books the change in the lane's account and in the sums of all lanes
/// before it returns. So no change can be forgotten, and what is read of the sums within the lane
/// is right, too: eviction stops when it is enough.
///
/// Not thread-safe: guarded by the lane. Cost: that of ObjectTable, ObjectEntry and ColdObjects,
/// and three atomic additions where the bytes change.
class LaneObjects {
public:
    /// The place of an object's entry. Stands until an object is added or taken out.
    class Slot {
    public:
        Slot() = default;

        explicit operator bool() const { return owner_ != nullptr; }

        const ObjectEntry& operator*() const { return **owner_; }

        const ObjectEntry* operator->() const { return owner_->get(); }

        // What takes no memory.
        void set_busy(bool busy) const { (*owner_)->busy = busy; }

        void set_used_again(bool used) const { (*owner_)->used_again = used; }

    private:
        friend class LaneObjects;

        explicit Slot(ObjectEntry::Owner* owner) : owner_{owner} {}

        ObjectEntry::Owner* owner_ = nullptr;
    };

    /// What eviction is to do with an object.
    enum class Fate {
        stays,
        goes,
        becomes_cold,  ///< If it can be packed; else it goes.
    };

    LaneObjects() = default;
    LaneObjects(const LaneObjects&) = delete;
    LaneObjects& operator=(const LaneObjects&) = delete;
    ~LaneObjects() = default;

    /// Called once, before all else. Both must outlive it.
    void use(ChunkPool& pool, ObjectSums& sums);

    // `hash`: of counter and name, the same in every call.

    /// The object's entry; of one that is cold, or not here, none.
    Slot find(std::uint64_t hash, std::uint16_t counter, std::string_view name) {
        return Slot{table_.find(hash, counter, name)};
    }

    /// The slot of an entry that is here.
    Slot slot_of(std::uint64_t hash, const ObjectEntry& entry) {
        return Slot{&table_.slot_of(hash, entry)};
    }

    /// Adds an object that is not here: busy, not loaded.
    Slot add(std::uint64_t hash, std::uint16_t counter, std::string_view name);

    /// Brings the object back from among the cold ones; none if it is not there.
    Slot warm_up(std::uint64_t hash, std::uint16_t counter, std::string_view name);

    /// Has `work` done with the state, `work(CountedObject&)`. The entry may move.
    template <class Work>
    void change(Slot slot, const Work& work);

    /// Makes `state` that of the object. The entry may move.
    void set_state(Slot slot, CountedObject state);

    /// Leaves nothing of the object but its name and those who wait.
    void drop_state(Slot slot);

    /// The object's queue, which makes room for itself; what waits in it does not count.
    std::deque<Waiting>& waiting_of(Slot slot);

    /// Takes out the entry, which is destroyed.
    void remove(std::uint64_t hash, const ObjectEntry& entry);

    /// Moves the hand on as ObjectTable::evict() does. `rules.concerns(const ObjectEntry&)`,
    /// `rules.fate_of(const ObjectEntry&)`, `rules.enough()`.
    template <class Rules>
    void evict(std::size_t most, std::vector<ObjectEntry::Owner>& evicted, const Rules& rules);

    /// As ColdObjects::clean().
    template <class HashOf>
    void clean(std::size_t most, const HashOf& hash_of);

    /// Forgets what it knows: only busy objects stay, not loaded.
    void forget_all() {
        forget_all_but([](const ObjectEntry&) { return false; });
    }

    /// The same but for those, among the loaded ones that are not busy, of which
    /// `stays(const ObjectEntry&)` holds; answers them. Cold ones go.
    template <class Stays>
    std::vector<const ObjectEntry*> forget_all_but(const Stays& stays);

    std::size_t size() const { return table_.size() + cold_.size(); }

    std::size_t cold() const { return cold_.size(); }

    /// Counts anew what it takes. O(objects).
    MemoryAudit audit() const;

private:
    static MemoryUse use_of(const ObjectEntry& entry) {
        const std::size_t bytes = entry.bytes();
        return {.objects = 1, .bytes = bytes, .small = entry.packed() ? bytes : 0};
    }

    static MemoryUse use_of(const ObjectTable& table);
    static MemoryUse use_of(const ColdObjects& cold);

    void book(const MemoryUse& before, const MemoryUse& after) {
        if (before != after) {
            book_change(before, after);
        }
    }

    void book_change(const MemoryUse& before, const MemoryUse& after);
    template <class Work>
    void with_entry(Slot slot, const Work& work);
    template <class Part, class Work>
    void with(Part& part, const Work& work);
    void forget(const ObjectEntry& entry);
    void cool_down(std::uint64_t hash, ObjectEntry& entry);

    ObjectTable table_;
    ColdObjects cold_;
    ObjectSums* sums_ = nullptr;
    MemoryUse booked_;
};

/// Has `work` done with the entry, and books what that changed.
template <class Work>
void LaneObjects::with_entry(Slot slot, const Work& work) {
    const MemoryUse before = use_of(*slot);
    work(*slot.owner_);
    book(before, use_of(*slot));  // it may be another by now
}

/// The same with a part that stays where it is.
template <class Part, class Work>
void LaneObjects::with(Part& part, const Work& work) {
    const MemoryUse before = use_of(part);
    work();
    book(before, use_of(part));
}

template <class Stays>
std::vector<const ObjectEntry*> LaneObjects::forget_all_but(const Stays& stays) {
    with(cold_, [this] { cold_.clear(); });
    std::vector<const ObjectEntry*> left;
    table_.erase_if([&](ObjectEntry& entry) {
        if (entry.busy) {
            with(entry, [&entry] { entry.drop_state(); });
            return false;
        }
        if (stays(entry)) {
            left.push_back(&entry);
            return false;
        }
        forget(entry);
        return true;
    });
    return left;
}

template <class Work>
void LaneObjects::change(Slot slot, const Work& work) {
    with_entry(slot, [&](ObjectEntry::Owner& entry) {
        CountedObject state = entry->take_state();
        work(state);
        ObjectEntry::give_state(entry, std::move(state));
    });
}

template <class Rules>
void LaneObjects::evict(
    std::size_t most, std::vector<ObjectEntry::Owner>& evicted, const Rules& rules
) {
    struct TableRules {
        LaneObjects* lane;
        const Rules* rules;

        bool concerns(const ObjectEntry& entry) const { return rules->concerns(entry); }

        bool let_go(std::uint64_t hash, ObjectEntry& entry) const {
            const Fate fate = rules->fate_of(entry);
            if (fate == Fate::stays) {
                return false;
            }
            lane->forget(entry);
            if (fate == Fate::becomes_cold) {
                lane->cool_down(hash, entry);
            }
            return true;
        }

        bool enough() const { return rules->enough(); }
    };

    table_.evict(most, evicted, TableRules{.lane = this, .rules = &rules});
    with(table_, [this] { table_.shrink(); });
}

template <class HashOf>
void LaneObjects::clean(std::size_t most, const HashOf& hash_of) {
    with(cold_, [&] { cold_.clean(most, hash_of); });
}

}  // namespace footfall::tokens
