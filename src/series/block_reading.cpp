#include "foundation/crc32c.h"
#include "foundation/fixed_bytes.h"
#include "foundation/varint.h"
#include "series/block.h"
#include "series/block_form.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace footfall::series {
namespace {

/// A point behind the first takes a bit for its time and one for its value at least.
constexpr std::size_t points_a_byte = 4;

/// Bits from the lowest of each byte on, many at a time. Behind the end stand zeros: whether some
/// of these were taken is_done() tells, once for all.
class Bits {
public:
    explicit Bits(std::string_view bytes)
        : next_{bytes.data()}, end_{bytes.data() + bytes.size()} {}

    /// From then on at least so many are held.
    static constexpr unsigned refilled = 56;

    void refill() {
        if (end_ - next_ < static_cast<std::ptrdiff_t>(sizeof(std::uint64_t))) {
            *this = refilled_by_bytes(*this);
            return;
        }
        std::uint64_t more = 0;
        std::memcpy(&more, next_, sizeof(more));
        if constexpr (std::endian::native == std::endian::big) {
            more = std::byteswap(more);
        }
        // Of the last byte some bits may be held already; they are the same once more.
        held_ |= more << count_;
        next_ += (63 - count_) / 8;
        count_ |= refilled;
    }

    std::uint64_t held() const { return held_; }

    /// No more than are held.
    void drop(unsigned count) {
        held_ >>= count;
        count_ -= count;
    }

    /// 64 at most.
    std::uint64_t take(unsigned count) {
        constexpr unsigned half = 32;
        const std::uint64_t low = take_half(std::min(count, half));
        return count > half ? low | take_half(count - half) << half : low;
    }

    /// Whether all was taken but the zeros that fill the last byte, and nothing behind it.
    bool is_done() const {
        const std::int64_t left = (end_ - next_) * 8 + std::int64_t{count_} - behind_end_;
        return left >= 0 && left < 8 && (held_ & ((std::uint64_t{1} << left) - 1)) == 0;
    }

private:
    /// By value, and take_number() too: what is held stays in registers only where nobody else is
    /// given its place.
    static Bits refilled_by_bytes(Bits bits) {
        for (; bits.count_ <= refilled; bits.count_ += 8) {
            if (bits.next_ != bits.end_) {
                const auto byte = static_cast<unsigned char>(*bits.next_++);
                bits.held_ |= std::uint64_t{byte} << bits.count_;
            } else {
                bits.behind_end_ += 8;
            }
        }
        return bits;
    }

    std::uint64_t take_half(unsigned count) {
        refill();
        const std::uint64_t bits = held_ & ((std::uint64_t{1} << count) - 1);
        drop(count);
        return bits;
    }

    const char* next_;
    const char* end_;
    std::uint64_t held_ = 0;
    unsigned count_ = 0;           ///< Of what is held, the first the lowest.
    std::int64_t behind_end_ = 0;  ///< Of all that were held so far.
};

/// What the first six bits of a number of classes say.
struct Code {
    std::uint8_t begins = 0;  ///< Where its own bits do.
    std::uint8_t ends = 0;    ///< Behind these; `wide` and `none` are other cases.
    std::uint16_t mask = 0;   ///< As many ones as it has bits.
};

/// Has more bits than a mask.
constexpr std::uint8_t wide = 0xfe;
/// No number is so.
constexpr std::uint8_t none = 0xff;
constexpr std::size_t code_bits = number_classes;
using Codes = std::array<Code, std::size_t{1} << code_bits>;

constexpr Codes codes_of(const Widths& widths) {
    Codes codes;
    for (std::size_t bits = 0; bits < codes.size(); ++bits) {
        const auto at = static_cast<unsigned>(std::countr_one(bits));
        if (at >= widths.size()) {
            codes[bits].ends = none;
            continue;
        }
        codes[bits].begins = static_cast<std::uint8_t>(at + 1);
        if (widths[at] > 16) {
            codes[bits].ends = wide;
            continue;
        }
        codes[bits].ends = static_cast<std::uint8_t>(at + 1 + widths[at]);
        codes[bits].mask = static_cast<std::uint16_t>((1U << widths[at]) - 1);
    }
    return codes;
}

constexpr Codes time_codes = codes_of(time_widths);
constexpr Codes value_codes = codes_of(value_widths);

const Code& code_of(const Codes& codes, std::uint64_t bits) {
    return codes[bits & (codes.size() - 1)];
}

std::uint64_t from_bits(std::uint64_t bits) {
    return static_cast<std::uint64_t>(from_zigzag(bits));
}

/// A number of classes, and the bits behind it.
struct Taken {
    Bits in;
    std::uint64_t number = 0;
    bool is_sound = true;
};

Taken take_number(Bits in, const Codes& codes, const Widths& widths) {
    in.refill();
    const Code code = code_of(codes, in.held());
    if (code.ends == none) {
        return {.in = in, .is_sound = false};
    }
    if (code.ends == wide) {
        in.drop(code.begins);
        const std::uint64_t bits = in.take(widths[code.begins - 1U]);
        return {.in = in, .number = from_bits(bits)};
    }
    const std::uint64_t bits = in.held() >> code.begins & code.mask;
    in.drop(code.ends);
    return {.in = in, .number = from_bits(bits)};
}

/// What a block says before its bits.
struct Head {
    BlockForm form;
    std::uint64_t count = 0;
    std::uint64_t time = 0;   ///< The first, in units of the form.
    std::uint64_t value = 0;  ///< Its bits, or a whole number.

