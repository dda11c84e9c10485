#include "storage/key_codec.h"

#include "foundation/check.h"
#include "foundation/varint.h"
#include "storage/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace footfall::storage {
namespace {

// Texts: every byte as it is, 00 as 00 FF, closed by 00 01. Since 01 < FF and both follow a 00, "a"
// sorts before "a\0" and both before "ab". Numbers: one byte that tells sign and length (80 + n for
// n bytes of a number >= 0, 7F - n for a negative one), then the n significant bytes, big-endian;
// negative ones in two's complement, whose leading FFs are left out. A descending column is
// the complement of every byte.
constexpr char escape = '\x00';
constexpr char escaped_zero = '\xff';
constexpr char text_end = '\x01';
constexpr unsigned number_base = 0x80;

/// How many bytes of `number` are significant: 0 for 0 and -1, 8 for the extremes.
unsigned number_length(std::int64_t number) {
    const auto magnitude = static_cast<std::uint64_t>(number < 0 ? ~number : number);
    return static_cast<unsigned>((64 - std::countl_zero(magnitude) + 7) / 8);
}

/// Writes up to 8 bytes behind those that count.
char* put_number(std::int64_t number, Order order, char* at) {
    const unsigned length = number_length(number);
    const unsigned lead = number < 0 ? number_base - 1 - length : number_base + length;
    const std::uint64_t flip = order == Order::descending ? ~std::uint64_t{0} : 0;
    *at++ = static_cast<char>(lead ^ flip);
    if (length > 0) {
        const std::uint64_t bits = (static_cast<std::uint64_t>(number) ^ flip) << (64 - 8 * length);
        static_assert(std::endian::native == std::endian::little);
        const auto bytes = std::bit_cast<std::array<char, sizeof bits>>(std::byteswap(bits));
        std::ranges::copy(bytes, at);
    }
    return at + length;
}

char* put_text(std::string_view text, char* at) {
    while (!text.empty()) {
        const std::size_t zero = std::min(text.find(escape), text.size());
        at = std::ranges::copy(text.substr(0, zero), at).out;
        if (zero == text.size()) {
            break;
        }
        *at++ = escape;
        *at++ = escaped_zero;
        text.remove_prefix(zero + 1);
    }
    *at++ = escape;
    *at++ = text_end;
    return at;
}

/// How many bytes the key's `values` take at most.
std::size_t key_bytes_max(std::span<const ValueView> values) {
    std::size_t bytes = 0;
    for (const ValueView& value : values) {
        bytes += value.is_text() ? 2 * value.text().size() + 2 : 1 + sizeof(std::int64_t);
    }
    return bytes;
}

/// Writes some columns of a key to `at`, which has room for them; answers the place behind.
char* put_columns(std::span<const Column> columns, std::span<const ValueView> values, char* at) {
    for (std::size_t index = 0; index < values.size(); ++index) {
        const Column& column = columns[index];
        const ValueView& value = values[index];
        CHECK(value.is_text() != is_number(column.type), "a value of the wrong type", column.name);
        if (!value.is_text()) {
            at = put_number(value.number(), column.order, at);
            continue;
        }
        char* const start = at;
        at = put_text(value.text(), at);
        if (column.order == Order::descending) {
            std::ranges::transform(start, at, start, [](char byte) {
                return static_cast<char>(~byte);
            });
        }
    }
    return at;
}

std::size_t row_values_bytes_max(std::span<const ValueView> values) {
    std::size_t bytes = varint_bytes_max;
    for (const ValueView& value : values) {
        bytes += varint_bytes_max + value.text().size();
    }
    return bytes;
}

/// The first value columns, without saying how many there are.
char* put_values(const Table& table, std::span<const ValueView> values, char* at) {
    for (std::size_t index = 0; index < values.size(); ++index) {
        const Column& column = table.values[index];
        const ValueView& value = values[index];
        CHECK(value.is_text() != is_number(column.type), "a value of the wrong type", column.name);
        CHECK(
            column.type != ColumnType::decimal || is_decimal(value.text()),
            "no decimal's bytes",
            column.name
        );
        if (value.is_text()) {
            at = put_varint(value.text().size(), at);
            at = std::ranges::copy(value.text(), at).out;
        } else {
            at = put_varint(zigzag(value.number()), at);
        }
    }
    return at;
}

char* put_row_values(const Table& table, std::span<const ValueView> values, char* at) {
    return put_values(table, values, put_varint(values.size(), at));
}

/// Lets `put` write to the end of `out`, at most `bytes_max`; it answers the place behind.
template <class Put>
void append_at_most(std::size_t bytes_max, std::string& out, Put put) {
    const std::size_t before = out.size();
    out.resize_and_overwrite(before + bytes_max, [&](char* data, std::size_t) {
        return static_cast<std::size_t>(put(data + before) - data);
    });
}

/// Walks the bytes of a key; each step takes one column or finds the key broken.
class KeyReader {
public:
    explicit KeyReader(std::string_view bytes) : bytes_{bytes} {}

