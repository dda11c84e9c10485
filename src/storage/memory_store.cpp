#include "storage/memory_store.h"

#include "foundation/check.h"
#include "foundation/parse_number.h"
#include "storage/key_codec.h"
#include "storage/key_order.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

namespace footfall::storage {
namespace {

using Key = std::vector<Value>;

Key joined(Key front, std::span<const Value> back) {
    front.insert(front.end(), back.begin(), back.end());
    return front;
}

void append_row(Rows& rows, const Key& key, const std::vector<Value>& values) {
    const Key row = joined(key, values);
    rows.append(views_of(row));
}

/// Key columns of the last row of a page: "n18446744073709551615;" for the number -1, "t3:abc" for
/// a text. Readable in a failing test, and no relative of key_codec.
std::string continuation_after(std::span<const Value> columns) {
    std::string text;
    for (const Value& value : columns) {
        if (const auto* number = std::get_if<std::int64_t>(&value)) {
            text += fmt::format("n{};", static_cast<std::uint64_t>(*number));
        } else {
            const std::string& held = std::get<std::string>(value);
            text += fmt::format("t{}:", held.size());
            text += held;
        }
    }
    return text;
}

/// Takes digits and the `end` behind them from the front of `text`.
std::optional<std::uint64_t> take_number(std::string_view& text, char end) {
    const std::size_t digits = text.find(end);
    if (digits == std::string_view::npos) {
        return std::nullopt;
    }
    const auto number = parse_unsigned(text.substr(0, digits));
    text.remove_prefix(digits + 1);
    return number;
}

/// The key columns of `table` from `first` on.
std::optional<Key> columns_of(
    const Table& table, std::size_t first, std::string_view continuation
) {
    Key values;
    for (std::size_t at = first; at < table.key_width(); ++at) {
        const bool number = is_number(table.column(at).type);
        if (!continuation.starts_with(number ? 'n' : 't')) {
            return std::nullopt;
        }
        continuation.remove_prefix(1);
        const auto taken = take_number(continuation, number ? ';' : ':');
        if (!taken || (!number && *taken > continuation.size())) {
            return std::nullopt;
        }
        if (number) {
            values.emplace_back(static_cast<std::int64_t>(*taken));
        } else {
            values.emplace_back(std::string{continuation.substr(0, *taken)});
            continuation.remove_prefix(*taken);
        }
    }
    return continuation.empty() ? std::optional{std::move(values)} : std::nullopt;
}

std::unexpected<Error> no_continuation(const Table& table) {
    return fail(
        ErrorKind::invalid_input, fmt::format("table {}: no continuation of ours", table.name)
    );
}

}  // namespace

bool MemoryStore::DeclaredOrder::operator()(const Key& left, const Key& right) const {
    return compare_keys(*table, left, right) < 0;
}

MemoryStore::MemoryStore(std::span<const Table* const> tables, const Clock& clock) : clock_{clock} {
    for (const Table* table : tables) {
        const Result<void> sound = check_table(*table);
        CHECK(sound.has_value(), "an unsound table", sound ? "" : sound.error().message);
        const bool added =
            tables_.try_emplace(std::string{table->name}, DeclaredOrder{table}).second;
        CHECK(added, "two tables of one name", table->name);
    }
}

Result<CommitPosition> MemoryStore::submit(const Batch& batch) {
    if (batch.empty()) {
        return 0;
    }
    const std::scoped_lock lock{mutex_};
    std::vector<ValueView> columns;
    std::string texts;
    batch.for_each([&](const Batch::Mutation& mutation) {
        const Table& table = *mutation.table;
        Result<void> decoded = decode_key(table, mutation.key, columns, texts);
        Key key = owned_values(columns);
        if (mutation.kind == Batch::Kind::erase) {
            rows_of(table).erase(key);
            return;
        }
        columns.clear();
        decoded = decoded ? decode_row_values(table, mutation.values, columns) : decoded;
        CHECK(decoded.has_value(), "a batch holds what it encoded", table.name);
        rows_of(table).insert_or_assign(std::move(key), owned_values(columns));
    });
    return ++last_;
}

bool MemoryStore::durable(CommitPosition position) const {
    const std::scoped_lock lock{mutex_};
    return position <= last_;
}

void MemoryStore::when_durable(CommitPosition position, DurableDone done) {
    CHECK(durable(position), "a position that no submit answered", position);
    done({});
}

void MemoryStore::read_many(const Table& table, std::vector<Key> keys, FoundDone done) {
    Found found{.rows = Rows{table}, .row_of_key = {}};
    {
        const std::scoped_lock lock{mutex_};
        const TableRows& rows = rows_of(table);
        for (const Key& key : keys) {
            CHECK(key.size() == table.key_width(), "a read has the whole key", table.name);
            const auto row = rows.find(key);
            if (row == rows.end()) {
                found.row_of_key.emplace_back(std::nullopt);
                continue;
            }
            found.row_of_key.emplace_back(found.rows.size());
            append_row(found.rows, row->first, row->second);
        }
    }
    done(std::move(found));
}

void MemoryStore::read_range(RangeQuery query, PageDone done) {
    done(page(query));
}

std::optional<Result<Page>> MemoryStore::read_range_now(const RangeQuery& query) {
    return page(query);
}

Result<Page> MemoryStore::page(const RangeQuery& query) {
    CHECK(query.table != nullptr, "a range without a table");
    const Table& table = *query.table;
    CHECK(query.partition.size() == table.partition.size(), "a part of a partition", table.name);
    CHECK(query.from.size() <= table.clustering.size(), "`from` is too long", table.name);
    CHECK(query.through.size() <= table.clustering.size(), "`through` is too long", table.name);
    CHECK(query.max_rows > 0, "a page without rows", table.name);

    const std::scoped_lock lock{mutex_};
    const TableRows& rows = rows_of(table);
    // A prefix compares equal to all that start with it: lower_bound finds the first of them,
    // upper_bound the first behind them.
    auto next = rows.lower_bound(joined(query.partition, query.from));
    if (!query.continuation.empty()) {
        const auto last = columns_of(table, table.partition.size(), query.continuation);
        if (!last) {
            return no_continuation(table);
        }
        next = rows.upper_bound(joined(query.partition, *last));
    }
    const Key through = joined(query.partition, query.through);
    Page page{.rows = Rows{table}, .continuation = {}};
    const auto inside = [&] {
        return next != rows.end() && compare_keys(table, next->first, through) <= 0;
    };
    Key last;
    while (inside() && page.rows.size() < query.max_rows && page.rows.bytes() <= query.max_bytes) {
        append_row(page.rows, next->first, next->second);
        last = (next++)->first;
    }
    if (inside()) {
        page.continuation = continuation_after(std::span{last}.subspan(table.partition.size()));
    }
    return page;
}

void MemoryStore::scan(ScanQuery query, PageDone done) {
    done(scanned(query));
}

Result<Page> MemoryStore::scanned(const ScanQuery& query) {
    CHECK(query.table != nullptr, "a scan without a table");
    const Table& table = *query.table;
    CHECK(query.max_rows > 0, "a page without rows", table.name);
    const std::scoped_lock lock{mutex_};
    const TableRows& rows = rows_of(table);
    auto end = rows.end();
    if (!query.continuation.empty()) {
        const auto last = columns_of(table, 0, query.continuation);
        if (!last) {
            return no_continuation(table);
        }
        end = rows.lower_bound(*last);
    }
    Page page{.rows = Rows{table}, .continuation = {}};
    while (end != rows.begin() && page.rows.size() < query.max_rows &&
           page.rows.bytes() <= query.max_bytes) {
        --end;
        append_row(page.rows, end->first, end->second);
    }
    if (end != rows.begin()) {
        page.continuation = continuation_after(end->first);
    }
    return page;
}

Result<void> MemoryStore::health() const {
    return {};
}

Subscription MemoryStore::on_lost_writes(std::move_only_function<void()> /*handler*/) {
    return {};  // nothing is ever queued here, so nothing is lost
}

std::size_t MemoryStore::reclaim() {
    const std::scoped_lock lock{mutex_};
    const Instant horizon = clock_.now() - std::chrono::hours{1};
    const LaneBegins begins = forgotten_.now();
    std::size_t dropped = 0;
    for (auto& [name, rows] : tables_) {
        const Table& table = *rows.key_comp().table;
        if (table.of_record) {
            dropped += std::erase_if(rows, [&](const auto& row) {
                const auto number = [&](std::size_t at) {
                    return std::get<std::int64_t>(row.second[at]);
                };
                return begins.is_before(
                    {.log = static_cast<std::uint64_t>(number(0)),
                     .lane = static_cast<std::uint32_t>(number(1)),
                     .offset = static_cast<std::uint64_t>(number(2))}
                );
            });
        }
        if (table.expires.empty()) {
            continue;
        }
        const std::size_t column = table.expires_index() - table.key_width();
        dropped += std::erase_if(rows, [&](const auto& row) {
            const std::int64_t expires = std::get<std::int64_t>(row.second[column]);
            return expires != 0 && expires <= horizon.time_since_epoch().count();
        });
    }
    return dropped;
}

MemoryStore::TableRows& MemoryStore::rows_of(const Table& table) {
    const auto found = tables_.find(table.name);
    CHECK(found != tables_.end(), "a table the store was not opened with", table.name);
    return found->second;
}

}  // namespace footfall::storage
