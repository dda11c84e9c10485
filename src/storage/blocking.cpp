#include "storage/blocking.h"

#include <fmt/format.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

namespace footfall::storage {
namespace {

/// Holds one answer until the waiting thread takes it. Shared with the completion, which may come
/// when nobody waits any more.
template <class T>
struct Answer {
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<Result<T>> result;
};

/// Calls `ask` with a completion and waits for what it is given; absent: nothing in time.
template <class T, class Ask>
std::optional<Result<T>> wait_for(std::chrono::milliseconds patience, Ask&& ask) {
    const auto answer = std::make_shared<Answer<T>>();
    std::forward<Ask>(ask)([answer](Result<T> result) {
        const std::scoped_lock lock{answer->mutex};
        answer->result = std::move(result);
        answer->arrived.notify_one();
    });
    std::unique_lock lock{answer->mutex};
    answer->arrived.wait_for(lock, patience, [&] { return answer->result.has_value(); });
    return std::move(answer->result);
}

std::unexpected<Error> too_late(
    ErrorKind kind, std::string_view what, std::chrono::milliseconds patience
) {
    return fail(kind, fmt::format("{}: no answer after {} ms", what, patience.count()));
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
    const std::string_view table = query.table->name;
    auto answer = wait_for<Page>(patience, [&](PageDone done) {
        store.read_range(std::move(query), std::move(done));
    });
    if (!answer) {
        return too_late(ErrorKind::timed_out, fmt::format("range of {}", table), patience);
    }
    return *std::move(answer);
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

Result<Rows> read_all(Store& store, RangeQuery query, std::chrono::milliseconds patience) {
    Rows rows{*query.table};
    std::vector<ValueView> row;
    do {
        TRY(Page page, read_page(store, query, patience));
        for (std::size_t at = 0; at < page.rows.size(); ++at) {
            row.clear();
            for (std::size_t column = 0; column < query.table->width(); ++column) {
                row.push_back(page.rows.at(at, column));
            }
            rows.append(row);
        }
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return rows;
}

}  // namespace footfall::storage
