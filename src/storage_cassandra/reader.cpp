#include "storage_cassandra/reader.h"

#include "foundation/check.h"
#include "storage/key_codec.h"
#include "storage/key_order.h"
#include "storage_cassandra/answered_rows.h"
#include "storage_cassandra/cell_buffer.h"
#include "storage_cassandra/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace footfall::storage_cassandra {

using storage::Page;
using storage::PageDone;
using storage::PagesDone;
using storage::RangeQuery;
using storage::Rows;
using storage::Table;
using storage::Value;
using storage::ValueView;

namespace {

std::unexpected<Error> no_continuation(const Table& table) {
    return fail(
        ErrorKind::invalid_input,
        fmt::format("table {}: not a continuation of this query", table.name)
    );
}

/// The clustering columns that the continuation of `query` names.
Result<std::vector<Value>> start_behind(const RangeQuery& query) {
    const Table& table = *query.table;
    std::vector<ValueView> views;
    std::string texts;
    if (!decode_key(table, query.continuation, views, texts)) {
        return no_continuation(table);
    }
    std::vector<Value> key = storage::owned_values(views);
    const auto clustering = key.begin() + static_cast<std::ptrdiff_t>(table.partition.size());
    if (!std::equal(key.begin(), clustering, query.partition.begin(), query.partition.end())) {
        return no_continuation(table);
    }
    const auto within = [&](const std::vector<Value>& bound, std::strong_ordering outside) {
        std::vector<Value> whole = query.partition;
        whole.insert(whole.end(), bound.begin(), bound.end());
        return compare_keys(table, key, whole) != outside;
    };
    if (!within(query.from, std::strong_ordering::less) ||
        !within(query.through, std::strong_ordering::greater)) {
        return no_continuation(table);
    }
    return std::vector<Value>{clustering, key.end()};
}

Result<std::vector<Slice>> slices_of(const RangeQuery& query) {
    if (query.continuation.empty()) {
        return slices_between(*query.table, query.from, true, query.through);
    }
    TRY(const std::vector<Value> start, start_behind(query));
    return slices_between(*query.table, start, false, query.through);
}

}  // namespace

/// One read_range under way.
struct Reader::Range {
    RangeQuery query;
    PageDone done;
    std::vector<Slice> slices;
    std::size_t at = 0;  ///< The slice that is being read.

    std::size_t limit() const { return std::min(query.max_rows, most_rows_a_page); }
};

/// One read_ranges under way.
struct Reader::Ranges {
    Ranges(std::vector<RangeQuery> asked, PagesDone told)
        : queries{std::move(asked)}, done{std::move(told)} {}

    std::vector<RangeQuery> queries;
    PagesDone done;

    const Table& table() const { return *queries.front().table; }

    std::size_t limit() const { return std::min(queries.front().max_rows, most_rows_a_page); }

    /// What their partitions have in common.
    std::span<const Value> same() const {
        return std::span{queries.front().partition}.first(table().partition.size() - 1);
    }
};

Reader::Reader(
    Options options,
    Driver& driver,
    RequestGate& gate,
    metrics::Metrics& metrics,
    std::function<const TableStatements&(const Table&)> statements_of
)
    : options_{std::move(options)},
      driver_{driver},
      gate_{gate},
      statements_of_{std::move(statements_of)},
      failed_{metrics.counter(
          "footfall_cassandra_failed_reads_total", "Reads that failed after all attempts."
      )},
      seconds_{metrics.histogram(
          "footfall_cassandra_read_seconds",
          "Time a request of reads took, with all attempts.",
          metrics::duration_bounds()
      )} {}

Result<void> Reader::execute(const Call& call, Pass pass, AnswerDone done) {
    const auto begin = std::chrono::steady_clock::now();
    const SecondNode second{.after = pass.speculate_after().value_or(std::chrono::milliseconds{0})};
    return driver_.execute(
        {&call, 1},
        options_.deadline,
        second,
        [this, begin, pass = std::move(pass), done = std::move(done)](Answer answer) mutable {
            seconds_.observe(seconds_since(begin));
            if (!answer.outcome()) {
                failed_.add();
            }
            pass.leave(answer.is_of_trouble(), answer.speculations());
            done(std::move(answer));
        }
    );
}

