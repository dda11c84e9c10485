#include "deployment/shown_tables.h"

#include "ads/packed.h"
#include "ads/schema.h"
#include "deployment/shown_audit_rows.h"
#include "deployment/shown_identity_rows.h"
#include "deployment/shown_metric_rows.h"
#include "deployment/shown_segment_rows.h"
#include "events/verdict.h"
#include "foundation/varint.h"
#include "foundation_testing/repository.h"
#include "foundation_testing/temporary_directory.h"
#include "jobs/list.h"
#include "rankings/lane_trends.h"
#include "reading/day_counts.h"
#include "reading/url_readers.h"
#include "showing/row_text.h"
#include "sketches/sketch.h"
#include "storage/decimal.h"
#include "views/counts.h"
#include "views/schema.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::deployment {
namespace {

using std::chrono::microseconds;
using storage::Value;

/// 2026-11-21, and ten o'clock of it.
constexpr std::int64_t day = 20'778;
constexpr std::int64_t ten = 1'795'255'200'000'000;
/// 2099-12-31, so that no row of the example ever expires.
constexpr std::int64_t late = 4'102'358'400'000'000;
constexpr std::int64_t never = 0;
constexpr std::int64_t log_id = 7'165'430'912'803'442'117;
constexpr std::int64_t lane = 23;
constexpr std::int64_t person_hash = 4'410'092'377'164'053'221;

std::string eight_bytes(std::int64_t number) {
    std::string bytes(sizeof(number), '\0');
    std::memcpy(bytes.data(), &number, sizeof(number));
    return bytes;
}

std::string writer() {
    return views::writer_of(log_id, lane);
}

/// Two views at ten o'clock, and a repeat.
std::string counts() {
    views::Reasons reasons;
    views::Counts counts;
    counts.add(40, 0, 2);
    counts.add(41, reasons.id_of("repeat"));
    return counts.written(reasons);
}

std::string people() {
    sketches::Sketch sketch;
    sketch.add(0x0123'4567'89ab'cdef);
    sketch.add(0xfedc'ba98'7654'3210);
    return sketch.written(views::deployment_sketch_key);
}

std::string records() {
    events::JudgedEvent judged;
    judged.event = {
        .id = "e-1",
        .time = Instant{microseconds{ten}},
        .action = "view",
        .object = "post-1",
        .actor = "u1",
        .address = "192.0.2.7"
    };
    judged.arrival = judged.event.time + std::chrono::milliseconds{120};
    judged.verdict.rules_version = 1;
    std::string record;
    events::append_judged(judged, record);
    std::string records;
    append_varint(record.size(), records);
    return records + record;
}

using Values = std::vector<Value>;

const Values of_a_day{
    "view",
    "post-1",
    day,
    views::first_epoch,
    writer(),
    std::int64_t{2},
    std::int64_t{1},
    counts(),
    people(),
    std::int64_t{19}
};
const Values of_a_life{
    "view",
    "post-1",
    views::first_epoch,
    writer(),
    std::int64_t{2},
    std::int64_t{1},
    counts(),
    people(),
    std::int64_t{19}
};

/// The first day of the month, as ledger tables name a month.
constexpr std::int64_t month = 20'758;
constexpr std::int64_t offset = 18;
constexpr std::int64_t none = 0;
constexpr std::int64_t two = 2;

const ads::Amounts two_clicks{.clicks = 2, .amount = 12'500};

std::string amount() {
    return storage::decimal_bytes(two_clicks.amount);
}

std::string quarters() {
    return ads::packed_quarters({{40, two_clicks}});
}

std::string refused_click() {
    return ads::packed_refusals({{"repeat", {{41, 1}}}});
}

/// What `/api/v1/resellers/{id}/statements/{month}` has behind its sums.
constexpr std::string_view statement =
    R"("earned":"0.0025","corrected":"0","days":[{"day":"2026-11-21","clicks":2,"sales":0,)"
    R"("refunds":0,"amount":"0.0125","reward_percent":"0.2","income":"0.0025","sealed":true}],)"
    R"("adjustments":[])";

/// A row of each table that there is of resellers and of publishers, but of those by ad.
void add_party_rows(
    const ads::PartyTables& tables,
    const std::string& party,
    std::map<std::string_view, Values>& rows
) {
    rows[tables.party.name] = {lane, party, "EUR"};
    rows[tables.rate.name] = {
        party,
        day,
        ten,
        storage::decimal_bytes(250'000),
        none,
        std::int64_t{ads::beginning_day},
        "shop",
        "as agreed",
        writer(),
        offset
    };
    rows[tables.day.name] = {
        party,
        "EUR",
        day,
        month,
        day,
        ads::first_epoch,
        writer(),
        two,
        none,
        none,
        refused_click(),
        amount(),
        quarters(),
        std::int64_t{19},
        ten
    };
    rows[tables.month.name] = {
        party,
        "EUR",
        month,
        ads::first_epoch,
        writer(),
        two,
        none,
        none,
        amount(),
        ads::packed_days({{static_cast<ads::Day>(day), two_clicks}}),
        std::int64_t{19}
    };
    rows[tables.sealed.name] = {
        party,
        "EUR",
        month,
        two,
        none,
        none,
        amount(),
        storage::decimal_bytes(2'500),
        std::string{statement}
    };
}

void add_row_by_ad(
    const ads::PartyTables& tables,
    const std::string& party,
    const std::string& other,
    std::map<std::string_view, Values>& rows
) {
    rows[tables.ad.name] = {
        party,
        month,
        "banner-1",
        other,
        "EUR",
        day,
        month,
        day,
        ads::first_epoch,
        writer(),
        two,
        none,
        none,
        amount(),
        quarters(),
        std::int64_t{19}
    };
}

/// A row of each table of the ledger.
void add_ledger_rows(std::map<std::string_view, Values>& rows) {
    add_party_rows(ads::reseller_tables, "emma", rows);
    add_row_by_ad(ads::reseller_tables, "emma", "paper", rows);
    add_party_rows(ads::publisher_tables, "paper", rows);
    add_row_by_ad(ads::publisher_tables, "paper", "emma", rows);
    rows["ad_click"] = {
        "emma",
        day,
        std::int64_t{40},
        ten,
        "e-1",
        writer(),
        offset,
        ads::first_epoch,
        "click",
        "banner-1",
        "banner-1",
        "paper",
        storage::decimal_bytes(7'500),
        "EUR",
        ten,
        month
    };
    rows["clicks_per_ad"] = {
        "banner-1",
        day,
        "EUR",
        ads::first_epoch,
        writer(),
        two,
        none,
        none,
        refused_click(),
        amount(),
        quarters(),
        std::int64_t{19},
        ten
    };
    rows["ledger"] = {"ledger", "UTC", "EUR"};
    rows["ledger_seal"] = {"ledger", month, writer(), ten, "shop", "books closed", offset};
    rows["ledger_answer"] = {"5f0c2a9be1d84b77", "recorded", ten, late};
    rows["ledger_check"] = {"ledger", none, ten, none, "", ten};
    rows["ad_click_dropped"] = {"ledger", month, ten, month};
}

/// One of them.
std::string readers() {
    std::string bytes;
    reading::append_reads(
        std::vector<reading::UrlRead>{{.reader = 17'326'356'359'688'999'679U, .quarter = 1'994'728}
        },
        bytes
    );
    return bytes;
}

void add_people_rows(std::map<std::string_view, Values>& rows) {
    constexpr std::int64_t list = 4'216'081'932'190'871'553;
    constexpr const char* sites = "news.example\nblog.example";
    rows["person"] = {"u1", "private", ten, sites, "friends", ten, ten, list, never};
    rows["friend"] = {"u1", list, "u2"};
    rows["reader_key"] = {"u1", std::int64_t{-1'120'387'714'020'551'937}, std::string(16, 'k')};
    rows["former_reader"] = {
        "u1",
        ten,
        std::int64_t{4'117'340'862'301'957'210},
        std::string(16, 'k'),
        "site",
        std::int64_t{-7'340'118'250'993'411'672},
        never
    };
    rows["day_key"] = {day, std::string(32, 'k')};
    constexpr std::int64_t url = 2'207'411'032'119'874'410;
    rows["read_fact"] = {
        std::int64_t{-1'120'387'714'020'551'937}, day, url, std::int64_t{1'994'728}, late
    };
    rows["read_url"] = {url, day, writer(), offset, readers(), offset, late};
    rows["read_page"] = {url, "https://news.example/a", late};
    rows["read_count"] = {writer(), std::int64_t{19}, reading::DayCounts{}.encode()};
    rows["erasure"] = {std::int64_t{17}, std::string(16, 'e'), ten, std::int64_t{1}};
    rows["erasure_receipt"] = {
        "receipts",
        ten,
        std::string(16, 'r'),
        "profile",
        std::int64_t{2},
        ten,
        ten,
        ten,
        std::int64_t{0}
    };
    rows["person_change"] = {
        std::int64_t{179'525'520}, ten, "u1", "private", ten, sites, "friends", ten, late
    };
}

void add_ranking_rows(std::map<std::string_view, Values>& rows) {
    rows["rank_day"] = {"views", "view", "people", day, none, lane, "post-1", late};
    rows["trend_state"] = {
        "views", log_id, lane, std::int64_t{19}, ten, rankings::LaneTrends{}.encode()
    };
}

void add_rows_of_jobs(std::map<std::string_view, Values>& rows) {
    add_ledger_rows(rows);
    add_people_rows(rows);
    add_ranking_rows(rows);
    add_audit_rows(ten, rows);
    const OfShownRows of{.writer = writer(), .offset = offset, .ten = ten, .late = late};
    add_identity_rows(of, rows);
    add_segment_rows(of, rows);
    add_metric_rows(of, rows);
}

/// A row of each table.
std::map<std::string_view, Values> example_rows() {
    constexpr std::int64_t zero = 0;
    std::map<std::string_view, Values> rows{
        {"deployment", {"log_id", eight_bytes(log_id)}},
        {"import_progress",
         {"tables", "5c7c7cc4b2a1f0de", "done", std::int64_t{19}, zero, std::int64_t{40'312}}},
        {"api_key",
         {"trusted",
          "shop",
          std::string{"\x34\xd9\x8c\x45\x81\x40\xbd\x86"},
          "write",
          ten,
          never,
          ""}},
        {"log_block", {log_id, lane, zero, std::int64_t{18}, std::int64_t{18}, records()}},
        {"log_lane", {log_id, lane, std::int64_t{18}}},
        {"log_begin", {log_id, lane, std::int64_t{12}}},
        {"event_by_id",
         {std::int64_t{-5'120'387'714'020'551'937},
          "post-1",
          log_id,
          lane,
          std::int64_t{18},
          std::int64_t{881'203'395'127'745'006},
          never}},
        {"guard_seen", {"view", "post-1", person_hash, ten, log_id, lane, std::int64_t{18}, never}},
        {"lane_checkpoint",
         {log_id, lane, std::int64_t{19}, std::int64_t{12}, ten, std::int64_t{1}, zero}},
        {"rules_memory",
         {log_id,
          lane,
          std::int64_t{-6'021'743'335'180'264'711},
          std::int64_t{402'551'790'238'116'443},
          std::string(412, '\0')}},
        {"projection_checkpoint", {log_id, lane, "views", std::int64_t{19}, zero}},
        {"lane_owner", {log_id, lane, std::int64_t{4}, "10.0.0.5:8081", ten}},
        {"rule_set", {"judging", std::int64_t{1}, ten, "", "5b1f6f3a"}},
        {"token", {"likes", "post-1", zero, zero, std::int64_t{47'480}, "u1", late}},
        {"token_span", {"default", "post-1", std::int64_t{47'480}, late}},
        {"token_object", {"likes", std::int64_t{1}, std::int64_t{7}, "post-1", late}},
        {"counter", {"likes", std::int64_t{86'400}}},
        {"view_day", of_a_day},
        {"view_total", of_a_life},
        {"view_expired_day", of_a_day},
        {"view_expired_total", of_a_life},
        {"view_rank", {"view", "people", zero, lane, "post-1"}},
        {"registered_ad",
         {"banner-1",
          "https://shop.example/autumn",
          storage::decimal_bytes(250'000),
          "EUR",
          "paper",
          "shop",
          ten}},
        {"ad_change",
         {day,
          ten,
          "banner-1",
          "https://shop.example/autumn",
          storage::decimal_bytes(250'000),
          "EUR",
          "paper",
          "shop"}},
        {"write_time", {"writes", ten}},
    };
    add_rows_of_jobs(rows);
    return rows;
}

/// What stands in the document of a table.
std::string section_of(const showing::ShownTable& shown, const Values& values) {
    storage::Rows rows{*shown.table};
    rows.append(storage::views_of(values));
    return fmt::format(
        "## {}\n\n{}\n\n```row\n{}```\n",
        shown.table->name,
        shown.table->purpose,
        showing::row_text({.rows = &rows, .at = 0}, shown.columns)
    );
}

/// A table that is added has to be described there, with a row as `footfall table` prints it.
TEST(ShownTables, have_a_row_each_in_the_document) {
    const std::string document = read_text(in_repository("docs/formats/tables.md"));
    const auto rows = example_rows();
    for (const showing::ShownTable& each : shown_tables(jobs::all())) {
        const auto row = rows.find(each.table->name);
        ASSERT_NE(row, rows.end()) << "example_rows() has none of " << each.table->name;
        ASSERT_EQ(row->second.size(), each.table->width()) << each.table->name;
        EXPECT_THAT(document, testing::HasSubstr(section_of(each, row->second)));
    }
}

TEST(ShownTables, no_table_is_in_the_document_that_there_is_not) {
    const auto tables = shown_tables(jobs::all());
    for (const auto& [name, values] : example_rows()) {
        const bool is_there = std::ranges::any_of(tables, [&](const showing::ShownTable& each) {
            return each.table->name == name;
        });
        // The store of a cluster keeps it, and is not in every build.
        EXPECT_TRUE(is_there || name == "write_time") << name;
    }
}

TEST(ShownTables, what_has_a_way_of_its_own_to_be_shown_is_bytes) {
    for (const showing::ShownTable& each : shown_tables(jobs::all())) {
        for (std::size_t at = 0; at < each.table->width(); ++at) {
            const storage::Column& column = each.table->column(at);
            const bool has_own =
                std::ranges::find(each.columns, column.name, &showing::ShownColumn::column) !=
                each.columns.end();
            EXPECT_TRUE(!has_own || column.type == storage::ColumnType::bytes)
                << each.table->name << "." << column.name;
        }
    }
}

TEST(ShownTables, the_secret_is_not_told) {
    const auto tables = shown_tables(jobs::all());
    const auto deployment = std::ranges::find_if(tables, [](const showing::ShownTable& each) {
        return each.table->name == "deployment";
    });
    ASSERT_NE(deployment, tables.end());
    const std::string told = section_of(*deployment, {"hash_secret", "0123456789abcdef"});
    EXPECT_THAT(told, testing::HasSubstr("value  \"16 bytes that are kept secret\""));
    EXPECT_THAT(told, testing::Not(testing::HasSubstr("0123456789abcdef")));
    const std::string signing = section_of(*deployment, {"audit_key.main", std::string(32, 'k')});
    EXPECT_THAT(signing, testing::HasSubstr("value  \"32 bytes that are kept secret\""));
    const auto rows = example_rows();
    for (const auto& each : tables) {
        if (each.table->name == "reader_key" || each.table->name == "former_reader" ||
            each.table->name == "day_key") {
            const std::string key = section_of(each, rows.at(each.table->name));
            EXPECT_THAT(key, testing::HasSubstr("kept secret"));
            EXPECT_THAT(key, testing::Not(testing::HasSubstr("kkkk")));
        }
    }
}

}  // namespace
}  // namespace footfall::deployment