    std::size_t position() const { return at_; }

    bool at_end() const { return at_ == bytes_.size(); }

    /// The number, or false: no key.
    bool number(Order order, std::int64_t& number) {
        flip_ = order == Order::descending ? 0xff : 0;
        if (at_end()) {
            return false;
        }
        const unsigned lead = take();
        const bool negative = lead < number_base;
        const unsigned length = negative ? number_base - 1 - lead : lead - number_base;
        if (length > 8 || bytes_.size() - at_ < length) {
            return false;
        }
        std::uint64_t bits = negative ? ~std::uint64_t{0} : 0;
        for (unsigned byte = 0; byte < length; ++byte) {
            bits = (bits << 8) | take();
        }
        number = static_cast<std::int64_t>(bits);
        return (number < 0) == negative && number_length(number) == length;
    }

    /// Goes behind a number without reading it, or answers false: no key.
    bool skip_number(Order order) {
        flip_ = order == Order::descending ? 0xff : 0;
        if (at_end()) {
            return false;
        }
        const unsigned lead = take();
        const unsigned length = lead < number_base ? number_base - 1 - lead : lead - number_base;
        if (length > 8 || bytes_.size() - at_ < length) {
            return false;
        }
        at_ += length;
        return true;
    }

    /// Goes behind a text without reading it, or answers false: no key.
    bool skip_text(Order order) {
        const unsigned flip = order == Order::descending ? 0xff : 0;
        for (;;) {
            const std::size_t zero = bytes_.find(static_cast<char>(flip), at_);
            if (zero == std::string_view::npos || zero + 1 == bytes_.size()) {
                return false;
            }
            const auto next =
                static_cast<char>(static_cast<unsigned char>(bytes_[zero + 1]) ^ flip);
            at_ = zero + 2;
            if (next != escaped_zero) {
                return next == text_end;
            }
        }
    }

    /// Calls `sink` with every byte of the text, or answers false: no key.
    template <class Sink>
    bool text(Order order, const Sink& sink) {
        flip_ = order == Order::descending ? 0xff : 0;
        while (!at_end()) {
            const unsigned byte = take();
            if (byte != 0) {
                sink(static_cast<char>(byte));
                continue;
            }
            if (at_end()) {
                return false;
            }
            const char next = static_cast<char>(take());
            if (next == text_end) {
                return true;
            }
            if (next != escaped_zero) {
                return false;
            }
            sink('\0');
        }
        return false;
    }

private:
    unsigned take() { return static_cast<unsigned char>(bytes_[at_++]) ^ flip_; }

    std::string_view bytes_;
    std::size_t at_ = 0;
    unsigned flip_ = 0;
};

std::unexpected<Error> broken(const Table& table, std::string_view what) {
    return fail(
        ErrorKind::corrupt, fmt::format("table {}: stored {} cannot be read", table.name, what)
    );
}

/// Takes one value column from `bytes`, or answers false.
bool take_value(ColumnType type, std::string_view& bytes, ValueView& value) {
    std::uint64_t number = 0;
    if (!take_varint(bytes, number)) {
        return false;
    }
    if (is_number(type)) {
        value = from_zigzag(number);
        return true;
    }
    if (bytes.size() < number) {
        return false;
    }
    value = bytes.substr(0, number);
    bytes.remove_prefix(number);
    return type != ColumnType::decimal || is_decimal(value.text());
}

}  // namespace

void append_key(const Table& table, std::span<const ValueView> values, std::string& out) {
    CHECK(
        values.size() <= table.key_width(),
        "more values than key columns",
        table.name,
        values.size()
    );
    const std::size_t partition = std::min(values.size(), table.partition.size());
    append_at_most(key_bytes_max(values), out, [&](char* at) {
        at = put_columns(table.partition, values.first(partition), at);
        return put_columns(table.clustering, values.subspan(partition), at);
    });
}

void append_clustering(const Table& table, std::span<const ValueView> values, std::string& out) {
    CHECK(
        values.size() <= table.clustering.size(),
        "more values than clustering columns",
        table.name,
        values.size()
    );
    append_at_most(key_bytes_max(values), out, [&](char* at) {
        return put_columns(table.clustering, values, at);
    });
}

