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

using storage::Found;
using storage::FoundDone;
using storage::Page;
using storage::PageDone;
using storage::RangeQuery;
using storage::Rows;
using storage::Table;
using storage::Value;
using storage::ValueView;

namespace {

/// So many requests of one read_many are on their way at once,
constexpr std::size_t requests_at_once = 64;
/// and so many rows are asked for by one.
constexpr std::size_t rows_a_request = 16;

std::unexpected<Error> too_many_reads() {
    return fail(ErrorKind::overloaded, "store read: too many reads at once");
}

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

/// One read_many under way.
struct Reader::Many {
    Many(const Table& asked, std::vector<std::vector<Value>> all, FoundDone told)
        : table{&asked},
          keys{std::move(all)},
          done{std::move(told)},
          found{.rows = Rows{asked}, .row_of_key = {}} {
        found.row_of_key.resize(keys.size());
    }

    const Table* table;
    std::vector<std::vector<Value>> keys;
    FoundDone done;
    std::size_t rows_a_request = 1;
    std::size_t slots = 0;
    std::mutex mutex;  // guards all below
    Found found;
    std::size_t next = 0;
    std::size_t open = 0;  ///< Requests that are not answered.
    std::optional<Error> failed;

    std::span<const std::vector<Value>> keys_of(std::size_t first, std::size_t count) const {
        return std::span{keys}.subspan(first, count);
    }

    /// Takes the answer to a request for these keys; with mutex.
    Result<void> take(std::size_t first, std::size_t count, const Answer& answer) {
        TRY_VOID(answer.outcome());
        // One key is asked for what stands behind it, several for all.
        const std::vector<Value>& only = keys[first];
        const std::span known = count == 1 ? std::span{only} : std::span<const Value>{};
        for (std::size_t row = 0; row < answer.rows(); ++row) {
            TRY(const std::vector<ValueView> columns, answered_columns(*table, known, answer, row));
            // What has the partition of one key and the clustering column of another is nobody's.
            std::optional<std::size_t> at;
            for (std::size_t key = first; key < first + count; ++key) {
                if (std::ranges::equal(keys[key], std::span{columns}.first(keys[key].size()))) {
                    at = at.value_or(found.rows.size());
                    found.row_of_key[key] = at;
                }
            }
            if (at) {
                found.rows.append(columns);
            }
        }
        return {};
    }
};

/// One read_range under way.
struct Reader::Range {
    RangeQuery query;
    PageDone done;
    std::vector<Slice> slices;
    std::size_t at = 0;  ///< The slice that is being read.

