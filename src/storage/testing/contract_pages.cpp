#include "storage/wait_for.h"
#include "storage_testing/contract_parts.h"
#include "storage_testing/store_contract.h"

#include <gmock/gmock.h>

#include <string>

namespace footfall::storage {

using testing::ElementsAre;
using testing::IsEmpty;

void link_contract_pages() {}

namespace {

Row link(std::int64_t number) {
    return {std::int64_t{1}, "other " + std::to_string(number)};
}

Row visa(std::int64_t number, std::string note) {
    return {std::int64_t{1}, number, std::int64_t{0}, std::move(note)};
}

Row mark(std::int64_t number) {
    return {"page", std::int64_t{0}, std::to_string(number), std::int64_t{0}};
}

/// The pages asked for together are those asked for one by one.
void expect_pages_of_each(Store& store, const std::vector<RangeQuery>& queries) {
    const Result<std::vector<Page>> pages =
        wait_for<std::vector<Page>>(default_patience, [&](PagesDone done) {
            store.read_ranges(queries, std::move(done));
        }).value_or(fail(ErrorKind::timed_out, "no pages"));
    ASSERT_TRUE(pages) << pages.error().message;
    ASSERT_EQ(pages->size(), queries.size());
    for (std::size_t at = 0; at < queries.size(); ++at) {
        const Result<Page> alone = read_page(store, queries[at]);
        ASSERT_TRUE(alone);
        EXPECT_EQ(owned_rows((*pages)[at].rows), owned_rows(alone->rows)) << at;
        EXPECT_EQ((*pages)[at].continuation.empty(), alone->continuation.empty()) << at;
    }
}

}  // namespace

TEST_P(StoreContract, pages_of_any_size_give_every_row_once) {
    for (const Table* table : {&links, &marks}) {
        const bool bulk = table == &marks;
        Batch batch;
        std::vector<Row> rows;
        for (std::int64_t number = 100; number < 140; ++number) {
            rows.push_back(bulk ? mark(number) : link(239 - number));
            batch.upsert(*table, views_of(rows.back()));
        }
        write(batch);
        RangeQuery query =
            partition_query(*table, bulk ? Row{"page", std::int64_t{0}} : Row{std::int64_t{1}});
        for (const std::size_t max_rows : {1U, 2U, 3U, 7U, 39U, 40U, 41U, 1000U}) {
            query.max_rows = max_rows;
            EXPECT_EQ(all_rows(store(), query), rows) << max_rows;
        }
    }
}

TEST_P(StoreContract, pages_of_several_partitions_are_those_of_each) {
    Batch batch;
    for (std::int64_t number = 100; number < 140; ++number) {
        batch.upsert(marks, {"page", std::int64_t{1}, std::to_string(number), std::int64_t{0}});
        batch.upsert(links, {number % 2, "other " + std::to_string(number)});
    }
    write(batch);
    for (const std::size_t max_rows : {1U, 20U, 39U, 40U, 1000U}) {
        std::vector<RangeQuery> queries;
        for (const Row& partition :
             {Row{"page", std::int64_t{0}},
              Row{"page", std::int64_t{1}},
              Row{"none", std::int64_t{1}},
              Row{"page", std::int64_t{2}}}) {
            queries.push_back(partition_query(marks, partition));
            queries.back().max_rows = max_rows;
        }
        expect_pages_of_each(store(), queries);
        std::swap(queries[2], queries[3]);
        queries.pop_back();  // what is left differs in the last column alone
        expect_pages_of_each(store(), queries);
        queries[0].from = {"120"};
        expect_pages_of_each(store(), queries);
        queries = {
            partition_query(links, {std::int64_t{1}}), partition_query(links, {std::int64_t{0}})
        };
        queries[0].max_rows = queries[1].max_rows = max_rows;
        expect_pages_of_each(store(), queries);
        queries[1].continuation = read_page(store(), queries[1])->continuation;
        expect_pages_of_each(store(), queries);
    }
    expect_pages_of_each(store(), {});
}

TEST_P(StoreContract, a_page_from_memory_is_the_page) {
    Batch batch;
    for (std::int64_t number = 100; number < 140; ++number) {
        batch.upsert(marks, views_of(mark(number)));
    }
    write(batch);
    RangeQuery query = partition_query(marks, {"page", std::int64_t{0}});
    query.max_rows = 7;
    for (bool more = true; more;) {
        const Result<Page> page = read_page(store(), query);
        ASSERT_TRUE(page);
        if (const auto now = store().read_range_now(query)) {
            ASSERT_TRUE(*now);
            EXPECT_EQ(owned_rows((*now)->rows), owned_rows(page->rows));
            EXPECT_EQ((*now)->continuation, page->continuation);
        }
        query.continuation = page->continuation;
        more = !query.continuation.empty();
    }
}

TEST_P(StoreContract, the_last_page_has_no_continuation) {
    Batch batch;
    for (std::int64_t number = 0; number < 3; ++number) {
        batch.upsert(links, views_of(link(number)));
    }
    write(batch);
    RangeQuery query = partition_query(links, {std::int64_t{1}});
    query.max_rows = 4;
    const Result<Page> page = read_page(store(), query);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->rows.size(), 3U);
    EXPECT_EQ(page->continuation, "");
    query.max_rows = 2;
    const Result<Page> first = read_page(store(), query);
    ASSERT_TRUE(first);
    EXPECT_THAT(first->rows.size(), testing::AllOf(testing::Ge(1U), testing::Le(2U)));
    EXPECT_NE(first->continuation, "");
}

