#include "storage_testing/contract_parts.h"
#include "storage_testing/store_contract.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>

namespace footfall::storage {

void link_contract_durability() {}

namespace {

Batch setting(std::int64_t scope, const std::string& text) {
    Batch batch;
    batch.upsert(settings, {scope, text});
    return batch;
}

}  // namespace

TEST_P(StoreContract, an_empty_batch_answers_zero_and_zero_is_durable) {
    for (int time = 0; time < 2; ++time) {
        const auto position = store().submit({});
        ASSERT_TRUE(position);
        EXPECT_EQ(*position, 0U);
        EXPECT_TRUE(store().durable(0));
        EXPECT_TRUE(wait_durable(store(), 0));
        ASSERT_TRUE(write_durably(store(), setting(1, "one")));
    }
}

TEST_P(StoreContract, is_under_no_pressure_when_little_was_written) {
    ASSERT_TRUE(write_durably(store(), setting(1, "one")));
    EXPECT_GE(store().pressure(), 0);
    EXPECT_LT(store().pressure(), 0.5);
}

TEST_P(StoreContract, positions_grow_and_become_durable_in_order) {
    std::vector<CommitPosition> positions;
    for (int round = 0; round < 100; ++round) {
        const auto position = store().submit(setting(round, "text"));
        ASSERT_TRUE(position);
        ASSERT_GT(*position, positions.empty() ? 0 : positions.back());
        positions.push_back(*position);
        // Asked from the youngest to the oldest: a durable one has only durable ones before it.
        bool younger = false;
        for (auto asked = positions.rbegin(); asked != positions.rend(); ++asked) {
            const bool durable = store().durable(*asked);
            ASSERT_TRUE(durable || !younger);
            younger = durable;
        }
    }
    ASSERT_TRUE(wait_durable(store(), positions.back()));
    for (const CommitPosition position : positions) {
        EXPECT_TRUE(store().durable(position));
    }
}

TEST_P(StoreContract, every_waiter_is_told_exactly_once) {
    constexpr int batches = 20;
    // Shared, so that a call too many after the test's end meets living memory.
    const auto calls = std::make_shared<std::vector<std::atomic<int>>>(batches * 3);
    const auto wait = [&](CommitPosition position, std::size_t waiter) {
        store().when_durable(position, [this, calls, position, waiter](const Result<void>& done) {
            EXPECT_TRUE(done);
            EXPECT_TRUE(store().durable(position));
            ++(*calls)[waiter];
        });
    };
    std::vector<CommitPosition> positions;
    for (std::size_t at = 0; at < batches; ++at) {
        const auto position = store().submit(setting(static_cast<std::int64_t>(at), "text"));
        ASSERT_TRUE(position);
        positions.push_back(*position);
        wait(*position, at * 3);
        wait(*position, at * 3 + 1);
    }
    ASSERT_TRUE(wait_durable(store(), positions.back()));
    for (std::size_t at = 0; at < batches; ++at) {
        ASSERT_TRUE(wait_durable(store(), positions[at]));
        wait(positions[at], at * 3 + 2);  // durable already
    }
    // A store may tell waiters of one position in any order: let a later write pass them all, and
    // give a call too many its chance to come.
    for (int round = 0; round < 3; ++round) {
        ASSERT_TRUE(write_durably(store(), setting(1, "later")));
    }
    subject().reopen();
    for (const std::atomic<int>& count : *calls) {
        EXPECT_EQ(count, 1);
    }
}

TEST_P(StoreContract, a_read_sees_every_batch_that_was_durable_before_it) {
    for (std::int64_t round = 0; round < 50; ++round) {
        Batch batch = setting(1, std::to_string(round));
        batch.upsert(marks, {"page", std::int64_t{0}, std::to_string(round), round});
        write(batch);
        ASSERT_EQ(
            row_at(settings, {std::int64_t{1}}), (Row{std::int64_t{1}, std::to_string(round)})
        );
        const auto marked = all_rows(store(), partition_query(marks, {"page", std::int64_t{0}}));
        ASSERT_EQ(marked.size(), static_cast<std::size_t>(round + 1));
    }
}

TEST_P(StoreContract, threads_may_write_and_read_at_once) {
    constexpr std::int64_t threads = 4;
    constexpr std::int64_t rounds = 50;
    std::vector<std::thread> writers;
    writers.reserve(threads);
    for (std::int64_t thread = 0; thread < threads; ++thread) {
        writers.emplace_back([this, thread] {
            CommitPosition last = 0;
            for (std::int64_t round = 0; round < rounds; ++round) {
                Batch batch = setting(thread, std::to_string(round));
                batch.upsert(marks, {"page", thread, std::to_string(round), std::int64_t{0}});
                const auto position = store().submit(batch);
                ASSERT_TRUE(position);
                ASSERT_GT(*position, last);
                last = *position;
                if (round % 10 == 9) {
                    ASSERT_TRUE(wait_durable(store(), last));
                    ASSERT_EQ(row_at(settings, {thread}), (Row{thread, std::to_string(round)}));
                }
            }
        });
    }
    for (std::thread& writer : writers) {
        writer.join();
    }
    for (std::int64_t thread = 0; thread < threads; ++thread) {
        const auto rows = all_rows(store(), partition_query(marks, {"page", thread}));
        EXPECT_EQ(rows.size(), static_cast<std::size_t>(rounds));
    }
}

TEST_P(StoreContract, what_was_durable_is_there_after_a_restart) {
    const Row visit{"s", "o", std::int64_t{-1}, std::int64_t{1}, "id", "n", std::int64_t{5}, "r"};
    Batch batch;
    batch.upsert(visits, views_of(visit));
    batch.upsert(visits_bulk, views_of(visit));
    batch.upsert(links, {std::int64_t{1}, "kept"});
    batch.upsert(links, {std::int64_t{1}, "erased"});
    batch.upsert(marks, {"page", std::int64_t{0}, "kept", std::int64_t{0}});
    batch.upsert(marks, {"page", std::int64_t{0}, "erased", std::int64_t{0}});
    batch.upsert(settings, {std::int64_t{1}, "old"});
    write(batch);
    batch.clear();
    batch.erase(links, {std::int64_t{1}, "erased"});
    batch.erase(marks, {"page", std::int64_t{0}, "erased"});
    batch.upsert(settings, {std::int64_t{1}, "new"});
    write(batch);
    if (!subject().reopen()) {
        return;  // keeps nothing over a restart, and says so
    }
    for (int time = 0; time < 2; ++time, subject().reopen()) {
        EXPECT_TRUE(store().health());
        for (const Table* table : {&visits, &visits_bulk}) {
            EXPECT_EQ(
                all_rows(store(), partition_query(*table, {"s", "o"})), std::vector<Row>{visit}
            );
        }
        EXPECT_EQ(
            all_rows(store(), partition_query(links, {std::int64_t{1}})),
            (std::vector<Row>{Row{std::int64_t{1}, "kept"}})
        );
        EXPECT_EQ(
            all_rows(store(), partition_query(marks, {"page", std::int64_t{0}})),
            (std::vector<Row>{Row{"page", std::int64_t{0}, "kept", std::int64_t{0}}})
        );
        EXPECT_EQ(row_at(settings, {std::int64_t{1}}), (Row{std::int64_t{1}, "new"}));
    }
}

TEST_P(StoreContract, a_reopened_store_takes_writes_again) {
    write(setting(1, "before"));
    if (!subject().reopen()) {
        return;  // keeps nothing over a restart, and says so
    }
    for (int round = 0; round < 3; ++round) {
        const std::string text = "round " + std::to_string(round);
        write(setting(1, text));
        EXPECT_EQ(row_at(settings, {std::int64_t{1}}), (Row{std::int64_t{1}, text}));
        subject().reopen();
        EXPECT_EQ(row_at(settings, {std::int64_t{1}}), (Row{std::int64_t{1}, text}));
    }
}

}  // namespace footfall::storage
