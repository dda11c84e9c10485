#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

namespace footfall::guard {

/// "12 seconds", "0.5 seconds", "1 hour and 5 minutes": the two largest units that it has.
std::string words_of(std::chrono::microseconds time);

/// "view, click or read".
std::string alternatives(std::span<const std::string> words);

/// "1 network", "3 networks".
std::string count_of(std::size_t number, std::string_view thing);

}  // namespace footfall::guard
