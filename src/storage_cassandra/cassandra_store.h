#pragma once

#include "foundation/clock.h"
#include "metrics/metrics.h"
#include "storage/cql_schema.h"
#include "storage/store.h"
#include "storage_cassandra/driver.h"
#include "storage_cassandra/keyspaces.h"
#include "storage_cassandra/reader.h"
#include "storage_cassandra/request_gate.h"
#include "storage_cassandra/scanner.h"
#include "storage_cassandra/write_plan.h"
#include "storage_cassandra/writer.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::storage_cassandra {

struct CassandraStoreOptions {
    std::string contacts = "127.0.0.1:9042";  ///< ADDRESS:PORT, separated by commas.
    std::string datacenter;                   ///< The local one; coordinators are only taken there.
    std::string keyspace = "footfall";
    /// Where tables of a region stand (storage::Table::of_region); empty: in `keyspace`, as all.
    std::string region_keyspace = {};
    std::string user = {};  ///< Empty: no authentication.
    std::string password = {};
    std::vector<const storage::Table*>
        tables;  ///< All tables of the program; each must outlive the store.
    /// What keyspaces are made with that are not there, and missing tables and columns with them;
    /// that of the region with the copies of `datacenter` alone.
    /// Empty: nothing is made, and the store opens only if all is as declared.
    storage::Replication replication = {};
    std::size_t write_queue_limit_bytes = 64 << 20;
    std::size_t writes_in_flight = 256;  ///< At most: as many as the store bears (Limiter).
    std::size_t reads_in_flight = 1024;  ///< The same.
    std::size_t reads_waiting = 1024;    ///< For their turn, at most; then `overloaded`.
    std::chrono::milliseconds connect_deadline{30'000};
    std::chrono::milliseconds write_deadline{10'000};
    std::chrono::milliseconds read_deadline{5'000};
    std::chrono::milliseconds attempt{2'000};  ///< One node's time to answer.
    /// A read asks a second node after this, a write after five times as long, if that is unusual
    /// and requests do not queue in the store (Limiter::speculate_after); 0: never.
    std::chrono::milliseconds speculate{100};
    std::function<void(std::chrono::nanoseconds)> on_durable = {};  ///< As of Writer.
    /// Pages of these are answered by one replica (LOCAL_ONE), whatever the table declares.
    std::vector<const storage::Table*> local_one = {};
    /// Pages of these may be answered by another datacenter, as it has them, when this one cannot.
    /// For what is told and never written back: a row made from what a lagging replica said would
    /// stand above what it did not say.
    std::vector<const storage::Table*> anywhere = {};
};

/// The distributed Store: Apache Cassandra 5.0 by the Rust driver
/// (docs/decisions/0025-cql-driver.md, 0026-writes-on-cassandra.md).
///
/// Writes are acknowledged by LOCAL_QUORUM, whatever the table; reads are answered by what the
/// table declares, or pages by one replica if the options say so. So with three copies one replica
/// may be lost or away and nothing is missed, except that a table read at LOCAL_ONE may show what
/// was before. Any number of processes may use one keyspace; a row should have one writer at a
/// time.
///
/// When some replicas cannot be reached, requests are repeated within their deadlines; then reads
/// answer `timed_out` or `unavailable`, and writes are lost as Writer says.
///
/// Costs: everything goes over the network. Reads and waiters are answered on one thread.
class CassandraStore final : public storage::Store {
public:
    /// Connects, sees to the schema and prepares all statements. Blocks. `clock` and `metrics` must
    /// outlive it.
    static Result<std::unique_ptr<CassandraStore>> open(
        CassandraStoreOptions options, const Clock& clock, metrics::Metrics& metrics
    );

    /// As close().
    ~CassandraStore() override;
    CassandraStore(const CassandraStore&) = delete;
    CassandraStore& operator=(const CassandraStore&) = delete;

    Result<storage::CommitPosition> submit(const storage::Batch& batch) override;
    bool durable(storage::CommitPosition position) const override;
    void when_durable(storage::CommitPosition position, storage::DurableDone done) override;
    void read_many(
        const storage::Table& table,
        std::vector<std::vector<storage::Value>> keys,
        storage::FoundDone done
    ) override;
    void read_range(storage::RangeQuery query, storage::PageDone done) override;
    void read_ranges(std::vector<storage::RangeQuery> queries, storage::PagesDone done) override;

    /// In the order of tokens; up to 5,000 rows a page.
    void scan(storage::ScanQuery query, storage::PageDone done) override;

    /// Never has anything in memory.
    std::optional<Result<storage::Page>> read_range_now(const storage::RangeQuery& query) override;

    double pressure() const override;

    /// Batches are sent side by side: when one is lost, one behind it may stand.
    bool loses_only_the_end() const override { return false; }

    Result<void> health() const override;
    storage::Subscription on_lost_writes(std::move_only_function<void()> handler) override;

    /// A lightweight transaction of the local datacenter (LOCAL_SERIAL): who makes something once
    /// for several datacenters does so in one of them first.
    Result<std::vector<storage::Value>> insert_new(
        const storage::Table& table, std::vector<storage::Value> row
    ) override;

    /// Later in the timestamps of writes than what any process has reserved of them.
    Result<void> write_after_others() override;

    /// Writes what is queued, answers what is being read, disconnects. Idempotent.
    void close() override;

private:
    CassandraStore(
        CassandraStoreOptions options,
        std::unique_ptr<Driver> driver,
        const Clock& clock,
        metrics::Metrics& metrics
    );

    Result<void> begin();
    Result<void> prepare_all();
    Result<std::int64_t> reserved_write_time();
    const TableStatements& statements_of(const storage::Table& table) const;

    const CassandraStoreOptions options_;
    const Keyspaces keyspaces_;
    std::vector<const storage::Table*> tables_;               ///< Of the program, and our own.
    std::map<std::string_view, TableStatements> statements_;  // fixed once open, as is the next
    std::map<const storage::Table*, metrics::Counter> rows_written_;
    std::unique_ptr<Driver> driver_;
    Writer writer_;
    RequestGate reads_;
    Reader reader_;
    Scanner scanner_;
};

}  // namespace footfall::storage_cassandra
