#include "identities/expiry_rows.h"

#include "identities/fact_bytes.h"
#include "identities/schema.h"
#include "identities/stored_ids.h"
#include "identities/stored_instant.h"
#include "storage/blocking.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::identities {
namespace {

/// The only partition of the buckets.
constexpr std::string_view all_buckets = "expiries";
constexpr std::int64_t expiry_parts = 16;
constexpr std::chrono::seconds due_step{10};

// Of identity_expiry.
constexpr std::size_t due_column = 2;
constexpr std::size_t ended_fact_column = 3;
constexpr std::size_t ended_ids_column = 4;

std::int64_t hour_of(Instant due) {
    return std::chrono::floor<std::chrono::hours>(due).time_since_epoch().count();
}

/// A fact's name is a hash already. Not its first bytes: those of some facts are zeros.
ExpiryBucket bucket_of(const FactId& fact, Instant due) {
    return {.hour = hour_of(due), .part = fact.bytes.back() % expiry_parts};
}

}  // namespace

Instant end_of(const ExpiryBucket& bucket) {
    return Instant{std::chrono::hours{bucket.hour + 1}};
}

Instant due_of(Instant end) {
    const auto steps = std::chrono::ceil<std::chrono::seconds>(end).time_since_epoch();
    const auto behind = steps % due_step;
    return Instant{behind.count() == 0 ? steps : steps + due_step - behind};
}

void add_expiries(std::span<const Expiry> expiries, storage::Batch& batch) {
    std::set<ExpiryBucket> buckets;
    for (const Expiry& each : expiries) {
        const Instant due = due_of(each.end);
        const ExpiryBucket bucket = bucket_of(each.fact, due);
        buckets.insert(bucket);
        batch.upsert(
            identity_expiry_table,
            {bucket.hour,
             bucket.part,
             microseconds_of(due),
             bytes_of(each.fact),
             stored_text(each.ids)}
        );
    }
    for (const ExpiryBucket& each : buckets) {
        batch.upsert(identity_expiry_bucket_table, {all_buckets, each.hour, each.part});
    }
}

Result<std::vector<ExpiryBucket>> read_expiry_buckets(storage::Store& store, Instant until) {
    TRY(const storage::Rows rows,
        storage::read_all(
            store,
            {.table = &identity_expiry_bucket_table,
             .partition = {std::string{all_buckets}},
             .through = {hour_of(until)}}
        ));
    std::vector<ExpiryBucket> buckets;
    buckets.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        buckets.push_back({.hour = rows.at(row, 1).number(), .part = rows.at(row, 2).number()});
    }
    return buckets;
}

storage::RangeQuery expiry_query(
    const ExpiryBucket& bucket, Instant from, Instant through, std::size_t most
) {
    return {
        .table = &identity_expiry_table,
        .partition = {bucket.hour, bucket.part},
        .from = {microseconds_of(from)},
        .through = {microseconds_of(through)},
        .max_rows = most
    };
}

Result<ExpiryRow> read_expiry_row(const storage::Rows& rows, std::size_t row) {
    ExpiryRow read{.due = instant_of(rows.at(row, due_column).number()), .expiry = {.ids = {}}};
    TRY(read.expiry.fact, read_fact_id(rows.at(row, ended_fact_column).text()));
    TRY(read.expiry.ids, read_stored_ids(rows.at(row, ended_ids_column).text()));
    read.expiry.end = read.due;
    return read;
}

void erase_expiry(const ExpiryBucket& bucket, const ExpiryRow& row, storage::Batch& batch) {
    batch.erase(
        identity_expiry_table,
        {bucket.hour, bucket.part, microseconds_of(row.due), bytes_of(row.expiry.fact)}
    );
}

void erase_bucket(const ExpiryBucket& bucket, storage::Batch& batch) {
    batch.erase(identity_expiry_bucket_table, {all_buckets, bucket.hour, bucket.part});
}

Result<bool> has_expiry(storage::Store& store, const FactId& fact, Instant end) {
    const Instant due = due_of(end);
    const ExpiryBucket bucket = bucket_of(fact, due);
    TRY(const auto row,
        storage::read_one(
            store,
            identity_expiry_table,
            {bucket.hour, bucket.part, microseconds_of(due), bytes_of(fact)}
        ));
    return row.has_value();
}

}  // namespace footfall::identities
