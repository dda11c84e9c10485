#include "ads/party_check.h"

#include "ads/row_sums.h"
#include "ads/schema.h"
#include "storage/blocking.h"
#include "storage/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace footfall::ads {
namespace {

using Key = std::vector<storage::Value>;
using StoredRows = std::map<Key, RowSums>;

constexpr std::size_t keys_at_once = 512;

Result<StoredRows> read_rows(storage::Store& store, const storage::Table& table, Key partition) {
    TRY(const storage::Rows rows,
        storage::read_all(store, {.table = &table, .partition = std::move(partition)}));
    StoredRows stored;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        TRY(RowSums sums, read_sums(rows, row));
        stored.emplace(key_of(rows, row), std::move(sums));
    }
    return stored;
}

std::int64_t number_in(const storage::Table& table, const Key& key, std::string_view column) {
    return key_column(table, key, column).value_or(std::int64_t{0}).number();
}

std::string text_in(const storage::Table& table, const Key& key, std::string_view column) {
    return std::string{key_column(table, key, column).value_or("").text()};
}

class PartyCheck {
public:
    PartyCheck(
        storage::Store& store,
        const CheckedParty& checked,
        const TimeZone& zone,
        const ClicksKept& kept
    )
        : store_{&store},
          checked_{&checked},
          zone_{&zone},
          kept_{&kept},
          tables_{&tables_of(checked.kind)} {}

    Result<std::vector<std::string>> run() {
        for (const std::string& currency : checked_->currencies) {
            TRY(StoredRows months, read_rows(*store_, tables_->month, {checked_->party, currency}));
            TRY(StoredRows days, read_rows(*store_, tables_->day, {checked_->party, currency}));
            months_.merge(months);
            days_.merge(days);
        }
        add_days_and_months();
        for (const auto& [month, days] : days_of_months()) {
            TRY_VOID(check_month(month, days));
        }
        compare_sums();
        return std::move(differences_);
    }

private:
    /// Currency, booked, writer, day.
    using SumName = std::tuple<std::string, std::int64_t, std::string, Day>;

    struct ThreeSums {
        Amounts by_month;
        Amounts by_day;
        Amounts by_ad;
    };

    bool has_ads() const { return !checked_->party.empty(); }

    ThreeSums& sums_of(const storage::Table& table, const Key& key, Day day) {
        return sums_[{
            text_in(table, key, "currency"),
            number_in(table, key, "booked"),
            text_in(table, key, "writer"),
            day
        }];
    }

    void add_days_and_months() {
        for (const auto& [key, row] : months_) {
            Amounts sum;
            for (const auto& [day, amounts] : row.days) {
                sums_of(tables_->month, key, day).by_month += amounts;
                sum += amounts;
            }
            compare_parts(tables_->month, key, row, sum, "days");
        }
        for (const auto& [key, row] : days_) {
            const auto day = static_cast<Day>(number_in(tables_->day, key, "day"));
            sums_of(tables_->day, key, day).by_day += row.amounts;
            Amounts sum;
            for (const auto& [quarter, amounts] : row.quarters) {
                sum += amounts;
            }
            compare_parts(tables_->day, key, row, sum, "quarter-hours");
        }
    }

    void compare_parts(
        const storage::Table& table,
        const Key& key,
        const RowSums& row,
        const Amounts& parts,
        std::string_view of
    ) {
        if (row.amounts != parts) {
            differences_.push_back(fmt::format(
                "{}: {} stored; its {} come to {}",
                row_name(table, key),
                text_of(row.amounts),
                of,
                text_of(parts)
            ));
        }
    }

    std::map<Month, std::set<Day>> days_of_months() const {
        std::map<Month, std::set<Day>> months;
        for (const auto& [name, sums] : sums_) {
            const Day day = std::get<Day>(name);
            months[month_of(day)].insert(day);
        }
        return months;
    }

    Result<void> check_month(Month month, const std::set<Day>& days) {
        StoredRows ads;
        if (has_ads()) {
            TRY(ads,
                read_rows(*store_, tables_->ad, {checked_->party, std::int64_t{first_day(month)}}));
        }
        for (const auto& [key, row] : ads) {
            const auto day = static_cast<Day>(number_in(tables_->ad, key, "day"));
            sums_of(tables_->ad, key, day).by_ad += row.amounts;
        }
        if (checked_->kind == events::PartyKind::publisher) {
            return compare_with_resellers(ads);
        }
        for (const Day day : days) {
            if ((*kept_)(day)) {
                TRY_VOID(compare_with_clicks(day, ads));
            }
        }
        return {};
    }

