#pragma once

#include "views/cell.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace footfall::views {

/// The cells of an object under an action that are in memory, by day, that of all days first. Made
/// in one piece with its name; its address stands until it is destroyed. Guarded by its lane.
class ObjectCells {
public:
    struct Destroy {
        void operator()(ObjectCells* object) const;
    };

    using Owner = std::unique_ptr<ObjectCells, Destroy>;

    static Owner make(std::uint64_t hash, std::string_view action, std::string_view object);

    ObjectCells(const ObjectCells&) = delete;
    ObjectCells& operator=(const ObjectCells&) = delete;

    std::uint64_t hash() const { return hash_; }

    std::string_view action() const { return {name(), action_bytes_}; }

    std::string_view object() const { return {name() + action_bytes_, object_bytes_}; }

    /// Until the next call that is not const.
    Cell* find(Day day);
    Cell& find_or_add(Day day);
    void remove(Day day);

    std::vector<Cell>& cells() { return cells_; }

    /// Bytes of the heap, without those of the cells.
    std::size_t bytes() const;

    std::uint32_t place = 0;  ///< In its lane's order.

private:
    ObjectCells(std::uint64_t hash, std::string_view action, std::string_view object);
    ~ObjectCells() = default;

    const char* name() const { return reinterpret_cast<const char*>(this + 1); }

    std::uint64_t hash_;
    std::vector<Cell> cells_;
    std::uint16_t action_bytes_;
    std::uint16_t object_bytes_;
};

}  // namespace footfall::views