/// A row of which `put` writes the value columns that are not in `values`: at most `more_bytes`.
template <class Put>
RowBytes append_row(
    const Table& table,
    std::span<const ValueView> values,
    std::size_t more_bytes,
    std::string& out,
    Put put
) {
    const auto partition = values.first(table.partition.size());
    const auto clustering = values.subspan(partition.size(), table.clustering.size());
    const auto rest = values.subspan(table.key_width());
    const std::size_t bytes_max =
        key_bytes_max(values.first(table.key_width())) + row_values_bytes_max(rest) + more_bytes;
    RowBytes bytes;
    append_at_most(bytes_max, out, [&](char* const start) {
        char* const partition_end = put_columns(table.partition, partition, start);
        char* const key_end = put_columns(table.clustering, clustering, partition_end);
        char* const values_start = put_varint(table.values.size(), key_end);
        char* const end = put(put_values(table, rest, values_start));
        bytes = {
            .partition = static_cast<std::uint32_t>(partition_end - start),
            .key = static_cast<std::uint32_t>(key_end - start),
            .values = static_cast<std::uint32_t>(end - key_end)
        };
        return end;
    });
    return bytes;
}

RowBytes append_row(const Table& table, std::span<const ValueView> values, std::string& out) {
    return append_row(table, values, 0, out, [](char* at) { return at; });
}

RowBytes append_row_before_text(
    const Table& table, std::span<const ValueView> values, std::size_t text_bytes, std::string& out
) {
    return append_row(table, values, varint_bytes_max + text_bytes, out, [&](char* at) {
        return put_varint(text_bytes, at) + text_bytes;
    });
}

Result<void> decode_key(
    const Table& table, std::string_view key, std::vector<ValueView>& values, std::string& texts
) {
    // A decoded text is never longer than its encoding, so `texts` does not move while views point
    // into it.
    texts.clear();
    texts.reserve(key.size());
    values.clear();
    KeyReader reader{key};
    for (std::size_t at = 0; at < table.key_width(); ++at) {
        const Column& column = table.column(at);
        if (is_number(column.type)) {
            std::int64_t number = 0;
            if (!reader.number(column.order, number)) {
                return broken(table, "key");
            }
            values.emplace_back(number);
        } else {
            const std::size_t start = texts.size();
            if (!reader.text(column.order, [&](char byte) { texts.push_back(byte); })) {
                return broken(table, "key");
            }
            values.emplace_back(std::string_view{texts}.substr(start));
        }
    }
    if (!reader.at_end()) {
        return broken(table, "key");
    }
    return {};
}

Result<std::size_t> partition_length(const Table& table, std::string_view key) {
    KeyReader reader{key};
    for (const Column& column : table.partition) {
        const bool whole = is_number(column.type) ? reader.skip_number(column.order)
                                                  : reader.skip_text(column.order);
        if (!whole) {
            return broken(table, "key");
        }
    }
    return reader.position();
}

std::string end_of_prefix(std::string prefix) {
    while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xff) {
        prefix.pop_back();
    }
    if (!prefix.empty()) {
        prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1);
    }
    return prefix;
}

void append_row_values(const Table& table, std::span<const ValueView> values, std::string& out) {
    CHECK(
        values.size() == table.values.size(),
        "all value columns are written",
        table.name,
        values.size()
    );
    append_at_most(row_values_bytes_max(values), out, [&](char* at) {
        return put_row_values(table, values, at);
    });
}

Result<void> decode_row_values(
    const Table& table, std::string_view bytes, std::vector<ValueView>& values
) {
    std::uint64_t stored = 0;
    if (!take_varint(bytes, stored) || stored > table.values.size()) {
        return broken(table, "row");
    }
    for (std::size_t at = 0; at < table.values.size(); ++at) {
        const ColumnType type = table.values[at].type;
        ValueView value = absent_value(type);
        if (at < stored && !take_value(type, bytes, value)) {
            return broken(table, "row");
        }
        values.push_back(value);
    }
    return bytes.empty() ? Result<void>{} : broken(table, "row");
}

Result<std::int64_t> decode_expires(const Table& table, std::string_view bytes) {
    const std::size_t wanted = table.expires_index();
    std::uint64_t stored = 0;
    if (!take_varint(bytes, stored)) {
        return broken(table, "row");
    }
    ValueView value{std::int64_t{0}};
    for (std::size_t at = table.key_width(); at <= wanted && at < table.width(); ++at) {
        if (at - table.key_width() >= stored) {
            return 0;
        }
        if (!take_value(table.column(at).type, bytes, value)) {
            return broken(table, "row");
        }
    }
    return wanted == table.width() ? 0 : value.number();
}

Result<RecordPlace> decode_record(const Table& table, std::string_view bytes) {
    std::array<std::int64_t, 3> numbers{};
    std::uint64_t stored = 0;
    if (!table.of_record || !take_varint(bytes, stored) || stored < numbers.size()) {
        return broken(table, "row");
    }
    ValueView value{std::int64_t{0}};
    for (std::int64_t& number : numbers) {
        if (!take_value(ColumnType::integer, bytes, value)) {
            return broken(table, "row");
        }
        number = value.number();
    }
    return RecordPlace{
        .log = static_cast<std::uint64_t>(numbers[0]),
        .lane = static_cast<std::uint32_t>(numbers[1]),
        .offset = static_cast<std::uint64_t>(numbers[2])
    };
}

}  // namespace footfall::storage