    void compare_sums() {
        for (const auto& [name, sums] : sums_) {
            const auto& [currency, booked, writer, day] = name;
            const std::string of = row_name(
                tables_->month, Key{checked_->party, currency, booked, std::int64_t{0}, writer}
            );
            const auto compare = [&](const Amounts& others, std::string_view table) {
                if (sums.by_month != others) {
                    differences_.push_back(fmt::format(
                        "{}, day {}: {} stored; {} has {}",
                        of,
                        format_day(day),
                        text_of(sums.by_month),
                        table,
                        text_of(others)
                    ));
                }
            };
            compare(sums.by_day, tables_->day.name);
            if (has_ads()) {
                compare(sums.by_ad, tables_->ad.name);
            }
        }
    }

    /// What rows of ad_click come to, by the rows that have them.
    struct FromClicks {
        StoredRows days;
        StoredRows ads;
    };

    Result<void> compare_with_clicks(Day day, const StoredRows& ads) {
        TRY(const FromClicks clicks, read_clicks(day, ads));
        compare_day(tables_->day, day, days_, clicks.days);
        if (has_ads()) {
            compare_day(tables_->ad, day, ads, clicks.ads);
        }
        return {};
    }

    void compare_day(
        const storage::Table& table, Day day, const StoredRows& stored, const StoredRows& clicks
    ) {
        for (const auto& [key, row] : stored) {
            if (number_in(table, key, "day") != day) {
                continue;
            }
            const auto found = clicks.find(key);
            RowSums from_clicks = found == clicks.end() ? RowSums{} : found->second;
            // What was refused is in no row of ad_click.
            from_clicks.refused = row.refused;
            from_clicks.through = row.through;
            from_clicks.first_arrival = row.first_arrival;
            if (auto difference =
                    sums_difference(row_name(table, key), row, from_clicks, "ad_click has")) {
                differences_.push_back(*std::move(difference));
            }
        }
        for (const auto& [key, row] : clicks) {
            if (!stored.contains(key)) {
                differences_.push_back(fmt::format(
                    "{}: none stored; ad_click has {}", row_name(table, key), text_of(row)
                ));
            }
        }
    }

    /// The quarter-hours of a day of which its rows say something.
    std::set<unsigned> buckets_of(Day day, const StoredRows& ads) const {
        std::set<unsigned> buckets;
        const auto add = [&](const storage::Table& table, const StoredRows& rows) {
            for (const auto& [key, row] : rows) {
                if (number_in(table, key, "day") == day) {
                    for (const auto& [quarter, amounts] : row.quarters) {
                        buckets.insert(quarter);
                    }
                }
            }
        };
        add(tables_->day, days_);
        add(tables_->ad, ads);
        return buckets;
    }

    Result<FromClicks> read_clicks(Day day, const StoredRows& ads) const {
        const std::set<unsigned> buckets = buckets_of(day, ads);
        std::vector<storage::RangeQuery> queries;
        queries.reserve(buckets.size());
        for (const unsigned bucket : buckets) {
            queries.push_back(
                {.table = &ad_click_table,
                 .partition = {checked_->party, std::int64_t{day}, std::int64_t{bucket}}}
            );
        }
        FromClicks clicks;
        while (!queries.empty()) {
            TRY(const std::vector<storage::Page> pages, storage::read_pages(*store_, queries));
            std::vector<storage::RangeQuery> more;
            for (std::size_t at = 0; at < pages.size(); ++at) {
                for (std::size_t row = 0; row < pages[at].rows.size(); ++row) {
                    TRY_VOID(add_click(pages[at].rows, row, ads, clicks));
                }
                if (!pages[at].continuation.empty()) {
                    more.push_back(std::move(queries[at]));
                    more.back().continuation = pages[at].continuation;
                }
            }
            queries = std::move(more);
        }
        return clicks;
    }

    Result<void> add_click(
        const storage::Rows& rows, std::size_t row, const StoredRows& ads, FromClicks& clicks
    ) const {
        TRY(const storage::Wide amount, storage::decimal_of(column_of(rows, row, "amount").text()));
        const Instant arrival{std::chrono::microseconds{column_of(rows, row, "arrival").number()}};
        const RecountLine line{
            .offset = count_of(rows, row, "offset"),
            .day = static_cast<Day>(column_of(rows, row, "day").number()),
            .arrived = static_cast<Day>(zone_->day_of(arrival)),
            .booked = month_of(static_cast<Day>(column_of(rows, row, "booked").number())),
            .quarter = static_cast<unsigned>(column_of(rows, row, "bucket").number()),
            .is_sale = column_of(rows, row, "action").text() == "sale",
            .amount = static_cast<events::Micros>(amount),
            .currency = column_of(rows, row, "currency").text(),
            .reseller = column_of(rows, row, "reseller").text(),
            .publisher = column_of(rows, row, "publisher").text(),
            .ad = column_of(rows, row, "ad").text()
        };
        const std::string_view writer = column_of(rows, row, "writer").text();
        add_to(tables_->day, line, writer, days_, clicks.days);
        add_to(tables_->ad, line, writer, ads, clicks.ads);
        return {};
    }

