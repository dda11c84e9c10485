#include "timeseries_routes/number_text.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace footfall::timeseries::routes {
namespace {

constexpr std::array<double, 5> powers_of_ten{1, 1e1, 1e2, 1e3, 1e4};
/// Numbers of up to 15 digits are told apart as doubles: so what has no more of them, and is read
/// as this double, is the shortest that is.
constexpr double digits_max = 1e15;

/// The last digits of a time that are written each time.
constexpr std::size_t last_digits = 4;
constexpr std::int64_t last_end = 10'000;

/// `digits` are of a number of 10^-places, which is not 0 if there are such places.
char* put_decimal(std::string_view digits, std::size_t places, char* at) {
    while (places > 0 && digits.back() == '0') {
        digits.remove_suffix(1);
        --places;
    }
    if (digits.size() <= places) {
        *at++ = '0';
    } else {
        at = std::ranges::copy(digits.substr(0, digits.size() - places), at).out;
    }
    if (places == 0) {
        return at;
    }
    *at++ = '.';
    if (digits.size() < places) {
        at = std::fill_n(at, places - digits.size(), '0');
        return std::ranges::copy(digits, at).out;
    }
    return std::ranges::copy(digits.substr(digits.size() - places), at).out;
}

}  // namespace

char* NumberText::put(double value, char* at) {
    if (value == 0) {
        *at = '-';
        at += std::signbit(value) ? 1 : 0;
        *at = '0';
        return at + 1;
    }
    if (places_ <= places_max) {
        const double scaled = value * powers_of_ten[places_];
        if (std::abs(scaled) < digits_max) {
            const auto number = static_cast<std::int64_t>(scaled + (value < 0 ? -0.5 : 0.5));
            if (static_cast<double>(number) / powers_of_ten[places_] == value) {
                std::array<char, bytes_max> digits;
                const auto text =
                    std::to_chars(digits.data(), digits.data() + digits.size(), std::abs(number));
                *at = '-';
                return put_decimal({digits.data(), text.ptr}, places_, at + (value < 0 ? 1 : 0));
            }
        }
    }
    char* const end = fmt::format_to(at, FMT_COMPILE("{}"), value);
    const char* const point = std::find(at, end, '.');
    const auto places = static_cast<unsigned>(end - point) - (point == end ? 0 : 1);
    places_ = std::min(places, places_unknown);
    return end;
}

char* TimeText::put(std::int64_t time, char* at) {
    if (time < last_end) {
        return std::to_chars(at, at + bytes_max, time).ptr;
    }
    const std::int64_t above = time / last_end;
    if (above != above_) {
        above_ = above;
        size_ = static_cast<std::size_t>(
            std::to_chars(text_.data(), text_.data() + text_.size(), above).ptr - text_.data()
        );
    }
    at = std::ranges::copy_n(text_.data(), static_cast<std::ptrdiff_t>(size_), at).out;
    auto last = static_cast<std::uint32_t>(time % last_end);
    for (std::size_t digit = last_digits; digit-- > 0; last /= 10) {
        at[digit] = static_cast<char>('0' + last % 10);
    }
    return at + last_digits;
}

}  // namespace footfall::timeseries::routes
