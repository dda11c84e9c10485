#include "storage_cassandra/cassandra_store.h"

#include "cluster.h"
#include "foundation/check.h"
#include "storage/decimal.h"
#include "storage_cassandra/cell_buffer.h"
#include "storage_cassandra/driver.h"
#include "storage_cassandra/schema.h"
#include "storage_cassandra/write_time.h"
#include "storage_testing/store_contract.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

namespace footfall::storage_cassandra {
namespace {

using storage::Batch;
using storage::Row;
using storage::Table;
using testing::AllOf;
using testing::HasSubstr;

constexpr Instant some_day{std::chrono::days{20'000}};

const Table orders{
    .name = "orders",
    .purpose = "Rows that any process writes.",
    .partition = {{"scope", storage::ColumnType::integer}},
    .clustering = {},
    .values = {{"text", storage::ColumnType::text}},
    .shared = true
};

class CassandraStoreTest : public testing::Test {
protected:
    CassandraStoreTest() { empty_tables(tables_); }

    std::unique_ptr<CassandraStore> open() { return open(cluster_options(tables_)); }

    std::unique_ptr<CassandraStore> open(const CassandraStoreOptions& options) {
        auto opened = CassandraStore::open(options, clock_, metrics_);
        CHECK(opened, "the store does not open", opened ? "" : opened.error().message);
        return *std::move(opened);
    }

    static Result<void> write(
        storage::Store& store,
        std::int64_t scope,
        const std::string& text,
        const Table& table = storage::settings
    ) {
        Batch batch;
        batch.upsert(table, {scope, text});
        return write_durably(store, batch);
    }

    static Row read(
        storage::Store& store, std::int64_t scope, const Table& table = storage::settings
    ) {
        const auto row = read_one(store, table, {scope});
        CHECK(row, "the cluster", row ? "" : row.error().message);
        return row->value_or(Row{});
    }

    /// A minute behind all that tests before this one have reserved, in which each store counts on
    /// for itself.
    void begin_behind_other_tests(storage::Store& store) {
        const auto reserved = read_one(store, write_time_table, {"all"});
        const Row row = reserved ? reserved->value_or(Row{}) : Row{};
        CHECK(!row.empty(), "a store that is open has reserved write time");
        const std::chrono::microseconds through{std::get<std::int64_t>(row.back())};
        clock_.set(Instant{through} + std::chrono::minutes{1});
    }

    std::vector<const Table*> tables_{&storage::settings, &storage::marks, &orders};
    ManualClock clock_{some_day};
    metrics::Metrics metrics_;
};

TEST_F(CassandraStoreTest, a_clock_that_was_set_back_loses_no_write) {
    ASSERT_TRUE(write(*open(), 1, "before"));
    clock_.set(some_day - std::chrono::days{100});
    const auto store = open();
    ASSERT_TRUE(write(*store, 1, "after"));
    EXPECT_EQ(read(*store, 1), (Row{std::int64_t{1}, "after"}));
    clock_.set(some_day - std::chrono::days{200});
    ASSERT_TRUE(write(*store, 1, "last"));
    EXPECT_EQ(read(*store, 1), (Row{std::int64_t{1}, "last"}));
}

TEST_F(CassandraStoreTest, of_two_processes_the_later_write_stays) {
    const auto one = open();
    clock_.set(some_day - std::chrono::days{100});
    const auto other = open();
    ASSERT_TRUE(write(*one, 1, "one"));
    ASSERT_TRUE(write(*other, 1, "other"));
    EXPECT_EQ(read(*one, 1), (Row{std::int64_t{1}, "other"}));
}

/// Who started later writes ahead of the clock, and of who was there before it.
TEST_F(CassandraStoreTest, who_seldom_writes_writes_at_the_time_of_the_clock_all_the_same) {
    const auto quiet = open();
    const auto other = open();
    begin_behind_other_tests(*other);
    std::this_thread::sleep_for(  // tidy-allow(sleep): both do by themselves what is to be seen
        std::chrono::milliseconds{2500}
    );
    ASSERT_TRUE(write(*other, 1, "before"));
    clock_.advance(std::chrono::milliseconds{1});
    ASSERT_TRUE(write(*quiet, 1, "after"));
    EXPECT_EQ(read(*quiet, 1), (Row{std::int64_t{1}, "after"}));
}

TEST_F(CassandraStoreTest, who_takes_rows_over_writes_after_who_had_them) {
    const auto one = open();
    const auto other = open();
    ASSERT_TRUE(write(*other, 1, "of who had it"));
    ASSERT_TRUE(write(*one, 1, "of who took it without a word"));
    EXPECT_EQ(read(*one, 1), (Row{std::int64_t{1}, "of who had it"}));
    ASSERT_TRUE(one->write_after_others());
    ASSERT_TRUE(write(*one, 1, "of who took it"));
    EXPECT_EQ(read(*other, 1), (Row{std::int64_t{1}, "of who took it"}));
}

TEST_F(CassandraStoreTest, what_any_process_may_write_stands_as_it_was_written_last) {
    begin_behind_other_tests(*open());
    const auto one = open();
    const auto other = open();
    ASSERT_TRUE(other->write_after_others());
    ASSERT_TRUE(write(*other, 1, "of who started last", orders));
    clock_.advance(std::chrono::milliseconds{1});
    ASSERT_TRUE(write(*one, 1, "what was said last", orders));
    EXPECT_EQ(read(*other, 1, orders), (Row{std::int64_t{1}, "what was said last"}));
    Batch gone;
    gone.erase(orders, {std::int64_t{1}});
    clock_.advance(std::chrono::milliseconds{1});
    ASSERT_TRUE(write_durably(*one, gone));
    EXPECT_EQ(read(*other, 1, orders), Row{});
}

TEST_F(CassandraStoreTest, tells_how_long_its_requests_took) {
    const auto store = open();
    ASSERT_TRUE(write(*store, 1, "one"));
    ASSERT_TRUE(write(*store, 2, "two"));
    read(*store, 1);
    const std::string told = metrics_.text();
    EXPECT_THAT(told, testing::HasSubstr("footfall_cassandra_write_seconds_count 2\n"));
    // One at the start: how far write time is reserved.
    EXPECT_THAT(told, testing::HasSubstr("footfall_cassandra_read_seconds_count 2\n"));
    EXPECT_THAT(told, testing::HasSubstr("footfall_cassandra_failed_reads_total 0\n"));
}

TEST_F(CassandraStoreTest, refuses_a_continuation_that_is_none_of_its_query) {
    const auto store = open();
    Batch batch;
    for (const char* mark : {"a", "b", "c", "d"}) {
        batch.upsert(storage::marks, {"page", std::int64_t{0}, mark, std::int64_t{0}});
        batch.upsert(storage::marks, {"other", std::int64_t{0}, mark, std::int64_t{0}});
    }
    ASSERT_TRUE(write_durably(*store, batch));
    storage::RangeQuery query = partition_query(storage::marks, {"page", std::int64_t{0}});
    query.max_rows = 1;
    const std::string continuation = read_page(*store, query).value().continuation;
    query.partition = {"other", std::int64_t{0}};
    query.continuation = continuation;
    EXPECT_EQ(read_page(*store, query).error().kind, ErrorKind::invalid_input);
    query.partition = {"page", std::int64_t{0}};
    query.from = {"b"};
    EXPECT_EQ(read_page(*store, query).error().kind, ErrorKind::invalid_input);
    query.from.clear();
    for (const std::string& bad : {std::string{"x"}, continuation + "x", continuation.substr(1)}) {
        query.continuation = bad;
        EXPECT_EQ(read_page(*store, query).error().kind, ErrorKind::invalid_input);
    }
}

TEST_F(CassandraStoreTest, a_full_queue_and_too_many_reads_are_told) {
    CassandraStoreOptions options = cluster_options(tables_);
    options.write_queue_limit_bytes = 1;
    options.reads_in_flight = 1;
    options.reads_waiting = 0;
    const auto store = open(options);
    // All answers are given on the store's thread, which stands here meanwhile.
    std::promise<void> go;
    std::promise<void> stands;
    Batch batch;
    batch.upsert(storage::settings, {std::int64_t{1}, "text"});
    store->read_many(storage::settings, {{std::int64_t{1}}}, [&](const auto&) {
        stands.set_value();
        go.get_future().wait();
    });
    stands.get_future().wait();
    std::promise<bool> second_read;
    store->read_many(storage::settings, {{std::int64_t{1}}}, [&](const auto& found) {
        second_read.set_value(found.has_value());
    });
    const auto third_read = read_one(*store, storage::settings, {std::int64_t{1}});
    ASSERT_FALSE(third_read);
    EXPECT_EQ(third_read.error().kind, ErrorKind::overloaded);
    const auto first = store->submit(batch);
    ASSERT_TRUE(first);
    const auto second = store->submit(batch);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, ErrorKind::overloaded);
    EXPECT_GE(store->pressure(), 1);
    go.set_value();
    EXPECT_TRUE(second_read.get_future().get());
    ASSERT_TRUE(wait_durable(*store, *first));
    EXPECT_EQ(store->pressure(), 0);
    ASSERT_TRUE(write_durably(*store, batch));
}

TEST_F(CassandraStoreTest, rows_of_an_older_version_read_new_columns_as_nothing) {
    const Table older{
        .name = "growing",
        .purpose = "A table that gets columns.",
        .partition = {{"name", storage::ColumnType::text}},
        .clustering = {},
        .values = {{"first", storage::ColumnType::integer}}
    };
    Table newer = older;
    newer.values.push_back({"second", storage::ColumnType::integer});
    newer.values.push_back({"third", storage::ColumnType::text});
    const CassandraStoreOptions options = cluster_options({&older});
    {
        const auto driver = Driver::make(
            {.contacts = options.contacts, .datacenter = "dc1", .keyspaces = options.keyspace}
        );
        ASSERT_TRUE(driver && (*driver)->connect(options.connect_deadline));
        ASSERT_TRUE((*driver)->run(
            "DROP TABLE IF EXISTS " + options.keyspace + ".growing", options.write_deadline
        ));
    }
    Batch batch;
    batch.upsert(older, {"a", std::int64_t{7}});
    ASSERT_TRUE(write_durably(*open(options), batch));

    CassandraStoreOptions strict = cluster_options({&newer});
    strict.replication.clear();
    const auto refused = CassandraStore::open(strict, clock_, metrics_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::conflict);
    EXPECT_THAT(refused.error().message, HasSubstr("second"));

    const auto store = open(cluster_options({&newer}));
    const auto row = read_one(*store, newer, {"a"});
    ASSERT_TRUE(row) << row.error().message;
    EXPECT_EQ(row->value_or(Row{}), (Row{"a", std::int64_t{7}, std::int64_t{0}, ""}));
    const auto again = CassandraStore::open(strict, clock_, metrics_);
    EXPECT_TRUE(again) << again.error().message;
}

TEST_F(CassandraStoreTest, decimals_are_numbers_to_whoever_speaks_cql) {
    empty_tables({&storage::bills});
    const CassandraStoreOptions options = cluster_options({&storage::bills});
    const auto store = open(options);
    const auto driver = Driver::make(
        {.contacts = options.contacts, .datacenter = "dc1", .keyspaces = options.keyspace}
    );
    ASSERT_TRUE(driver && (*driver)->connect(options.connect_deadline));
    const auto run = [&](const std::string& cql) {
        return (*driver)->run(cql, options.write_deadline);
    };
    const auto insert = [&](int number, const std::string& amount) {
        return run(fmt::format(
            "INSERT INTO {}.bills (payer, number, amount, note) VALUES (1, {}, {}, '')",
            options.keyspace,
            number,
            amount
        ));
    };
    const std::string zero = storage::decimal_bytes(0);
    const Row ours{std::int64_t{1}, std::int64_t{1}, storage::decimal_bytes(5'000), "", zero};
    Batch batch;
    batch.upsert(storage::bills, storage::views_of(ours));
    ASSERT_TRUE(write_durably(*store, batch));
    ASSERT_TRUE(insert(2, "7.5"));
    const std::vector<Row> rows{
        ours, {std::int64_t{1}, std::int64_t{2}, storage::decimal_bytes(7'500'000), "", zero}
    };
    EXPECT_EQ(all_rows(*store, storage::partition_query(storage::bills, {std::int64_t{1}})), rows);

    const auto sum = run("SELECT sum(amount) FROM " + options.keyspace + ".bills");
    ASSERT_TRUE(sum) << sum.error().message;
    OtherDecimals decimals;
    const auto value = value_of(storage::ColumnType::decimal, sum->cell(0, 0), decimals);
    ASSERT_TRUE(value) << value.error().message;
    EXPECT_EQ(*value, storage::ValueView{storage::decimal_bytes(7'505'000)});

    ASSERT_TRUE(insert(3, "0.0000005"));
    const auto refused = read_one(*store, storage::bills, {std::int64_t{1}, std::int64_t{3}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::corrupt);
    EXPECT_THAT(refused.error().message, AllOf(HasSubstr("bills"), HasSubstr("six decimals")));
}

TEST_F(CassandraStoreTest, does_not_rely_on_copies_that_know_no_datacenters) {
    CassandraStoreOptions options = cluster_options(tables_);
    const auto driver = Driver::make(
        {.contacts = options.contacts, .datacenter = "dc1", .keyspaces = options.keyspace}
    );
    ASSERT_TRUE(driver && (*driver)->connect(options.connect_deadline));
    ASSERT_TRUE((*driver)->run(
        "CREATE KEYSPACE IF NOT EXISTS simple WITH replication = "
        "{'class': 'SimpleStrategy', 'replication_factor': 1}",
        options.write_deadline
    ));
    options.keyspace = "simple";
    const auto refused = CassandraStore::open(options, clock_, metrics_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::conflict);
    EXPECT_THAT(refused.error().message, HasSubstr("SimpleStrategy"));
    ASSERT_TRUE((*driver)->run("DROP KEYSPACE simple", options.write_deadline));
}

/// Another keyspace than that of the contract suite, which runs with one, too.
TEST_F(CassandraStoreTest, rows_of_a_region_stand_in_its_keyspace_alone) {
    CassandraStoreOptions options = cluster_options(tables_);
    options.region_keyspace = "one_region";
    const auto driver = Driver::make(
        {.contacts = options.contacts, .datacenter = "dc1", .keyspaces = options.region_keyspace}
    );
    ASSERT_TRUE(driver && (*driver)->connect(options.connect_deadline));
    const auto rows_in = [&](const std::string& keyspace) {
        const auto answer =
            (*driver)->run("SELECT scope FROM " + keyspace + ".settings", options.read_deadline);
        CHECK(answer, "the cluster", answer ? "" : answer.error().message);
        return answer->rows();
    };
    ASSERT_TRUE((*driver)->run("DROP KEYSPACE IF EXISTS one_region", options.write_deadline));
    CassandraStoreOptions elsewhere = options;
    elsewhere.replication = {{"of_others", 1}};
    const auto homeless = CassandraStore::open(elsewhere, clock_, metrics_);
    ASSERT_FALSE(homeless);
    EXPECT_EQ(homeless.error().kind, ErrorKind::invalid_input);
    EXPECT_THAT(homeless.error().message, HasSubstr("--cassandra-replication dc1:3"));

    const auto store = open(options);
    ASSERT_TRUE(write(*store, 1, "of the region"));
    ASSERT_TRUE(write(*store, 2, "of all", orders));
    EXPECT_EQ(rows_in("one_region"), 1U);
    EXPECT_EQ(rows_in(options.keyspace), 0U);
    EXPECT_EQ(read(*open(), 2, orders), (Row{std::int64_t{2}, "of all"})) << "of another region";
    const auto scanned = scan_page(*store, {.table = &storage::settings, .max_rows = 10});
    ASSERT_TRUE(scanned) << scanned.error().message;
    EXPECT_EQ(owned_rows(scanned->rows), std::vector<Row>{read(*store, 1)});
    ASSERT_TRUE((*driver)->run("DROP KEYSPACE one_region", options.write_deadline));
}

TEST_F(CassandraStoreTest, says_why_it_does_not_open) {
    CassandraStoreOptions nobody = cluster_options(tables_);
    nobody.contacts = "127.0.0.1:1";
    nobody.connect_deadline = std::chrono::milliseconds{500};
    const auto unreachable = CassandraStore::open(nobody, clock_, metrics_);
    ASSERT_FALSE(unreachable);
    EXPECT_EQ(unreachable.error().kind, ErrorKind::unavailable);
    CassandraStoreOptions nowhere = cluster_options(tables_);
    nowhere.datacenter.clear();
    EXPECT_EQ(
        CassandraStore::open(nowhere, clock_, metrics_).error().kind, ErrorKind::invalid_input
    );
}

}  // namespace
}  // namespace footfall::storage_cassandra
