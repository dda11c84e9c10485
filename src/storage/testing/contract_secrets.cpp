#include "storage_testing/contract_parts.h"
#include "storage_testing/store_contract.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace footfall::storage {

void link_contract_secrets() {}

namespace {

constexpr std::int64_t kept = 1;
constexpr std::int64_t erased = 2;
constexpr std::int64_t replaced = 3;
constexpr std::int64_t later = 4;

/// No other file has it, and nothing makes it smaller.
std::string planted(char first) {
    std::string mark = "-planted-";
    for (int at = 0; at < 32; ++at) {
        mark += static_cast<char>(first + 37 * at * at + at);
    }
    return mark;
}

}  // namespace

TEST_P(StoreContract, what_stays_of_secret_tables_is_shredded_never) {
    put(secrets, {kept, planted('k')});
    put(secrets, {erased, planted('e')});
    put(settings, {std::int64_t{1}, "of another table"});
    Batch batch;
    batch.erase(secrets, {erased});
    write(batch);
    for (int round = 0; round < 2; ++round) {
        ASSERT_TRUE(store().shred());
        EXPECT_EQ(row_at(secrets, {kept}), (Row{kept, planted('k')}));
        EXPECT_EQ(row_at(secrets, {erased}), std::nullopt);
        EXPECT_EQ(row_at(settings, {std::int64_t{1}}), (Row{std::int64_t{1}, "of another table"}));
        put(secrets, {later, planted('l')});
    }
    subject().reopen();
    EXPECT_EQ(row_at(secrets, {kept}).has_value(), true);
    EXPECT_EQ(row_at(secrets, {erased}), std::nullopt);
}

TEST_P(StoreContract, what_was_erased_of_secret_tables_is_in_no_file_once_it_is_shredded) {
    if (!subject().keeps("")) {
        return;  // its files are out of reach
    }
    const auto is_there = [&](char first) {
        return subject().keeps(planted(first)).value_or(false);
    };
    put(secrets, {kept, planted('k')});
    put(secrets, {replaced, planted('r')});
    ASSERT_TRUE(store().shred());  // so that these are in a file, and what follows in a log
    put(secrets, {erased, planted('e')});
    put(visits, {"s", "o", std::int64_t{3}, std::int64_t{4}, "id", "note", std::int64_t{1}, "raw"});
    for (const char each : {'k', 'r', 'e'}) {
        EXPECT_TRUE(is_there(each)) << each;
    }
    Batch batch;
    batch.upsert(secrets, {replaced, "another"});
    batch.erase(secrets, {erased});
    write(batch);
    EXPECT_TRUE(is_there('r') && is_there('e')) << "by erasing alone nothing goes";
    ASSERT_TRUE(store().shred());
    EXPECT_TRUE(subject().loses(planted('r')));
    EXPECT_TRUE(subject().loses(planted('e')));
    EXPECT_TRUE(is_there('k'));
}

}  // namespace footfall::storage
