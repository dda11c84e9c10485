#pragma once

#include "foundation/clock.h"
#include "storage/store.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

namespace footfall::intake {

/// What later events may be asked about, of an event whose rows the store may not show yet.
struct YoungEvent {
    std::uint64_t identity = 0;  ///< events::IdKeys; 0: without an id.
    std::uint64_t content = 0;
    std::uint64_t offset = 0;                  ///< Of its record.
    std::optional<std::uint64_t> source = {};  ///< Of events::JudgedEvent.
    std::uint64_t repeat = 0;
    bool counted = false;  ///< In the sense of the rules against repeats.
    Instant time{};
    storage::CommitPosition record = nowhere;  ///< Where its record was appended.
    storage::CommitPosition rows = nowhere;    ///< Where its rows were submitted.

    static constexpr storage::CommitPosition nowhere =
        std::numeric_limits<storage::CommitPosition>::max();
};

/// The latest events of a lane, in the order of their records, by id and by what repeats. The store
/// and these together know all: an event may leave once its rows are durable and no read that
/// began before is under way.
///
/// Belongs to a lane, used under its mutex. Cost: about 100 ns an event.
class YoungEvents {
public:
    void add(const YoungEvent& event);

    /// Drops the latest `count`, which were added and never happened.
    void take_back(std::size_t count);

    /// The records of the latest `count` were appended.
    void appended(std::size_t count, storage::CommitPosition position);

    /// The rows of the next `count`, after those that were before, were submitted.
    void submitted(std::size_t count, storage::CommitPosition position);

    /// The event that is known by this identity, if it is young.
    const YoungEvent* find(std::uint64_t identity) const;

    /// Calls `function` with the identity of each that has an id.
    template <class Function>
    void for_each_identity(Function function) const {
        for (const Entry& each : events_) {
            if (each.event.identity != 0) {
                function(each.event.identity);
            }
        }
    }

    /// Appends the times of the young counted events of one key.
    void append_times(std::uint64_t repeat, std::vector<Instant>& times) const;

    /// Numbers events in order; those before this one have rows that can be read.
    std::uint64_t readable_before(const storage::Store& store);

    /// How many events there are whose rows may not be durable.
    std::size_t unstored(const storage::Store& store) {
        return first_ + events_.size() - readable_before(store);
    }

    /// The first event whose rows may not be durable; null: all are. Valid until the next call.
    const YoungEvent* first_unstored(const storage::Store& store);

    /// Drops those before this number.
    void drop_before(std::uint64_t number);

    std::size_t size() const { return events_.size(); }

    void clear();

private:
    static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

    struct Entry {
        YoungEvent event;
        std::uint64_t before = none;  ///< The number of the counted one before it of its key.
    };

    Entry& at(std::uint64_t number) { return events_[number - first_]; }

    const Entry& at(std::uint64_t number) const { return events_[number - first_]; }

    std::deque<Entry> events_;
    std::uint64_t first_ = 0;      ///< The number of the first of them.
    std::uint64_t submitted_ = 0;  ///< The rows of those before were.
    std::uint64_t readable_ = 0;   ///< Those before were found to be.
    boost::unordered_flat_map<std::uint64_t, std::uint64_t> by_identity_;
    /// The latest of each key.
    boost::unordered_flat_map<std::uint64_t, std::uint64_t> by_repeat_;
};

}  // namespace footfall::intake
