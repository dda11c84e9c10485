#include "storage_cassandra/cell_buffer.h"

#include "foundation/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstring>
#include <limits>
#include <string_view>

namespace footfall::storage_cassandra {
namespace {

using storage::ColumnType;
using storage::ValueView;
using storage::Wide;

template <std::unsigned_integral Number>
Number big_endian(Number number) {
    return std::endian::native == std::endian::little ? std::byteswap(number) : number;
}

template <std::unsigned_integral Number>
Number read_big_endian(const cql_cell& cell) {
    Number number = 0;
    std::memcpy(&number, cell.data, sizeof(number));
    return big_endian(number);
}

Result<std::uint32_t> take_length(std::string_view& rest) {
    if (rest.size() < sizeof(std::uint32_t)) {
        return fail(ErrorKind::corrupt, "a map that ends within a length");
    }
    std::uint32_t length = 0;
    std::memcpy(&length, rest.data(), sizeof(length));
    rest.remove_prefix(sizeof(length));
    return big_endian(length);
}

Result<std::string_view> take_text(std::string_view& rest) {
    TRY(const std::uint32_t length, take_length(rest));
    if (length > rest.size()) {
        return fail(ErrorKind::corrupt, "a map that ends within a text");
    }
    const std::string_view text = rest.substr(0, length);
    rest.remove_prefix(length);
    return text;
}

/// CQL's decimals say how many digits stand behind the point; ours are millionths.
constexpr std::int32_t millionths_scale = 6;

/// `unscaled`, of which `scale` digits stand behind the point, in millionths, exactly.
Result<Wide> to_millionths(Wide unscaled, std::int32_t scale) {
    constexpr int base = 10;
    if (unscaled == 0) {
        return unscaled;
    }
    // Either ends within 39 steps, the digits of 128 bits.
    for (; scale < millionths_scale; ++scale) {
        if (__builtin_mul_overflow(unscaled, Wide{base}, &unscaled)) {
            return fail(ErrorKind::corrupt, "a decimal beyond 128 bits of millionths");
        }
    }
    for (; scale > millionths_scale; --scale) {
        if (unscaled % base != 0) {
            return fail(ErrorKind::corrupt, "a decimal with more than six decimals");
        }
        unscaled /= base;
    }
    return unscaled;
}

Result<ValueView> decimal_in(const cql_cell& cell, OtherDecimals& decimals) {
    const std::string_view bytes{
        reinterpret_cast<const char*>(cell.data), static_cast<std::size_t>(cell.length)
    };
    if (bytes.size() < sizeof(millionths_scale)) {
        return fail(
            ErrorKind::corrupt, fmt::format("a decimal of {} bytes with its scale", bytes.size())
        );
    }
    const auto scale = static_cast<std::int32_t>(read_big_endian<std::uint32_t>(cell));
    const std::string_view unscaled = bytes.substr(sizeof(scale));
    if (scale == millionths_scale && storage::is_decimal(unscaled)) {
        return ValueView{unscaled};
    }
    TRY(const Wide number, storage::decimal_of(unscaled));
    TRY(const Wide millionths, to_millionths(number, scale));
    return ValueView{decimals.emplace_front(millionths).view()};
}

/// Where CQL's date has 1970-01-01.
constexpr std::int64_t middle_day = std::int64_t{1} << 31;

}  // namespace

void CellBuffer::push(ColumnType type, const ValueView& value) {
    CHECK(is_number(type) == !value.is_text(), "a value of another type than its column");
    switch (type) {
        case ColumnType::text:
        case ColumnType::bytes:
            push_bytes(value.text().data(), value.text().size());
            return;
        case ColumnType::integer:
        case ColumnType::timestamp:
            push_bigint(value.number());
            return;
        case ColumnType::day: {
            const std::int64_t shifted = value.number() + middle_day;
            CHECK(
                shifted >= 0 && shifted <= std::numeric_limits<std::uint32_t>::max(),
                "a day beyond 32 bits",
                value.number()
            );
            const std::uint32_t day = big_endian(static_cast<std::uint32_t>(shifted));
            push_bytes(&day, sizeof(day));
            return;
        }
        case ColumnType::decimal:
            push_decimal(value.text());
            return;
    }
    CHECK(false, "a column type without a cell", static_cast<int>(type));
}

void CellBuffer::push_bigint(std::int64_t number) {
    const std::uint64_t bytes = big_endian(static_cast<std::uint64_t>(number));
    push_bytes(&bytes, sizeof(bytes));
}

void CellBuffer::push_int(std::int32_t number) {
    const std::uint32_t bytes = big_endian(static_cast<std::uint32_t>(number));
    push_bytes(&bytes, sizeof(bytes));
}

void CellBuffer::push_decimal(std::string_view millionths) {
    CHECK(storage::is_decimal(millionths), "no decimal's bytes", millionths.size());
    const std::uint32_t scale = big_endian(static_cast<std::uint32_t>(millionths_scale));
    std::array<char, sizeof(scale) + storage::decimal_bytes_max> bytes{};
    std::memcpy(bytes.data(), &scale, sizeof(scale));
    std::ranges::copy(millionths, bytes.begin() + sizeof(scale));
    push_bytes(bytes.data(), sizeof(scale) + millionths.size());
}

void CellBuffer::push_list(ColumnType type, std::span<const ValueView> values) {
    CellBuffer each;
    for (const ValueView& value : values) {
        each.push(type, value);
    }
    std::string list;
    const auto append_int = [&list](std::size_t number) {
        const std::uint32_t bytes = big_endian(static_cast<std::uint32_t>(number));
        list.append(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
    };
    append_int(values.size());
    for (const Place& place : each.cells_) {
        append_int(place.length);
        list.append(each.bytes_, place.start, place.length);
    }
    push_bytes(list.data(), list.size());
}

void CellBuffer::set_bigint(std::size_t index, std::int64_t number) {
    const Place place = cells_.at(index);
    CHECK(place.length == sizeof(number), "not a bigint", index);
    const std::uint64_t bytes = big_endian(static_cast<std::uint64_t>(number));
    std::memcpy(bytes_.data() + place.start, &bytes, sizeof(bytes));
}

void CellBuffer::append_views(std::size_t first, std::size_t count, std::vector<cql_cell>& views)
    const {
    CHECK(first + count <= cells_.size(), "cells that are not there", first, count, cells_.size());
    for (std::size_t at = first; at < first + count; ++at) {
        views.push_back(
            {.data = reinterpret_cast<const std::uint8_t*>(bytes_.data()) + cells_[at].start,
             .length = static_cast<std::int32_t>(cells_[at].length)}
        );
    }
}

void CellBuffer::push_bytes(const void* data, std::size_t length) {
    CHECK(
        bytes_.size() + length <= std::numeric_limits<std::int32_t>::max(),
        "cells beyond 2 GiB",
        length
    );
    cells_.push_back(
        {.start = static_cast<std::uint32_t>(bytes_.size()),
         .length = static_cast<std::uint32_t>(length)}
    );
    bytes_.append(static_cast<const char*>(data), length);
}

Result<ValueView> value_of(ColumnType type, const cql_cell& cell, OtherDecimals& decimals) {
    if (cell.length < 0) {
        return absent_value(type);
    }
    if (type == ColumnType::decimal) {
        return decimal_in(cell, decimals);
    }
    const auto length = static_cast<std::size_t>(cell.length);
    if (!is_number(type)) {
        return ValueView{std::string_view{reinterpret_cast<const char*>(cell.data), length}};
    }
    const std::size_t wanted =
        type == ColumnType::day ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
    if (length != wanted) {
        return fail(
            ErrorKind::corrupt, fmt::format("a number of {} bytes instead of {}", length, wanted)
        );
    }
    if (type == ColumnType::day) {
        return ValueView{std::int64_t{read_big_endian<std::uint32_t>(cell)} - middle_day};
    }
    return ValueView{static_cast<std::int64_t>(read_big_endian<std::uint64_t>(cell))};
}

Result<std::int32_t> int_of(const cql_cell& cell) {
    if (cell.length < 0) {
        return 0;
    }
    if (cell.length != sizeof(std::int32_t)) {
        return fail(ErrorKind::corrupt, fmt::format("an int of {} bytes", cell.length));
    }
    return static_cast<std::int32_t>(read_big_endian<std::uint32_t>(cell));
}

Result<std::map<std::string, std::string>> text_map_of(const cql_cell& cell) {
    std::map<std::string, std::string> map;
    if (cell.length < 0) {
        return map;
    }
    std::string_view rest{
        reinterpret_cast<const char*>(cell.data), static_cast<std::size_t>(cell.length)
    };
    TRY(const std::uint32_t entries, take_length(rest));
    for (std::uint32_t entry = 0; entry < entries; ++entry) {
        TRY(const std::string_view key, take_text(rest));
        TRY(const std::string_view value, take_text(rest));
        map.emplace(key, value);
    }
    return map;
}

}  // namespace footfall::storage_cassandra
