#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "storage/store.h"
#include "views/object_cells.h"
#include "views/report.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

namespace footfall::views {

/// The cells of one lane that are in memory: which are needed, which have to be read or written,
/// and what each has counted. Knows no threads and waits for nothing: Views does that. Guarded by
/// its lane.
///
/// A cell goes its way: pinned (not loaded, if it was not there), loading, loaded; changed by
/// events; written, once a row of it was submitted; clean, once that is durable. What is clean and
/// not pinned may leave. An object's address stands as long as one of its cells is pinned or not
/// clean, or until clear().
class LaneCells {
public:
    /// What is told of an event.
    struct Change {
        std::uint64_t offset;
        Instant time;
        std::string_view refusal;
        std::optional<std::uint64_t> person;
    };

    /// `secret`: so that nobody can choose names that collide.
    static std::uint64_t hash_of(SipKey secret, std::string_view action, std::string_view object);

    struct Pinned {
        ObjectCells* object;
        bool loaded;  ///< Both cells.
    };

    /// Pins the cells of a day and of all days, unpin() undoes that.
    Pinned pin(std::uint64_t hash, std::string_view action, std::string_view object, Day day);
    void unpin(ObjectCells& object, Day day);

    /// Null: nothing of it is here.
    ObjectCells* find(std::uint64_t hash, std::string_view action, std::string_view object) const;

    /// Of a pinned cell: is it loaded? If not, and nobody loads it, the asker has to.
    enum class Presence { loaded, loading, to_load };
    Presence begin_load(ObjectCells& object, Day day);
    void end_load(ObjectCells& object, Day day, std::optional<StoredCell> stored);

    /// Counts an event in the cells of its day and of all days, which must be loaded, if they have
    /// not counted it before.
    void apply(ObjectCells& object, const Change& change, Instant now);

    /// Puts rows of cells that changed before `before`, the longest waiting first, within bounds;
    /// answers how many cells that is. written() says that they were submitted.
    std::size_t compose(Instant before, const RowMark& mark, storage::Batch& batch) const;
    void written(std::size_t cells, storage::CommitPosition position);

    /// Notices what has become durable.
    void settle(const storage::Store& store);

    /// The last position with a row of this lane that is not known to be durable; 0: none.
    storage::CommitPosition last_position() const {
        return written_.empty() ? 0 : written_.back().position;
    }

    /// As Views::checkpoint.
    std::uint64_t checkpoint() const;

    /// Since when there have been changes that are not durable; absent: there are none.
    std::optional<Instant> unsaved_since() const;

    /// Adds what rows may not say yet of an object (null: nothing), of its total and these days, by
    /// this writer.
    void copy(
        ObjectCells* object, const ReportDays& days, const std::string& writer, CellCopies& copies
    ) const;

    /// Moves the hand over at most `most` objects; cells that may leave and were not used since it
    /// came by do. Answers how many left.
    std::size_t evict(std::size_t most);

    /// Forgets everything; pins are void.
    void clear();

    /// Raised by clear().
    std::uint64_t incarnation() const { return incarnation_; }

    Reasons& reasons() { return reasons_; }

    std::size_t objects() const { return objects_.size(); }

    std::size_t cells() const { return cells_; }

    /// Cells that are not durable, a few counted twice.
    std::size_t unsaved() const { return changed_.size() + written_.size(); }

    std::size_t bytes() const;

private:
    /// The hash stands beside the object, so that growing does not look at the objects.
    struct Slot {
        std::uint64_t hash;
        ObjectCells* object;
    };

    struct Name {
        std::uint64_t hash;
        std::string_view action;
        std::string_view object;
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

    /// What is not durable of a cell, from `first` on.
    struct Unsaved {
        ObjectCells* object;
        Day day;
        std::uint64_t first;
        Instant since;
        storage::CommitPosition position;  ///< Of the row, once it was submitted.
    };

    bool pin_cell(ObjectCells& object, Day day);
    void unpin_cell(ObjectCells& object, Day day);
    void apply_to(
        ObjectCells& object,
        Day day,
        unsigned quarter,
        ReasonId reason,
        const Change& change,
        Instant now
    );
    static bool may_go(const Cell& cell);
    static Cell& cell_of(ObjectCells& object, Day day);
    void let_go(ObjectCells& object, Day day);
    template <class Work>
    void with_object(ObjectCells& object, const Work& work);
    template <class Work>
    void with_cell(Cell& cell, const Work& work);

    boost::unordered_flat_set<Slot, SlotHash, SameObject> objects_;
    std::vector<ObjectCells::Owner> order_;  ///< The hand goes round it.
    std::size_t hand_ = 0;
    std::deque<Unsaved> changed_;  ///< By offset, as are those before them:
    std::deque<Unsaved> written_;
    Reasons reasons_;
    std::uint64_t end_ = 0;  ///< Behind the last event applied.
    std::uint64_t incarnation_ = 0;
    std::size_t cells_ = 0;
    std::size_t bytes_ = 0;  ///< Of objects and cells.
};

}  // namespace footfall::views
