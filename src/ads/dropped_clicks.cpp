#include "ads/dropped_clicks.h"

#include "ads/ledger.h"
#include "ads/row_sums.h"
#include "ads/schema.h"
#include "ads/split.h"
#include "storage/blocking.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace footfall::ads {
namespace {

/// Nobody counts again for so long.
constexpr std::chrono::hours told_before{24};

}  // namespace

Result<DroppedClicks> DroppedClicks::read(storage::Store& store) {
    TRY(const auto row,
        storage::read_one(store, ad_click_dropped_table, {std::string{the_ledger}}));
    if (!row) {
        return DroppedClicks{};
    }
    const auto number = [&](std::size_t at) { return std::get<std::int64_t>((*row)[at]); };
    return DroppedClicks{
        .begun = booked_of_day(static_cast<Day>(number(1))),
        .begun_at = Instant{std::chrono::microseconds{number(2)}},
        .done = booked_of_day(static_cast<Day>(number(3)))
    };
}

Result<void> DroppedClicks::write(storage::Store& store) const {
    storage::Batch batch;
    batch.upsert(
        ad_click_dropped_table,
        {the_ledger,
         std::int64_t{day_of_booked(begun)},
         std::int64_t{begun_at.time_since_epoch().count()},
         std::int64_t{day_of_booked(done)}}
    );
    return storage::write_durably(store, batch);
}

Result<void> ClickSweep::turn(const std::stop_token& stop) {
    if (!keep_) {
        return {};
    }
    const Instant now = ledger_->clock().now();
    TRY(DroppedClicks dropped, DroppedClicks::read(ledger_->store()));
    if (dropped.begun > dropped.done) {
        if (now < dropped.begun_at + told_before) {
            return {};
        }
        TRY_VOID(drop_all(dropped, stop));
        dropped.done = dropped.begun;
        TRY_VOID(dropped.write(ledger_->store()));
    }
    TRY(const Seals seals, ledger_->seals());
    const std::optional<Month> due = seals.sealed(now - *keep_);
    if (!due || *due <= dropped.begun) {
        return {};
    }
    dropped.begun = *due;
    dropped.begun_at = now;
    return dropped.write(ledger_->store());
}

Result<void> ClickSweep::drop_all(const DroppedClicks& dropped, const std::stop_token& stop) {
    return for_each_party(
        *ledger_,
        PartyKind::reseller,
        stop,
        [&](const Parties::Named& each) -> Result<void> {
            for (const std::string& currency : each.currencies) {
                if (!currency.empty()) {
                    TRY_VOID(drop_party(each.party, currency, dropped));
                }
            }
            return {};
        }
    );
}

Result<void> ClickSweep::drop_party(
    const std::string& reseller, const std::string& currency, const DroppedClicks& dropped
) {
    std::map<Day, std::set<unsigned>> days;
    storage::RangeQuery query{
        .table = &reseller_tables.day,
        .partition = {reseller, currency},
        .from = {std::int64_t{last_day(dropped.begun)}}
    };
    if (dropped.done != from_the_beginning) {
        query.through = {std::int64_t{first_day(dropped.done + 1)}};
    }
    do {
        TRY(const storage::Page page, storage::read_page(ledger_->store(), query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(const RowSums sums, read_sums(page.rows, row));
            const auto day = static_cast<Day>(column_of(page.rows, row, "day").number());
            for (const auto& [quarter, amounts] : sums.quarters) {
                days[day].insert(quarter);
            }
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    for (const auto& [day, buckets] : days) {
        TRY_VOID(drop_day(reseller, day, buckets));
    }
    return {};
}

/// The quarter-hours of a day, of all currencies: they stand in the same partitions.
Result<void> ClickSweep::drop_day(
    const std::string& reseller, Day day, const std::set<unsigned>& buckets
) {
    std::vector<storage::RangeQuery> queries;
    queries.reserve(buckets.size());
    for (const unsigned bucket : buckets) {
        queries.push_back(
            {.table = &ad_click_table,
             .partition = {reseller, std::int64_t{day}, std::int64_t{bucket}}}
        );
    }
    while (!queries.empty()) {
        TRY(const std::vector<storage::Page> pages, storage::read_pages(ledger_->store(), queries));
        std::vector<storage::RangeQuery> more;
        storage::Batch batch;
        for (std::size_t at = 0; at < pages.size(); ++at) {
            const storage::Rows& rows = pages[at].rows;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                const std::vector<storage::Value> key = key_of(rows, row);
                batch.erase(ad_click_table, storage::views_of(key));
            }
            if (!pages[at].continuation.empty()) {
                more.push_back(std::move(queries[at]));
                more.back().continuation = pages[at].continuation;
            }
        }
        if (!batch.empty()) {
            TRY_VOID(storage::write_durably(ledger_->store(), batch));
            dropped_ += batch.size();
        }
        queries = std::move(more);
    }
    return {};
}

}  // namespace footfall::ads
