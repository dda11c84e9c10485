#include "storage_testing/faulty_store.h"

#include "storage/memory_store.h"
#include "storage_testing/lost_writes.h"
#include "storage_testing/store_contract.h"

#include <gmock/gmock.h>

#include <string>

namespace footfall::storage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A FaultyStore over memory: with these options it has to keep the contract all the same. The
/// inner store survives reopen(), as a disk does.
class FaultySubject final : public ContractSubject {
public:
    FaultySubject(
        std::span<const Table* const> tables, const Clock& clock, const FaultOptions& options
    )
        : inner_{tables, clock}, options_{options} {
        reopen();
    }

    Store& store() override { return *store_; }

    bool reopen() override {
        store_.reset();
        store_ = std::make_unique<FaultyStore>(inner_, ++opened_, options_);
        return true;
    }

    bool reclaim() override {
        inner_.reclaim();
        return true;
    }

private:
    MemoryStore inner_;
    FaultOptions options_;
    std::uint64_t opened_ = 0;
    std::unique_ptr<FaultyStore> store_;
};

StoreImplementation faulty(std::string name, const FaultOptions& options) {
    return {
        .name = std::move(name),
        .open = [options](
                    std::span<const Table* const> tables, const Clock& clock
                ) { return std::make_unique<FaultySubject>(tables, clock, options); }
    };
}

/// A store to break, what is below it, and what was told to whom.
class FaultyStoreTest : public testing::Test {
protected:
    Result<CommitPosition> submit(std::int64_t number) {
        Batch batch;
        batch.upsert(settings, {number, "text"});
        return store_.submit(batch);
    }

    /// Submits a row and notes in `told_` what its waiter hears.
    CommitPosition submit_and_wait(std::int64_t number) {
        const auto position = submit(number);
        EXPECT_TRUE(position);
        store_.when_durable(*position, [this, number](const Result<void>& outcome) {
            told_.push_back(std::to_string(number) + (outcome ? " durable" : " unknown"));
        });
        return *position;
    }

    bool stored(std::int64_t number) {
        return read_one(inner_, settings, {number}).value().has_value();
    }

    ManualClock clock_{Instant{}};
    MemoryStore inner_{contract_tables(), clock_};
    FaultyStore store_{inner_, 1};
    std::vector<std::string> told_;
};

TEST_F(FaultyStoreTest, refuses_as_told_and_does_nothing) {
    store_.set_options({.refuse_submit = 1, .refuse_as = ErrorKind::unavailable});
    const auto refused = submit(1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::unavailable);
    EXPECT_FALSE(stored(1));
    EXPECT_FALSE(store_.health());
    store_.set_options({});
    EXPECT_TRUE(store_.health());
    EXPECT_TRUE(submit(1));
    EXPECT_TRUE(stored(1));
}

TEST_F(FaultyStoreTest, several_ranges_asked_together_are_answered_in_their_order_or_not_at_all) {
    constexpr std::int64_t partitions = 200;  // more than are asked at a time
    Batch batch;
    std::vector<RangeQuery> queries;
    for (std::int64_t level = 0; level < partitions; ++level) {
        batch.upsert(marks, {"page", level, std::to_string(level), std::int64_t{0}});
        queries.push_back({.table = &marks, .partition = {"page", level}});
    }
    ASSERT_TRUE(store_.submit(batch));
    const auto pages = read_pages(store_, queries);
    ASSERT_TRUE(pages) << pages.error().message;
    ASSERT_EQ(pages->size(), queries.size());
    for (std::size_t at = 0; at < pages->size(); ++at) {
        ASSERT_EQ((*pages)[at].rows.size(), 1U);
        EXPECT_EQ((*pages)[at].rows.at(0, 2).text(), std::to_string(at));
    }
    EXPECT_TRUE(read_pages(store_, {})->empty());
    store_.set_options({.fail_read = 0.1});
    EXPECT_EQ(read_pages(store_, queries).error().kind, ErrorKind::timed_out);
    store_.set_options({.hold_reads = true});
    const auto late = read_pages(store_, queries, std::chrono::milliseconds{10});
    EXPECT_EQ(late.error().kind, ErrorKind::timed_out);
    store_.set_options({});
    store_.release_reads();
}

