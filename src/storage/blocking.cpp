#include "storage/blocking.h"

#include "foundation/check.h"
#include "storage/wait_for.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace footfall::storage {
namespace {

/// Holds the answers of several questions until the waiting thread takes them. Shared with the
/// completions, which may come when nobody waits any more.
struct Pages {
    std::mutex mutex;
    std::condition_variable arrived;
    std::vector<std::optional<Result<Page>>> pages;
    std::size_t missing = 0;  ///< Asked, and not answered.
};

/// So many ranges are asked at a time: far less than a store takes.
constexpr std::size_t pages_at_once = 64;

/// Keys that are looked up together.
constexpr std::size_t keys_at_once = 1000;

/// The rows of a range whose first page has come.
Result<Rows> read_rest(
    Store& store, RangeQuery query, Page page, std::chrono::milliseconds patience
) {
    Rows rows = std::move(page.rows);
    std::vector<ValueView> row;
    while (!page.continuation.empty()) {
        query.continuation = std::move(page.continuation);
        TRY(page, read_page(store, query, patience));
        for (std::size_t at = 0; at < page.rows.size(); ++at) {
            row.clear();
            for (std::size_t column = 0; column < query.table->width(); ++column) {
                row.push_back(page.rows.at(at, column));
            }
            rows.append(row);
        }
    }
    return rows;
}

}  // namespace

Result<void> wait_durable(
    Store& store, CommitPosition position, std::chrono::milliseconds patience
) {
    auto answer = wait_for<void>(patience, [&](DurableDone done) {
        store.when_durable(position, std::move(done));
    });
    if (!answer) {
        return too_late(ErrorKind::outcome_unknown, "store write", patience);
    }
    return *std::move(answer);
}

Result<void> write_durably(Store& store, const Batch& batch, std::chrono::milliseconds patience) {
    TRY(const CommitPosition position, store.submit(batch));
    return wait_durable(store, position, patience);
}

Result<Found> read_many(
    Store& store,
    const Table& table,
    std::vector<std::vector<Value>> keys,
    std::chrono::milliseconds patience
) {
    if (auto found = store.read_many_here(table, keys)) {
        return *std::move(found);
    }
    auto answer = wait_for<Found>(patience, [&](FoundDone done) {
        store.read_many(table, std::move(keys), std::move(done));
    });
    if (!answer) {
        return too_late(ErrorKind::timed_out, fmt::format("read of {}", table.name), patience);
    }
    return *std::move(answer);
}

Result<void> for_each_missing(
    Store& store,
    const Table& table,
    const std::vector<std::vector<Value>>& keys,
    const std::function<void(std::size_t at)>& missing,
    std::chrono::milliseconds patience
) {
    for (std::size_t begin = 0; begin < keys.size(); begin += keys_at_once) {
        const std::size_t end = std::min(begin + keys_at_once, keys.size());
        const auto of = [&](std::size_t at) {
            return keys.begin() + static_cast<std::ptrdiff_t>(at);
        };
        TRY(const Found found, read_many(store, table, {of(begin), of(end)}, patience));
        for (std::size_t at = begin; at < end; ++at) {
            if (!found.row_of_key[at - begin]) {
                missing(at);
            }
        }
    }
    return {};
}

Result<std::optional<std::vector<Value>>> read_one(
    Store& store, const Table& table, std::vector<Value> key, std::chrono::milliseconds patience
) {
    std::vector<std::vector<Value>> keys;
    keys.push_back(std::move(key));
    TRY(const Found found, read_many(store, table, std::move(keys), patience));
    const std::optional<std::size_t> at = found.row_of_key.at(0);
    if (!at) {
        return std::nullopt;
    }
    std::vector<Value> row;
    row.reserve(table.width());
    for (std::size_t column = 0; column < table.width(); ++column) {
        row.push_back(found.rows.at(*at, column).owned());
    }
    return row;
}

Result<Page> read_page(Store& store, RangeQuery query, std::chrono::milliseconds patience) {
    if (auto page = store.read_range_here(query)) {
        return *std::move(page);
    }
    const std::string_view table = query.table->name;
    auto answer = wait_for<Page>(patience, [&](PageDone done) {
        store.read_range(std::move(query), std::move(done));
    });
    if (!answer) {
        return too_late(ErrorKind::timed_out, fmt::format("range of {}", table), patience);
    }
    return *std::move(answer);
}

