#include "audience/schema.h"

namespace footfall::audience {

using storage::Column;
using storage::ColumnType;
using storage::Table;

namespace {

constexpr Column question{"question", ColumnType::integer};
constexpr Column expires{"expires", ColumnType::timestamp};

}  // namespace

const Table audience_number_table{
    .name = "audience_number",
    .purpose =
        "What a question for a number of people was answered on a day, noise included; -1: fewer "
        "than are shown.",
    .partition = {{"day", ColumnType::day}, question},
    .clustering = {},
    .values = {{"shown", ColumnType::integer}, expires},
    .expires = "expires"
};

const Table audience_asked_table{
    .name = "audience_asked",
    .purpose = "Which questions for a number of people a key asked on a day: it may ask so many.",
    .partition = {{"day", ColumnType::day}, {"key", ColumnType::text}},
    .clustering = {question},
    .values = {expires},
    .expires = "expires"
};

}  // namespace footfall::audience
