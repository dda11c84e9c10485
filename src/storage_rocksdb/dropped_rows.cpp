#include "storage_rocksdb/dropped_rows.h"

#include "storage/key_codec.h"

#include <chrono>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

using storage::Table;

constexpr std::chrono::hours reclaim_after{1};

/// Rows that cannot be read are kept: hiding damage is not a filter's job.
class ExpiredRows final : public rocksdb::CompactionFilter {
public:
    ExpiredRows(const Table& table, Instant now) : table_{&table}, now_{now} {}

    const char* Name() const override { return "footfall.expired_rows"; }

    bool Filter(int, const rocksdb::Slice&, const rocksdb::Slice& value, std::string*, bool*)
        const override {
        const Result<std::int64_t> expires =
            storage::decode_expires(*table_, {value.data(), value.size()});
        return expires && *expires != 0 &&
               Instant{std::chrono::microseconds{*expires}} < now_ - reclaim_after;
    }

private:
    const Table* table_;
    Instant now_;
};

class ExpiredRowsFactory final : public rocksdb::CompactionFilterFactory {
public:
    ExpiredRowsFactory(const Table& table, const Clock& clock) : table_{&table}, clock_{&clock} {}

    const char* Name() const override { return "footfall.expired_rows_factory"; }

    std::unique_ptr<rocksdb::CompactionFilter>
    CreateCompactionFilter(const rocksdb::CompactionFilter::Context&) override {
        return std::make_unique<ExpiredRows>(*table_, clock_->now());
    }

private:
    const Table* table_;
    const Clock* clock_;
};

class RowsOfForgotten final : public rocksdb::CompactionFilter {
public:
    RowsOfForgotten(const Table& table, storage::LaneBegins begins)
        : table_{&table}, begins_{std::move(begins)} {}

    const char* Name() const override { return "footfall.rows_of_forgotten"; }

    bool Filter(int, const rocksdb::Slice&, const rocksdb::Slice& value, std::string*, bool*)
        const override {
        const auto record = storage::decode_record(*table_, {value.data(), value.size()});
        return record && begins_.is_before(*record);
    }

private:
    const Table* table_;
    storage::LaneBegins begins_;
};

class RowsOfForgottenFactory final : public rocksdb::CompactionFilterFactory {
public:
    RowsOfForgottenFactory(const Table& table, const storage::ForgottenRecords& forgotten)
        : table_{&table}, forgotten_{&forgotten} {}

    const char* Name() const override { return "footfall.rows_of_forgotten_factory"; }

    std::unique_ptr<rocksdb::CompactionFilter>
    CreateCompactionFilter(const rocksdb::CompactionFilter::Context&) override {
        return std::make_unique<RowsOfForgotten>(*table_, forgotten_->now());
    }

private:
    const Table* table_;
    const storage::ForgottenRecords* forgotten_;
};

}  // namespace

std::shared_ptr<rocksdb::CompactionFilterFactory> dropped_rows(
    const Table& table, const Clock& clock, const storage::ForgottenRecords& forgotten
) {
    if (table.of_record) {
        return std::make_shared<RowsOfForgottenFactory>(table, forgotten);
    }
    if (!table.expires.empty()) {
        return std::make_shared<ExpiredRowsFactory>(table, clock);
    }
    return nullptr;
}

}  // namespace footfall::storage_rocksdb