TEST_F(FaultyStoreTest, several_ranges_are_read_whole_one_after_the_other) {
    Batch batch;
    std::vector<RangeQuery> queries;
    for (std::int64_t level = 0; level < 150; ++level) {  // more than are asked at a time
        for (std::int64_t row = 0; row < level % 4; ++row) {
            batch.upsert(marks, {"page", level, std::to_string(row), std::int64_t{0}});
        }
        queries.push_back({.table = &marks, .partition = {"page", level}, .max_rows = 2});
    }
    ASSERT_TRUE(store_.submit(batch));
    std::size_t next = 0;
    const auto take = [&](std::size_t at, const Rows& rows) -> Result<void> {
        EXPECT_EQ(at, next++);
        EXPECT_EQ(rows.size(), at % 4);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            EXPECT_EQ(rows.at(row, 2).text(), std::to_string(row));
        }
        return {};
    };
    EXPECT_TRUE(read_each(store_, queries, take));
    EXPECT_EQ(next, queries.size());
    EXPECT_TRUE(read_each(store_, {}, take));

    const auto refuse = [&](std::size_t at, const Rows&) -> Result<void> {
        return at < 70 ? Result<void>{} : fail(ErrorKind::cancelled, "enough");
    };
    EXPECT_EQ(read_each(store_, queries, refuse).error().kind, ErrorKind::cancelled);
    store_.set_options({.fail_read = 0.1});
    EXPECT_EQ(read_each(store_, queries, refuse).error().kind, ErrorKind::timed_out);
}

TEST_F(FaultyStoreTest, held_writes_wait_for_the_test_and_keep_their_order) {
    store_.set_options({.hold_writes = true});
    const CommitPosition first = submit_and_wait(1);
    const CommitPosition second = submit_and_wait(2);
    submit_and_wait(3);
    EXPECT_EQ(store_.held_writes(), 3U);
    EXPECT_THAT(told_, IsEmpty());
    EXPECT_FALSE(stored(1));
    store_.release_writes(1);
    EXPECT_TRUE(store_.durable(first));
    EXPECT_FALSE(store_.durable(second));
    EXPECT_THAT(told_, ElementsAre("1 durable"));
    store_.set_options({});
    submit_and_wait(4);  // no overtaking
    EXPECT_FALSE(stored(4));
    store_.release_writes();
    EXPECT_THAT(told_, ElementsAre("1 durable", "2 durable", "3 durable", "4 durable"));
    EXPECT_TRUE(stored(4));
    submit_and_wait(5);
    EXPECT_EQ(told_.back(), "5 durable");
}

TEST_F(FaultyStoreTest, early_writes_can_be_read_before_they_are_durable) {
    store_.set_options({.hold_writes = true});
    submit_and_wait(1);
    store_.set_options({.hold_writes = true, .write_early = true});
    const CommitPosition position = submit_and_wait(2);
    EXPECT_TRUE(stored(1));
    EXPECT_TRUE(stored(2));
    EXPECT_FALSE(store_.durable(position));
    store_.release_writes();
    EXPECT_THAT(told_, ElementsAre("1 durable", "2 durable"));
}

TEST_F(FaultyStoreTest, a_failing_write_waits_for_release_and_takes_all_behind_it) {
    std::vector<std::string> at_event;
    const Subscription losses = store_.on_lost_writes([&] {
        at_event = told_;
        EXPECT_EQ(submit(9).error().kind, ErrorKind::unavailable);
        EXPECT_FALSE(store_.health());
    });
    submit_and_wait(1);
    store_.set_options({.fail_write = 1, .lost_but_written = 0});
    const CommitPosition failed = submit_and_wait(2);
    store_.set_options({.lost_but_written = 0});
    const CommitPosition behind = submit_and_wait(3);
    EXPECT_THAT(told_, ElementsAre("1 durable"));
    store_.release_writes();
    EXPECT_THAT(at_event, ElementsAre("1 durable", "2 unknown", "3 unknown"));
    EXPECT_FALSE(stored(2));
    EXPECT_FALSE(stored(3));

    const CommitPosition later = submit_and_wait(4);
    EXPECT_GT(later, behind);
    EXPECT_TRUE(store_.durable(later));
    EXPECT_FALSE(store_.durable(failed));
    const auto again = wait_durable(store_, behind);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().kind, ErrorKind::outcome_unknown);
}

TEST_F(FaultyStoreTest, tells_of_lost_writes_until_the_subscription_ends) {
    store_.set_options({.hold_writes = true});
    expect_told_until_the_end(store_, [this] {
        ASSERT_TRUE(submit(1));
        store_.lose_writes();
    });
}

TEST_F(FaultyStoreTest, lost_batches_stand_in_the_store_or_not) {
    store_.set_options({.lost_but_written = 0.5, .hold_writes = true});
    int standing = 0;
    for (std::int64_t number = 0; number < 100; ++number) {
        ASSERT_TRUE(submit(number));
    }
    store_.lose_writes();
    for (std::int64_t number = 0; number < 100; ++number) {
        standing += stored(number) ? 1 : 0;
    }
    EXPECT_GT(standing, 20);
    EXPECT_LT(standing, 80);
    int events = 0;
    FaultyStore other{inner_, 2};
    const Subscription losses = other.on_lost_writes([&] { ++events; });
    other.lose_writes();  // nothing to lose
    EXPECT_EQ(events, 0);
}