void Reader::read_range(RangeQuery query, PageDone done) {
    CHECK(query.table != nullptr, "a range without a table");
    const Table& table = *query.table;
    (void)statements_of_(table);  // CHECKs that the table is one of ours
    CHECK(query.partition.size() == table.partition.size(), "a part of a partition", table.name);
    CHECK(query.max_rows > 0, "a page without rows", table.name);
    auto slices = slices_of(query);
    if (!slices) {
        done(std::unexpected(std::move(slices).error()));
        return;
    }
    if (slices->empty()) {
        done(Page{.rows = Rows{table}, .continuation = {}});
        return;
    }
    ask_slice(std::make_shared<Range>(
        Range{.query = std::move(query), .done = std::move(done), .slices = *std::move(slices)}
    ));
}

storage::Consistency Reader::level_of(const Table& table) const {
    const auto found = std::ranges::find(options_.local_one, &table);
    return found == options_.local_one.end() ? table.consistency : storage::Consistency::local_one;
}

Use Reader::use_of(const Table& table) const {
    return std::ranges::find(options_.anywhere, &table) == options_.anywhere.end()
               ? Use::read
               : Use::read_anywhere;
}

/// Calls `then` with the number of the statement, now if it was prepared before.
void Reader::when_prepared(const Table& table, const std::string& cql, PreparedDone then) {
    std::optional<std::uint32_t> known;
    {
        const std::scoped_lock lock{mutex_};
        const auto found = selects_.find(cql);
        known = found == selects_.end() ? std::nullopt : std::optional{found->second};
    }
    if (known) {
        then(*known);
        return;
    }
    // Those who come meanwhile prepare it, too: that happens once or twice in the life of a store.
    // Shared, since a request that is refused does not give its completion back.
    const auto told = std::make_shared<PreparedDone>(std::move(then));
    const Result<void> begun = driver_.prepare(
        cql,
        level_of(table),
        use_of(table),
        [this, told, cql](Result<std::uint32_t> number) {
            if (number) {
                const std::scoped_lock lock{mutex_};
                selects_.try_emplace(cql, *number);
            }
            (*told)(std::move(number));
        }
    );
    if (!begun) {
        (*told)(std::unexpected(begun.error()));
    }
}

void Reader::ask_slice(const std::shared_ptr<Range>& range) {
    const Table& table = *range->query.table;
    when_prepared(
        table,
        select_cql(table, options_.keyspaces, range->slices[range->at]),
        [this, range](const Result<std::uint32_t>& statement) {
            if (!statement) {
                end(range, std::unexpected(statement.error()));
                return;
            }
            gate_.enter([this, range, number = *statement](Result<Pass> pass) {
                if (pass) {
                    ask_prepared(range, number, *std::move(pass));
                } else {
                    end(range, std::unexpected(std::move(pass).error()));
                }
            });
        }
    );
}

void Reader::ask_prepared(const std::shared_ptr<Range>& range, std::uint32_t statement, Pass pass) {
    const Table& table = *range->query.table;
    const Slice& slice = range->slices[range->at];
    const std::size_t first = table.partition.size() + slice.equal.size();
    CellBuffer cells;
    push_values(cells, table, 0, range->query.partition);
    push_values(cells, table, table.partition.size(), slice.equal);
    push_values(cells, table, first, slice.lower);
    push_values(cells, table, first, slice.upper);
    // One more than the page holds says whether there is another page.
    cells.push_int(static_cast<std::int32_t>(range->limit() + 1));
    std::vector<cql_cell> views;
    cells.append_views(0, cells.size(), views);
    const Call call{.statement = statement, .cells = views};
    const Result<void> asked = execute(call, std::move(pass), [this, range](const Answer& answer) {
        take_page(range, answer);
    });
    if (!asked) {
        end(range, std::unexpected(asked.error()));
    }
}

void Reader::take_page(const std::shared_ptr<Range>& range, const Answer& answer) {
    const RangeQuery& query = range->query;
    if (const Result<void> outcome = answer.outcome(); !outcome) {
        end(range, std::unexpected(outcome.error()));
        return;
    }
    const bool last_slice = range->at + 1 == range->slices.size();
    const std::size_t rows = answer.rows();
    if (rows == 0 && !last_slice) {
        ++range->at;
        ask_slice(range);
        return;
    }
    Page page{.rows = Rows{*query.table}, .continuation = {}};
    for (std::size_t row = 0; row < std::min(rows, range->limit()); ++row) {
        if (page.rows.bytes() > query.max_bytes) {
            break;
        }
        if (Result<void> taken = append_answered(page.rows, query.partition, answer, row); !taken) {
            end(range, std::unexpected(std::move(taken).error()));
            return;
        }
    }
    // What another slice holds is for the next page: this one is of one moment.
    if (page.rows.size() < rows || (rows > 0 && !last_slice)) {
        page.continuation = key_of_last(page.rows);
    }
    end(range, std::move(page));
}

