#include "ads/ad_registry.h"

#include "ads/ad_schema.h"
#include "storage/blocking.h"
#include "storage/decimal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace footfall::ads {
namespace {

using std::chrono::days;
using std::chrono::floor;
using std::chrono::microseconds;

/// Clocks of a cluster differ by less.
constexpr std::chrono::minutes clocks_differ_most{1};

std::int64_t microseconds_of(Instant instant) {
    return instant.time_since_epoch().count();
}

std::int32_t day_of(Instant instant) {
    return static_cast<std::int32_t>(floor<days>(instant).time_since_epoch().count());
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    lines.reserve(static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1);
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        lines.emplace_back(text.substr(start, end - start));
        start = end + 1;
    }
    return lines;
}

/// What stands in the columns from `first` on of both tables.
Result<AdTerms> read_terms(const storage::Rows& rows, std::size_t row, std::size_t first) {
    TRY(const storage::Wide price, storage::decimal_of(rows.at(row, first + 1).text()));
    return AdTerms{
        .targets = lines_of(rows.at(row, first).text()),
        .price = static_cast<events::Micros>(price),
        .currency = std::string{rows.at(row, first + 2).text()},
        .publisher = std::string{rows.at(row, first + 3).text()}
    };
}

Result<RegisteredAd> checked(RegisteredAd ad) {
    if (const auto fault = fault_of_ad(ad)) {
        return fail(
            ErrorKind::corrupt, fmt::format("the registered ad {}: {}", ad.ad, fault->detail)
        );
    }
    return ad;
}

Result<RegisteredAd> read_registered(const storage::Rows& rows, std::size_t row) {
    RegisteredAd ad{
        .ad = std::string{rows.at(row, 0).text()},
        .terms = {},
        .author = std::string{rows.at(row, 5).text()},
        .changed_at = Instant{microseconds{rows.at(row, 6).number()}}
    };
    TRY(ad.terms, read_terms(rows, row, 1));
    return checked(std::move(ad));
}

Result<RegisteredAd> read_changed_ad(const storage::Rows& rows, std::size_t row) {
    RegisteredAd ad{
        .ad = std::string{rows.at(row, 2).text()},
        .terms = {},
        .author = std::string{rows.at(row, 7).text()},
        .changed_at = Instant{microseconds{rows.at(row, 1).number()}}
    };
    TRY(ad.terms, read_terms(rows, row, 3));
    return checked(std::move(ad));
}

storage::Batch rows_of(const RegisteredAd& ad) {
    const std::string targets = fmt::format("{}", fmt::join(ad.terms.targets, "\n"));
    const storage::DecimalBytes price{ad.terms.price};
    const std::int64_t changed_at = microseconds_of(ad.changed_at);
    storage::Batch batch;
    batch.upsert(
        registered_ad_table,
        {ad.ad, targets, price.view(), ad.terms.currency, ad.terms.publisher, ad.author, changed_at}
    );
    batch.upsert(
        ad_change_table,
        {day_of(ad.changed_at),
         changed_at,
         ad.ad,
         targets,
         price.view(),
         ad.terms.currency,
         ad.terms.publisher,
         ad.author}
    );
    return batch;
}

std::size_t bytes_of(const RegisteredAd& ad) {
    std::size_t bytes = ad.ad.size() + ad.author.size() + ad.terms.publisher.size();
    for (const std::string& each : ad.terms.targets) {
        bytes += each.size();
    }
    return bytes;
}

}  // namespace

Result<std::unique_ptr<AdRegistry>> AdRegistry::open(storage::Store& store, const Clock& clock) {
    std::unique_ptr<AdRegistry> registry{new AdRegistry{store, clock}};
    TRY_VOID(registry->load());
    return registry;
}

Result<void> AdRegistry::load() {
    storage::ScanQuery query{.table = &registered_ad_table};
    do {
        TRY(storage::Page page, storage::scan_page(*store_, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(RegisteredAd ad, read_registered(page.rows, row));
            install(std::move(ad));
        }
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return {};
}

AdRegistry::Ad AdRegistry::find(std::string_view ad) const {
    const std::shared_lock lock{mutex_};
    const auto found = ads_.find(ad);
    return found == ads_.end() ? nullptr : found->second;
}

Result<AdRegistry::Change> AdRegistry::put(std::string ad, AdTerms terms, std::string author) {
    const std::lock_guard alone{changing_};
    const Ad before = find(ad);
    if (before && before->terms == terms) {
        return Change{.ad = before, .is_new = false, .was_written = false};
    }
    RegisteredAd changed{
        .ad = std::move(ad),
        .terms = std::move(terms),
        .author = std::move(author),
        .changed_at = clock_->now()
    };
    if (before) {  // a clock that was set back hides no change
        changed.changed_at = std::max(changed.changed_at, before->changed_at + microseconds{1});
    }
    TRY_VOID(check_room(changed, before));
    TRY_VOID(storage::write_durably(*store_, rows_of(changed)));
    std::string name = changed.ad;
    install(std::move(changed));
    return Change{.ad = find(name), .is_new = !before, .was_written = true};
}

Result<void> AdRegistry::check_room(const RegisteredAd& ad, const Ad& before) const {
    const std::size_t less = before ? bytes_of(*before) : 0;
    const std::shared_lock lock{mutex_};
    if (!before && ads_.size() >= ads_max) {
        return fail(
            ErrorKind::conflict, fmt::format("there are {} ads, which is the most", ads_max)
        );
    }
    if (bytes_ - less + bytes_of(ad) > bytes_max) {
        return fail(
            ErrorKind::conflict,
            fmt::format("the texts of all ads take at most {} MiB", bytes_max >> 20)
        );
    }
    return {};
}

/// Unless a later change is known already.
void AdRegistry::install(RegisteredAd ad) {
    const Ad installed = std::make_shared<const RegisteredAd>(std::move(ad));
    const std::lock_guard lock{mutex_};
    Ad& known = ads_[installed->ad];
    if (!known || known->changed_at < installed->changed_at) {
        bytes_ += bytes_of(*installed);
        bytes_ -= known ? bytes_of(*known) : 0;
        known = installed;
    }
}

Result<void> AdRegistry::read_changes() {
    const std::lock_guard alone{reading_};
    const Instant now = clock_->now();
    const Instant from = std::min(read_until_, now) - clocks_differ_most;
    for (std::int32_t day = day_of(from); day <= day_of(now + clocks_differ_most); ++day) {
        TRY_VOID(read_day(day, from));
    }
    read_until_ = now;
    return {};
}

Result<void> AdRegistry::read_day(std::int32_t day, Instant from) {
    storage::RangeQuery query{
        .table = &ad_change_table, .partition = {std::int64_t{day}}, .from = {microseconds_of(from)}
    };
    do {
        TRY(storage::Page page, storage::read_page(*store_, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(RegisteredAd ad, read_changed_ad(page.rows, row));
            install(std::move(ad));
        }
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return {};
}

std::vector<AdRegistry::Ad> AdRegistry::list(
    std::string_view prefix, std::string_view after, std::size_t limit
) const {
    std::vector<Ad> listed;
    const std::shared_lock lock{mutex_};
    auto next = after < prefix ? ads_.lower_bound(prefix) : ads_.upper_bound(after);
    for (; next != ads_.end() && listed.size() < limit && next->first.starts_with(prefix); ++next) {
        listed.push_back(next->second);
    }
    return listed;
}

std::size_t AdRegistry::size() const {
    const std::shared_lock lock{mutex_};
    return ads_.size();
}

}  // namespace footfall::ads
