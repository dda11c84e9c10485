#include "foundation/check.h"
#include "storage/key_codec.h"
#include "storage/key_order.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Three questions to key_codec, chosen by the first byte; the second chooses the table, the rest is
// the input. (0) Whatever decodes as a key encodes to the same bytes, and its partition ends inside
// it. (1) Two keys made of the input stand in the same order as bytes and as values, and come back
// from their bytes. (2) A row that decodes says the same of its expiry as decode_expires.

namespace footfall::storage {
namespace {

using Row = std::vector<Value>;

const std::vector<Table>& tables() {
    static const std::vector<Table> all{
        {.name = "texts",
         .purpose = "",
         .partition = {{"a", ColumnType::text}},
         .clustering = {{"b", ColumnType::bytes, Order::descending}, {"c", ColumnType::text}},
         .values = {{"d", ColumnType::text}, {"e", ColumnType::timestamp}},
         .expires = "e"},
        {.name = "numbers",
         .purpose = "",
         .partition = {{"a", ColumnType::integer}},
         .clustering =
             {{"b", ColumnType::day, Order::descending},
              {"c", ColumnType::timestamp},
              {"d", ColumnType::integer, Order::descending}},
         .values = {{"e", ColumnType::timestamp}, {"f", ColumnType::bytes}},
         .expires = "e"},
        {.name = "mixed",
         .purpose = "",
         .partition = {{"a", ColumnType::text}, {"b", ColumnType::integer}},
         .clustering =
             {{"c", ColumnType::integer, Order::descending},
              {"d", ColumnType::text, Order::descending},
              {"e", ColumnType::bytes}},
         .values = {}},
    };
    return all;
}

std::string encoded(const Table& table, const Row& key) {
    std::string bytes;
    append_key(table, views_of(key), bytes);
    return bytes;
}

/// Takes the columns of a key from the front of `input`; texts keep their bytes, whatever they are.
Row take_key(const Table& table, std::string_view& input) {
    Row key;
    const auto take = [&](std::size_t count) {
        const std::string_view taken = input.substr(0, count);
        input.remove_prefix(taken.size());
        return taken;
    };
    for (std::size_t at = 0; at < table.key_width(); ++at) {
        const std::string_view head = take(1);
        const auto length = head.empty() ? 0U : static_cast<unsigned char>(head[0]);
        if (!is_number(table.column(at).type)) {
            key.emplace_back(std::string{take(length % 16)});
            continue;
        }
        std::uint64_t number = length >= 128 ? ~std::uint64_t{0} : 0;
        for (const char byte : take(length % 9)) {
            number = (number << 8) | static_cast<unsigned char>(byte);
        }
        key.emplace_back(static_cast<std::int64_t>(number));
    }
    return key;
}

void check_decoding(const Table& table, std::string_view input) {
    std::vector<ValueView> values;
    std::string texts;
    const Result<std::size_t> partition = partition_length(table, input);
    CHECK(!partition || *partition <= input.size(), "a partition longer than its key");
    if (!decode_key(table, input, values, texts)) {
        return;
    }
    CHECK(partition.has_value(), "a key without a partition");
    CHECK(encoded(table, owned_values(values)) == input, "two encodings of one key");
}

void check_order(const Table& table, std::string_view input) {
    const Row left = take_key(table, input);
    const Row right = take_key(table, input);
    const std::string left_bytes = encoded(table, left);
    const std::string right_bytes = encoded(table, right);
    CHECK(
        (left_bytes.compare(right_bytes) <=> 0) == compare_keys(table, left, right),
        "bytes in another order than values"
    );
    std::vector<ValueView> values;
    std::string texts;
    CHECK(decode_key(table, left_bytes, values, texts).has_value(), "our own key is refused");
    CHECK(owned_values(values) == left, "another key comes back");
}

void check_row(const Table& table, std::string_view input) {
    std::vector<ValueView> values;
    const Result<std::int64_t> expires = decode_expires(table, input);
    if (!decode_row_values(table, input, values)) {
        return;
    }
    CHECK(values.size() == table.values.size(), "a row of another width");
    CHECK(expires.has_value(), "a whole row without expiry");
    const std::int64_t wanted =
        table.expires.empty() ? 0 : values[table.expires_index() - table.key_width()].number();
    CHECK(*expires == wanted, "two readings of an expiry", *expires, wanted);
    std::string again;
    append_row_values(table, values, again);
    std::vector<ValueView> twice;
    CHECK(decode_row_values(table, again, twice).has_value(), "our own row is refused");
    CHECK(values == twice, "another row comes back");
}

}  // namespace
}  // namespace footfall::storage

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace footfall::storage;
    if (size < 2) {
        return 0;
    }
    const Table& table = tables()[data[1] % tables().size()];
    const std::string_view input{reinterpret_cast<const char*>(data + 2), size - 2};
    switch (data[0] % 3) {
        case 0:
            check_decoding(table, input);
            break;
        case 1:
            check_order(table, input);
            break;
        default:
            check_row(table, input);
    }
    return 0;
}
