#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "views/object_cells.h"
#include "views/report.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace footfall::views {

/// What memory has of the objects of one lane. Knows no threads and no store: the Writer reads and
/// writes rows. Guarded by its lane.
///
/// Rounds: what is dirty when a round begins is written in it, and what came by then is stored when
/// it ends. Between two rounds of the writer there is none.
class LaneCells {
public:
    /// What is told of an event.
    struct Change {
        std::uint64_t offset;
        Instant time;
        std::string_view refusal;
        std::optional<std::uint64_t> person;
    };

    /// An object's name, and hash_of() it.
    struct Name {
        std::uint64_t hash;
        std::string_view action;
        std::string_view object;
    };

    /// `secret`: so that nobody can choose names that collide.
    static std::uint64_t hash_of(SipKey secret, std::string_view action, std::string_view object);

    /// Counts an event, or lets it wait. Those of an object come in their order. `busy_at`: an
    /// object of which so many wait should be busy.
    void apply(const Name& name, const Change& change, Instant now, std::size_t busy_at);

    /// The objects that should be busy since the last call, and are not.
    std::vector<ObjectCells::Owner> take_wanting();

    bool has_wanting() const { return !wanting_.empty(); }

    /// What is to be written in this round. Busy objects of which all is stored and nothing came
    /// since the last round leave; `left` is raised by their number.
    std::vector<ObjectCells::Owner> begin_round(std::size_t& left);

    /// `stored`: all of it is durable; else something of it is left to the next round.
    void end_round(bool stored);

    /// As of ObjectCells.
    void keep(ObjectCells& object, std::vector<Cell> rows);
    void merge(
        ObjectCells& object,
        std::vector<Cell> rows,
        bool stay,
        const std::function<void(Cell&)>& write
    );
    void undo(ObjectCells& object);
    /// An object of which rows say everything leaves, unless it is busy.
    void settle(ObjectCells& object);

    /// Cells of the rows' bytes have the lane's numbers of reasons.
    Reasons& reasons() { return reasons_; }

    const Reasons& reasons() const { return reasons_; }

    /// The lane's events before this are in rows; the end of what was taken, if that is all.
    std::uint64_t stored_before() const { return dirty_since() ? stored_before_ : end_; }

    /// Behind the last event taken.
    std::uint64_t end() const { return end_; }

    /// Since when there have been changes that are not in rows; absent: there are none.
    std::optional<Instant> dirty_since() const {
        return round_since_ ? round_since_ : dirty_since_;
    }

    /// Adds what rows may not say yet of an object, of its total and these days, by this writer.
    void copy(
        const Name& name, const ReportDays& days, const std::string& writer, CellCopies& copies
    ) const;

    /// Forgets everything.
    void clear();

    std::size_t objects() const { return objects_.size(); }

    /// What objects take that have cells.
    std::size_t busy_bytes() const { return busy_bytes_; }

    /// Objects that rows do not say all of.
    std::size_t unstored() const;

    /// Events that wait.
    std::size_t waiting() const { return waiting_; }

    std::size_t bytes() const { return bytes_ + table_bytes(); }

    /// The same, counted anew.
    std::size_t recount() const;

private:
    /// The hash stands beside the object, so that growing does not look at the objects.
    struct Slot {
        std::uint64_t hash;
        ObjectCells::Owner object;
    };

    struct SlotHash {
        using is_avalanching = void;
        using is_transparent = void;

        std::size_t operator()(const auto& key) const { return key.hash; }
    };

    struct SameObject {
        using is_transparent = void;

        bool operator()(const Slot& left, const Slot& right) const {
            return left.object == right.object;
        }

        bool operator()(const Name& name, const Slot& slot) const {
            return name.hash == slot.hash && name.object == slot.object->object() &&
                   name.action == slot.object->action();
        }

        bool operator()(const Slot& slot, const Name& name) const { return (*this)(name, slot); }
    };

    template <class Work>
    void change(ObjectCells& object, const Work& work);
    ObjectCells& find_or_make(const Name& name);
    void shrink();
    std::size_t table_bytes() const;

    boost::unordered_flat_set<Slot, SlotHash, SameObject> objects_;
    std::vector<ObjectCells::Owner> wanting_;
    Reasons reasons_;
    std::uint64_t end_ = 0;
    std::uint64_t stored_before_ = 0;
    std::uint64_t round_end_ = 0;         ///< end_ when the round began.
    std::optional<Instant> dirty_since_;  ///< Of what came since the round began.
    std::optional<Instant> round_since_;  ///< Of what the round writes.
    // Of all objects.
    std::size_t bytes_ = 0;
    std::size_t busy_bytes_ = 0;
    std::size_t waiting_ = 0;
};

}  // namespace footfall::views
