#include "storage_testing/store_contract.h"

#include "storage_testing/contract_parts.h"

namespace footfall::storage {

void StoreContract::SetUp() {
    link_contract_parts();
    subject_ = GetParam().open(contract_tables(), clock_);
    ASSERT_NE(subject_, nullptr);
}

void StoreContract::write(const Batch& batch) {
    const Result<void> written = write_durably(store(), batch);
    ASSERT_TRUE(written) << written.error().message;
}

void StoreContract::put(const Table& table, const Row& row) {
    Batch batch;
    batch.upsert(table, views_of(row));
    write(batch);
}

std::optional<Row> StoreContract::row_at(const Table& table, const Row& key) {
    auto row = read_one(store(), table, key);
    EXPECT_TRUE(row) << row.error().message;
    return row ? *std::move(row) : std::nullopt;
}

// Who needs a part of this library may get the suite with it: a linker takes whatever object has a
// function that is missed, one of std::string's say.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StoreContract);

std::string implementation_name(const testing::TestParamInfo<StoreImplementation>& info) {
    return info.param.name;
}

std::vector<Row> owned_rows(const Rows& rows) {
    std::vector<Row> owned;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        Row& row = owned.emplace_back();
        for (std::size_t column = 0; column < rows.table().width(); ++column) {
            row.push_back(rows.at(at, column).owned());
        }
    }
    return owned;
}

std::vector<Row> all_rows(Store& store, RangeQuery query) {
    std::vector<Row> all;
    for (int pages = 0; pages < 100'000; ++pages) {
        const Result<Page> page = read_page(store, query);
        EXPECT_TRUE(page) << page.error().message;
        if (!page) {
            return all;
        }
        EXPECT_LE(page->rows.size(), query.max_rows);
        EXPECT_TRUE(page->continuation.empty() || !page->rows.empty())
            << "a page without rows has a continuation";
        const std::vector<Row> rows = owned_rows(page->rows);
        all.insert(all.end(), rows.begin(), rows.end());
        if (page->continuation.empty()) {
            return all;
        }
        query.continuation = page->continuation;
    }
    ADD_FAILURE() << "the pages do not end";
    return all;
}

RangeQuery partition_query(const Table& table, Row partition) {
    RangeQuery query;
    query.table = &table;
    query.partition = std::move(partition);
    return query;
}

}  // namespace footfall::storage
