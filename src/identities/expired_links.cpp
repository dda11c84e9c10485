#include "identities/expired_links.h"

#include "identities/fact_bytes.h"
#include "identities/fact_rows.h"
#include "identities/lifetime.h"
#include "storage/blocking.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>

namespace footfall::identities {
namespace {

constexpr std::size_t expiries_a_page = 256;
constexpr std::chrono::seconds look_every{10};
constexpr std::chrono::hours look_idle_every{1};
/// Rows that are due come so late, of who writes at the same time.
constexpr std::chrono::minutes rows_come_late{2};
/// An hour is ended so long after it: what is written by a clock that is behind is over by then,
/// and nobody writes rows of it any more (Identities).
constexpr std::chrono::minutes hour_ends_after = 3 * clocks_differ_max;

}  // namespace

Result<void> ExpiredLinks::go_on(const std::stop_token& stop) {
    const Instant now = identities_->clock().now();
    const bool has_lifetimes = any_ends(*identities_->guards().guards);
    if (looked_ && now < *looked_ + (has_lifetimes ? Instant::duration{look_every}
                                                   : Instant::duration{look_idle_every})) {
        return {};
    }
    TRY_VOID(identities_->refresh_guards());
    if (!looked_) {
        TRY_VOID(identities_->finish_ended());
    }
    TRY(const std::vector<ExpiryBucket> buckets, read_expiry_buckets(store(), now));
    for (const ExpiryBucket& each : buckets) {
        if (end_of(each) + hour_ends_after <= now) {
            TRY_VOID(end_bucket(each, stop));
        } else {
            TRY_VOID(settle_bucket(each, now, stop));
        }
    }
    looked_ = now;
    std::erase_if(recent_, [&](const auto& each) { return each.first < now - rows_come_late; });
    return {};
}

/// What has come due since the last turn. The first turn of a process takes all that is there.
Result<void> ExpiredLinks::settle_bucket(
    const ExpiryBucket& bucket, Instant now, const std::stop_token& stop
) {
    const Instant from = looked_ ? *looked_ - rows_come_late : Instant{};
    storage::RangeQuery query = expiry_query(bucket, from, now, expiries_a_page);
    do {
        if (stop.stop_requested()) {
            return fail(ErrorKind::cancelled, "settling was stopped");
        }
        TRY(const storage::Page page, storage::read_page(store(), query));
        std::vector<ExpiryRow> rows;
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(ExpiryRow read, read_expiry_row(page.rows, row));
            if (!recent_.contains({read.due, read.expiry.fact})) {
                rows.push_back(std::move(read));
            }
        }
        TRY_VOID(settle_rows(rows));
        for (const ExpiryRow& each : rows) {
            recent_.emplace(each.due, each.expiry.fact);
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    return {};
}

/// Settles all rows of an hour, and erases them; that it was there last, so that who is killed
/// before comes here again.
Result<void> ExpiredLinks::end_bucket(const ExpiryBucket& bucket, const std::stop_token& stop) {
    TRY_VOID(identities_->finish_ended());
    storage::RangeQuery query = expiry_query(bucket, Instant{}, end_of(bucket), expiries_a_page);
    do {
        if (stop.stop_requested()) {
            return fail(ErrorKind::cancelled, "settling was stopped");
        }
        TRY(const storage::Page page, storage::read_page(store(), query));
        std::vector<ExpiryRow> rows;
        storage::Batch batch;
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(ExpiryRow read, read_expiry_row(page.rows, row));
            erase_expiry(bucket, read, batch);
            rows.push_back(std::move(read));
        }
        TRY_VOID(settle_rows(rows));
        if (!batch.empty()) {
            TRY_VOID(storage::write_durably(store(), batch));
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    storage::Batch batch;
    erase_bucket(bucket, batch);
    return storage::write_durably(store(), batch);
}

/// Of those that were said again since, and end later, a later row tells. One of which nothing is
/// here is settled, too: it says nothing any more.
Result<void> ExpiredLinks::settle_rows(std::span<const ExpiryRow> rows) {
    if (rows.empty()) {
        return {};
    }
    std::vector<FactOf> asked;
    asked.reserve(rows.size());
    for (const ExpiryRow& each : rows) {
        asked.push_back({.holder = each.expiry.ids.front(), .fact = each.expiry.fact});
    }
    TRY(const auto facts, read_each_fact(store(), asked));
    const std::shared_ptr<const Guards> guards = identities_->guards().guards;
    const Instant now = identities_->clock().now();
    std::set<Id> ids;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const std::optional<Fact>& fact = facts[at];
        if (!fact || has_ended(*guards, *fact, now)) {
            ids.insert(rows[at].expiry.ids.begin(), rows[at].expiry.ids.end());
            ++ended_;
        }
    }
    if (ids.empty()) {
        return {};
    }
    const Result<std::size_t> left =
        identities_->settle_ended(std::vector<Id>{ids.begin(), ids.end()});
    return left ? Result<void>{} : std::unexpected(left.error());
}

}  // namespace footfall::identities
