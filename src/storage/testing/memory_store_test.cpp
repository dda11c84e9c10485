#include "storage/memory_store.h"

#include "storage_testing/store_contract.h"

#include <gmock/gmock.h>

namespace footfall::storage {
namespace {

class MemorySubject final : public ContractSubject {
public:
    MemorySubject(std::span<const Table* const> tables, const Clock& clock)
        : store_{tables, clock} {}

    Store& store() override { return store_; }

    bool reclaim() override {
        store_.reclaim();
        return true;
    }

private:
    MemoryStore store_;
};

std::unique_ptr<ContractSubject> open_memory(
    std::span<const Table* const> tables, const Clock& clock
) {
    return std::make_unique<MemorySubject>(tables, clock);
}

TEST(MemoryStore, reclaims_only_when_told_and_says_how_many_rows) {
    ManualClock clock{Instant{std::chrono::days{20'000}}};
    MemoryStore store{contract_tables(), clock};
    const std::int64_t now = clock.now().time_since_epoch().count();
    Batch batch;
    for (const std::int64_t expires : {std::int64_t{0}, now, now + 1}) {
        batch.upsert(visas, {std::int64_t{1}, expires, expires, "note"});
    }
    ASSERT_TRUE(write_durably(store, batch));
    clock.advance(std::chrono::hours{1});
    EXPECT_EQ(all_rows(store, partition_query(visas, {std::int64_t{1}})).size(), 3U);
    EXPECT_EQ(store.reclaim(), 1U);
    EXPECT_EQ(store.reclaim(), 0U);
    clock.advance(std::chrono::microseconds{1});
    EXPECT_EQ(store.reclaim(), 1U);
}

TEST(MemoryStore, refuses_a_continuation_that_is_none) {
    const ManualClock clock{Instant{}};
    MemoryStore store{contract_tables(), clock};
    RangeQuery query = partition_query(marks, {"page", std::int64_t{0}});
    for (const char* bad : {"x", "t", "t5:abc", "t:", "t3:abcd", "n1;", "t-1:", "t99999999999:a"}) {
        query.continuation = bad;
        const Result<Page> page = read_page(store, query);
        ASSERT_FALSE(page) << bad;
        EXPECT_EQ(page.error().kind, ErrorKind::invalid_input);
    }
}

TEST(MemoryStoreDeathTest, stops_at_misuse) {
    const ManualClock clock{Instant{}};
    MemoryStore store{contract_tables(), clock};
    const Table unknown = {
        .name = "unknown",
        .purpose = "",
        .partition = {{"a", ColumnType::text}},
        .clustering = {},
        .values = {}
    };
    EXPECT_DEATH(store.when_durable(1, [](const auto&) {}), "no submit answered");
    EXPECT_DEATH(store.read_many(unknown, {{"a"}}, [](const auto&) {}), "not opened with");
    EXPECT_DEATH((void)read_page(store, partition_query(marks, {"page"})), "part of a partition");
    const std::vector<const Table*> twice{&marks, &marks};
    EXPECT_DEATH((MemoryStore{twice, clock}), "two tables of one name");
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(
    Memory,
    StoreContract,
    testing::Values(StoreImplementation{.name = "memory", .open = open_memory}),
    implementation_name
);

}  // namespace footfall::storage
