#include "identities/schema.h"

namespace footfall::identities {
namespace {

using storage::Column;
using storage::ColumnType;
using storage::Table;

constexpr Column identifier{"identifier", ColumnType::text};
constexpr Column id_name{"id_name", ColumnType::text};
constexpr Column id_value{"id_value", ColumnType::text};
constexpr Column sid{"sid", ColumnType::bytes};
constexpr Column version{"version", ColumnType::integer};
constexpr Column digest{"digest", ColumnType::integer};
constexpr Column writer{"writer", ColumnType::bytes};
constexpr Column offset{"offset", ColumnType::integer};
constexpr Column since{"since", ColumnType::integer};
constexpr Column next{"next", ColumnType::integer};

}  // namespace

const Table identity_fact_table{
    .name = "identity_fact",
    .purpose =
        "What was said of an id: that it is one person with others, or is not; last is 0 where it "
        "was said at first only.",
    .partition = {identifier, id_name, id_value},
    .clustering = {{"fact", ColumnType::bytes}, writer},
    .values =
        {{"kind", ColumnType::text},
         {"ids", ColumnType::text},
         {"others", ColumnType::text},
         {"about", ColumnType::bytes},
         {"first", ColumnType::timestamp},
         {"last", ColumnType::timestamp},
         {"recorded", ColumnType::timestamp},
         {"source", ColumnType::text},
         {"author", ColumnType::text},
         {"reason", ColumnType::text},
         {"datum", ColumnType::text}},
    .bulk = true,
    .personal = true
};

const Table fact_anchor_table{
    .name = "fact_anchor",
    .purpose = "An id that a fact names, by which it is found.",
    .partition = {{"fact", ColumnType::bytes}},
    .clustering = {},
    .values = {identifier, id_name, id_value},
    .bulk = true,
    .personal = true,
    .shared = true
};

const Table profile_index_table{
    .name = "profile_index",
    .purpose = "Which profile an id is in.",
    .partition = {identifier, {"partition", ColumnType::integer}},
    .clustering = {id_name, id_value},
    .values = {sid, {"shared", ColumnType::integer}},
    .bulk = true,
    .large_partitions = true,
    .personal = true,
    .shared = true,
    .of_region = true
};

const Table profile_table{
    .name = "profile",
    .purpose = "The ids of a profile by network, and since when and by whom each is known.",
    .partition = {sid},
    .clustering = {identifier},
    .values =
        {{"ids", ColumnType::text}, {"data", ColumnType::text}, {"internal", ColumnType::text}},
    .bulk = true,
    .personal = true,
    .shared = true,
    .of_region = true
};

const Table sid_anchor_table{
    .name = "sid_anchor",
    .purpose =
        "The id that a profile was named after, for names that were given out and are no profile's "
        "now.",
    .partition = {sid},
    .clustering = {},
    .values = {identifier, id_name, id_value},
    .bulk = true,
    .personal = true,
    .shared = true
};

const Table identity_contested_table{
    .name = "identity_contested",
    .purpose = "Links that unite nobody, with the two ids and the guard that keeps them apart.",
    .partition = {{"bucket", ColumnType::integer}},
    .clustering = {{"fact", ColumnType::bytes}},
    .values = {{"ids", ColumnType::text}, {"guard", ColumnType::text}},
    .personal = true,
    .shared = true,
    .of_region = true
};

const Table identity_settling_table{
    .name = "identity_settling",
    .purpose = "Ids whose profiles are being written, until they are.",
    .partition = {writer},
    .clustering = {{"token", ColumnType::integer}},
    .values = {{"ids", ColumnType::text}},
    .personal = true,
    .of_region = true
};

const Table identity_later_table{
    .name = "identity_later",
    .purpose = "Ids that are settled behind the answers, since much hangs together with them.",
    .partition = {{"bucket", ColumnType::integer}},
    .clustering = {{"token", ColumnType::integer}},
    .values =
        {{"reason", ColumnType::text},
         {"ids", ColumnType::text},
         {"tries", ColumnType::integer},
         {"due", ColumnType::timestamp},
         version},
    .personal = true,
    .shared = true,
    .of_region = true
};

const Table identity_guards_table{
    .name = "identity_guards",
    .purpose = "Guards of profiles, by version, as they were recorded in the log; newest first.",
    .partition = {{"name", ColumnType::text}},
    .clustering =
        {{"version", ColumnType::integer, storage::Order::descending},
         {"digest", ColumnType::integer, storage::Order::descending}},
    .values = {{"guards", ColumnType::text}, {"said", ColumnType::timestamp}},
    .shared = true
};

const Table identity_guards_of_lane_table{
    .name = "identity_guards_of_lane",
    .purpose = "From which record of a lane on guards of profiles are in force in it.",
    .partition = {writer},
    .clustering = {version, digest},
    .values = {offset}
};

const Table identity_network_table{
    .name = "identity_network",
    .purpose = "The networks of which ids are known.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {identifier},
    .values = {},
    .shared = true,
    .of_region = true
};

const Table identity_settled_anew_table{
    .name = "identity_settled_anew",
    .purpose =
        "Parts of the index whose profiles follow these guards; that without an identifier: "
        "all.",
    .partition = {version, digest},
    .clustering = {identifier, {"partition", ColumnType::integer}},
    .values = {},
    .shared = true,
    .of_region = true
};

// The highest step of a network holds. Each is a row of its own, so that who writes one late does
// not set the network back.
const Table identity_index_level_table{
    .name = "identity_index_level",
    .purpose =
        "How far networks are that double the partitions of their index to 2^level; "
        "phases 1 copying, 2 reading, 3 emptying, 4 at rest.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {identifier, {"level", ColumnType::integer}, {"phase", ColumnType::integer}},
    .values = {{"since", ColumnType::timestamp}},
    .shared = true,
    .of_region = true
};

const Table identity_feed_table{
    .name = "identity_feed",
    .purpose = "Facts in the order in which a lane was told them, for other regions to follow.",
    .partition = {writer, {"bucket", ColumnType::integer}},
    .clustering = {offset, since},
    .values =
        {{"facts", ColumnType::text},
         {"before", ColumnType::timestamp},
         {"expires", ColumnType::timestamp}},
    .expires = "expires",
    .personal = true
};

const Table identity_feed_end_table{
    .name = "identity_feed_end",
    .purpose = "How far the feed of each lane of every region goes.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {{"region", ColumnType::text}, writer},
    .values = {next, since, {"said", ColumnType::timestamp}}
};

const Table identity_followed_table{
    .name = "identity_followed",
    .purpose = "Up to which record the feed of a lane of another region is followed in this one.",
    .partition = {writer},
    .clustering = {},
    .values = {next},
    .of_region = true
};

const Table identity_expiry_table{
    .name = "identity_expiry",
    .purpose =
        "When facts end unless they are said again, by hours since 1970; with all their ids.",
    .partition = {{"hour", ColumnType::integer}, {"part", ColumnType::integer}},
    .clustering = {{"due", ColumnType::timestamp}, {"fact", ColumnType::bytes}},
    .values = {{"ids", ColumnType::text}},
    .personal = true,
    .shared = true,
    .of_region = true
};

const Table identity_expiry_bucket_table{
    .name = "identity_expiry_bucket",
    .purpose = "Hours in which facts end, in parts.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {{"hour", ColumnType::integer}, {"part", ColumnType::integer}},
    .values = {},
    .shared = true,
    .of_region = true
};

const Table profile_moved_table{
    .name = "profile_moved",
    .purpose =
        "Sids of profiles that got or lost ids, by tens of seconds since 1970; for segments.",
    .partition = {{"bucket", ColumnType::integer}},
    .clustering = {{"at", ColumnType::timestamp}, {"token", ColumnType::integer}},
    .values = {{"sids", ColumnType::bytes}, {"expires", ColumnType::timestamp}},
    .expires = "expires",
    .shared = true,
    .of_region = true
};

const Table profile_follower_table{
    .name = "profile_follower",
    .purpose = "Whether somebody follows which profiles got or lost ids, so that it is noted.",
    .partition = {{"name", ColumnType::text}},
    .clustering = {},
    .values = {{"follows", ColumnType::integer}},
    .shared = true,
    .of_region = true
};

}  // namespace footfall::identities