Result<std::vector<Page>> read_pages(
    Store& store, std::vector<RangeQuery> queries, std::chrono::milliseconds patience
) {
    const auto answers = std::make_shared<Pages>();
    answers->pages.resize(queries.size());
    const auto end = std::chrono::steady_clock::now() + patience;
    const auto wait_until_missing = [&](std::size_t at_most) {
        std::unique_lock lock{answers->mutex};
        return answers->arrived.wait_until(lock, end, [&] { return answers->missing <= at_most; });
    };
    bool in_time = true;
    for (std::size_t at = 0; at < queries.size() && in_time; ++at) {
        // What memory has is answered before another thread would be awake.
        if (auto page = store.read_range_now(queries[at])) {
            const std::scoped_lock lock{answers->mutex};
            answers->pages[at] = *std::move(page);
            continue;
        }
        in_time = wait_until_missing(pages_at_once - 1);
        {
            const std::scoped_lock lock{answers->mutex};
            ++answers->missing;
        }
        store.read_range(std::move(queries[at]), [answers, at](Result<Page> page) {
            const std::scoped_lock lock{answers->mutex};
            answers->pages[at] = std::move(page);
            --answers->missing;
            answers->arrived.notify_one();
        });
    }
    if (!in_time || !wait_until_missing(0)) {
        return too_late(ErrorKind::timed_out, "several ranges", patience);
    }
    std::vector<Page> pages;
    pages.reserve(answers->pages.size());
    for (std::optional<Result<Page>>& each : answers->pages) {
        CHECK(each.has_value(), "none is missing");
        TRY(Page page, *std::move(each));
        pages.push_back(std::move(page));
    }
    return pages;
}

Result<Page> scan_page(Store& store, ScanQuery query, std::chrono::milliseconds patience) {
    const std::string_view table = query.table->name;
    auto answer = wait_for<Page>(patience, [&](PageDone done) {
        store.scan(std::move(query), std::move(done));
    });
    if (!answer) {
        return too_late(ErrorKind::timed_out, fmt::format("scan of {}", table), patience);
    }
    return *std::move(answer);
}

Result<void> read_each(
    Store& store,
    std::vector<RangeQuery> queries,
    const std::function<Result<void>(std::size_t at, const Rows& rows)>& function,
    std::chrono::milliseconds patience
) {
    for (std::size_t begin = 0; begin < queries.size(); begin += pages_at_once) {
        const std::span some{
            std::span{queries}.subspan(begin, std::min(pages_at_once, queries.size() - begin))
        };
        TRY(std::vector<Page> pages, read_pages(store, {some.begin(), some.end()}, patience));
        for (std::size_t at = 0; at < some.size(); ++at) {
            TRY(const Rows rows,
                read_rest(store, std::move(some[at]), std::move(pages[at]), patience));
            TRY_VOID(function(begin + at, rows));
        }
    }
    return {};
}

Result<void> read_partitions(
    Store& store,
    const Table& table,
    std::span<const ValueView> partitions,
    const std::function<
        Result<void>(std::size_t at, const Rows& rows, PartitionsFound::Place place)>& function,
    std::chrono::milliseconds patience
) {
    const std::size_t width = table.partition.size();
    CHECK(partitions.size() % width == 0, "each partition has all its columns", table.name);
    if (auto found = store.read_partitions_here(table, partitions)) {
        TRY(const PartitionsFound all, *std::move(found));
        for (std::size_t at = 0; at < all.place_of.size(); ++at) {
            TRY_VOID(function(at, all.rows, all.place_of[at]));
        }
        return {};
    }
    std::vector<RangeQuery> queries;
    queries.reserve(partitions.size() / width);
    for (std::size_t at = 0; at < partitions.size(); at += width) {
        queries.push_back(
            {.table = &table, .partition = owned_values(partitions.subspan(at, width))}
        );
    }
    return read_each(
        store,
        std::move(queries),
        [&](std::size_t at, const Rows& rows) {
            return function(at, rows, {.first = 0, .end = rows.size()});
        },
        patience
    );
}

Result<Rows> read_all(Store& store, RangeQuery query, std::chrono::milliseconds patience) {
    TRY(Page page, read_page(store, query, patience));
    return read_rest(store, std::move(query), std::move(page), patience);
}

}  // namespace footfall::storage
