#include "guard/rule_registry.h"

#include "foundation_testing/repository.h"
#include "storage/key_codec.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

namespace footfall::guard {
namespace {

using namespace std::chrono_literals;

class RuleRegistry : public testing::Test {
protected:
    Result<std::uint32_t> registered(const std::string& window, const std::string& list = "") {
        const auto rules = RuleSet::read(
            "[[rule]]\nname = \"r\"\nkind = \"repeat\"\nwindow = \"" + window +
                "\"\n[[rule]]\nname = \"n\"\nkind = \"networks\"\nlists = [\"list\"]\n",
            [&](const std::string&) { return Result<std::string>{"10.0.0.0/8\n" + list}; }
        );
        return rules ? register_rules(store_, *rules, clock_) : std::unexpected(rules.error());
    }

    ManualClock clock_{Instant{100h}};
    std::array<const storage::Table*, 1> tables_{&rule_set_table};
    storage::MemoryStore store_{tables_, clock_};
};

TEST_F(RuleRegistry, counts_what_was_changed) {
    EXPECT_TRUE(read_rule_sets(store_, 10).value().empty());
    EXPECT_EQ(registered("30s").value(), 1U);
    EXPECT_EQ(registered("30s").value(), 1U);
    clock_.advance(1h);
    EXPECT_EQ(registered("60s").value(), 2U);
    EXPECT_EQ(registered("60s", "192.0.2.0/24").value(), 3U) << "a list has changed";
    EXPECT_EQ(registered("30s").value(), 4U) << "what was before is new again";
    const auto sets = read_rule_sets(store_, 10).value();
    ASSERT_EQ(sets.size(), 4U);
    EXPECT_EQ(sets[0].version, 4U);
    EXPECT_EQ(sets[3].version, 1U);
    EXPECT_EQ(sets[3].recorded, Instant{100h});
    EXPECT_EQ(sets[3].digest, sets[0].digest);
    EXPECT_TRUE(sets[3].text.starts_with("[[rule]]\nname = \"r\""));
    EXPECT_EQ(read_rule_sets(store_, 2).value().size(), 2U);
}

std::string bytes_in_hex(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) {
        text += fmt::format("{}{:02X}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
    }
    return text;
}

TEST_F(RuleRegistry, has_the_bytes_that_the_document_shows) {
    EXPECT_TRUE(storage::check_table(rule_set_table));
    const std::vector<storage::ValueView> row{
        "guard", std::int64_t{7}, std::int64_t{1'795'305'600'000'000}, "# none\n", "00ff"
    };
    const std::span<const storage::ValueView> all{row};
    std::string key;
    storage::append_key(rule_set_table, all.first(2), key);
    std::string values;
    storage::append_row_values(rule_set_table, all.subspan(2), values);
    std::stringstream document;
    document << std::ifstream{in_repository("docs/formats/rules.md")}.rdbuf();
    const std::string line =
        fmt::format("rule_set: {} = {}", bytes_in_hex(key), bytes_in_hex(values));
    EXPECT_NE(document.str().find("\n" + line + "\n"), std::string::npos) << line;
}

}  // namespace
}  // namespace footfall::guard
