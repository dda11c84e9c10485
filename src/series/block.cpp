#include "series/block.h"

#include "foundation/check.h"
#include "foundation/crc32c.h"
#include "foundation/fixed_bytes.h"
#include "foundation/varint.h"
#include "series/block_form.h"
#include "sketches/bit_stream.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace footfall::series {
namespace {

using sketches::BitWriter;

/// Up to here every whole number is a double.
constexpr double whole_max = 0x1p53;

void put_wide(BitWriter& out, std::uint64_t bits, unsigned count) {
    out.put(static_cast<std::uint32_t>(bits), std::min(count, 32U));
    if (count > 32) {
        out.put(static_cast<std::uint32_t>(bits >> 32), count - 32);
    }
}

void put_number(BitWriter& out, std::uint64_t number, const Widths& widths) {
    const std::uint64_t bits = zigzag(static_cast<std::int64_t>(number));
    std::uint32_t at = 0;
    while (static_cast<unsigned>(std::bit_width(bits)) > widths[at]) {
        ++at;
    }
    out.put_unary(at);
    put_wide(out, bits, widths[at]);
}

/// Numbers by the difference to the one before, or by the difference of that to the difference
/// before. Wraps around, so that every number of 64 bits can follow every other.
class Steps {
public:
    explicit Steps(std::uint64_t first, bool second_order) : last_{first}, second_{second_order} {}

    std::uint64_t difference(std::uint64_t next) {
        const std::uint64_t step = next - last_;
        const std::uint64_t told = second_ ? step - step_ : step;
        step_ = step;
        last_ = next;
        return told;
    }

private:
    std::uint64_t last_;
    std::uint64_t step_ = 0;
    bool second_;
};

/// Which bits of an XOR are written: those from the first that is set to the last.
struct Window {
    static constexpr unsigned leading_max = 31;  // 5 bits

    unsigned leading = 0;
    unsigned length = 0;  ///< 0: there was none yet.

    unsigned trailing() const { return 64 - leading - length; }

    static Window around(std::uint64_t bits) {
        const unsigned leading =
            std::min(static_cast<unsigned>(std::countl_zero(bits)), leading_max);
        return {
            .leading = leading,
            .length = 64 - leading - static_cast<unsigned>(std::countr_zero(bits))
        };
    }

    bool holds(const Window& inner) const {
        return length > 0 && leading <= inner.leading && trailing() <= inner.trailing();
    }
};

class XorWriter {
public:
    explicit XorWriter(double first) : last_{std::bit_cast<std::uint64_t>(first)} {}

    void put(BitWriter& out, double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        const std::uint64_t changed = bits ^ std::exchange(last_, bits);
        if (changed == 0) {
            out.put(0, 1);
            return;
        }
        const Window needed = Window::around(changed);
        if (window_.holds(needed)) {
            out.put(0b01, 2);
        } else {
            window_ = needed;
            out.put(0b11, 2);
            out.put(window_.leading, 5);
            out.put(window_.length - 1, 6);
        }
        put_wide(out, changed >> window_.trailing(), window_.length);
    }

private:
    std::uint64_t last_;
    Window window_;
};

/// The value as a whole number of 10^-places; absent if it would not come back bit for bit.
std::optional<std::int64_t> whole(double value, unsigned places) {
    const double scaled = std::nearbyint(value * powers_of_ten[places]);
    if (!(std::abs(scaled) <= whole_max)) {  // NaN neither
        return std::nullopt;
    }
    const auto number = static_cast<std::int64_t>(scaled);
    const double back = static_cast<double>(number) / powers_of_ten[places];
    return std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(value)
               ? std::optional{number}
               : std::nullopt;
}

/// All values as whole numbers of the fewest decimal places; empty if there are none such.
std::vector<std::int64_t> wholes(std::span<const Point> points, unsigned& places) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(points.size());
    for (places = 0; places <= places_max; ++places) {
        numbers.clear();
        for (const Point& point : points) {
            const auto number = whole(point.value, places);
            if (!number) {
                break;
            }
            numbers.push_back(*number);
        }
        if (numbers.size() == points.size()) {
            return numbers;
        }
    }
    return {};
}

std::uint64_t in_units(std::int64_t time, const BlockForm& form) {
    return static_cast<std::uint64_t>(form.in_seconds ? time / milliseconds_a_second : time);
}

/// All but the checksum. `numbers`: the values, unless the form has their bits.
std::string encode_as(
    const BlockForm& form, std::span<const Point> points, std::span<const std::int64_t> numbers
) {
    std::string out{block_version};
    append_varint(points.size(), out);
    if (points.empty()) {
        return out;
    }
    out.push_back(form.byte());
    const std::uint64_t first_time = in_units(points[0].time, form);
    append_varint(zigzag(static_cast<std::int64_t>(first_time)), out);
    Steps times{first_time, true};
    if (form.values == BlockValues::bits) {
        append_fixed(std::bit_cast<std::uint64_t>(points[0].value), out);
        BitWriter bits{out};
        XorWriter values{points[0].value};
        for (const Point& point : points.subspan(1)) {
            put_number(bits, times.difference(in_units(point.time, form)), time_widths);
            values.put(bits, point.value);
        }
    } else {
        append_varint(zigzag(numbers[0]), out);
        BitWriter bits{out};
        Steps values{
            static_cast<std::uint64_t>(numbers[0]), form.values == BlockValues::second_differences
        };
        for (std::size_t at = 1; at < points.size(); ++at) {
            put_number(bits, times.difference(in_units(points[at].time, form)), time_widths);
            const auto number = static_cast<std::uint64_t>(numbers[at]);
            put_number(bits, values.difference(number), value_widths);
        }
    }
    return out;
}

}  // namespace

std::string encode(std::span<const Point> points) {
    CHECK(
        std::ranges::adjacent_find(points, std::ranges::greater_equal{}, &Point::time) ==
            points.end(),
        "points are settled before they are encoded"
    );
    BlockForm form{.in_seconds = std::ranges::all_of(points, [](const Point& point) {
                       return point.time % milliseconds_a_second == 0;
                   })};
    const std::vector<std::int64_t> numbers = wholes(points, form.places);
    std::string shortest;
    if (!numbers.empty()) {
        form.values = BlockValues::differences;
        shortest = encode_as(form, points, numbers);
        form.values = BlockValues::second_differences;
        if (std::string other = encode_as(form, points, numbers); other.size() < shortest.size()) {
            shortest = std::move(other);
        }
    }
    form.values = BlockValues::bits;
    form.places = 0;
    if (std::string other = encode_as(form, points, {});
        shortest.empty() || other.size() < shortest.size()) {
        shortest = std::move(other);
    }
    append_fixed(crc32c(shortest), shortest);
    return shortest;
}

}  // namespace footfall::series
