#include "views/object_cells.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace footfall::views {
namespace {

constexpr std::size_t longest = std::numeric_limits<std::uint16_t>::max();

}  // namespace

void ObjectCells::Destroy::operator()(ObjectCells* object) const {
    object->~ObjectCells();
    ::operator delete(object);
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

Cell* ObjectCells::find(Day day) {
    const auto cell = std::ranges::lower_bound(cells_, day, {}, &Cell::day);
    return cell != cells_.end() && cell->day == day ? &*cell : nullptr;
}

Cell& ObjectCells::find_or_add(Day day) {
    const auto cell = std::ranges::lower_bound(cells_, day, {}, &Cell::day);
    if (cell != cells_.end() && cell->day == day) {
        return *cell;
    }
    const auto at = cell - cells_.begin();
    if (cells_.size() == cells_.capacity()) {
        // Most have two: doubling would waste a third of the memory.
        cells_.reserve(
            cells_.size() + std::max<std::size_t>(cells_.empty() ? 2 : 1, cells_.size() / 4)
        );
    }
    return *cells_.emplace(cells_.begin() + at, day);
}

void ObjectCells::remove(Day day) {
    std::vector<Cell> left;
    left.reserve(cells_.size() - 1);
    for (Cell& cell : cells_) {
        if (cell.day != day) {
            left.push_back(std::move(cell));
        }
    }
    cells_ = std::move(left);
}

std::size_t ObjectCells::bytes() const {
    return allocated_bytes(sizeof(ObjectCells) + action_bytes_ + object_bytes_) +
           allocated_bytes(cells_.capacity() * sizeof(Cell));
}

}  // namespace footfall::views
