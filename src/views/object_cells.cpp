#include "views/object_cells.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

namespace footfall::views {
namespace {

constexpr std::size_t longest = std::numeric_limits<std::uint16_t>::max();
/// For so many events registers are opened: closed ones are unpacked and packed again for every 64
/// people (sketches::ClosedRegisters), which is most of what counting these would take.
constexpr std::size_t opened_from = 128;

/// Null: it is not among them.
template <class Cells>
auto* find(Cells& cells, Day day) {
    const auto cell = std::ranges::lower_bound(cells, day, {}, &Cell::day);
    return cell != cells.end() && cell->day == day ? &*cell : nullptr;
}

/// Events on their way to be counted, of few days: the cell of the last one is mostly the next
/// one's, too.
class Counting {
public:
    /// `opens`: registers are opened, those that people become many in, too.
    Counting(std::vector<Cell>& cells, bool opens)
        : cells_{cells}, total_{find(cells, lifetime)}, opens_{opens} {}

    /// False: the day's cell is not here.
    bool count(const Changes::Entry& entry) {
        if (day_ == nullptr || day_->day != entry.day) {
            day_ = find(cells_, entry.day);
        }
        if (!take_in(*total_, entry)) {
            total_->write_again();
        }
        if (day_ == nullptr) {
            return false;
        }
        if (!take_in(*day_, entry)) {
            day_->write_again();
        }
        return true;
    }

private:
    bool take_in(Cell& cell, const Changes::Entry& entry) const {
        if (opens_) {
            cell.people.open();
        }
        return cell.apply(entry);
    }

    std::vector<Cell>& cells_;
    Cell* total_;
    Cell* day_ = nullptr;
    bool opens_;
};

}  // namespace

void intrusive_ptr_add_ref(ObjectCells* object) {
    object->owners_.fetch_add(1, std::memory_order_relaxed);
}

void intrusive_ptr_release(ObjectCells* object) {
    if (object->owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        object->~ObjectCells();
        ::operator delete(object);
    }
}

ObjectCells::Owner ObjectCells::make(
    std::uint64_t hash, std::string_view action, std::string_view object
) {
    CHECK(action.size() <= longest && object.size() <= longest, "names are bounded before");
    void* const memory = ::operator new(sizeof(ObjectCells) + action.size() + object.size());
    return Owner{new (memory) ObjectCells{hash, action, object}};
}

ObjectCells::ObjectCells(std::uint64_t hash, std::string_view action, std::string_view object)
    : hash_{hash},
      action_bytes_{static_cast<std::uint16_t>(action.size())},
      object_bytes_{static_cast<std::uint16_t>(object.size())} {
    char* const name = reinterpret_cast<char*>(this + 1);
    std::copy(action.begin(), action.end(), name);
    std::copy(object.begin(), object.end(), name + action.size());
}

void ObjectCells::apply(const Changes::Entry& entry) {
    events_ += events_ == std::numeric_limits<std::uint32_t>::max() ? 0 : 1;
    const auto take_in = [&](Cell& cell) {
        if (!cell.apply(entry)) {
            cell.write_again();
        }
        cell.people.open();  // once its people are too many to be kept one by one
    };
    if (is_busy()) {
        // At once also where the day has to wait: what comes next is of a higher offset.
        take_in(held_->cells.front());
        if (Cell* const day = find(held_->cells, entry.day)) {
            take_in(*day);
            return;
        }
    }
    waiting_.append(entry);
}

bool ObjectCells::is_dirty() const {
    return !waiting_.empty() || std::ranges::any_of(cells(), &Cell::changed);
}

std::vector<Day> ObjectCells::days_wanted() const {
    std::vector<Day> days;
    const std::span<const Cell> here = cells();
    waiting_.for_each([&](const Changes::Entry& entry) {
        if (std::ranges::find(days, entry.day) == days.end() &&
            views::find(here, entry.day) == nullptr) {
            days.push_back(entry.day);
        }
    });
    return days;
}

ObjectCells::Held& ObjectCells::held() {
    if (!held_) {
        held_ = std::make_unique<Held>();
    }
    return *held_;
}

/// Answers those of other days: the cell of all days has them then, and says so by its offset.
Changes ObjectCells::count(const Changes& changes, std::vector<Cell>& cells) {
    std::ranges::sort(cells, {}, &Cell::day);
    CHECK(!cells.empty() && cells.front().day == lifetime, "the cell of all days is always there");
    Changes left;
    Counting counting{cells, changes.size() >= opened_from};
    changes.for_each([&](const Changes::Entry& entry) {
        if (!counting.count(entry)) {
            left.append(entry);
        }
    });
    return left;
}

void ObjectCells::keep(std::vector<Cell> rows) {
    std::vector<Cell>& cells = held().cells;
    std::ranges::move(rows, std::back_inserter(cells));
    waiting_ = count(waiting_, cells);
    for (Cell& cell : cells) {
        cell.people.open();
    }
}

void ObjectCells::merge(
    std::vector<Cell> rows, bool stay, const std::function<void(Cell&)>& write
) {
    Held& held = this->held();
    CHECK(!held.writing, "rows of an object are written one after the other");
    const bool busy = is_busy();
    held.writing = true;
    held.stays = stay;
    events_ = 0;
    if (busy || stay) {
        keep(std::move(rows));
        for (Cell& cell : held.cells) {
            if (cell.changed) {
                write(cell);
                cell.changed = false;
                cell.writing = true;
            }
        }
        return;
    }
    Changes left = count(waiting_, rows);
    held.written = std::exchange(waiting_, std::move(left));
    for (Cell& cell : rows) {
        if (cell.changed) {
            write(cell);
        }
    }
}

void ObjectCells::undo() {
    CHECK(is_writing(), "rows that were not submitted were made before");
    held_->writing = false;
    for (Cell& cell : held_->cells) {
        cell.changed = cell.changed || cell.writing;
        cell.writing = false;
        cell.doubt_ranks();
    }
    Changes all;
    std::swap(all, held_->written);
    if (all.empty()) {
        return;
    }
    // Those of days that went on waiting are among those that were written, too.
    const std::uint64_t before = all.last_offset();
    waiting_.for_each([&](const Changes::Entry& entry) {
        if (entry.offset > before) {
            all.append(entry);
        }
    });
    waiting_ = std::move(all);
}

void ObjectCells::settle() {
    if (!is_writing()) {
        return;
    }
    Held& held = *held_;
    held.writing = false;
    held.written = {};
    for (Cell& cell : held.cells) {
        cell.writing = false;
    }
    if (!held.stays && std::ranges::none_of(held.cells, &Cell::changed)) {
        held.cells.clear();
    }
    if (held.cells.empty()) {
        held_.reset();
    }
}

std::size_t ObjectCells::bytes() const {
    // And a place in the round that writes it.
    std::size_t bytes = allocated_bytes(sizeof(ObjectCells) + action_bytes_ + object_bytes_) +
                        waiting_.bytes() + 2 * sizeof(void*);
    if (held_) {
        bytes += allocated_bytes(sizeof(Held)) + held_->written.bytes() +
                 allocated_bytes(held_->cells.capacity() * sizeof(Cell));
        for (const Cell& cell : held_->cells) {
            bytes += cell.bytes();
        }
    }
    return bytes;
}

}  // namespace footfall::views
