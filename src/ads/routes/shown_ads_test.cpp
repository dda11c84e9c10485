#include "ads_routes/shown_ads.h"

#include "ads/packed.h"
#include "ads/schema.h"
#include "projecting/writer.h"
#include "showing/row_text.h"
#include "storage/decimal.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::ads::routes {
namespace {

using testing::HasSubstr;

constexpr std::int64_t day = 20'778;  // 2026-11-21
constexpr std::int64_t noon = 1'795'262'400'000'000;

std::string shown(const storage::Table& table, const std::vector<storage::Value>& values) {
    storage::Rows rows{table};
    rows.append(storage::views_of(values));
    return showing::row_json({.rows = &rows, .at = 0}, shown_ads());
}

std::string shown_day(const std::string& refused, const std::string& quarters) {
    return shown(
        reseller_tables.day,
        {"emma",
         "EUR",
         day,
         day,
         day,
         first_epoch,
         projecting::writer_of(0xffff'ffff'ffff'fffe, 63),
         std::int64_t{2},
         std::int64_t{0},
         std::int64_t{1},
         refused,
         storage::decimal_bytes(-2'500),
         quarters,
         std::int64_t{9},
         noon}
    );
}

TEST(ShownAds, a_day_is_told_by_quarter_hours_and_reasons) {
    const std::string quarters = packed_quarters(
        {{40, {.clicks = 2, .amount = 7'500}}, {99, {.refunds = 1, .amount = -10'000}}}
    );
    const std::string refused = packed_refusals({{"repeat", {{41, 3}}}, {"not_human", {{0, 1}}}});
    EXPECT_EQ(
        shown_day(refused, quarters),
        R"({"reseller":"emma","currency":"EUR","day":"2026-11-21","booked":"2026-11-21",)"
        R"("arrived":"2026-11-21","epoch":0,"writer":{"log":-2,"lane":63},"clicks":2,"sales":0,)"
        R"("refunds":1,"refused":{"not_human":{"00:00":1},"repeat":{"10:15":3}},)"
        R"("amount":"-0.002500","quarters":{)"
        R"("10:00":{"clicks":2,"sales":0,"refunds":0,"amount":"0.0075"},)"
        R"("24:45":{"clicks":0,"sales":0,"refunds":1,"amount":"-0.01"}},)"
        R"("through":9,"first_arrival":"2026-11-21T12:00:00Z"})"
    );
}

TEST(ShownAds, a_month_is_told_by_days) {
    EXPECT_THAT(
        shown(
            publisher_tables.month,
            {"paper",
             "EUR",
             beginning_day,
             first_epoch,
             projecting::writer_of(1, 2),
             std::int64_t{2},
             std::int64_t{0},
             std::int64_t{0},
             storage::decimal_bytes(10'000),
             packed_days({{20'778, {.clicks = 2, .amount = 10'000}}}),
             std::int64_t{9}}
        ),
        HasSubstr(R"("days":{"2026-11-21":{"clicks":2,"sales":0,"refunds":0,"amount":"0.01"}},)")
    );
}

TEST(ShownAds, rows_of_a_sealed_month_are_json) {
    EXPECT_THAT(
        shown(
            reseller_tables.sealed,
            {"emma",
             "EUR",
             day,
             std::int64_t{0},
             std::int64_t{0},
             std::int64_t{0},
             storage::decimal_bytes(0),
             storage::decimal_bytes(0),
             R"("earned":"0","corrected":"0","days":[],"adjustments":[])"}
        ),
        HasSubstr(R"("rows":{"earned":"0","corrected":"0","days":[],"adjustments":[]}})")
    );
}

TEST(ShownAds, a_seal_whose_rows_stand_has_no_lane) {
    const std::vector<storage::Value> row{"ledger", day, "", noon, "", "", std::int64_t{0}};
    EXPECT_THAT(shown(ledger_seal_table, row), HasSubstr(R"("writer":null,)"));
}

TEST(ShownAds, damaged_bytes_are_told_as_damaged) {
    const std::string json = shown_day("\x07", "");
    EXPECT_THAT(
        json, HasSubstr(R"("refused":{"damaged":"packed amounts of the ledger are damaged")")
    );
    EXPECT_THAT(json, HasSubstr(R"("quarters":{"damaged":)"));
}

}  // namespace
}  // namespace footfall::ads::routes
