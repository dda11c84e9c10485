#pragma once

#include <span>
#include <string>
#include <string_view>

namespace footfall {

/// The one of `words` that somebody most likely meant who wrote `word`; empty if it resembles none:
/// at most a third of its letters are left out, too many, wrong, or swapped with the next one.
std::string_view nearest_word(std::string_view word, std::span<const std::string> words);

}  // namespace footfall
