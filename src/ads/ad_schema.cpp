#include "ads/ad_schema.h"

namespace footfall::ads {
namespace {

using storage::Column;
using storage::ColumnType;
using storage::Table;

constexpr Column ad{"ad", ColumnType::text};
constexpr Column targets{"targets", ColumnType::text};  ///< A line each.
constexpr Column price{"price", ColumnType::decimal};
constexpr Column in_currency{"currency", ColumnType::text};
constexpr Column shown_by{"publisher", ColumnType::text};
constexpr Column author{"author", ColumnType::text};
constexpr Column changed_at{"changed_at", ColumnType::timestamp};

}  // namespace

const Table registered_ad_table{
    .name = "registered_ad",
    .purpose = "Ads that links lead through: where to, at what price, who shows them.",
    .partition = {ad},
    .clustering = {},
    .values = {targets, price, in_currency, shown_by, author, changed_at},
    .shared = true
};

const Table ad_change_table{
    .name = "ad_change",
    .purpose = "Who registered or changed which ad when, and how it was from then on.",
    .partition = {{"day", ColumnType::day}},
    .clustering = {changed_at, ad},
    .values = {targets, price, in_currency, shown_by, author},
    .shared = true
};

}  // namespace footfall::ads
