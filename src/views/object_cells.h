#pragma once

#include "views/cell.h"
#include "views/changes.h"

#include <boost/smart_ptr/intrusive_ptr.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace footfall::views {

/// What memory has of an object under an action: events that wait to be counted; of a busy one its
/// cells, in which events are counted at once; and what was written of it and is not durable yet.
/// Made in one piece with its name. Guarded by its lane, but for its name and hash, which never
/// change.
class ObjectCells {
public:
    using Owner = boost::intrusive_ptr<ObjectCells>;

    static Owner make(std::uint64_t hash, std::string_view action, std::string_view object);

    ObjectCells(const ObjectCells&) = delete;
    ObjectCells& operator=(const ObjectCells&) = delete;

    std::uint64_t hash() const { return hash_; }

    std::string_view action() const { return {name(), action_bytes_}; }

    std::string_view object() const { return {name() + action_bytes_, object_bytes_}; }

    /// Counts an event in the cells of its day and of all days, as far as they are here, and lets
    /// it wait for the other.
    void apply(const Changes::Entry& entry);

    /// Whether something is to be written: what waits, or what was counted since the last merge.
    bool is_dirty() const;

    /// Whether rows were submitted that are not known to be durable.
    bool is_writing() const { return held_ != nullptr && held_->writing; }

    /// Whether rows say all that is here.
    bool is_stored() const { return !is_dirty() && !is_writing(); }

    /// Has the cell of all days, and those of some.
    bool is_busy() const { return !cells().empty(); }

    /// Days of events that wait and whose cells are not here.
    std::vector<Day> days_wanted() const;

    std::span<const Cell> cells() const {
        return held_ == nullptr ? std::span<const Cell>{} : held_->cells;
    }

    const Changes& waiting() const { return waiting_; }

    /// What the rows that are being written have of events that waited; of a busy object its cells
    /// have it.
    const Changes* written() const { return held_ == nullptr ? nullptr : &held_->written; }

    /// Makes the object busy: `rows` are cells that were not here, with that of all days if the
    /// object was not busy. What waits is counted in them.
    void keep(std::vector<Cell> rows);

    /// Counts what waits in the cells and in `rows`, as keep(), and gives each that has changed to
    /// `write`, which submits a row of it. `stay`: the object is busy from now on; else its cells
    /// go with settle(), if nothing came meanwhile. Events of days that are in neither go on
    /// waiting.
    void merge(std::vector<Cell> rows, bool stay, const std::function<void(Cell&)>& write);

    /// The rows of merge() were not submitted: everything is to be written once more.
    void undo();

    /// They are durable.
    void settle();

    /// Events since the last merge.
    std::uint32_t events() const { return events_; }

    /// Bytes of the heap, all of it.
    std::size_t bytes() const;

    bool wants_cells = false;  ///< Its lane knows that it should be busy.

private:
    /// What most objects do not have.
    struct Held {
        std::vector<Cell> cells;  ///< By day, that of all days first.
        Changes written;
        bool writing = false;
        bool stays = true;  ///< The cells, when all is durable.
    };

    ObjectCells(std::uint64_t hash, std::string_view action, std::string_view object);
    ~ObjectCells() = default;

    friend void intrusive_ptr_add_ref(ObjectCells* object);
    friend void intrusive_ptr_release(ObjectCells* object);

    const char* name() const { return reinterpret_cast<const char*>(this + 1); }

    Held& held();
    static Changes count(const Changes& changes, std::vector<Cell>& cells);

    std::uint64_t hash_;
    std::unique_ptr<Held> held_;
    Changes waiting_;
    std::uint32_t events_ = 0;
    std::atomic<std::uint32_t> owners_ = 0;
    std::uint16_t action_bytes_;
    std::uint16_t object_bytes_;
};

}  // namespace footfall::views
