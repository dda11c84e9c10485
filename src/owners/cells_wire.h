#pragma once

#include "foundation/result.h"
#include "views/cell_owners.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a process asks the owner of lanes, and what that answers: fields as events/wire.h writes
/// them. Between processes of one deployment, never stored; who does not understand the other takes
/// it for one that did not answer. Pure.
namespace footfall::owners {

/// Of one question, at most; a ranking asks of a page more than a thousand objects.
inline constexpr std::size_t asked_max = 4'000;
inline constexpr std::size_t question_bytes_max = 2 << 20;

/// A lane as the table said it was owned.
struct WireAsked {
    views::CellsAsked cells;  ///< Borrows from the question.
    std::int64_t generation = 0;
};

/// Too many, or too long together: less than all, from the first on. At least one.
std::size_t asked_at_once(std::span<const WireAsked> asked);

std::string written_question(std::span<const WireAsked> asked);

/// `invalid_input`: it is none, or more than is answered at once.
Result<std::vector<WireAsked>> read_question(std::string_view bytes);

using WireAnswer = std::vector<std::optional<views::OwnedCells>>;

/// `sketch_key`: names the secret that people were hashed with.
std::string written_answer(const WireAnswer& parts, std::uint16_t sketch_key);

/// `corrupt`: it is none to a question of `asked` parts. What counts and sketches say is checked.
Result<WireAnswer> read_answer(std::string_view bytes, std::size_t asked, std::uint16_t sketch_key);

}  // namespace footfall::owners
