#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace footfall::timeseries::routes {

/// Writes the values of a line as text: each as the shortest that is read as this number, which is
/// what fmt writes for "{}". Most values have no more decimal places than the one before has: these
/// are looked at first, and take a third of the time of a search for the shortest.
class NumberText {
public:
    /// None is longer.
    static constexpr std::size_t bytes_max = 32;

    /// Writes a number, which is finite, to `at`, and answers the place behind it.
    char* put(double value, char* at);

private:
    /// Longer ones have few neighbours of as few places.
    static constexpr unsigned places_max = 4;
    static constexpr unsigned places_unknown = places_max + 1;

    unsigned places_ = 0;
};

/// Writes times that follow one another, of which only the last digits change.
class TimeText {
public:
    static constexpr std::size_t bytes_max = 20;

    char* put(std::int64_t time, char* at);

private:
    std::int64_t above_ = -1;  ///< What is before the last digits; -1: there was none yet.
    std::size_t size_ = 0;
    std::array<char, bytes_max> text_{};  ///< Of it.
};

}  // namespace footfall::timeseries::routes