    /// Lines behind those that the row says it has are written now.
    static void add_to(
        const storage::Table& table,
        const RecountLine& line,
        std::string_view writer,
        const StoredRows& stored,
        StoredRows& clicks
    ) {
        const SumTable& of = sum_tables()[sum_table_index(table)];
        Key key = sum_key(of, line, writer);
        const auto row = stored.find(key);
        if (owner_in(of, line) && (row == stored.end() || line.offset < row->second.through)) {
            add_line(of, line, clicks[std::move(key)]);
        }
    }

    /// A row of a publisher by ad and reseller has the same lines as the reseller's by ad and
    /// publisher. What has no reseller is in no such row.
    Result<void> compare_with_resellers(const StoredRows& ads) {
        const storage::Table& others = reseller_tables.ad;
        std::vector<const StoredRows::value_type*> rows;
        std::vector<Key> keys;
        for (auto row = ads.begin(); row != ads.end(); ++row) {
            if (auto key = key_of_reseller(row->first)) {
                rows.push_back(&*row);
                keys.push_back(*std::move(key));
            }
            if (keys.size() == keys_at_once || std::next(row) == ads.end()) {
                TRY(const storage::Found found, storage::read_many(*store_, others, keys));
                for (std::size_t at = 0; at < rows.size(); ++at) {
                    TRY_VOID(compare_with_reseller(*rows[at], keys[at], found, at));
                }
                rows.clear();
                keys.clear();
            }
        }
        return {};
    }

    std::optional<Key> key_of_reseller(const Key& key) const {
        std::string reseller = text_in(tables_->ad, key, "reseller");
        if (reseller.empty()) {
            return std::nullopt;
        }
        Key other;
        other.reserve(key.size());
        for (std::size_t at = 0; at < key.size(); ++at) {
            const std::string_view column = reseller_tables.ad.column(at).name;
            other.push_back(key_column(tables_->ad, key, column).value_or("").owned());
        }
        return other;
    }

    Result<void> compare_with_reseller(
        const StoredRows::value_type& own,
        const Key& key,
        const storage::Found& found,
        std::size_t at
    ) {
        RowSums other;
        if (const auto row = found.row_of_key[at]) {
            TRY(other, read_sums(found.rows, *row));
        }
        if (other.amounts != own.second.amounts) {
            differences_.push_back(fmt::format(
                "{}: {} stored; {} has {}",
                row_name(tables_->ad, own.first),
                text_of(own.second.amounts),
                row_name(reseller_tables.ad, key),
                text_of(other.amounts)
            ));
        }
        return {};
    }

    storage::Store* store_;
    const CheckedParty* checked_;
    const TimeZone* zone_;
    const ClicksKept* kept_;
    const PartyTables* tables_;
    StoredRows months_;
    StoredRows days_;
    std::map<SumName, ThreeSums> sums_;
    std::vector<std::string> differences_;
};

}  // namespace

Result<std::vector<std::string>> check_party(
    storage::Store& store, const CheckedParty& checked, const TimeZone& zone, const ClicksKept& kept
) {
    return PartyCheck{store, checked, zone, kept}.run();
}

Result<void> for_each_listed(
    storage::Store& store,
    events::PartyKind kind,
    std::uint32_t lane,
    const std::function<Result<void>(const CheckedParty&)>& each
) {
    storage::RangeQuery query{.table = &tables_of(kind).party, .partition = {std::int64_t{lane}}};
    CheckedParty party{.kind = kind, .party = {}, .currencies = {}};
    for (;;) {
        TRY(const storage::Page page, storage::read_page(store, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            const std::string_view name = page.rows.at(row, 1).text();
            if (name != party.party && !party.currencies.empty()) {
                TRY_VOID(each(party));
                party.currencies.clear();
            }
            party.party = name;
            party.currencies.emplace(page.rows.at(row, 2).text());
        }
        if (page.continuation.empty()) {
            break;
        }
        query.continuation = page.continuation;
    }
    return party.currencies.empty() ? Result<void>{} : each(party);
}

}  // namespace footfall::ads
