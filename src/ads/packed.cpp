#include "ads/packed.h"

#include "foundation/varint.h"

#include <algorithm>
#include <limits>

namespace footfall::ads {
namespace {

constexpr char version = 1;
constexpr std::uint64_t quarters_max = 200;  ///< More than any day has.
/// A number and its amounts take no fewer.
constexpr std::size_t bytes_each_least = 3;

__extension__ using UnsignedWide = unsigned __int128;

constexpr int wide_bits = 128;

std::unexpected<Error> damaged_amounts() {
    return fail(ErrorKind::corrupt, "packed amounts of the ledger are damaged");
}

bool take_head(std::string_view& bytes, std::uint64_t& count) {
    if (bytes.empty() || bytes.front() != version) {
        return false;
    }
    bytes.remove_prefix(1);
    return take_varint(bytes, count);
}

std::string head(std::size_t count) {
    std::string bytes(1, version);
    append_varint(count, bytes);
    return bytes;
}

/// Numbers that rise, each as its difference to the one before, with their amounts.
template <class Number>
std::string packed(const boost::container::flat_map<Number, Amounts>& all) {
    std::string bytes = head(all.size());
    std::int64_t before = 0;
    for (const auto& [number, amounts] : all) {
        append_varint(zigzag(std::int64_t{number} - before), bytes);
        append_amounts(amounts, bytes);
        before = number;
    }
    return bytes;
}

template <class Number>
Result<boost::container::flat_map<Number, Amounts>> read_packed(std::string_view bytes) {
    boost::container::flat_map<Number, Amounts> all;
    std::uint64_t left = 0;
    if (!take_head(bytes, left)) {
        return damaged_amounts();
    }
    all.reserve(std::min(left, bytes.size() / bytes_each_least));
    std::int64_t number = 0;
    for (; left > 0; --left) {
        std::uint64_t step = 0;
        Amounts amounts;
        if (!take_varint(bytes, step) || !take_amounts(bytes, amounts) ||
            __builtin_add_overflow(number, from_zigzag(step), &number) ||
            number < std::int64_t{std::numeric_limits<Number>::min()} ||
            number > std::int64_t{std::numeric_limits<Number>::max()}) {
            return damaged_amounts();
        }
        all.emplace_hint(all.end(), static_cast<Number>(number), amounts);
    }
    if (!bytes.empty()) {
        return damaged_amounts();
    }
    return all;
}

}  // namespace

/// As varint.h does it, of 128 bits.
void append_micros(WideMicros number, std::string& out) {
    auto bits = (static_cast<UnsignedWide>(number) << 1) ^
                static_cast<UnsignedWide>(number >> (wide_bits - 1));
    for (; bits >= 0x80; bits >>= 7) {
        out.push_back(static_cast<char>(static_cast<unsigned char>(bits) | 0x80));
    }
    out.push_back(static_cast<char>(bits));
}

bool take_micros(std::string_view& bytes, WideMicros& number) {
    UnsignedWide bits = 0;
    for (int shift = 0; shift < wide_bits && !bytes.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        bits |= static_cast<UnsignedWide>(byte & 0x7f) << shift;
        if (byte < 0x80) {
            number = static_cast<WideMicros>((bits >> 1) ^ (~(bits & 1) + 1));
            return true;
        }
    }
    return false;
}

/// Most days have clicks alone, or nothing else than sales: what is not there takes no byte.
void append_amounts(const Amounts& amounts, std::string& out) {
    constexpr unsigned has_sales = 1;
    constexpr unsigned has_refunds = 2;
    const unsigned has =
        (amounts.sales > 0 ? has_sales : 0) | (amounts.refunds > 0 ? has_refunds : 0);
    append_varint(amounts.clicks << 2 | has, out);
    if (amounts.sales > 0) {
        append_varint(amounts.sales, out);
    }
    if (amounts.refunds > 0) {
        append_varint(amounts.refunds, out);
    }
    append_micros(amounts.amount, out);
}

bool take_amounts(std::string_view& bytes, Amounts& amounts) {
    std::uint64_t first = 0;
    if (!take_varint(bytes, first)) {
        return false;
    }
    amounts.clicks = first >> 2;
    return ((first & 1) == 0 || take_varint(bytes, amounts.sales)) &&
           ((first & 2) == 0 || take_varint(bytes, amounts.refunds)) &&
           take_micros(bytes, amounts.amount);
}

std::string packed_days(const AmountsByDay& days) {
    return packed(days);
}

Result<AmountsByDay> read_days(std::string_view bytes) {
    return read_packed<Day>(bytes);
}

std::string packed_quarters(const AmountsByQuarter& quarters) {
    return packed(quarters);
}

Result<AmountsByQuarter> read_quarters(std::string_view bytes) {
    return read_packed<unsigned>(bytes);
}

std::string packed_refusals(const RefusalsByQuarter& refusals) {
    std::string bytes = head(refusals.size());
    for (const auto& [reason, quarters] : refusals) {
        append_varint(reason.size(), bytes);
        bytes += reason;
        append_varint(quarters.size(), bytes);
        for (const auto& [quarter, events] : quarters) {
            append_varint(quarter, bytes);
            append_varint(events, bytes);
        }
    }
    return bytes;
}

Result<RefusalsByQuarter> read_refusals(std::string_view bytes) {
    RefusalsByQuarter refusals;
    std::uint64_t left = 0;
    if (!take_head(bytes, left)) {
        return damaged_amounts();
    }
    for (; left > 0; --left) {
        std::uint64_t length = 0;
        if (!take_varint(bytes, length) || length > bytes.size()) {
            return damaged_amounts();
        }
        auto& quarters = refusals[std::string{bytes.substr(0, length)}];
        bytes.remove_prefix(length);
        std::uint64_t count = 0;
        if (!take_varint(bytes, count)) {
            return damaged_amounts();
        }
        for (; count > 0; --count) {
            std::uint64_t quarter = 0;
            std::uint64_t events = 0;
            if (!take_varint(bytes, quarter) || quarter > quarters_max ||
                !take_varint(bytes, events)) {
                return damaged_amounts();
            }
            quarters[static_cast<unsigned>(quarter)] += events;
        }
    }
    if (!bytes.empty()) {
        return damaged_amounts();
    }
    return refusals;
}

}  // namespace footfall::ads
