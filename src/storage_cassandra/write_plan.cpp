#include "storage_cassandra/write_plan.h"

#include "foundation/check.h"
#include "foundation/utf8.h"
#include "storage/key_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>

namespace footfall::storage_cassandra {
namespace {

using storage::Batch;
using storage::Table;
using storage::ValueView;

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t hour = 3600 * second;
constexpr std::int64_t end_of_2037 = 2'145'916'800 * second;
constexpr std::size_t max_key_bytes = 65'535;

std::string_view partition_of(const Batch::Mutation& mutation) {
    return mutation.key.substr(0, mutation.partition_length);
}

/// By table, partition, key; of one key, in the order of the batch. What is encoded of a partition
/// is the beginning of its keys, and of no other partition's.
std::vector<Batch::Mutation> sorted(const Batch& batch) {
    std::vector<Batch::Mutation> mutations;
    mutations.reserve(batch.size());
    batch.for_each([&](const Batch::Mutation& mutation) { mutations.push_back(mutation); });
    std::ranges::sort(mutations, [](const auto& left, const auto& right) {
        if (left.table != right.table) {
            return std::less<const Table*>{}(left.table, right.table);
        }
        // All keys lie in the batch's one buffer, in its order.
        return left.key != right.key ? left.key < right.key : left.key.data() < right.key.data();
    });
    return mutations;
}

/// Adds the rows of a batch, one after the other, to the partition they belong to.
class Planner {
public:
    Planner(Instant now, const std::function<const TableStatements&(const Table&)>& statements_of)
        : now_{now}, statements_of_{statements_of} {}

    Result<void> add(const Batch::Mutation& mutation, bool new_partition) {
        const Table& table = *mutation.table;
        columns_.clear();
        Result<void> decoded = decode_key(table, mutation.key, columns_, texts_);
        const bool erase = mutation.kind == Batch::Kind::erase;
        if (decoded && !erase) {
            decoded = decode_row_values(table, mutation.values, columns_);
        }
        CHECK(decoded.has_value(), "a batch holds what it encoded", table.name);
        TRY_VOID(check_columns(table));
        if (new_partition) {
            TRY_VOID(check_partition(table));
            writes_.emplace_back().shared = table.shared;
        }
        PartitionWrite& write = writes_.back();
        if (erase) {
            add_erase(table, write);
        } else {
            add_insert(table, write);
        }
        if (write.rows.size() > max_partition_write_rows ||
            write.bytes() > max_partition_write_bytes) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "table {}: more than {} rows or {} bytes of one partition in one batch",
                    table.name,
                    max_partition_write_rows,
                    max_partition_write_bytes
                )
            );
        }
        return {};
    }

    std::vector<PartitionWrite> take() { return std::move(writes_); }

private:
    /// What one row has wrong would else be told by the cluster, and cost all that is queued.
    Result<void> check_columns(const Table& table) const {
        for (std::size_t at = 0; at < columns_.size(); ++at) {
            const storage::Column& column = table.column(at);
            if (column.type == storage::ColumnType::text && !is_utf8(columns_[at].text())) {
                return fail(
                    ErrorKind::invalid_input,
                    fmt::format("table {}: {} is not UTF-8", table.name, column.name)
                );
            }
            if (at < table.key_width() && columns_[at].is_text() &&
                columns_[at].text().size() > max_key_bytes) {
                return fail(
                    ErrorKind::invalid_input,
                    fmt::format("table {}: {} is beyond 64 KiB", table.name, column.name)
                );
            }
        }
        return {};
    }

    Result<void> check_partition(const Table& table) const {
        std::size_t bytes = 0;
        for (std::size_t at = 0; at < table.partition.size(); ++at) {
            bytes += columns_[at].is_text() ? columns_[at].text().size() : sizeof(std::int64_t);
            bytes += table.partition.size() > 1 ? 3 : 0;  // what a composite key adds
        }
        if (bytes == 0 || bytes > max_key_bytes) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("table {}: a partition key of {} bytes", table.name, bytes)
            );
        }
        return {};
    }

    void add_erase(const Table& table, PartitionWrite& write) {
        PartitionWrite::Row row{
            .statement = statements_of_(table).erase,
            .first_cell = write.cells.size(),
            .cells = table.key_width() + 1,
            .timestamp_cell = write.cells.size()
        };
        write.cells.push_bigint(0);
        push_columns(table, write, table.key_width());
        write.rows.push_back(row);
    }

    void add_insert(const Table& table, PartitionWrite& write) {
        const std::size_t first = write.cells.size();
        push_columns(table, write, table.width());
        const std::size_t timestamp = write.cells.size();
        write.cells.push_bigint(0);
        if (!table.expires.empty()) {
            write.cells.push_int(time_to_live(columns_[table.expires_index()].number(), now_));
        }
        write.rows.push_back(
            {.statement = statements_of_(table).insert,
             .first_cell = first,
             .cells = write.cells.size() - first,
             .timestamp_cell = timestamp}
        );
    }

    void push_columns(const Table& table, PartitionWrite& write, std::size_t count) {
        for (std::size_t at = 0; at < count; ++at) {
            write.cells.push(table.column(at).type, columns_[at]);
        }
    }

    Instant now_;
    const std::function<const TableStatements&(const Table&)>& statements_of_;
    std::vector<PartitionWrite> writes_;
    std::vector<ValueView> columns_;
    std::string texts_;
};

}  // namespace

void PartitionWrite::set_timestamp(std::int64_t timestamp) {
    for (const Row& row : rows) {
        cells.set_bigint(row.timestamp_cell, timestamp);
    }
}

Result<std::vector<PartitionWrite>> plan_writes(
    const Batch& batch,
    Instant now,
    const std::function<const TableStatements&(const Table&)>& statements_of
) {
    const std::vector<Batch::Mutation> mutations = sorted(batch);
    Planner planner{now, statements_of};
    const Batch::Mutation* before = nullptr;
    for (std::size_t at = 0; at < mutations.size(); ++at) {
        const Batch::Mutation& mutation = mutations[at];
        const bool replaced = at + 1 < mutations.size() &&
                              mutations[at + 1].table == mutation.table &&
                              mutations[at + 1].key == mutation.key;
        if (replaced) {
            continue;
        }
        const bool new_partition = before == nullptr || before->table != mutation.table ||
                                   partition_of(*before) != partition_of(mutation);
        TRY_VOID(planner.add(mutation, new_partition));
        before = &mutation;
    }
    return planner.take();
}

std::int32_t time_to_live(std::int64_t expires, Instant now) {
    if (expires == 0 || expires > end_of_2037 - hour) {
        return 0;
    }
    const std::int64_t clock = now.time_since_epoch().count();
    const std::int64_t left = expires > clock ? expires - clock : 0;
    return static_cast<std::int32_t>((left + hour + second - 1) / second);
}

}  // namespace footfall::storage_cassandra
