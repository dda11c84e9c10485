#include "people/schema.h"

namespace footfall::people {
namespace {

using storage::Column;
using storage::ColumnType;
using storage::Table;

constexpr Column actor{"actor", ColumnType::text};
constexpr Column reading{"reading", ColumnType::text};
constexpr Column until{"until", ColumnType::timestamp};
constexpr Column sites{"sites", ColumnType::text};  ///< A line each; empty: all.
constexpr Column audience{"audience", ColumnType::text};
constexpr Column since{"since", ColumnType::timestamp};
constexpr Column changed_at{"changed_at", ColumnType::timestamp};
constexpr Column friends{"friends", ColumnType::integer};

}  // namespace

const Table person_table{
    .name = "person",
    .purpose =
        "Who shares what they read, with whom, on which sites, and which list of friends holds.",
    .partition = {actor},
    .clustering = {},
    .values =
        {reading,
         until,
         sites,
         audience,
         since,
         changed_at,
         friends,
         {"old_friends", ColumnType::integer}},
    .personal = true,
    .shared = true
};

const Table friend_table{
    .name = "friend",
    .purpose = "Whom a person listed as friends, by generation of the list.",
    .partition = {actor, {"generation", ColumnType::integer}},
    .clustering = {{"friend", ColumnType::text}},
    .values = {},
    .personal = true,
    .shared = true
};

const Table reader_key_table{
    .name = "reader_key",
    .purpose =
        "The number and the key of who shares what they read. Gone: what was sealed stays so.",
    .partition = {actor},
    .clustering = {},
    .values = {{"reader", ColumnType::integer}, {"key", ColumnType::bytes}},
    .secret = true,
    .personal = true,
    .shared = true
};

const Table former_reader_table{
    .name = "former_reader",
    .purpose =
        "The readers that a person was until they took something back, and what. Gone: it was told "
        "again.",
    .partition = {actor},
    .clustering = {{"at", ColumnType::timestamp}},
    .values =
        {{"reader", ColumnType::integer},
         {"key", ColumnType::bytes},
         {"taken", ColumnType::text},
         {"hash", ColumnType::integer},
         {"from_time", ColumnType::timestamp}},
    .secret = true,
    .personal = true,
    .shared = true
};

const Table day_key_table{
    .name = "day_key",
    .purpose = "The key of a day's shared reads. Gone: what was sealed that day stays so.",
    .partition = {{"day", ColumnType::day}},
    .clustering = {},
    .values = {{"key", ColumnType::bytes}},
    .secret = true,
    .shared = true
};

const Table person_change_table{
    .name = "person_change",
    .purpose = "What people said about their reading of late, for other processes.",
    .partition = {{"slot", ColumnType::integer}},
    .clustering = {{"told_at", ColumnType::timestamp}, actor},
    .values = {reading, until, sites, audience, changed_at, {"expires", ColumnType::timestamp}},
    .expires = "expires",
    .personal = true,
    .shared = true
};

}  // namespace footfall::people
