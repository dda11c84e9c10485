#include "storage_cassandra/scanner.h"

#include "foundation/check.h"
#include "storage/key_codec.h"
#include "storage_cassandra/answered_rows.h"
#include "storage_cassandra/cell_buffer.h"
#include "storage_cassandra/slices.h"
#include "storage_cassandra/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::storage_cassandra {

using storage::Page;
using storage::PageDone;
using storage::Rows;
using storage::ScanQuery;
using storage::Table;
using storage::Value;
using storage::ValueView;

namespace {

/// More partitions of one token than this are an attack, and would not fit an answer.
constexpr std::int32_t most_of_a_token = 100'000;

/// The partition columns as Cassandra compares them within one token: a single one as it is;
/// several each with its length before it and a zero behind.
std::string partition_bytes(const Table& table, std::span<const Value> partition) {
    CellBuffer cells;
    push_values(cells, table, 0, partition);
    std::vector<cql_cell> views;
    cells.append_views(0, cells.size(), views);
    std::string bytes;
    for (const cql_cell& cell : views) {
        const auto length = static_cast<std::size_t>(cell.length);
        if (views.size() > 1) {
            bytes.push_back(static_cast<char>(length >> 8));
            bytes.push_back(static_cast<char>(length));
        }
        bytes.append(reinterpret_cast<const char*>(cell.data), length);
        if (views.size() > 1) {
            bytes.push_back('\0');
        }
    }
    return bytes;
}

}  // namespace

/// One page under way.
struct Scanner::Scan {
    ScanQuery query;
    PageDone done;
    std::vector<Value> partition = {};  ///< Where the scan is; empty: at its start.
    std::vector<Slice> slices = {};     ///< What is left of that partition.
    std::size_t at = 0;                 ///< The slice that is being read.
    CellBuffer cells = {};              ///< The values of the request that is being made.

    std::size_t limit() const { return std::min(query.max_rows, most_rows_a_page); }

    /// One more than the page holds says whether there is more.
    void push_limit() { cells.push_int(static_cast<std::int32_t>(limit() + 1)); }
};

Scanner::Scanner(Options options, Driver& driver, const RequestGate& reads)
    : options_{std::move(options)}, driver_{driver}, reads_{reads} {}

void Scanner::scan(ScanQuery query, PageDone done) {
    CHECK(query.table != nullptr && query.max_rows > 0, "a scan has a table and wants rows");
    const Table& table = *query.table;
    const auto scan =
        std::make_shared<Scan>(Scan{.query = std::move(query), .done = std::move(done)});
    if (++in_flight_ > options_.in_flight) {
        end(scan, fail(ErrorKind::overloaded, "too many scans at once"));
        return;
    }
    if (scan->query.continuation.empty()) {
        ask_greater_tokens(scan);
        return;
    }
    std::vector<ValueView> views;
    std::string texts;
    if (!decode_key(table, scan->query.continuation, views, texts)) {
        end(scan, fail(ErrorKind::invalid_input, "not a continuation of a scan"));
        return;
    }
    const std::span<const ValueView> key{views};
    scan->partition = storage::owned_values(key.first(table.partition.size()));
    if (!table.clustering.empty()) {
        const auto last = storage::owned_values(key.subspan(table.partition.size()));
        scan->slices = slices_between(table, last, false, {});
    }
    ask_slice(scan);
}

void Scanner::ask_slice(const std::shared_ptr<Scan>& scan) {
    if (scan->at == scan->slices.size()) {
        ask_same_token(scan);
        return;
    }
    const Table& table = *scan->query.table;
    const Slice& slice = scan->slices[scan->at];
    const std::size_t first = table.partition.size() + slice.equal.size();
    push_values(scan->cells, table, 0, scan->partition);
    push_values(scan->cells, table, table.partition.size(), slice.equal);
    push_values(scan->cells, table, first, slice.lower);
    push_values(scan->cells, table, first, slice.upper);
    scan->push_limit();
    ask(scan, select_cql(table, options_.keyspaces, slice), &Scanner::take_slice);
}

void Scanner::take_slice(const std::shared_ptr<Scan>& scan, const Answer& answer) {
    if (answer.rows() == 0) {
        ++scan->at;
        ask_slice(scan);
        return;
    }
    Page page{.rows = Rows{*scan->query.table}, .continuation = {}};
    for (std::size_t row = 0; row < std::min(answer.rows(), scan->limit()); ++row) {
        if (page.rows.bytes() > scan->query.max_bytes) {
            break;
        }
        if (Result<void> taken = append_answered(page.rows, scan->partition, answer, row); !taken) {
            end(scan, std::unexpected(std::move(taken).error()));
            return;
        }
    }
    page.continuation = key_of_last(page.rows);
    end(scan, std::move(page));
}

