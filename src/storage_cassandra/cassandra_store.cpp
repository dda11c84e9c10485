#include "storage_cassandra/cassandra_store.h"

#include "foundation/check.h"
#include "storage/blocking.h"
#include "storage_cassandra/cell_buffer.h"
#include "storage_cassandra/schema.h"
#include "storage_cassandra/statements.h"
#include "storage_cassandra/write_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>

namespace footfall::storage_cassandra {

using storage::Table;

namespace {

Keyspaces keyspaces_of(const CassandraStoreOptions& options) {
    return {.all = options.keyspace, .of_region = options.region_keyspace};
}

DriverOptions driver_options(const CassandraStoreOptions& options) {
    // Room for the few requests that are neither: of the schema and of write time.
    constexpr std::size_t others = 64;
    return {
        .contacts = options.contacts,
        .datacenter = options.datacenter,
        .keyspaces = keyspaces_of(options).joined(),
        .user = options.user,
        .password = options.password,
        .max_in_flight =
            static_cast<std::uint32_t>(options.writes_in_flight + options.reads_in_flight + others),
        .attempt = options.attempt
    };
}

/// A node that is slow for a write is for its commit log or its garbage, which passes.
std::chrono::milliseconds speculate_writes(const CassandraStoreOptions& options) {
    return options.speculate * 5;
}

Limiter::Options limit(
    std::size_t most, std::chrono::milliseconds speculate, const CassandraStoreOptions& options
) {
    const Limiter::Options usual;
    return {
        .floor = std::min(usual.floor, most),
        .ceiling = most,
        .slow = options.attempt / 2,
        .speculate = speculate
    };
}

}  // namespace

Result<std::unique_ptr<CassandraStore>> CassandraStore::open(
    CassandraStoreOptions options, const Clock& clock, metrics::Metrics& metrics
) {
    TRY(std::unique_ptr<Driver> driver, Driver::make(driver_options(options)));
    std::unique_ptr<CassandraStore> store{
        new CassandraStore{std::move(options), std::move(driver), clock, metrics}
    };
    if (Result<void> begun = store->begin(); !begun) {
        return std::unexpected(with_context(std::move(begun).error(), "open the store"));
    }
    return store;
}

CassandraStore::CassandraStore(
    CassandraStoreOptions options,
    std::unique_ptr<Driver> driver,
    const Clock& clock,
    metrics::Metrics& metrics
)
    : options_{std::move(options)},
      keyspaces_{keyspaces_of(options_)},
      tables_{with_own_tables(options_.tables)},
      driver_{std::move(driver)},
      writer_{
          {.queue_limit_bytes = options_.write_queue_limit_bytes,
           .limiter = limit(options_.writes_in_flight, speculate_writes(options_), options_),
           .deadline = options_.write_deadline,
           .speculate = speculate_writes(options_),
           .on_durable = options_.on_durable},
          *driver_,
          clock,
          metrics,
          [this](const Table& table) -> const TableStatements& { return statements_of(table); }
      },
      reads_{
          {.limiter = limit(options_.reads_in_flight, options_.speculate, options_),
           .waiting = options_.reads_waiting,
           .patience = options_.read_deadline},
          "reads",
          clock,
          metrics
      },
      reader_{
          {.keyspaces = keyspaces_,
           .deadline = options_.read_deadline,
           .local_one = options_.local_one,
           .anywhere = options_.anywhere},
          *driver_,
          reads_,
          metrics,
          [this](const Table& table) -> const TableStatements& { return statements_of(table); }
      },
      scanner_{
          {.keyspaces = keyspaces_,
           .speculate = options_.speculate.count() > 0 ? options_.attempt : options_.speculate},
          *driver_,
          reads_
      } {
    CHECK(keyspaces_.all != keyspaces_.of_region, "two keyspaces of one name", keyspaces_.all);
    for (const Table* table : tables_) {
        const Result<void> sound = check_table(*table);
        CHECK(sound.has_value(), "an unsound table", sound ? "" : sound.error().message);
        const bool added = statements_.try_emplace(table->name).second;
        CHECK(added, "two tables of one name", table->name);
        rows_written_.try_emplace(
            table,
            metrics.counter(
                "footfall_store_rows_written_total",
                "Rows given to the store to be written, by table.",
                {{"table", std::string{table->name}}}
            )
        );
    }
}

CassandraStore::~CassandraStore() {
    close();
}

void CassandraStore::close() {
    writer_.close();
    reads_.close();
    driver_->close();
}

Result<void> CassandraStore::begin() {
    TRY_VOID(driver_->connect(options_.connect_deadline));
    const KeyspaceUse use{.keyspaces = keyspaces_, .datacenter = options_.datacenter};
    if (options_.replication.empty()) {
        TRY_VOID(check_schema(*driver_, tables_, use));
    } else {
        TRY_VOID(apply_schema(*driver_, tables_, use, options_.replication));
    }
    TRY_VOID(prepare_all());
    TRY(const std::int64_t reserved, reserved_write_time());
    TRY_VOID(writer_.begin(reserved));
    driver_->each_second([this] {
        writer_.tick();
        reads_.tick();
    });
    return {};
}

Result<void> CassandraStore::write_after_others() {
    TRY(const std::int64_t reserved, reserved_write_time());
    return writer_.begin_behind(reserved);
}

Result<std::vector<storage::Value>> CassandraStore::insert_new(
    const Table& table, std::vector<storage::Value> row
) {
    CHECK(row.size() == table.width() && table.expires.empty(), "a whole row that stays");
    TRY(const std::uint32_t statement,
        driver_->prepare(
            insert_new_cql(table, keyspaces_), storage::Consistency::local_quorum, Use::write
        ));
    CellBuffer cells;
    for (std::size_t at = 0; at < row.size(); ++at) {
        cells.push(table.column(at).type, row[at]);
    }
    std::vector<cql_cell> views;
    cells.append_views(0, cells.size(), views);
    const Call call{.statement = statement, .cells = views};
    const auto promise = std::make_shared<std::promise<Answer>>();
    TRY_VOID(driver_->execute(
        std::span{&call, 1},
        options_.write_deadline,
        SecondNode{},
        [promise](Answer answer) { promise->set_value(std::move(answer)); }
    ));
    const Answer answer = promise->get_future().get();
    TRY_VOID(answer.outcome());
    if (answer.rows() == 1 && answer.text(0, 0) == std::string_view{"\1", 1}) {
        return row;
    }
    // An attempt of ours may have been taken before one that was answered: then this is our row.
    const auto key_end = row.begin() + static_cast<std::ptrdiff_t>(table.key_width());
    TRY(auto there, storage::read_one(*this, table, {row.begin(), key_end}));
    if (!there) {
        return fail(
            ErrorKind::unavailable,
            fmt::format("a row of {} was there and cannot be read yet; try again", table.name)
        );
    }
    return *std::move(there);
}

Result<void> CassandraStore::prepare_all() {
    for (const Table* table : tables_) {
        TableStatements& numbers = statements_.at(table->name);
        // An acknowledged write has to survive the loss of a replica, however the table is read.
        const auto write_level = storage::Consistency::local_quorum;
        TRY(numbers.insert,
            driver_->prepare(insert_cql(*table, keyspaces_), write_level, Use::write));
        TRY(numbers.erase,
            driver_->prepare(delete_cql(*table, keyspaces_), write_level, Use::write));
        TRY(numbers.select_row,
            driver_->prepare(select_row_cql(*table, keyspaces_), table->consistency, Use::read));
        if (has_select_rows(*table)) {
            const std::string rows = select_rows_cql(*table, keyspaces_);
            TRY(numbers.select_rows, driver_->prepare(rows, table->consistency, Use::read));
        }
    }
    return {};
}

Result<std::int64_t> CassandraStore::reserved_write_time() {
    const auto promise = std::make_shared<std::promise<Result<storage::Found>>>();
    reader_.read_many(write_time_table, {{"all"}}, [promise](Result<storage::Found> found) {
        promise->set_value(std::move(found));
    });
    TRY(const storage::Found found, promise->get_future().get());
    return found.rows.empty() ? 0 : found.rows.at(0, 1).number();
}

const TableStatements& CassandraStore::statements_of(const Table& table) const {
    const auto found = statements_.find(table.name);
    CHECK(found != statements_.end(), "a table the store was not opened with", table.name);
    return found->second;
}

Result<storage::CommitPosition> CassandraStore::submit(const storage::Batch& batch) {
    TRY(const storage::CommitPosition position, writer_.submit(batch));
    batch.for_each([&](const storage::Batch::Mutation& mutation) {
        rows_written_.at(mutation.table).add();
    });
    return position;
}

bool CassandraStore::durable(storage::CommitPosition position) const {
    return writer_.durable(position);
}

void CassandraStore::when_durable(storage::CommitPosition position, storage::DurableDone done) {
    writer_.when_durable(position, std::move(done));
}

void CassandraStore::read_many(
    const Table& table, std::vector<std::vector<storage::Value>> keys, storage::FoundDone done
) {
    reader_.read_many(table, std::move(keys), std::move(done));
}

void CassandraStore::read_range(storage::RangeQuery query, storage::PageDone done) {
    reader_.read_range(std::move(query), std::move(done));
}

void CassandraStore::read_ranges(
    std::vector<storage::RangeQuery> queries, storage::PagesDone done
) {
    if (Reader::reads_together(queries)) {
        reader_.read_ranges(std::move(queries), std::move(done));
    } else {
        Store::read_ranges(std::move(queries), std::move(done));
    }
}

void CassandraStore::scan(storage::ScanQuery query, storage::PageDone done) {
    CHECK(query.table != nullptr, "a scan without a table");
    (void)statements_of(*query.table);  // CHECKs that the table is one of ours
    scanner_.scan(std::move(query), std::move(done));
}

std::optional<Result<storage::Page>> CassandraStore::read_range_now(
    const storage::RangeQuery& /*query*/
) {
    return std::nullopt;
}

double CassandraStore::pressure() const {
    return writer_.pressure();
}

Result<void> CassandraStore::health() const {
    return writer_.health();
}

storage::Subscription CassandraStore::on_lost_writes(std::move_only_function<void()> handler) {
    return writer_.on_lost_writes(std::move(handler));
}

}  // namespace footfall::storage_cassandra
