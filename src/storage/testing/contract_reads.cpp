#include "storage/decimal.h"
#include "storage_testing/contract_parts.h"
#include "storage_testing/store_contract.h"

#include <future>
#include <limits>
#include <string>

namespace footfall::storage {

void link_contract_reads() {}

namespace {

std::string name_of_mark(std::uint64_t number) {
    return "mark " + std::to_string(number);
}

Row key_of_mark(std::uint64_t number) {
    return {"page " + std::to_string(number % 7), std::int64_t{1}, name_of_mark(number)};
}

/// What read_many answers, one entry a key asked.
std::vector<std::optional<Row>> answers(Store& store, const Table& table, std::vector<Row> keys) {
    const std::size_t asked = keys.size();
    const Result<Found> found = read_many(store, table, std::move(keys));
    EXPECT_TRUE(found) << found.error().message;
    std::vector<std::optional<Row>> rows;
    if (!found) {
        return rows;
    }
    EXPECT_EQ(found->row_of_key.size(), asked);
    const std::vector<Row> owned = owned_rows(found->rows);
    for (const auto& at : found->row_of_key) {
        EXPECT_TRUE(!at || *at < owned.size());
        rows.push_back(at && *at < owned.size() ? std::optional{owned[*at]} : std::nullopt);
    }
    return rows;
}

}  // namespace

TEST_P(StoreContract, read_many_answers_in_the_order_asked_with_gaps_and_duplicates) {
    for (const Table* table : {&visas, &settings}) {
        const auto row = [&](std::int64_t number) -> Row {
            return table == &visas ? Row{number, std::int64_t{7}, std::int64_t{0}, "visa"}
                                   : Row{number, "setting"};
        };
        const auto key = [&](std::int64_t number) {
            const Row whole = row(number);
            return Row(
                whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(table->key_width())
            );
        };
        Batch batch;
        for (const std::int64_t number : {1, 2, 3, 5}) {
            batch.upsert(*table, views_of(row(number)));
        }
        write(batch);
        const std::vector<std::optional<Row>> expected{
            row(3), std::nullopt, row(1), row(3), std::nullopt, row(5), row(2)
        };
        EXPECT_EQ(
            answers(store(), *table, {key(3), key(4), key(1), key(3), key(4), key(5), key(2)}),
            expected
        );
    }
}

TEST_P(StoreContract, read_many_of_no_keys_answers_nothing) {
    EXPECT_TRUE(answers(store(), marks, {}).empty());
}

TEST_P(StoreContract, read_many_takes_many_keys_of_many_partitions) {
    Batch batch;
    for (std::uint64_t number = 0; number < 3000; number += 2) {
        Row row = key_of_mark(number);
        row.emplace_back(static_cast<std::int64_t>(number));
        batch.upsert(marks, views_of(row));
    }
    write(batch);
    std::vector<Row> keys;
    for (std::uint64_t number = 3000; number > 0; --number) {
        keys.push_back(key_of_mark(number - 1));
    }
    const auto rows = answers(store(), marks, keys);
    ASSERT_EQ(rows.size(), 3000U);
    for (std::uint64_t at = 0; at < 3000; ++at) {
        const std::uint64_t number = 2999 - at;
        const std::optional<Row>& row = rows[at];
        ASSERT_EQ(row.has_value(), number % 2 == 0) << number;
        if (row) {
            ASSERT_EQ(row->back(), Value{static_cast<std::int64_t>(number)});
        }
    }
}

TEST_P(StoreContract, keys_that_only_start_alike_are_other_keys) {
    put(marks, {"page", std::int64_t{1}, "ab", std::int64_t{0}});
    for (const Row& key :
         {Row{"page", std::int64_t{1}, "a"},
          Row{"page", std::int64_t{1}, "abc"},
          Row{"page", std::int64_t{0}, "ab"},
          Row{"page", std::int64_t{256}, "ab"},
          Row{"pag", std::int64_t{1}, "ab"},
          Row{"pagea", std::int64_t{1}, "b"},
          Row{"page", std::int64_t{1}, ""}}) {
        EXPECT_EQ(row_at(marks, key), std::nullopt) << testing::PrintToString(key);
    }
}

TEST_P(StoreContract, tables_keep_their_rows_apart) {
    const Row row{"s", "o", std::int64_t{1}, std::int64_t{1}, "id", "n", std::int64_t{1}, "r"};
    const Row key(row.begin(), row.begin() + 5);
    put(visits, row);
    EXPECT_EQ(row_at(visits_bulk, key), std::nullopt);
    EXPECT_TRUE(all_rows(store(), partition_query(visits_bulk, {"s", "o"})).empty());
    Batch batch;
    batch.upsert(visits_bulk, views_of(row));
    batch.erase(visits, views_of(key));
    write(batch);
    EXPECT_EQ(row_at(visits, key), std::nullopt);
    EXPECT_EQ(row_at(visits_bulk, key), row);
    EXPECT_TRUE(all_rows(store(), partition_query(visits, {"s", "o"})).empty());
}

TEST_P(StoreContract, decimals_are_exact_up_to_128_bits) {
    constexpr Wide long_max = std::numeric_limits<std::int64_t>::max();
    constexpr Wide wide_max = std::numeric_limits<Wide>::max();
    std::vector<Row> rows;
    for (const Wide amount :
         {Wide{0}, Wide{5'000}, long_max, long_max + 1, wide_max - 1, wide_max}) {
        const auto number = static_cast<std::int64_t>(rows.size());
        rows.push_back({std::int64_t{1}, number, decimal_bytes(amount), "", decimal_bytes(~amount)}
        );
        put(bills, rows.back());
    }
    EXPECT_EQ(all_rows(store(), partition_query(bills, {std::int64_t{1}})), rows);
    for (const Row& row : rows) {
        EXPECT_EQ(row_at(bills, {std::int64_t{1}, row[1]}), row);
    }
}

TEST_P(StoreContract, a_completion_may_use_the_store) {
    const auto position = [&] {
        Batch batch;
        batch.upsert(settings, {std::int64_t{1}, "one"});
        return store().submit(batch);
    }();
    ASSERT_TRUE(position);
    std::promise<Result<CommitPosition>> second;
    store().when_durable(*position, [&](const Result<void>& outcome) {
        EXPECT_TRUE(outcome);
        EXPECT_TRUE(store().durable(*position));
        store().read_many(settings, {Row{std::int64_t{1}}}, [&](const Result<Found>& found) {
            EXPECT_TRUE(found && found->row_of_key.at(0));
            Batch batch;
            batch.upsert(settings, {std::int64_t{2}, "two"});
            second.set_value(store().submit(batch));
        });
    });
    const Result<CommitPosition> submitted = second.get_future().get();
    ASSERT_TRUE(submitted);
    ASSERT_TRUE(wait_durable(store(), *submitted));
    EXPECT_EQ(row_at(settings, {std::int64_t{2}}), (Row{std::int64_t{2}, "two"}));
}

}  // namespace footfall::storage
