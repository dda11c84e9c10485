#pragma once

#include "foundation/result.h"
#include "sketches/ell.h"

#include <span>
#include <string>
#include <string_view>

namespace footfall::sketches {

/// Appends registers, packed as far as their entropy allows: about 4.55 KB for 2048 of them with a
/// million people. `x`: people a register, roughly; it decides the size only.
///
/// The form is described in docs/formats/sketch.md: two interleaved rANS coders (Duda, "Asymmetric
/// numeral systems", arXiv 1311.2540) over the chances of CellModel.
void append_registers(std::span<const Register> registers, double x, std::string& out);

/// Takes registers off the front of `bytes`; their number is a power of two. `corrupt` if there are
/// none, or more than those; what stands in `registers` is void then.
Result<void> take_registers(std::string_view bytes, std::span<Register> registers);

}  // namespace footfall::sketches
