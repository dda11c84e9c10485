#include "storage_testing/contract_parts.h"
#include "storage_testing/store_contract.h"

#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace footfall::storage {

using testing::ElementsAre;
using testing::IsEmpty;

void link_contract_writes() {}

namespace {

const std::string name_1k(1024, 'n');

Row a_mark(const char* name, std::int64_t expires) {
    return {"page", std::int64_t{0}, name, expires};
}

}  // namespace

TEST_P(StoreContract, a_new_store_is_empty_and_healthy) {
    EXPECT_TRUE(store().health());
    for (const Table* table : contract_tables()) {
        Row partition;
        Row key;
        for (std::size_t at = 0; at < table->key_width(); ++at) {
            key.push_back(is_number(table->column(at).type) ? Value{std::int64_t{1}} : Value{"a"});
            if (at < table->partition.size()) {
                partition.push_back(key.back());
            }
        }
        EXPECT_EQ(row_at(*table, key), std::nullopt);
        EXPECT_THAT(all_rows(store(), partition_query(*table, partition)), IsEmpty());
    }
}

TEST_P(StoreContract, an_upsert_replaces_the_whole_row) {
    for (const Table* table : {&visits, &visits_bulk}) {
        const Row key{"s", "o", std::int64_t{3}, std::int64_t{4}, "id"};
        Row first = key;
        first.insert(first.end(), {"a long note", std::int64_t{7}, "raw"});
        Row second = key;
        second.insert(second.end(), {"", std::int64_t{0}, ""});
        put(*table, first);
        EXPECT_EQ(row_at(*table, key), first);
        put(*table, second);
        EXPECT_EQ(row_at(*table, key), second);
        EXPECT_THAT(all_rows(store(), partition_query(*table, {"s", "o"})), ElementsAre(second));
    }
}

TEST_P(StoreContract, repeating_a_batch_changes_nothing) {
    Batch batch;
    batch.upsert(settings, {std::int64_t{1}, "one"});
    batch.erase(settings, {std::int64_t{2}});
    batch.upsert(marks, views_of(a_mark("a", 0)));
    write(batch);
    write(batch);
    EXPECT_EQ(row_at(settings, {std::int64_t{1}}), (Row{std::int64_t{1}, "one"}));
    EXPECT_EQ(row_at(settings, {std::int64_t{2}}), std::nullopt);
    EXPECT_THAT(
        all_rows(store(), partition_query(marks, {"page", std::int64_t{0}})),
        ElementsAre(a_mark("a", 0))
    );
}

TEST_P(StoreContract, of_rows_that_are_to_be_made_once_the_first_stands) {
    const Row first{std::int64_t{1}, "first"};
    EXPECT_EQ(store().insert_new(settings, first), first);
    EXPECT_EQ(store().insert_new(settings, {std::int64_t{1}, "second"}), first);
    EXPECT_EQ(row_at(settings, {std::int64_t{1}}), first);
    put(settings, {std::int64_t{2}, "written"});
    const Row written{std::int64_t{2}, "written"};
    EXPECT_EQ(store().insert_new(settings, {std::int64_t{2}, "made"}), written);
}

TEST_P(StoreContract, who_makes_a_row_once_at_the_same_time_as_others_is_answered_the_same) {
    std::array<Result<std::vector<Value>>, 4> answers;
    {
        std::vector<std::jthread> makers;
        makers.reserve(answers.size());
        for (std::size_t at = 0; at < answers.size(); ++at) {
            makers.emplace_back([&, at] {
                answers[at] = store().insert_new(settings, {std::int64_t{1}, std::to_string(at)});
            });
        }
    }
    for (const auto& answer : answers) {
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(*answer, row_at(settings, {std::int64_t{1}}));
    }
}

