#pragma once

#include "metrics/metrics.h"
#include "storage/store.h"
#include "storage_cassandra/driver.h"
#include "storage_cassandra/keyspaces.h"
#include "storage_cassandra/request_gate.h"
#include "storage_cassandra/slices.h"
#include "storage_cassandra/write_plan.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace footfall::storage_cassandra {

/// Reads rows and pages. A page is the answer to one SELECT with a LIMIT, so it is all of one
/// moment; the next one begins behind the key of its last row. Rows are asked for some at once, and
/// where their table allows it several by one statement. Each request waits for its turn at the
/// gate.
///
/// Thread-safe; answers on the driver's thread, or, when nothing was asked, inside the call. What
/// is refused is told inside the call, or on the thread that makes room for others, or that closes.
class Reader {
public:
    struct Options {
        Keyspaces keyspaces;
        std::chrono::milliseconds deadline{5'000};          ///< For all attempts of one request.
        std::vector<const storage::Table*> local_one = {};  ///< As of CassandraStoreOptions.
        std::vector<const storage::Table*> anywhere = {};   ///< As of CassandraStoreOptions.
    };

    /// All must outlive this.
    Reader(
        Options options,
        Driver& driver,
        RequestGate& gate,
        metrics::Metrics& metrics,
        std::function<const TableStatements&(const storage::Table&)> statements_of
    );
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() = default;

    void read_many(
        const storage::Table& table,
        std::vector<std::vector<storage::Value>> keys,
        storage::FoundDone done
    );
    void read_range(storage::RangeQuery query, storage::PageDone done);

    /// Whether read_ranges() takes these: beginnings of different partitions of a table that have
    /// all columns but the last in common, and the same limits.
    static bool reads_together(std::span<const storage::RangeQuery> queries);

    /// Reads a page of each by one statement.
    void read_ranges(std::vector<storage::RangeQuery> queries, storage::PagesDone done);

private:
    struct Many;
    struct Range;
    struct Ranges;

    using Pass = RequestGate::Pass;

    Result<void> execute(const Call& call, Pass pass, AnswerDone done);
    void ask_more(const std::shared_ptr<Many>& many);
    void ask_next(const std::shared_ptr<Many>& many, Result<Pass> pass);
    Result<void> ask(
        const std::shared_ptr<Many>& many, std::size_t first, std::size_t count, Pass pass
    );
    void take_rows(
        const std::shared_ptr<Many>& many,
        std::size_t first,
        std::size_t count,
        const Answer& answer
    );
    static void finish(Many& many);
    storage::Consistency level_of(const storage::Table& table) const;
    Use use_of(const storage::Table& table) const;
    void when_prepared(const storage::Table& table, const std::string& cql, PreparedDone then);
    void ask_partitions(const std::shared_ptr<Ranges>& ranges, std::uint32_t statement, Pass pass);
    static Result<std::vector<storage::Page>> pages_of(const Ranges& ranges, const Answer& answer);
    static void end(
        const std::shared_ptr<Ranges>& ranges, Result<std::vector<storage::Page>> pages
    );
    void ask_slice(const std::shared_ptr<Range>& range);
    void ask_prepared(const std::shared_ptr<Range>& range, std::uint32_t statement, Pass pass);
    void take_page(const std::shared_ptr<Range>& range, const Answer& answer);
    static void end(const std::shared_ptr<Range>& range, Result<storage::Page> page);

    const Options options_;
    Driver& driver_;
    RequestGate& gate_;
    const std::function<const TableStatements&(const storage::Table&)> statements_of_;
    metrics::Counter failed_;
    metrics::Histogram seconds_;
    std::mutex mutex_;
    std::map<std::string, std::uint32_t, std::less<>>
        selects_;  ///< Prepared when first needed; guarded by mutex_.
};

}  // namespace footfall::storage_cassandra