TEST_F(FaultyStoreTest, of_a_lost_batch_each_partition_stands_or_not) {
    store_.set_options({.lost_but_written = 0.5, .hold_writes = true});
    FaultyStore whole{inner_, 2, {.lose_only_the_end = true, .hold_writes = true}};
    constexpr std::int64_t pairs = 100;
    for (std::int64_t number = 0; number < pairs; ++number) {
        FaultyStore& store = number % 2 == 0 ? store_ : whole;
        Batch batch;
        batch.upsert(settings, {2 * number, "text"});
        batch.upsert(settings, {2 * number + 1, "text"});
        ASSERT_TRUE(store.submit(batch));
    }
    store_.lose_writes();
    whole.lose_writes();
    std::int64_t parted = 0;
    for (std::int64_t number = 0; number < pairs; ++number) {
        const bool differ = stored(2 * number) != stored(2 * number + 1);
        parted += differ ? 1 : 0;
        EXPECT_FALSE(differ && number % 2 == 1) << "of a store that loses only the end";
    }
    EXPECT_GT(parted, 10);
}

TEST_F(FaultyStoreTest, one_seed_gives_the_same_faults) {
    const auto refusals = [&](std::uint64_t seed) {
        FaultyStore store{inner_, seed, {.refuse_submit = 0.5}};
        std::string refused;
        for (int count = 0; count < 64; ++count) {
            Batch batch;
            batch.upsert(settings, {std::int64_t{1}, "text"});
            refused += store.submit(batch) ? '.' : 'x';
        }
        return refused;
    };
    EXPECT_EQ(refusals(7), refusals(7));
    EXPECT_NE(refusals(7), refusals(8));
}

TEST_F(FaultyStoreTest, duplicated_batches_are_written_twice) {
    store_.set_options({.duplicate_write = 1});
    submit_and_wait(1);
    EXPECT_TRUE(inner_.durable(2));
    EXPECT_FALSE(inner_.durable(3));
    EXPECT_THAT(told_, ElementsAre("1 durable"));
}

TEST_F(FaultyStoreTest, failing_reads_say_so) {
    store_.set_options({.fail_read = 1, .fail_read_as = ErrorKind::unavailable});
    const auto row = read_one(store_, settings, {std::int64_t{1}});
    ASSERT_FALSE(row);
    EXPECT_EQ(row.error().kind, ErrorKind::unavailable);
    EXPECT_FALSE(read_page(store_, partition_query(links, {std::int64_t{1}})));
    store_.set_options({});
    EXPECT_TRUE(read_one(store_, settings, {std::int64_t{1}}));
}

TEST_F(FaultyStoreTest, held_answers_are_as_old_as_their_question) {
    store_.set_options({.hold_reads = true});
    std::vector<std::size_t> sizes;
    const auto ask = [&] {
        store_.read_range(
            partition_query(settings, {std::int64_t{1}}),
            [&](const Result<Page>& page) { sizes.push_back(page.value().rows.size()); }
        );
    };
    ask();
    ASSERT_TRUE(submit(1));
    ask();
    EXPECT_EQ(store_.held_reads(), 2U);
    EXPECT_THAT(sizes, IsEmpty());
    store_.release_reads(1);
    EXPECT_THAT(sizes, ElementsAre(0U));
    store_.release_reads();
    EXPECT_THAT(sizes, ElementsAre(0U, 1U));
}

TEST_F(FaultyStoreTest, waiting_in_vain_ends_with_what_is_known) {
    using namespace std::chrono_literals;
    store_.set_options({.hold_writes = true, .hold_reads = true});
    const CommitPosition position = submit_and_wait(1);
    EXPECT_EQ(wait_durable(store_, position, 1ms).error().kind, ErrorKind::outcome_unknown);
    EXPECT_EQ(
        read_one(store_, settings, {std::int64_t{1}}, 1ms).error().kind, ErrorKind::timed_out
    );
    EXPECT_EQ(
        read_all(store_, partition_query(links, {std::int64_t{1}}), 1ms).error().kind,
        ErrorKind::timed_out
    );
    store_.release_writes();  // late answers are dropped, not written over the stack
    store_.release_reads();
}

TEST_F(FaultyStoreTest, read_all_goes_on_from_a_continuation) {
    Batch batch;
    for (const char* other : {"d", "c", "b", "a"}) {
        batch.upsert(links, {std::int64_t{1}, other});
    }
    ASSERT_TRUE(write_durably(store_, batch));
    RangeQuery query = partition_query(links, {std::int64_t{1}});
    query.max_rows = 1;
    EXPECT_EQ(read_all(store_, query).value().size(), 4U);
    query.continuation = read_page(store_, query).value().continuation;
    EXPECT_EQ(read_all(store_, query).value().size(), 3U);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(
    Faulty,
    StoreContract,
    testing::Values(faulty("without_faults", {}), faulty("duplicating", {.duplicate_write = 1})),
    implementation_name
);

}  // namespace footfall::storage