TEST_P(StoreContract, an_erase_removes_that_row_and_no_other) {
    Batch batch;
    for (const char* name : {"a", "ab", "abc", "b"}) {
        batch.upsert(marks, views_of(a_mark(name, 0)));
        batch.upsert(links, {std::int64_t{1}, name});
    }
    write(batch);
    batch.clear();
    batch.erase(marks, {"page", std::int64_t{0}, "ab"});
    batch.erase(links, {std::int64_t{1}, "ab"});
    write(batch);
    EXPECT_EQ(row_at(marks, {"page", std::int64_t{0}, "ab"}), std::nullopt);
    EXPECT_THAT(
        all_rows(store(), partition_query(marks, {"page", std::int64_t{0}})),
        ElementsAre(a_mark("a", 0), a_mark("abc", 0), a_mark("b", 0))
    );
    EXPECT_THAT(
        all_rows(store(), partition_query(links, {std::int64_t{1}})),
        ElementsAre(
            Row{std::int64_t{1}, "b"}, Row{std::int64_t{1}, "abc"}, Row{std::int64_t{1}, "a"}
        )
    );
}

TEST_P(StoreContract, erasing_what_is_not_there_is_no_failure) {
    Batch batch;
    batch.erase(marks, {"page", std::int64_t{0}, "a"});
    batch.erase(settings, {std::int64_t{9}});
    write(batch);
    EXPECT_EQ(row_at(settings, {std::int64_t{9}}), std::nullopt);
}

TEST_P(StoreContract, mutations_of_a_batch_apply_in_their_order) {
    Batch batch;
    batch.erase(marks, {"page", std::int64_t{0}, "kept"});
    batch.upsert(marks, views_of(a_mark("kept", 1)));
    batch.upsert(marks, views_of(a_mark("gone", 1)));
    batch.erase(marks, {"page", std::int64_t{0}, "gone"});
    batch.upsert(settings, {std::int64_t{1}, "first"});
    batch.upsert(settings, {std::int64_t{1}, "last"});
    batch.upsert(visas, {std::int64_t{1}, std::int64_t{1}, std::int64_t{0}, "first"});
    batch.erase(visas, {std::int64_t{1}, std::int64_t{1}});
    batch.upsert(visas, {std::int64_t{1}, std::int64_t{1}, std::int64_t{0}, "last"});
    write(batch);
    EXPECT_THAT(
        all_rows(store(), partition_query(marks, {"page", std::int64_t{0}})),
        ElementsAre(a_mark("kept", 1))
    );
    EXPECT_EQ(row_at(settings, {std::int64_t{1}}), (Row{std::int64_t{1}, "last"}));
    EXPECT_EQ(
        row_at(visas, {std::int64_t{1}, std::int64_t{1}}),
        (Row{std::int64_t{1}, std::int64_t{1}, std::int64_t{0}, "last"})
    );
}

TEST_P(StoreContract, batches_apply_in_the_order_of_submission) {
    for (int round = 0; round < 50; ++round) {
        Batch batch;
        batch.upsert(settings, {std::int64_t{1}, std::to_string(round)});
        if (round % 2 == 0) {
            batch.upsert(marks, views_of(a_mark("m", round)));
        } else {
            batch.erase(marks, {"page", std::int64_t{0}, "m"});
        }
        ASSERT_TRUE(store().submit(batch));
    }
    Batch last;
    last.upsert(links, {std::int64_t{1}, "end"});
    write(last);
    EXPECT_EQ(row_at(settings, {std::int64_t{1}}), (Row{std::int64_t{1}, "49"}));
    EXPECT_EQ(row_at(marks, {"page", std::int64_t{0}, "m"}), std::nullopt);
}

// What was erased and written again in several steps is where stores with layers go wrong: an old
// tombstone hides the new row, or an old row shines through.
TEST_P(StoreContract, erased_rows_can_come_back_and_go_again) {
    const Row key{"page", std::int64_t{0}, "a"};
    for (std::int64_t round = 1; round < 6; ++round) {
        put(marks, a_mark("a", round));
        EXPECT_EQ(row_at(marks, key), a_mark("a", round));
        Batch batch;
        batch.erase(marks, views_of(key));
        write(batch);
        EXPECT_EQ(row_at(marks, key), std::nullopt);
        EXPECT_THAT(
            all_rows(store(), partition_query(marks, {"page", std::int64_t{0}})), IsEmpty()
        );
    }
}

