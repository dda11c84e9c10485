#include "ads/schema.h"

#include "ads/ad_schema.h"

#include <array>

namespace footfall::ads {
namespace {

using storage::Column;
using storage::ColumnType;
using storage::Order;
using storage::Table;

constexpr Column epoch{"epoch", ColumnType::integer};
constexpr Column writer{"writer", ColumnType::bytes};
constexpr Column currency{"currency", ColumnType::text};
constexpr Column amount{"amount", ColumnType::decimal};
constexpr Column clicks{"clicks", ColumnType::integer};
constexpr Column sales{"sales", ColumnType::integer};
constexpr Column refunds{"refunds", ColumnType::integer};
constexpr Column through{"through", ColumnType::integer};
constexpr Column first_arrival{"first_arrival", ColumnType::timestamp};

/// The names of one kind of party's tables.
struct Names {
    Column party;
    Column other;
    std::string_view list;
    std::string_view rate;
    std::string_view day;
    std::string_view month;
    std::string_view ad;
    std::string_view sealed;
};

Table rate_table(const Names& names) {
    return {
        .name = names.rate,
        .purpose = "Every change of a party's share: from which day, recorded when, by whom.",
        .partition = {names.party},
        .clustering =
            {{"effective_since", ColumnType::day, Order::descending},
             {"recorded_at", ColumnType::timestamp, Order::descending}},
        .values =
            {{"reward_percent", ColumnType::decimal},
             {"withdrawn", ColumnType::integer},
             {"booked", ColumnType::day},
             {"author", ColumnType::text},
             {"reason", ColumnType::text},
             writer,
             {"offset", ColumnType::integer}}
    };
}

PartyTables tables(const Names& names) {
    return {
        .party =
            {.name = names.list,
             .purpose = "Who there is, and in which currencies.",
             .partition = {{"lane", ColumnType::integer}},
             .clustering = {names.party, currency},
             .values = {}},
        .rate = rate_table(names),
        .day =
            {.name = names.day,
             .purpose = "Clicks, sales and money of a party by day, booked month and arrival.",
             .partition = {names.party, currency},
             .clustering =
                 {{"day", ColumnType::day, Order::descending},
                  {"booked", ColumnType::day},
                  {"arrived", ColumnType::day},
                  epoch,
                  writer},
             .values =
                 {clicks,
                  sales,
                  refunds,
                  {"refused", ColumnType::bytes},
                  amount,
                  {"quarters", ColumnType::bytes},
                  through,
                  first_arrival},
             .bulk = true},
        .month =
            {.name = names.month,
             .purpose = "Clicks, sales and money of a party by booked month, its days packed.",
             .partition = {names.party, currency},
             .clustering = {{"booked", ColumnType::day, Order::descending}, epoch, writer},
             .values = {clicks, sales, refunds, amount, {"days", ColumnType::bytes}, through},
             .bulk = true},
        .ad =
            {.name = names.ad,
             .purpose = "Clicks, sales and money of a party by ad and by the other party.",
             .partition = {names.party, {"month", ColumnType::day}},
             .clustering =
                 {{"ad", ColumnType::text},
                  names.other,
                  currency,
                  {"day", ColumnType::day},
                  {"booked", ColumnType::day},
                  {"arrived", ColumnType::day},
                  epoch,
                  writer},
             .values = {clicks, sales, refunds, amount, {"quarters", ColumnType::bytes}, through},
             .bulk = true},
        .sealed =
            {.name = names.sealed,
             .purpose = "A sealed month of a party as it is shown for ever.",
             .partition = {names.party, currency},
             .clustering = {{"month", ColumnType::day, Order::descending}},
             .values =
                 {clicks,
                  sales,
                  refunds,
                  amount,
                  {"income", ColumnType::decimal},
                  {"rows", ColumnType::bytes}}}
    };
}

constexpr Column reseller{"reseller", ColumnType::text};
constexpr Column publisher{"publisher", ColumnType::text};

}  // namespace

const PartyTables reseller_tables = tables(
    {.party = reseller,
     .other = publisher,
     .list = "reseller",
     .rate = "reseller_rate",
     .day = "amount_by_day",
     .month = "amount_by_month",
     .ad = "amount_by_ad",
     .sealed = "sealed_month"}
);

const PartyTables publisher_tables = tables(
    {.party = publisher,
     .other = reseller,
     .list = "publisher",
     .rate = "publisher_rate",
     .day = "publisher_amount_by_day",
     .month = "publisher_amount_by_month",
     .ad = "publisher_amount_by_ad",
     .sealed = "publisher_sealed_month"}
);

const Table ad_click_table{
    .name = "ad_click",
    .purpose = "Every counted click and sale, without who did it.",
    .partition = {reseller, {"day", ColumnType::day}, {"bucket", ColumnType::integer}},
    .clustering =
        {{"time", ColumnType::timestamp, Order::descending},
         {"id", ColumnType::text},
         writer,
         {"offset", ColumnType::integer},
         epoch},
    .values =
        {{"action", ColumnType::text},
         {"object", ColumnType::text},
         {"ad", ColumnType::text},
         publisher,
         amount,
         currency,
         {"arrival", ColumnType::timestamp},
         {"booked", ColumnType::day}},
    .bulk = true,
    .merged_at_once = 16
};

const Table clicks_per_ad_table{
    .name = "clicks_per_ad",
    .purpose = "Clicks, sales and money of an ad by day.",
    .partition = {{"ad", ColumnType::text}},
    .clustering = {{"day", ColumnType::day, Order::descending}, currency, epoch, writer},
    .values =
        {clicks,
         sales,
         refunds,
         {"refused", ColumnType::bytes},
         amount,
         {"quarters", ColumnType::bytes},
         through,
         first_arrival},
    .bulk = true
};

const Table ledger_table{
    .name = "ledger",
    .purpose = "The zone and the currency that the ledger was begun with.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {},
    .values = {{"zone", ColumnType::text}, {"currency", ColumnType::text}}
};

const Table ledger_seal_table{
    .name = "ledger_seal",
    .purpose = "Which lane has passed the seal of which month.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {{"month", ColumnType::day}, writer},
    .values =
        {{"sealed_at", ColumnType::timestamp},
         {"author", ColumnType::text},
         {"reason", ColumnType::text},
         {"offset", ColumnType::integer}}
};

const Table ledger_answer_table{
    .name = "ledger_answer",
    .purpose = "What became of a change of the ledger that somebody asked for, for an hour.",
    .partition = {{"id", ColumnType::text}},
    .clustering = {},
    .values =
        {{"outcome", ColumnType::text},
         {"recorded_at", ColumnType::timestamp},
         {"expires", ColumnType::timestamp}},
    .expires = "expires"
};

const Table ledger_check_table{
    .name = "ledger_check",
    .purpose = "When the ledger was last held to its log, and what differed.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {{"number", ColumnType::integer}},
    .values =
        {{"checked_at", ColumnType::timestamp},
         {"differences", ColumnType::integer},
         {"difference", ColumnType::text},
         {"begun_at", ColumnType::timestamp}},
    .shared = true
};

const Table ad_click_dropped_table{
    .name = "ad_click_dropped",
    .purpose = "Up to which month rows of ad_click were let go.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {},
    .values =
        {{"begun", ColumnType::day}, {"begun_at", ColumnType::timestamp}, {"done", ColumnType::day}
        },
    .shared = true
};

std::span<const Table* const> all_tables() {
    static const std::array<const Table*, 21> tables{
        &reseller_tables.party,  &reseller_tables.rate,  &reseller_tables.day,
        &reseller_tables.month,  &reseller_tables.ad,    &reseller_tables.sealed,
        &publisher_tables.party, &publisher_tables.rate, &publisher_tables.day,
        &publisher_tables.month, &publisher_tables.ad,   &publisher_tables.sealed,
        &ad_click_table,         &clicks_per_ad_table,   &ledger_table,
        &ledger_seal_table,      &ledger_answer_table,   &ledger_check_table,
        &registered_ad_table,    &ad_change_table,       &ad_click_dropped_table
    };
    return tables;
}

}  // namespace footfall::ads
