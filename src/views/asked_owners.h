#pragma once

#include "projecting/owners.h"
#include "views/cell_owners.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace footfall::views {

/// Asks the owners of lanes for cells, by the bytes of cells_wire.h. Thread-safe. `owners` must
/// outlive it.
class AskedOwners final : public CellOwners {
public:
    /// `projection`: the name under which owners know the views; `sketch_key`: of what is counted
    /// there.
    AskedOwners(projecting::Owners& owners, std::string_view projection, std::uint16_t sketch_key)
        : owners_{&owners}, projection_{projection}, sketch_key_{sketch_key} {}

    std::optional<std::uint64_t> counted_here(std::size_t lane) override {
        return owners_->counted_here(static_cast<std::uint32_t>(lane));
    }

    /// Who answers what cannot be read has not answered; the log of the program says so.
    OwnersAnswer ask(std::span<const CellsAsked> asked) override;

private:
    projecting::Owners* owners_;
    const std::string_view projection_;
    const std::uint16_t sketch_key_;
};

}  // namespace footfall::views
