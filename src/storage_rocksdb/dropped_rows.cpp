#include "storage_rocksdb/dropped_rows.h"

#include "storage/key_codec.h"

#include <chrono>
#include <functional>
#include <string_view>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

using storage::Table;

constexpr std::chrono::hours reclaim_after{1};

/// Of a row, by its values. Those that cannot be read are kept: hiding damage is not a filter's
/// job.
using IsGone = std::function<bool(std::string_view values)>;

class DroppedRows final : public rocksdb::CompactionFilter {
public:
    explicit DroppedRows(IsGone is_gone) : is_gone_{std::move(is_gone)} {}

    const char* Name() const override { return "footfall.dropped_rows"; }

    bool Filter(int, const rocksdb::Slice&, const rocksdb::Slice& value, std::string*, bool*)
        const override {
        return is_gone_({value.data(), value.size()});
    }

private:
    IsGone is_gone_;
};

class DroppedRowsFactory final : public rocksdb::CompactionFilterFactory {
public:
    /// `now`: what is gone when files begin to be merged.
    explicit DroppedRowsFactory(std::function<IsGone()> now) : now_{std::move(now)} {}

    const char* Name() const override { return "footfall.dropped_rows_factory"; }

    std::unique_ptr<rocksdb::CompactionFilter>
    CreateCompactionFilter(const rocksdb::CompactionFilter::Context&) override {
        return std::make_unique<DroppedRows>(now_());
    }

private:
    std::function<IsGone()> now_;
};

IsGone expired(const Table& table, Instant now) {
    return [&table, before = now - reclaim_after](std::string_view values) {
        const Result<std::int64_t> expires = storage::decode_expires(table, values);
        return expires && *expires != 0 && Instant{std::chrono::microseconds{*expires}} < before;
    };
}

IsGone of_forgotten_record(const Table& table, storage::LaneBegins begins) {
    return [&table, begins = std::move(begins)](std::string_view values) {
        const auto record = storage::decode_record(table, values);
        return record && begins.is_before(*record);
    };
}

}  // namespace

std::shared_ptr<rocksdb::CompactionFilterFactory> dropped_rows(
    const Table& table, const Clock& clock, const storage::ForgottenRecords& forgotten
) {
    if (table.of_record) {
        return std::make_shared<DroppedRowsFactory>([&table, &forgotten] {
            return of_forgotten_record(table, forgotten.now());
        });
    }
    if (!table.expires.empty()) {
        return std::make_shared<DroppedRowsFactory>([&table, &clock] {
            return expired(table, clock.now());
        });
    }
    return nullptr;
}

}  // namespace footfall::storage_rocksdb
