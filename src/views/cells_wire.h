#pragma once

#include "foundation/result.h"
#include "views/cell_owners.h"

#include <cstdint>
#include <string>
#include <string_view>

/// What is asked of the cells of an object, and what is answered, in bytes: fields as events/wire.h
/// writes them. Between processes of one deployment, never stored. Pure.
namespace footfall::views {

std::string written_question(const CellsAsked& asked);

/// Borrows from `bytes`. `invalid_input`: it is none.
Result<CellsAsked> read_question(std::size_t lane, std::string_view bytes);

/// `sketch_key`: names the secret that people were hashed with.
std::string written_cells(const CellCopies& copies, std::uint16_t sketch_key);

/// `corrupt`: they are none, or of another secret. What counts and sketches say is checked.
Result<CellCopies> read_cells(std::string_view bytes, std::uint16_t sketch_key);

}  // namespace footfall::views