void Scanner::ask_same_token(const std::shared_ptr<Scan>& scan) {
    push_values(scan->cells, *scan->query.table, 0, scan->partition);
    scan->cells.push_int(most_of_a_token);
    ask(scan,
        select_same_token_cql(*scan->query.table, options_.keyspaces),
        &Scanner::take_same_token);
}

void Scanner::take_same_token(const std::shared_ptr<Scan>& scan, const Answer& answer) {
    const Table& table = *scan->query.table;
    if (answer.rows() >= most_of_a_token) {
        end(scan,
            fail(
                ErrorKind::unavailable,
                fmt::format("more than {} partitions have one token", most_of_a_token)
            ));
        return;
    }
    const std::string last = partition_bytes(table, scan->partition);
    std::optional<std::pair<std::string, std::vector<Value>>> next;
    OtherDecimals decimals;
    for (std::size_t row = 0; row < answer.rows(); ++row) {
        std::vector<Value> partition;
        for (std::size_t at = 0; at < table.partition.size(); ++at) {
            const auto value = value_of(table.column(at).type, answer.cell(row, at), decimals);
            if (!value) {
                end(scan, std::unexpected(value.error()));
                return;
            }
            partition.push_back(value->owned());
        }
        std::string bytes = partition_bytes(table, partition);
        if (bytes > last && (!next || bytes < next->first)) {
            next.emplace(std::move(bytes), std::move(partition));
        }
    }
    if (!next) {
        ask_greater_tokens(scan);
        return;
    }
    scan->partition = std::move(next->second);
    scan->slices = slices_between(table, {}, true, {});
    scan->at = 0;
    ask_slice(scan);
}

void Scanner::ask_greater_tokens(const std::shared_ptr<Scan>& scan) {
    const Table& table = *scan->query.table;
    const bool from_start = scan->partition.empty();
    push_values(scan->cells, table, 0, scan->partition);
    scan->push_limit();
    ask(scan,
        select_tokens_cql(table, options_.keyspaces, from_start),
        &Scanner::take_greater_tokens);
}

void Scanner::take_greater_tokens(const std::shared_ptr<Scan>& scan, const Answer& answer) {
    Page page{.rows = Rows{*scan->query.table}, .continuation = {}};
    for (std::size_t row = 0; row < std::min(answer.rows(), scan->limit()); ++row) {
        if (page.rows.bytes() > scan->query.max_bytes) {
            break;
        }
        if (Result<void> taken = append_answered(page.rows, {}, answer, row); !taken) {
            end(scan, std::unexpected(std::move(taken).error()));
            return;
        }
    }
    if (page.rows.size() < answer.rows()) {
        page.continuation = key_of_last(page.rows);
    }
    end(scan, std::move(page));
}

/// Runs `cql` with the values in `scan->cells` and goes on with `then`.
void Scanner::ask(const std::shared_ptr<Scan>& scan, const std::string& cql, Then then) {
    std::optional<std::uint32_t> known;
    {
        const std::scoped_lock lock{mutex_};
        const auto found = prepared_.find(cql);
        known = found == prepared_.end() ? std::nullopt : std::optional{found->second};
    }
    if (known) {
        ask_prepared(scan, *known, then);
        return;
    }
    const Result<void> begun = driver_.prepare(
        cql,
        storage::Consistency::local_quorum,
        Use::scan,
        [this, scan, cql, then](const Result<std::uint32_t>& number) {
            if (!number) {
                end(scan, std::unexpected(number.error()));
                return;
            }
            {
                const std::scoped_lock lock{mutex_};
                prepared_.try_emplace(cql, *number);
            }
            ask_prepared(scan, *number, then);
        }
    );
    if (!begun) {
        end(scan, std::unexpected(begun.error()));
    }
}

void Scanner::ask_prepared(const std::shared_ptr<Scan>& scan, std::uint32_t statement, Then then) {
    const CellBuffer cells = std::exchange(scan->cells, {});
    std::vector<cql_cell> views;
    cells.append_views(0, cells.size(), views);
    const Call call{.statement = statement, .cells = views};
    const SecondNode second{
        .after = reads_.is_throttled() ? std::chrono::milliseconds{0} : options_.speculate
    };
    const Result<void> asked = driver_.execute(
        {&call, 1},
        options_.deadline,
        second,
        [this, scan, then](const Answer& answer) {
            if (const Result<void> outcome = answer.outcome(); !outcome) {
                end(scan, std::unexpected(outcome.error()));
                return;
            }
            (this->*then)(scan, answer);
        }
    );
    if (!asked) {
        end(scan, std::unexpected(asked.error()));
    }
}

void Scanner::end(const std::shared_ptr<Scan>& scan, Result<Page> page) {
    --in_flight_;
    if (!page) {
        page = std::unexpected(with_context(
            std::move(page).error(), fmt::format("store scan of {}", scan->query.table->name)
        ));
    }
    scan->done(std::move(page));
}

}  // namespace footfall::storage_cassandra
