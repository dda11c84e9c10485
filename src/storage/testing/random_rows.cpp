#include "storage_testing/random_rows.h"

#include "foundation/check.h"
#include "storage/decimal.h"

#include <array>
#include <string_view>

namespace footfall::storage {
namespace {

using namespace std::string_view_literals;

template <std::size_t size>
std::string pieces(Random& random, const std::array<std::string_view, size>& from) {
    std::string joined;
    for (std::uint64_t count = random.below(5); count > 0; --count) {
        joined += from.at(random.below(size));
    }
    return joined;
}

}  // namespace

Value RandomRows::value(ColumnType type) {
    switch (type) {
        case ColumnType::text:
            return text();
        case ColumnType::bytes:
            return bytes();
        case ColumnType::integer:
        case ColumnType::timestamp:
            return number(64);
        case ColumnType::day:
            return number(32);
        case ColumnType::decimal:
            return decimal();
    }
    CHECK(false, "a column type without random values", static_cast<int>(type));
}

Row RandomRows::key(const Table& table) {
    Row row;
    for (std::size_t at = 0; at < table.key_width(); ++at) {
        row.push_back(value(table.column(at).type));
    }
    return row;
}

Row RandomRows::values(const Table& table) {
    Row row;
    for (const Column& column : table.values) {
        row.push_back(value(column.type));
    }
    return row;
}

std::string RandomRows::text() {
    static constexpr std::array parts{
        "a"sv,
        "b"sv,
        "\0"sv,
        "\x01"sv,
        "\x7f"sv,
        "\xc2\x80"sv,
        "\xef\xbf\xbf"sv,
        "\xf4\x8f\xbf\xbf"sv
    };
    return random_.below(40) == 0 ? std::string(1024, 'n') + pieces(random_, parts)
                                  : pieces(random_, parts);
}

std::string RandomRows::bytes() {
    static constexpr std::array parts{
        "a"sv, "\0"sv, "\x01"sv, "\x02"sv, "\xfe"sv, "\xff"sv, "\0\xff"sv, "\0\x01"sv
    };
    return random_.below(40) == 0 ? std::string(1024, '\xff') + pieces(random_, parts)
                                  : pieces(random_, parts);
}

/// All lengths are as likely: uniform numbers would nearly all be long ones.
std::int64_t RandomRows::number(int bits) {
    const auto kept = static_cast<int>(random_.below(static_cast<std::uint64_t>(bits)));
    const auto length_mask = (std::uint64_t{1} << kept) - 1;
    std::uint64_t magnitude = random_() & length_mask;
    if (random_.below(3) == 0) {
        magnitude = random_.below(2) == 0 ? length_mask : (length_mask >> 1) + 1;
    }
    const auto number = static_cast<std::int64_t>(magnitude);
    return random_.below(2) == 0 ? number : ~number;
}

/// About half of them are beyond 64 bits.
std::string RandomRows::decimal() {
    const std::int64_t high = number(64);
    const std::int64_t low = number(64);
    return decimal_bytes(
        random_.below(2) == 0 ? Wide{low} : Wide{high} << 64 | static_cast<std::uint64_t>(low)
    );
}

}  // namespace footfall::storage
