#include "segments/schema.h"

namespace footfall::segments {
namespace {

using storage::Column;
using storage::ColumnType;
using storage::Table;

constexpr Column segment{"segment", ColumnType::integer};
constexpr Column bucket{"bucket", ColumnType::integer};
constexpr Column identifier{"identifier", ColumnType::text};
constexpr Column id_name{"id_name", ColumnType::text};
constexpr Column id_value{"id_value", ColumnType::text};
constexpr Column expires{"expires", ColumnType::timestamp};
constexpr Column sid{"sid", ColumnType::bytes};
constexpr Column list{"list", ColumnType::text};
constexpr Column at{"at", ColumnType::timestamp};

}  // namespace

const Table segment_table{
    .name = "segment",
    .purpose = "Segments by name, and the number by which other rows name each.",
    .partition = {list},
    .clustering = {{"name", ColumnType::text}},
    .values = {segment, {"created", ColumnType::timestamp}},
    .shared = true
};

const Table segment_rule_table{
    .name = "segment_rule",
    .purpose = "The rule by which a segment fills itself, who wrote it, and when.",
    .partition = {list},
    .clustering = {{"name", ColumnType::text}},
    .values =
        {segment,
         {"rule", ColumnType::text},
         {"author", ColumnType::text},
         {"since", ColumnType::timestamp}},
    .shared = true
};

const Table segment_filled_table{
    .name = "segment_filled",
    .purpose = "Rules that are in force with all that happened before, by when each was written.",
    .partition = {list},
    .clustering = {segment},
    .values = {{"since", ColumnType::timestamp}},
    .of_region = true
};

const Table segment_dropped_table{
    .name = "segment_dropped",
    .purpose = "Segments that were dropped, and of which there are still rows.",
    .partition = {list},
    .clustering = {segment},
    .values = {{"name", ColumnType::text}, at},
    .shared = true
};

const Table segment_member_table{
    .name = "segment_member",
    .purpose = "The ids of a segment, spread over buckets, and until when each is in it.",
    .partition = {segment, bucket},
    .clustering = {identifier, id_name, id_value},
    .values = {expires, {"since", ColumnType::timestamp}, {"source", ColumnType::text}},
    .expires = "expires",
    .bulk = true,
    .large_partitions = true,
    .personal = true,
    .shared = true
};

const Table segment_of_table{
    .name = "segment_of",
    .purpose = "The segments that an id is in.",
    .partition = {identifier, id_name, id_value},
    .clustering = {segment},
    .values = {expires},
    .expires = "expires",
    .bulk = true,
    .personal = true,
    .shared = true
};

const Table segment_noted_table{
    .name = "segment_noted",
    .purpose = "Ids that got into a segment or out of one, by tens of seconds since 1970.",
    .partition = {bucket},
    .clustering = {at, {"token", ColumnType::integer}},
    .values = {{"ids", ColumnType::text}, expires},
    .expires = "expires",
    .personal = true,
    .shared = true
};

const Table segment_person_table{
    .name = "segment_person",
    .purpose = "The segments that a person is in, by their numbers; alone: the id without profile.",
    .partition = {sid},
    .clustering = {},
    .values =
        {{"number", ColumnType::integer},
         {"segments", ColumnType::bytes},
         {"looks", ColumnType::timestamp},
         {"alone", ColumnType::text}},
    .bulk = true,
    .personal = true,
    .of_region = true
};

const Table segment_expiry_table{
    .name = "segment_expiry",
    .purpose = "People of whom a member ends, by tens of seconds since 1970.",
    .partition = {bucket},
    .clustering = {at, sid},
    .values = {expires},
    .expires = "expires",
    .bulk = true,
    .personal = true,
    .of_region = true
};

const Table segment_told_table{
    .name = "segment_told",
    .purpose = "The segments that an id is in by what was told of it, since which change.",
    .partition = {identifier, id_name, id_value},
    .clustering = {segment},
    .values = {{"change", ColumnType::integer}},
    .bulk = true,
    .personal = true,
    .of_region = true
};

const Table segment_change_table{
    .name = "segment_change",
    .purpose = "Ids whose profile joined (1) a segment or left it (0), by a number that rises.",
    .partition = {segment, {"chunk", ColumnType::integer}},
    .clustering = {{"change", ColumnType::integer}},
    .values = {identifier, id_name, id_value, {"joined", ColumnType::integer}, at},
    .bulk = true,
    .large_partitions = true,
    .personal = true,
    .of_region = true
};

const Table segment_told_until_table{
    .name = "segment_told_until",
    .purpose = "The change up to which what was told of ids stands in their rows.",
    .partition = {segment},
    .clustering = {},
    .values = {{"change", ColumnType::integer}},
    .of_region = true
};

const Table segment_derived_table{
    .name = "segment_derived",
    .purpose = "Up to when all that happened is in the numbers of segments.",
    .partition = {list},
    .clustering = {},
    .values = {{"until", ColumnType::timestamp}},
    .of_region = true
};

const Table segment_published_table{
    .name = "segment_published",
    .purpose = "The change up to which those of a segment stand in the topic for other programs.",
    .partition = {segment},
    .clustering = {},
    .values = {{"change", ColumnType::integer}},
    .of_region = true
};

const Table segment_size_table{
    .name = "segment_size",
    .purpose = "How many people a segment was, by the minute or the hour in which that changed.",
    .partition = {segment, {"step", ColumnType::text}},
    .clustering = {at},
    .values = {{"people", ColumnType::integer}, expires},
    .expires = "expires",
    .of_region = true
};

}  // namespace footfall::segments
