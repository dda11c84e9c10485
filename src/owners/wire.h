#pragma once

#include "foundation/result.h"
#include "projecting/owners.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What a process asks the owner of lanes, and what that answers: fields as events/wire.h writes
/// them, with the bytes of a projection in them. Between processes of one deployment, never stored;
/// who does not understand the other takes it for one that did not answer. Pure.
namespace footfall::owners {

/// Of one question, at most; a ranking asks of a page more than a thousand objects.
inline constexpr std::size_t asked_max = 4'000;
inline constexpr std::size_t question_bytes_max = 2 << 20;

/// A lane as the table said it was owned, and what is asked of it.
struct WirePart {
    std::uint32_t lane = 0;
    std::int64_t generation = 0;
    std::string_view bytes;  ///< Borrowed.
};

/// To a projection, by its name. Borrows from the bytes it was read from.
struct WireQuestion {
    std::string_view projection;
    std::string_view of_all = {};  ///< What is asked of all lanes.
    std::vector<WirePart> parts = {};
};

/// Too many, or too long together and with `of_all`: less than all, from the first on. At least
/// one.
std::size_t asked_at_once(std::span<const WirePart> parts, std::string_view of_all);

std::string written_question(const WireQuestion& asked);

/// `invalid_input`: it is none, or more than is answered at once.
Result<WireQuestion> read_question(std::string_view bytes);

using WireAnswer = std::vector<std::optional<projecting::LaneAnswer>>;

std::string written_answer(const WireAnswer& parts);

/// `corrupt`: it is none to a question of `asked` parts.
Result<WireAnswer> read_answer(std::string_view bytes, std::size_t asked);

}  // namespace footfall::owners
