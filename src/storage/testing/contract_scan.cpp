#include "storage_testing/contract_parts.h"
#include "storage_testing/store_contract.h"

#include <gmock/gmock.h>

#include <chrono>
#include <map>
#include <string>

namespace footfall::storage {

using testing::IsEmpty;

void link_contract_scan() {}

namespace {

Row scan_mark(std::int64_t number) {
    return {"page " + std::to_string(number % 7), number % 3, std::to_string(number), number};
}

Row scan_link(std::int64_t number) {
    return {number % 7, "other " + std::to_string(number)};
}

Row scan_visit(std::int64_t number) {
    return {"site", std::to_string(number % 5), number % 2, number, "id", "note", number, "raw"};
}

Row setting(std::int64_t number) {
    return {number, "text " + std::to_string(number)};
}

Row row_of(const Table& table, std::int64_t number) {
    if (&table == &marks) {
        return scan_mark(number);
    }
    if (&table == &links) {
        return scan_link(number);
    }
    return &table == &settings ? setting(number) : scan_visit(number);
}

Row key_of(const Table& table, Row row) {
    row.resize(table.key_width());
    return row;
}

/// Scans from the query's continuation on and counts how often each row comes. Fails the test when
/// a page breaks a promise. `between` is called after each page and answers the store to go on
/// with.
template <class Between>
std::map<Row, int> scanned(Store& first, ScanQuery query, const Between& between) {
    Store* store = &first;
    std::map<Row, int> rows;
    for (int pages = 0; pages < 100'000; ++pages) {
        const Result<Page> page = scan_page(*store, query);
        EXPECT_TRUE(page) << page.error().message;
        if (!page) {
            return rows;
        }
        EXPECT_LE(page->rows.size(), query.max_rows);
        EXPECT_TRUE(page->continuation.empty() || !page->rows.empty())
            << "a page without rows has a continuation";
        for (const Row& row : owned_rows(page->rows)) {
            ++rows[row];
        }
        if (page->continuation.empty()) {
            return rows;
        }
        query.continuation = page->continuation;
        store = &between();
    }
    ADD_FAILURE() << "the pages do not end";
    return rows;
}

std::map<Row, int> scanned(Store& store, ScanQuery query) {
    return scanned(store, std::move(query), [&]() -> Store& { return store; });
}

ScanQuery scan_of(const Table& table, std::size_t max_rows = 1000) {
    ScanQuery query;
    query.table = &table;
    query.max_rows = max_rows;
    return query;
}

}  // namespace

TEST_P(StoreContract, a_scan_gives_every_row_of_its_table_once) {
    for (const Table* table : {&marks, &links, &settings, &visits, &visits_bulk}) {
        EXPECT_THAT(scanned(store(), scan_of(*table)), IsEmpty()) << table->name;
        Batch batch;
        std::map<Row, int> rows;
        for (std::int64_t number = 0; number < 40; ++number) {
            const Row row = row_of(*table, number);
            batch.upsert(*table, views_of(row));
            rows[row] = 1;
        }
        write(batch);
        for (const std::size_t max_rows : {1U, 2U, 3U, 7U, 39U, 40U, 41U, 1000U}) {
            EXPECT_EQ(scanned(store(), scan_of(*table, max_rows)), rows)
                << table->name << ' ' << max_rows;
        }
    }
}

TEST_P(StoreContract, a_scan_shows_what_was_written_last_and_nothing_erased) {
    for (const Table* table : {&marks, &visits, &settings}) {
        std::map<Row, int> rows;
        Batch batch;
        for (std::int64_t number = 0; number < 30; ++number) {
            batch.upsert(*table, views_of(row_of(*table, number)));
        }
        write(batch);
        batch.clear();
        for (std::int64_t number = 0; number < 30; ++number) {
            Row row = row_of(*table, number);
            if (number % 3 == 0) {
                batch.erase(*table, views_of(key_of(*table, row)));
                continue;
            }
            if (number % 3 == 1) {
                Value& value = row[table->key_width()];
                value = std::holds_alternative<std::int64_t>(value) ? Value{std::int64_t{77}}
                                                                    : Value{"written again"};
                batch.upsert(*table, views_of(row));
            }
            rows[row] = 1;
        }
        write(batch);
        EXPECT_EQ(scanned(store(), scan_of(*table, 4)), rows) << table->name;
    }
}

TEST_P(StoreContract, a_page_of_a_scan_ends_after_the_row_that_passes_max_bytes) {
    Batch batch;
    std::map<Row, int> rows;
    for (std::int64_t number = 0; number < 8; ++number) {
        const Row row{number / 4, number, std::int64_t{0}, std::string(10'000, 'n')};
        batch.upsert(visas, views_of(row));
        rows[row] = 1;
    }
    write(batch);
    ScanQuery query = scan_of(visas);
    query.max_bytes = 25'000;
    const Result<Page> page = scan_page(store(), query);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->rows.size(), 3U);
    for (const std::size_t max_bytes : {0U, 1U, 10'000U, 25'000U, 70'000U, 1'000'000U}) {
        query.max_bytes = max_bytes;
        EXPECT_EQ(scanned(store(), query), rows) << max_bytes;
    }
}

// What was there all the time comes once, whatever else comes and goes.
TEST_P(StoreContract, a_scan_goes_on_while_others_write) {
    for (const Table* table : {&marks, &links, &settings}) {
        std::map<Row, int> stays;
        Batch batch;
        for (std::int64_t number = 0; number < 60; ++number) {
            const Row row = row_of(*table, number);
            batch.upsert(*table, views_of(row));
            if (number % 2 == 0) {
                stays[row] = 1;
            }
        }
        write(batch);
        std::int64_t turn = 0;
        auto rows = scanned(store(), scan_of(*table, 5), [&]() -> Store& {
            Batch change;
            for (int count = 0; count < 5 && turn < 30; ++count, ++turn) {
                const Row gone = row_of(*table, 2 * turn + 1);
                change.erase(*table, views_of(key_of(*table, gone)));
                change.upsert(*table, views_of(row_of(*table, 1001 + 2 * turn)));
            }
            write(change);
            return store();
        });
        for (const auto& [row, times] : rows) {
            EXPECT_EQ(times, 1);
        }
        std::erase_if(rows, [&](const auto& row) { return !stays.contains(row.first); });
        EXPECT_EQ(rows, stays) << table->name;
    }
}

TEST_P(StoreContract, a_scan_goes_on_where_it_was_after_the_store_was_opened_again) {
    for (const Table* table : {&marks, &links, &settings}) {
        std::map<Row, int> rows;
        Batch batch;
        for (std::int64_t number = 0; number < 30; ++number) {
            const Row row = row_of(*table, number);
            batch.upsert(*table, views_of(row));
            rows[row] = 1;
        }
        write(batch);
        const auto reopened = [&]() -> Store& {
            subject().reopen();
            return store();
        };
        EXPECT_EQ(scanned(store(), scan_of(*table, 7), reopened), rows) << table->name;
    }
}

TEST_P(StoreContract, a_scan_shows_expired_rows_with_their_time_until_they_are_reclaimed) {
    const std::int64_t expires = now() + 1;
    const Row mark{"page", std::int64_t{0}, "a", expires};
    const Row stays{"page", std::int64_t{1}, "b", std::int64_t{0}};
    Batch batch;
    batch.upsert(marks, views_of(mark));
    batch.upsert(marks, views_of(stays));
    write(batch);
    clock().advance(std::chrono::minutes{59});
    EXPECT_EQ(scanned(store(), scan_of(marks)), (std::map<Row, int>{{mark, 1}, {stays, 1}}));
    clock().advance(std::chrono::minutes{2});
    if (subject().reclaim()) {
        EXPECT_EQ(scanned(store(), scan_of(marks)), (std::map<Row, int>{{stays, 1}}));
    }
}

TEST_P(StoreContract, a_scan_refuses_a_continuation_that_no_scan_answered) {
    Batch batch;
    for (std::int64_t number = 0; number < 4; ++number) {
        batch.upsert(marks, views_of(scan_mark(number)));
    }
    write(batch);
    const Result<Page> page = scan_page(store(), scan_of(marks, 2));
    ASSERT_TRUE(page);
    const std::string answered = page->continuation;
    ASSERT_GT(answered.size(), 2U);
    for (const std::string& bad :
         {std::string{"x"},
          answered.substr(0, 2),
          answered.substr(0, answered.size() - 1),
          answered + "x"}) {
        ScanQuery query = scan_of(marks, 2);
        query.continuation = bad;
        const Result<Page> next = scan_page(store(), query);
        ASSERT_FALSE(next) << bad;
        EXPECT_EQ(next.error().kind, ErrorKind::invalid_input) << next.error().message;
    }
}

}  // namespace footfall::storage
