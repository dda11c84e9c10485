#include "series/block.h"

#include "foundation/check.h"
#include "foundation/crc32c.h"
#include "foundation/fixed_bytes.h"
#include "foundation/varint.h"
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

using sketches::BitReader;
using sketches::BitWriter;

constexpr char block_version = 1;
constexpr std::size_t checksum_bytes = sizeof(std::uint32_t);
/// A point behind the first takes a bit for its time and one for its value at least.
constexpr std::size_t points_a_byte = 4;
constexpr std::int64_t milliseconds_a_second = 1000;

/// What values are written as. Behind `differences` and `second_differences` the decimal places.
enum class Values : std::uint8_t { bits = 0, differences = 1, second_differences = 2 };

constexpr unsigned places_max = 6;
constexpr std::array<double, places_max + 1> powers_of_ten{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
/// Up to here every whole number is a double.
constexpr double whole_max = 0x1p53;

/// How everything behind the head is read.
struct Form {
    bool in_seconds = false;
    Values values = Values::bits;
    unsigned places = 0;

    char byte() const {
        return static_cast<char>(
            (in_seconds ? 1U : 0U) | static_cast<unsigned>(values) << 1 | places << 3
        );
    }

    static std::optional<Form> of(char byte) {
        const auto bits = static_cast<unsigned char>(byte);
        const unsigned values = bits >> 1 & 3U;
        const unsigned places = bits >> 3;
        if (values > 2 || places > places_max || (values == 0 && places > 0)) {
            return std::nullopt;
        }
        return Form{
            .in_seconds = (bits & 1U) != 0, .values = static_cast<Values>(values), .places = places
        };
    }
};

/// Widths of the classes of a number: it stands in the first that it fits, after as many ones as
/// there are classes before.
constexpr std::uint32_t classes = 6;
using Widths = std::array<unsigned, classes>;
constexpr Widths time_widths{0, 7, 9, 12, 32, 64};
constexpr Widths value_widths{0, 4, 8, 13, 32, 64};

void put_wide(BitWriter& out, std::uint64_t bits, unsigned count) {
    out.put(static_cast<std::uint32_t>(bits), std::min(count, 32U));
    if (count > 32) {
        out.put(static_cast<std::uint32_t>(bits >> 32), count - 32);
    }
}

std::uint64_t take_wide(BitReader& in, unsigned count) {
    const std::uint64_t low = in.take(std::min(count, 32U));
    return count > 32 ? low | std::uint64_t{in.take(count - 32)} << 32 : low;
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

std::uint64_t take_number(BitReader& in, const Widths& widths) {
    const std::uint32_t at = in.take_unary(classes - 1);
    return static_cast<std::uint64_t>(from_zigzag(take_wide(in, widths[at])));
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

    std::uint64_t next(std::uint64_t told) {
        step_ = second_ ? step_ + told : told;
        return last_ += step_;
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

class XorReader {
public:
    explicit XorReader(std::uint64_t first) : last_{first} {}

    /// Absent: these are not bits that XorWriter put.
    std::optional<double> take(BitReader& in) {
        if (in.take(1) == 0) {
            return std::bit_cast<double>(last_);
        }
        if (in.take(1) == 1) {
            window_ = {.leading = in.take(5), .length = in.take(6) + 1};
        }
        if (window_.length == 0 || window_.leading + window_.length > 64) {
            return std::nullopt;
        }
        last_ ^= take_wide(in, window_.length) << window_.trailing();
        return std::bit_cast<double>(last_);
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

std::uint64_t in_units(std::int64_t time, const Form& form) {
    return static_cast<std::uint64_t>(form.in_seconds ? time / milliseconds_a_second : time);
}

/// All but the checksum. `numbers`: the values, unless the form has their bits.
std::string encode_as(
    const Form& form, std::span<const Point> points, std::span<const std::int64_t> numbers
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
    if (form.values == Values::bits) {
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
            static_cast<std::uint64_t>(numbers[0]), form.values == Values::second_differences
        };
        for (std::size_t at = 1; at < points.size(); ++at) {
            put_number(bits, times.difference(in_units(points[at].time, form)), time_widths);
            const auto number = static_cast<std::uint64_t>(numbers[at]);
            put_number(bits, values.difference(number), value_widths);
        }
    }
    return out;
}

/// What a block says before its bits.
struct Head {
    Form form;
    std::uint64_t count = 0;
    std::uint64_t time = 0;   ///< The first, in units of the form.
    std::uint64_t value = 0;  ///< Its bits, or a whole number.
};

/// Absent: this is no head of a block of at least one point.
std::optional<Head> take_head(std::string_view& bytes) {
    Head head;
    if (!take_varint(bytes, head.count) || head.count == 0 || bytes.empty() ||
        head.count / points_a_byte > bytes.size()) {
        return std::nullopt;
    }
    const auto form = Form::of(bytes[0]);
    bytes.remove_prefix(1);
    if (!form || !take_varint(bytes, head.time)) {
        return std::nullopt;
    }
    head.form = *form;
    head.time = static_cast<std::uint64_t>(from_zigzag(head.time));
    if (form->values == Values::bits) {
        return take_fixed(bytes, head.value) ? std::optional{head} : std::nullopt;
    }
    if (!take_varint(bytes, head.value)) {
        return std::nullopt;
    }
    head.value = static_cast<std::uint64_t>(from_zigzag(head.value));
    return head;
}

/// The values of a block, one after the other, in either form.
class Reader {
public:
    Reader(const Head& head, std::string_view bits)
        : form_{head.form},
          bits_{bits},
          times_{head.time, true},
          time_{head.time},
          xors_{head.value},
          numbers_{head.value, head.form.values == Values::second_differences} {}

    Point first(const Head& head) const {
        return {
            .time = in_milliseconds(head.time),
            .value = form_.values == Values::bits ? std::bit_cast<double>(head.value)
                                                  : as_decimal(head.value)
        };
    }

    std::optional<Point> next() {
        time_ = times_.next(take_number(bits_, time_widths));
        std::optional<double> value;
        if (form_.values == Values::bits) {
            value = xors_.take(bits_);
        } else {
            value = as_decimal(numbers_.next(take_number(bits_, value_widths)));
        }
        if (!value || !bits_.is_sound()) {
            return std::nullopt;
        }
        return Point{.time = in_milliseconds(time_), .value = *value};
    }

    bool is_done() { return bits_.is_done(); }

private:
    std::int64_t in_milliseconds(std::uint64_t time) const {
        const std::uint64_t unit = form_.in_seconds ? milliseconds_a_second : 1;
        return static_cast<std::int64_t>(time * unit);
    }

    double as_decimal(std::uint64_t number) const {
        return static_cast<double>(static_cast<std::int64_t>(number)) / powers_of_ten[form_.places];
    }

    Form form_;
    BitReader bits_;
    Steps times_;
    std::uint64_t time_;
    XorReader xors_;
    Steps numbers_;
};

bool decode_sound(std::string_view bytes, std::vector<Point>& points) {
    if (bytes == std::string_view{"\0", 1}) {
        return true;  // No points.
    }
    const auto head = take_head(bytes);
    if (!head) {
        return false;
    }
    Reader reader{*head, bytes};
    points.reserve(points.size() + head->count);
    points.push_back(reader.first(*head));
    for (std::uint64_t at = 1; at < head->count; ++at) {
        const auto point = reader.next();
        if (!point || point->time <= points.back().time) {
            return false;
        }
        points.push_back(*point);
    }
    return reader.is_done();
}

}  // namespace

std::string encode(std::span<const Point> points) {
    CHECK(
        std::ranges::adjacent_find(points, std::ranges::greater_equal{}, &Point::time) ==
            points.end(),
        "points are settled before they are encoded"
    );
    Form form{.in_seconds = std::ranges::all_of(points, [](const Point& point) {
                  return point.time % milliseconds_a_second == 0;
              })};
    const std::vector<std::int64_t> numbers = wholes(points, form.places);
    std::string shortest;
    if (!numbers.empty()) {
        form.values = Values::differences;
        shortest = encode_as(form, points, numbers);
        form.values = Values::second_differences;
        if (std::string other = encode_as(form, points, numbers); other.size() < shortest.size()) {
            shortest = std::move(other);
        }
    }
    form.values = Values::bits;
    form.places = 0;
    if (std::string other = encode_as(form, points, {});
        shortest.empty() || other.size() < shortest.size()) {
        shortest = std::move(other);
    }
    append_fixed(crc32c(shortest), shortest);
    return shortest;
}

Result<void> decode(std::string_view bytes, std::vector<Point>& points) {
    if (bytes.size() < 1 + checksum_bytes || bytes[0] != block_version) {
        return fail(ErrorKind::corrupt, "block of points: no version that this program knows");
    }
    const std::string_view said = bytes.substr(0, bytes.size() - checksum_bytes);
    std::uint32_t checksum = 0;
    std::string_view behind = bytes.substr(said.size());
    if (!take_fixed(behind, checksum) || checksum != crc32c(said)) {
        return fail(ErrorKind::corrupt, "block of points: its checksum is another one");
    }
    const std::size_t before = points.size();
    if (!decode_sound(said.substr(1), points)) {
        points.resize(before);
        return fail(ErrorKind::corrupt, "block of points: not as it is written");
    }
    return {};
}

}  // namespace footfall::series