TEST_P(StoreContract, a_page_ends_after_the_row_that_passes_max_bytes) {
    Batch batch;
    std::vector<Row> rows;
    for (std::int64_t number = 8; number > 0; --number) {
        rows.push_back(visa(number, std::string(10'000, 'n')));
        batch.upsert(visas, views_of(rows.back()));
    }
    write(batch);
    RangeQuery query = partition_query(visas, {std::int64_t{1}});
    query.max_bytes = 25'000;
    const Result<Page> page = read_page(store(), query);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->rows.size(), 3U);
    EXPECT_NE(page->continuation, "");
    for (const std::size_t max_bytes : {0U, 1U, 10'000U, 25'000U, 70'000U, 1'000'000U}) {
        query.max_bytes = max_bytes;
        EXPECT_EQ(all_rows(store(), query), rows) << max_bytes;
    }
}

TEST_P(StoreContract, a_continuation_goes_on_behind_its_row_whatever_is_written_meanwhile) {
    for (const bool erase_the_last : {false, true}) {
        Batch batch;
        for (const std::int64_t number : {10, 12, 14, 16, 18}) {
            batch.upsert(marks, views_of(mark(number)));
        }
        batch.erase(marks, {"page", std::int64_t{0}, "11"});
        batch.erase(marks, {"page", std::int64_t{0}, "15"});
        write(batch);
        RangeQuery query = partition_query(marks, {"page", std::int64_t{0}});
        query.max_rows = 2;
        const Result<Page> page = read_page(store(), query);
        ASSERT_TRUE(page);
        ASSERT_THAT(owned_rows(page->rows), ElementsAre(mark(10), mark(12)));
        query.continuation = page->continuation;

        batch.clear();
        batch.upsert(marks, views_of(mark(11)));
        batch.upsert(marks, views_of(mark(15)));
        batch.erase(marks, {"page", std::int64_t{0}, "16"});
        if (erase_the_last) {
            batch.erase(marks, {"page", std::int64_t{0}, "12"});
        }
        write(batch);
        EXPECT_THAT(all_rows(store(), query), ElementsAre(mark(14), mark(15), mark(18)));
    }
}

TEST_P(StoreContract, a_continuation_may_be_used_twice) {
    Batch batch;
    for (std::int64_t number = 0; number < 4; ++number) {
        batch.upsert(marks, views_of(mark(number)));
    }
    write(batch);
    RangeQuery query = partition_query(marks, {"page", std::int64_t{0}});
    query.max_rows = 1;
    const Result<Page> page = read_page(store(), query);
    ASSERT_TRUE(page);
    query.continuation = page->continuation;
    for (int time = 0; time < 2; ++time) {
        const Result<Page> next = read_page(store(), query);
        ASSERT_TRUE(next);
        EXPECT_THAT(owned_rows(next->rows), ElementsAre(mark(1)));
    }
}

// A range that begins with many erased rows still has to answer with rows, not with empty pages.
TEST_P(StoreContract, pages_skip_erased_rows) {
    Batch batch;
    for (std::int64_t number = 1000; number < 2000; ++number) {
        batch.upsert(marks, views_of(mark(number)));
        batch.upsert(links, views_of(link(number)));
    }
    write(batch);
    batch.clear();
    for (std::int64_t number = 1000; number < 1997; ++number) {
        batch.erase(marks, {"page", std::int64_t{0}, std::to_string(number)});
        batch.erase(links, views_of(link(2999 - number)));
    }
    write(batch);
    RangeQuery query = partition_query(marks, {"page", std::int64_t{0}});
    query.max_rows = 2;
    EXPECT_THAT(all_rows(store(), query), ElementsAre(mark(1997), mark(1998), mark(1999)));
    query = partition_query(links, {std::int64_t{1}});
    query.max_rows = 2;
    EXPECT_THAT(all_rows(store(), query), ElementsAre(link(1002), link(1001), link(1000)));
    query.through = {"other 1003"};
    EXPECT_THAT(all_rows(store(), query), IsEmpty());
}

}  // namespace footfall::storage
