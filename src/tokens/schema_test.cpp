#include "tokens/schema.h"

#include "foundation_testing/repository.h"
#include "storage/key_codec.h"
#include "tokens/test_world.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace footfall::tokens {
namespace {

std::string hex(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) {
        text += fmt::format("{}{:02X}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
    }
    return text;
}

/// "name: key = row", as the examples stand in docs/formats/tokens.md.
std::string example(const storage::Table& table, const std::vector<storage::Value>& row) {
    const std::vector<storage::ValueView> views = storage::views_of(row);
    const std::span<const storage::ValueView> all{views};
    std::string key;
    storage::append_key(table, all.first(table.key_width()), key);
    std::string values;
    storage::append_row_values(table, all.subspan(table.key_width()), values);
    return fmt::format("{}: {} = {}", table.name, hex(key), hex(values));
}

TEST(TokenTables, are_sound) {
    for (const storage::Table* table : token_tables) {
        EXPECT_TRUE(storage::check_table(*table)) << table->name;
    }
}

TEST(TokenTables, have_the_bytes_that_the_document_shows) {
    const std::ifstream file{in_repository("docs/formats/tokens.md")};
    std::stringstream text;
    text << file.rdbuf();
    const std::string document = text.str();
    const std::int64_t expires = 1'795'305'600'000'000;  // 2026-11-22T00:00Z
    const std::vector<std::string> examples{
        example(
            token_table,
            {"likes",
             "page",
             std::int64_t{0},
             std::int64_t{0},
             span_of({.name = "likes", .ttl = 86'400s}, expires / 1000),
             "t1",
             expires}
        ),
        example(
            token_span_table, {"default", "page", std::int64_t{20'779}, expires + 86'400'000'000}
        ),
        example(
            token_object_table,
            {"likes", std::int64_t{1}, std::int64_t{7}, "page", expires + 86'400'000'000}
        ),
        example(counter_table, {"likes", std::int64_t{86'400}})
    };
    for (const std::string& line : examples) {
        EXPECT_NE(document.find("\n" + line + "\n"), std::string::npos) << line;
    }
}

}  // namespace
}  // namespace footfall::tokens
