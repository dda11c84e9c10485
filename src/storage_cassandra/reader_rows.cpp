// Rows by their keys.

#include "foundation/check.h"
#include "storage_cassandra/answered_rows.h"
#include "storage_cassandra/cell_buffer.h"
#include "storage_cassandra/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace footfall::storage_cassandra {

using storage::Found;
using storage::FoundDone;
using storage::Rows;
using storage::Table;
using storage::Value;
using storage::ValueView;

namespace {

/// So many requests of one read_many are on their way at once, at most,
constexpr std::size_t requests_at_once = 64;
/// and so many rows are asked for by one.
constexpr std::size_t rows_a_request = 16;

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
    std::uint32_t select_rows = 0;  ///< The statement that asks for more than one.
    std::mutex mutex;               // guards all below
    Found found;
    std::size_t next = 0;
    std::size_t open = 0;  ///< Requests that are not answered.
    bool in_turn = false;  ///< Another request is waited for, or being made.
    std::optional<Error> failed;

    /// Whether one more request is wanted now; then it is in its turn.
    bool begin_turn() {
        const std::scoped_lock lock{mutex};
        const bool wanted = !in_turn && !failed && next < keys.size() && open < requests_at_once;
        in_turn = in_turn || wanted;
        return wanted;
    }

    /// Whether nothing more will come; with mutex. Once, at the last change of what it looks at.
    bool ended() const { return open == 0 && !in_turn && (failed || next == keys.size()); }

    void note_failure(const Error& error) {
        if (!failed) {
            failed = with_context(error, fmt::format("store read of {}", table->name));
        }
    }

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
            OtherDecimals decimals;
            TRY(const std::vector<ValueView> columns,
                answered_columns(*table, known, answer, row, decimals));
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

void Reader::read_many(const Table& table, std::vector<std::vector<Value>> keys, FoundDone done) {
    const auto many = std::make_shared<Many>(table, std::move(keys), std::move(done));
    for (const std::vector<Value>& key : many->keys) {
        CHECK(key.size() == table.key_width(), "a read has the whole key", table.name);
    }
    if (many->keys.empty()) {
        many->done(std::move(many->found));
        return;
    }
    const auto select_rows = statements_of_(table).select_rows;
    if (many->keys.size() > 1 && select_rows) {
        many->rows_a_request = rows_a_request;
        many->select_rows = *select_rows;
    }
    ask_more(many);
}

/// Asks for more as long as there is room; then once it is this read's turn again.
void Reader::ask_more(const std::shared_ptr<Many>& many) {
    while (many->begin_turn()) {
        if (std::optional<Pass> pass = gate_.try_enter()) {
            ask_next(many, *std::move(pass));
            continue;
        }
        gate_.enter([this, many](Result<Pass> pass) {
            ask_next(many, std::move(pass));
            ask_more(many);
        });
        return;
    }
}

/// Makes the request whose turn it is.
void Reader::ask_next(const std::shared_ptr<Many>& many, Result<Pass> pass) {
    std::size_t first = 0;
    std::size_t count = 0;
    bool ended = false;
    {
        const std::scoped_lock lock{many->mutex};
        many->in_turn = false;
        if (!pass) {
            many->note_failure(pass.error());
        } else if (!many->failed) {
            first = many->next;
            count = std::min(many->rows_a_request, many->keys.size() - first);
            many->next += count;
            ++many->open;
        }
        ended = many->ended();
    }
    if (ended) {
        finish(*many);
    }
    if (count == 0) {
        return;
    }
    if (const Result<void> asked = ask(many, first, count, *std::move(pass)); !asked) {
        {
            const std::scoped_lock lock{many->mutex};
            many->note_failure(asked.error());
        }
        take_rows(many, 0, 0, Answer{cql_completion{}});
    }
}

Result<void> Reader::ask(
    const std::shared_ptr<Many>& many, std::size_t first, std::size_t count, Pass pass
) {
    const Table& table = *many->table;
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
        .statement = count == 1 ? statements_of_(table).select_row : many->select_rows,
        .cells = views
    };
    return execute(call, std::move(pass), [this, many, first, count](const Answer& answer) {
        take_rows(many, first, count, answer);
    });
}

/// Takes an answer, or, without keys, that there is one request less.
void Reader::take_rows(
    const std::shared_ptr<Many>& many, std::size_t first, std::size_t count, const Answer& answer
) {
    bool ended = false;
    {
        const std::scoped_lock lock{many->mutex};
        const Result<void> taken = count > 0 ? many->take(first, count, answer) : Result<void>{};
        if (!taken) {
            many->note_failure(taken.error());
        }
        --many->open;
        ended = many->ended();
    }
    if (ended) {
        finish(*many);
    } else {
        ask_more(many);
    }
}

void Reader::finish(Many& many) {
    if (const std::optional<Error>& failed = many.failed) {
        many.done(std::unexpected(*failed));
    } else {
        many.done(std::move(many.found));
    }
}

}  // namespace footfall::storage_cassandra
