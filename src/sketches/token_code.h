#pragma once

#include "foundation/result.h"
#include "sketches/hash_token.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::sketches {

/// Appends tokens, which are in order and all different, packed: the gaps between their low bits by
/// Golomb and Rice, the zeros one by one; 285 bytes for a hundred (docs/formats/sketch.md).
void append_tokens(std::span<const HashToken> tokens, std::string& out);

/// All tokens that `bytes` hold. `corrupt` if they are none, not in order, or more than `most`.
Result<std::vector<HashToken>> read_tokens(std::string_view bytes, std::size_t most);

}  // namespace footfall::sketches