TEST_P(StoreContract, the_batch_may_be_changed_as_soon_as_submit_returns) {
    Batch batch;
    {
        const std::string text = "gone from memory soon";
        batch.upsert(settings, {std::int64_t{1}, text});
    }
    const auto position = store().submit(batch);
    ASSERT_TRUE(position);
    batch.clear();
    batch.upsert(settings, {std::int64_t{1}, "never submitted"});
    ASSERT_TRUE(wait_durable(store(), *position));
    EXPECT_EQ(row_at(settings, {std::int64_t{1}}), (Row{std::int64_t{1}, "gone from memory soon"}));
}

// Also distributed, a batch is atomic within a partition: nobody sees half of it.
TEST_P(StoreContract, readers_see_all_of_a_batch_in_a_partition_or_nothing_of_it) {
    for (const Table* table : {&visas, &marks}) {
        const bool bulk = table == &marks;
        const Row partition = bulk ? Row{"page", std::int64_t{0}} : Row{std::int64_t{1}};
        std::atomic<bool> writing = true;
        std::thread writer{[&] {
            for (std::int64_t round = 1; round <= 100; ++round) {
                Batch batch;
                for (std::int64_t part = 0; part < 3; ++part) {
                    if (bulk) {
                        batch.upsert(marks, {"page", std::int64_t{0}, std::to_string(part), round});
                    } else {
                        batch.upsert(visas, {std::int64_t{1}, part, round, "note"});
                    }
                }
                const auto position = store().submit(batch);
                EXPECT_TRUE(position);
                EXPECT_TRUE(!position || round % 10 != 0 || wait_durable(store(), *position));
            }
            writing = false;
        }};
        const std::size_t expires = table->expires_index();
        while (writing) {
            const std::vector<Row> rows = all_rows(store(), partition_query(*table, partition));
            EXPECT_TRUE(rows.empty() || rows.size() == 3) << rows.size();
            for (const Row& row : rows) {
                EXPECT_EQ(row[expires], rows[0][expires]) << "half a batch";
            }
        }
        writer.join();
    }
}

TEST_P(StoreContract, keeps_empty_texts_nuls_high_bytes_long_names_and_extremes) {
    using namespace std::string_literals;
    const std::vector<std::string> texts{
        "", "\0"s, "\0\0"s, "a", "a\0"s, "a\0b"s, "\x7f", "\xf4\x8f\xbf\xbf", name_1k
    };
    const std::vector<std::string> bytes{
        "", "\0"s, "\xff", "\xff\xff", "\0\xff"s, "\0\x01"s, "\x01", "\xfe", name_1k
    };
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    const std::vector<std::int64_t> numbers{low, low + 1, -256, -1, 0, 1, 255, high - 1, high};
    const std::vector<std::int64_t> days{-2147483648, -719'162, -1, 0, 1, 2147483647};
    for (const Table* table : {&visits, &visits_bulk}) {
        Batch batch;
        std::vector<Row> written;
        for (std::size_t at = 0; at < 72; ++at) {
            written.push_back(
                {texts[at % 9],
                 bytes[at / 9],
                 days[at % 6],
                 numbers[at % 9],
                 bytes[(at + 3) % 9],
                 texts[(at + 5) % 9],
                 numbers[(at + 7) % 9],
                 bytes[(at + 1) % 9]}
            );
            batch.upsert(*table, views_of(written.back()));
        }
        write(batch);
        for (const Row& row : written) {
            EXPECT_EQ(row_at(*table, Row(row.begin(), row.begin() + 5)), row);
            EXPECT_THAT(
                all_rows(store(), partition_query(*table, {row[0], row[1]})), ElementsAre(row)
            );
        }
    }
}

}  // namespace footfall::storage