    std::size_t limit() const { return std::min(query.max_rows, most_rows_a_page); }
};

Reader::Reader(
    Options options,
    Driver& driver,
    std::function<const TableStatements&(const Table&)> statements_of
)
    : options_{std::move(options)}, driver_{driver}, statements_of_{std::move(statements_of)} {}

std::size_t Reader::take_slots(std::size_t wanted) {
    std::size_t used = used_slots_;
    for (;;) {
        const std::size_t given = std::min(wanted, options_.in_flight - used);
        if (given == 0 || used_slots_.compare_exchange_weak(used, used + given)) {
            return given;
        }
    }
}

void Reader::give_back(std::size_t slots) {
    used_slots_ -= slots;
}

void Reader::read_many(const Table& table, std::vector<std::vector<Value>> keys, FoundDone done) {
    const auto many = std::make_shared<Many>(table, std::move(keys), std::move(done));
    for (const std::vector<Value>& key : many->keys) {
        CHECK(key.size() == table.key_width(), "a read has the whole key", table.name);
    }
    if (many->keys.empty()) {
        many->done(std::move(many->found));
        return;
    }
    if (many->keys.size() > 1 && statements_of_(table).select_rows) {
        many->rows_a_request = rows_a_request;
    }
    const std::size_t requests =
        (many->keys.size() + many->rows_a_request - 1) / many->rows_a_request;
    many->slots = take_slots(std::min(requests, requests_at_once));
    if (many->slots == 0) {
        many->done(too_many_reads());
        return;
    }
    // As long as this counts as open, no answer ends the read.
    many->open = 1;
    for (std::size_t slot = 0; slot < many->slots; ++slot) {
        ask_next(many);
    }
    take_rows(many, 0, 0, Answer{cql_completion{}});
}

void Reader::ask_next(const std::shared_ptr<Many>& many) {
    std::size_t first = 0;
    std::size_t count = 0;
    {
        const std::scoped_lock lock{many->mutex};
        if (many->failed || many->next == many->keys.size()) {
            return;
        }
        first = many->next;
        count = std::min(many->rows_a_request, many->keys.size() - first);
        many->next += count;
        ++many->open;
    }
    if (const Result<void> asked = ask(many, first, count); !asked) {
        {
            const std::scoped_lock lock{many->mutex};
            many->failed = asked.error();
        }
        take_rows(many, 0, 0, Answer{cql_completion{}});
    }
}

Result<void> Reader::ask(const std::shared_ptr<Many>& many, std::size_t first, std::size_t count) {
    const Table& table = *many->table;
    const TableStatements& statements = statements_of_(table);
    CellBuffer cells;
    if (count == 1) {
        push_values(cells, table, 0, many->keys[first]);
    } else {
        std::vector<ValueView> column;
        for (std::size_t at = 0; at < table.key_width(); ++at) {
            column.clear();
            for (const std::vector<Value>& key : many->keys_of(first, count)) {
                column.emplace_back(key[at]);
            }
            cells.push_list(table.column(at).type, column);
        }
    }
    std::vector<cql_cell> views;
    cells.append_views(0, cells.size(), views);
    const Call call{
        .statement = count == 1 ? statements.select_row : statements.select_rows.value(),
        .cells = views
    };
    return driver_.execute(
        {&call, 1},
        options_.deadline,
        [this, many, first, count](const Answer& answer) { take_rows(many, first, count, answer); }
    );
}

/// Takes an answer, or, without keys, that there is one request less.
void Reader::take_rows(
    const std::shared_ptr<Many>& many, std::size_t first, std::size_t count, const Answer& answer
) {
    bool ended = false;
    {
        const std::scoped_lock lock{many->mutex};
        const Result<void> taken = count > 0 ? many->take(first, count, answer) : Result<void>{};
        if (!taken && !many->failed) {
            many->failed =
                with_context(taken.error(), fmt::format("store read of {}", many->table->name));
        }
        ended = --many->open == 0 && (many->failed || many->next == many->keys.size());
    }
    if (!ended) {
        if (count > 0) {
            ask_next(many);
        }
        return;
    }
    give_back(many->slots);
    if (const std::optional<Error>& failed = many->failed) {
        many->done(std::unexpected(*failed));
    } else {
        many->done(std::move(many->found));
    }
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
    if (take_slots(1) == 0) {
        done(too_many_reads());
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

void Reader::ask_slice(const std::shared_ptr<Range>& range) {
    const Table& table = *range->query.table;
    std::string cql = select_cql(table, options_.keyspace, range->slices[range->at]);
    std::optional<std::uint32_t> known;
    {
        const std::scoped_lock lock{mutex_};
        const auto found = selects_.find(cql);
        known = found == selects_.end() ? std::nullopt : std::optional{found->second};
    }
    if (known) {
        ask_prepared(range, *known);
        return;
    }
    // Those who come meanwhile prepare it, too: that happens once or twice in the life of a store.
    const Result<void> begun = driver_.prepare(
        cql,
        level_of(table),
        true,
        [this, range, cql](const Result<std::uint32_t>& number) {
            if (!number) {
                end(range, std::unexpected(number.error()));
                return;
            }
            {
                const std::scoped_lock lock{mutex_};
                selects_.try_emplace(cql, *number);
            }
            ask_prepared(range, *number);
        }
    );
    if (!begun) {
        end(range, std::unexpected(begun.error()));
    }
}

void Reader::ask_prepared(const std::shared_ptr<Range>& range, std::uint32_t statement) {
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
    const Result<void> asked =
        driver_.execute({&call, 1}, options_.deadline, [this, range](const Answer& answer) {
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

void Reader::end(const std::shared_ptr<Range>& range, Result<Page> page) {
    give_back(1);
    if (!page) {
        page = std::unexpected(with_context(
            std::move(page).error(), fmt::format("store read of {}", range->query.table->name)
        ));
    }
    range->done(std::move(page));
}

}  // namespace footfall::storage_cassandra