bool Reader::reads_together(std::span<const RangeQuery> queries) {
    if (queries.size() < 2) {
        return false;
    }
    const RangeQuery& first = queries.front();
    return std::ranges::all_of(queries, [&](const RangeQuery& query) {
        return query.table == first.table && query.from.empty() && query.through.empty() &&
               query.continuation.empty() && query.max_rows == first.max_rows &&
               query.partition.size() == first.partition.size() &&
               std::equal(
                   query.partition.begin(),
                   std::prev(query.partition.end()),
                   first.partition.begin()
               );
    });
}

void Reader::read_ranges(std::vector<RangeQuery> queries, PagesDone done) {
    const Table& table = *queries.front().table;
    CHECK(queries.front().partition.size() == table.partition.size(), "a part of a partition");
    CHECK(queries.front().max_rows > 0, "a page without rows", table.name);
    const auto ranges = std::make_shared<Ranges>(std::move(queries), std::move(done));
    when_prepared(
        table,
        select_partitions_cql(table, options_.keyspaces),
        [this, ranges](const Result<std::uint32_t>& statement) {
            if (!statement) {
                end(ranges, std::unexpected(statement.error()));
                return;
            }
            gate_.enter([this, ranges, number = *statement](Result<Pass> pass) {
                if (pass) {
                    ask_partitions(ranges, number, *std::move(pass));
                } else {
                    end(ranges, std::unexpected(std::move(pass).error()));
                }
            });
        }
    );
}

void Reader::ask_partitions(
    const std::shared_ptr<Ranges>& ranges, std::uint32_t statement, Pass pass
) {
    const Table& table = ranges->table();
    CellBuffer cells;
    push_values(cells, table, 0, ranges->same());
    std::vector<ValueView> last;
    for (const RangeQuery& query : ranges->queries) {
        last.emplace_back(query.partition.back());
    }
    cells.push_list(table.partition.back().type, last);
    cells.push_int(static_cast<std::int32_t>(ranges->limit() + 1));  // as of one range
    std::vector<cql_cell> views;
    cells.append_views(0, cells.size(), views);
    const Call call{.statement = statement, .cells = views};
    const Result<void> asked = execute(call, std::move(pass), [ranges](const Answer& answer) {
        end(ranges, pages_of(*ranges, answer));
    });
    if (!asked) {
        end(ranges, std::unexpected(asked.error()));
    }
}

Result<std::vector<Page>> Reader::pages_of(const Ranges& ranges, const Answer& answer) {
    TRY_VOID(answer.outcome());
    const Table& table = ranges.table();
    const std::size_t last_column = table.partition.size() - 1;
    std::vector<Page> pages;
    pages.reserve(ranges.queries.size());
    for (std::size_t at = 0; at < ranges.queries.size(); ++at) {
        pages.push_back({.rows = Rows{table}, .continuation = {}});
    }
    for (std::size_t row = 0; row < answer.rows(); ++row) {
        OtherDecimals decimals;
        TRY(const std::vector<ValueView> columns,
            answered_columns(table, ranges.same(), answer, row, decimals));
        for (std::size_t at = 0; at < pages.size(); ++at) {
            const RangeQuery& query = ranges.queries[at];
            Page& page = pages[at];
            if (!(ValueView{query.partition.back()} == columns[last_column]) ||
                !page.continuation.empty()) {
                continue;
            }
            if (page.rows.size() == ranges.limit() || page.rows.bytes() > query.max_bytes) {
                page.continuation = key_of_last(page.rows);
            } else {
                page.rows.append(columns);
            }
        }
    }
    return pages;
}

void Reader::end(const std::shared_ptr<Ranges>& ranges, Result<std::vector<Page>> pages) {
    if (!pages) {
        pages = std::unexpected(with_context(
            std::move(pages).error(), fmt::format("store read of {}", ranges->table().name)
        ));
    }
    ranges->done(std::move(pages));
}

void Reader::end(const std::shared_ptr<Range>& range, Result<Page> page) {
    if (!page) {
        page = std::unexpected(with_context(
            std::move(page).error(), fmt::format("store read of {}", range->query.table->name)
        ));
    }
    range->done(std::move(page));
}

}  // namespace footfall::storage_cassandra