    std::int64_t in_milliseconds(std::uint64_t units) const {
        const std::uint64_t unit = form.in_seconds ? milliseconds_a_second : 1;
        return static_cast<std::int64_t>(units * unit);
    }

    double as_decimal(std::uint64_t number) const {
        return static_cast<double>(static_cast<std::int64_t>(number)) / powers_of_ten[form.places];
    }
};

/// Absent: this is no head of a block of at least one point.
std::optional<Head> take_head(std::string_view& bytes) {
    Head head;
    if (!take_varint(bytes, head.count) || head.count == 0 || bytes.empty() ||
        head.count / points_a_byte > bytes.size()) {
        return std::nullopt;
    }
    const auto form = BlockForm::of(bytes[0]);
    bytes.remove_prefix(1);
    if (!form || !take_varint(bytes, head.time)) {
        return std::nullopt;
    }
    head.form = *form;
    head.time = from_bits(head.time);
    if (form->values == BlockValues::bits) {
        return take_fixed(bytes, head.value) ? std::optional{head} : std::nullopt;
    }
    if (!take_varint(bytes, head.value)) {
        return std::nullopt;
    }
    head.value = from_bits(head.value);
    return head;
}

/// Times, each by the difference of its difference. Sums wrap around, as where they are written.
class Times {
public:
    explicit Times(const Head& head)
        : head_{head}, units_{head.time}, last_{head.in_milliseconds(head.time)} {}

    /// In milliseconds.
    std::int64_t next(std::uint64_t told) {
        step_ += told;
        units_ += step_;
        const std::int64_t time = head_.in_milliseconds(units_);
        ascending_ = ascending_ && time > last_;
        last_ = time;
        return time;
    }

    bool are_ascending() const { return ascending_; }

private:
    const Head head_;
    std::uint64_t units_;
    std::uint64_t step_ = 0;
    std::int64_t last_;
    bool ascending_ = true;
};

/// Whole numbers, by the difference to the one before, or that of the difference.
template <bool second_order>
class Wholes {
public:
    explicit Wholes(std::uint64_t first) : number_{first} {}

    std::uint64_t next(std::uint64_t told) {
        step_ = second_order ? step_ + told : told;
        return number_ += step_;
    }

private:
    std::uint64_t number_;
    std::uint64_t step_ = 0;
};

/// Points behind the first whose values are decimals, to the end. False: they are none.
///
/// Nearly all times are as far from the one before as that is, which is one bit, and few values
/// have more than 13: three such points are within what is held, so they are taken without a look
/// at what is left.
template <bool second_order>
[[gnu::always_inline]] inline bool read_decimals(
    const Head& head, Bits in, std::span<Point> points
) {
    constexpr std::size_t at_once = 3;
    static_assert(at_once * (1 + code_bits - 2 + 13) <= Bits::refilled);
    constexpr std::uint64_t whole_run = 0xffff;
    Times times{head};
    Wholes<second_order> wholes{head.value};
    const double power = powers_of_ten[head.form.places];
    const auto decimal = [power](std::uint64_t number) {
        return static_cast<double>(static_cast<std::int64_t>(number)) / power;
    };
    for (std::size_t at = 0; at < points.size();) {
        in.refill();
        if ((in.held() & whole_run) == 0) {
            // Nothing is told but that all goes on as it did.
            const auto zeros = static_cast<unsigned>(
                std::countr_zero(in.held() | std::uint64_t{1} << Bits::refilled)
            );
            const std::size_t run = std::min<std::size_t>(zeros / 2, points.size() - at);
            for (Point& point : points.subspan(at, run)) {
                point = {.time = times.next(0), .value = decimal(wholes.next(0))};
            }
            in.drop(static_cast<unsigned>(2 * run));
            at += run;
            continue;
        }
        const std::size_t end = std::min(points.size(), at + at_once);
        for (; at < end; ++at) {
            const std::uint64_t bits = in.held();
            const Code code = code_of(value_codes, bits >> 1);
            if ((bits & 1) != 0 || code.ends >= wide) {
                break;
            }
            const std::uint64_t told = from_bits(bits >> 1 >> code.begins & code.mask);
            in.drop(1U + code.ends);
            points[at] = {.time = times.next(0), .value = decimal(wholes.next(told))};
        }
        if (at < end) {
            const Taken time = take_number(in, time_codes, time_widths);
            const Taken value = take_number(time.in, value_codes, value_widths);
            if (!time.is_sound || !value.is_sound) {
                return false;
            }
            in = value.in;
            points[at++] = {
                .time = times.next(time.number), .value = decimal(wholes.next(value.number))
            };
        }
    }
    return times.are_ascending() && in.is_done();
}

/// Which bits of a value differ from those of the value before.
struct Differing {
    unsigned length = 0;  ///< 0: there was none yet.
    unsigned trailing = 0;

