#include "reading/schema.h"

namespace footfall::reading {
namespace {

using storage::Column;
using storage::ColumnType;
using storage::Order;
using storage::Table;

constexpr Column url_hash{"url_hash", ColumnType::integer};
constexpr Column expires{"expires", ColumnType::timestamp};

}  // namespace

const Table read_fact_table{
    .name = "read_fact",
    .purpose = "What a reader read, by days.",
    .partition = {{"reader", ColumnType::integer}},
    .clustering =
        {{"day", ColumnType::day, Order::descending}, url_hash, {"quarter", ColumnType::integer}},
    .values = {expires},
    .expires = "expires",
    .bulk = true
};

const Table read_url_table{
    .name = "read_url",
    .purpose = "Who read a URL: of each day what one write found new.",
    .partition = {url_hash},
    .clustering =
        {{"day", ColumnType::day},
         {"writer", ColumnType::bytes},
         {"from_offset", ColumnType::integer}},
    .values = {{"readers", ColumnType::bytes}, {"through", ColumnType::integer}, expires},
    .expires = "expires",
    .bulk = true
};

const Table read_page_table{
    .name = "read_page",
    .purpose = "Which URL a hash stands for.",
    .partition = {url_hash},
    .clustering = {},
    .values = {{"url", ColumnType::text}, expires},
    .expires = "expires",
    .bulk = true
};

const Table read_count_table{
    .name = "read_count",
    .purpose = "How often the URLs of a lane were read on each of the last days.",
    .partition = {{"writer", ColumnType::bytes}},
    .clustering = {},
    .values = {{"through", ColumnType::integer}, {"counts", ColumnType::bytes}}
};

}  // namespace footfall::reading