    /// False: it is none.
    bool take(Bits& in) {
        const std::uint64_t said = in.take(window_bits);
        const auto leading = static_cast<unsigned>(said & 31);
        length = static_cast<unsigned>(said >> 5) + 1;
        trailing = 64 - leading - length;
        return leading + length <= 64;
    }

private:
    static constexpr unsigned window_bits = 5 + 6;
};

/// Points behind the first whose values are the bits of doubles, to the end. False: they are none.
///
/// A point whose time is one bit, and whose bits that differ are not nearly all, is within what is
/// held.
[[gnu::always_inline]] inline bool read_doubles(
    const Head& head, Bits in, std::span<Point> points
) {
    Times times{head};
    std::uint64_t value = head.value;
    Differing window;
    for (Point& point : points) {
        in.refill();
        std::uint64_t time = 0;
        if ((in.held() & 1) == 0) {
            in.drop(1);
        } else {
            const Taken taken = take_number(in, time_codes, time_widths);
            if (!taken.is_sound) {
                return false;
            }
            time = taken.number;
            in = taken.in;
            in.refill();
        }
        point.time = times.next(time);
        const std::uint64_t said = in.held() & 3;
        if ((said & 1) == 0) {
            in.drop(1);
        } else {
            in.drop(2);
            if (said == 3 && !window.take(in)) {
                return false;
            }
            if (window.length == 0) {
                return false;
            }
            if (said == 1 && window.length <= Bits::refilled - 3) {
                value ^= (in.held() & ((std::uint64_t{1} << window.length) - 1)) << window.trailing;
                in.drop(window.length);
            } else {
                value ^= in.take(window.length) << window.trailing;
            }
        }
        point.value = std::bit_cast<double>(value);
    }
    return times.are_ascending() && in.is_done();
}

/// Points behind the first. False: they are none.
[[gnu::always_inline]] inline bool read_in_form(
    const Head& head, Bits in, std::span<Point> points
) {
    switch (head.form.values) {
        case BlockValues::bits:
            return read_doubles(head, in, points);
        case BlockValues::differences:
            return read_decimals<false>(head, in, points);
        case BlockValues::second_differences:
            return read_decimals<true>(head, in, points);
    }
    return false;
}

#if defined(__x86_64__)
/// With shifts that take no flags, which a point waits for three times.
[[gnu::target("bmi2")]] bool read_by_bmi2(const Head& head, Bits in, std::span<Point> points) {
    return read_in_form(head, in, points);
}
#endif

bool read_points(const Head& head, Bits in, std::span<Point> points) {
#if defined(__x86_64__)
    static const bool has_bmi2 = __builtin_cpu_supports("bmi2") != 0;
    if (has_bmi2) {
        return read_by_bmi2(head, in, points);
    }
#endif
    return read_in_form(head, in, points);
}

bool decode_sound(std::string_view bytes, std::vector<Point>& points) {
    if (bytes == std::string_view{"\0", 1}) {
        return true;  // No points.
    }
    const auto head = take_head(bytes);
    if (!head) {
        return false;
    }
    const std::size_t before = points.size();
    points.resize(before + head->count);
    points[before] = {
        .time = head->in_milliseconds(head->time),
        .value = head->form.values == BlockValues::bits ? std::bit_cast<double>(head->value)
                                                        : head->as_decimal(head->value)
    };
    return read_points(*head, Bits{bytes}, std::span{points}.subspan(before + 1));
}

}  // namespace

Result<void> decode(std::string_view bytes, std::vector<Point>& points) {
    if (bytes.size() < 1 + block_checksum_bytes || bytes[0] != block_version) {
        return fail(ErrorKind::corrupt, "block of points: no version that this program knows");
    }
    const std::string_view said = bytes.substr(0, bytes.size() - block_checksum_bytes);
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
