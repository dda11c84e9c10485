#include "records/field_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall::records {
namespace {

using testing::ElementsAre;

/// What `options` make: "object=vendorId token=2 +action=view", or "!message".
std::string parsed(const FieldMap::Options& options) {
    const auto map = FieldMap::parse(options);
    if (!map) {
        EXPECT_EQ(map.error().kind, ErrorKind::invalid_input);
        return "!" + map.error().message;
    }
    std::string text;
    for (const FieldMap::Mapping& each : map->mappings()) {
        text.append(each.name).append("=").append(each.column).append(" ");
    }
    for (const auto& [target, value] : map->constants()) {
        text.append("+").append(name_of(target)).append("=").append(value).append(" ");
    }
    return text;
}

FieldMap::Options tokens(std::string map, std::vector<std::string> constants = {}) {
    return {.map = std::move(map), .constants = std::move(constants)};
}

FieldMap::Options events(std::string map, std::vector<std::string> constants = {}) {
    return {.kind = ImportKind::events, .map = std::move(map), .constants = std::move(constants)};
}

FieldMap::Options rates(std::string map, std::vector<std::string> constants = {}) {
    return {.kind = ImportKind::rates, .map = std::move(map), .constants = std::move(constants)};
}

FieldMap::Options people(std::string map, std::vector<std::string> constants = {}) {
    return {.kind = ImportKind::people, .map = std::move(map), .constants = std::move(constants)};
}

FieldMap::Options identities(std::string map, std::vector<std::string> constants = {}) {
    return {
        .kind = ImportKind::identities, .map = std::move(map), .constants = std::move(constants)
    };
}

TEST(FieldMap, reads_mappings_and_constants_in_their_order) {
    const struct {
        FieldMap::Options options;
        std::string_view result;
    } cases[] = {
        {tokens("object=vendorId,token=reviewerId"), "object=vendorId token=reviewerId "},
        {tokens(" token = 2 , object = a column ,ttl=3"), "token=2 object=a column ttl=3 "},
        {tokens("object=a=b,token=t"), "object=a=b token=t "},
        {tokens("token=t", {"object=all of it, = too"}), "token=t +object=all of it, = too "},
        {events("object=o,actor=u", {"action=view", "ad= x"}),
         "object=o actor=u +action=view +ad= x "},
        {rates("reseller=r,effective_since=d,reward_percent=p", {"reason=the contract"}),
         "reseller=r effective_since=d reward_percent=p +reason=the contract "},
        {rates("effective_since=1,reward_percent=2", {"publisher=p"}),
         "effective_since=1 reward_percent=2 +publisher=p "},
        {people("actor=1,friend=2", {"reading=shared"}), "actor=1 friend=2 +reading=shared "},
        {people("actor=a,reading=r,until=u,sites=s,to=t,friends=f"),
         "actor=a reading=r until=u sites=s to=t friends=f "},
        {people("friends=f,actor=a"), "friends=f actor=a "},
        {identities("www/id=a, shop/a/b = 2 ,time=t", {"source=crm"}),
         "www/id=a shop/a/b=2 time=t +source=crm "},
    };

    for (const auto& [options, result] : cases) {
        EXPECT_EQ(parsed(options), result);
    }
}

TEST(FieldMap, says_what_is_wrong) {
    const struct {
        FieldMap::Options options;
        std::string_view message;
    } cases[] = {
        {tokens(""), "!--map is needed for this format, as in --map object=COLUMN,..."},
        {tokens("object"), "!--map object: each part must read TARGET=COLUMN"},
        {tokens("object=a,,token=b"), "!--map : each part must read TARGET=COLUMN"},
        {tokens("object=a,token= "), "!--map token= : each part must read TARGET=COLUMN"},
        {tokens("object=a,token=b,"), "!--map : each part must read TARGET=COLUMN"},
        {tokens("object=a,token=b,object=c"), "!the field object is given twice by --map and --set"
        },
        {tokens("object=a,token=b", {"token=c"}),
         "!the field token is given twice by --map and --set"},
        {tokens("object=a,actor=b"), "!tokens have no field actor; they have object, token, ttl"},
        {tokens("object=a,token=b", {"colour=c"}),
         "!tokens have no field colour; they have object, token, ttl"},
        {tokens("object=a"),
         "!tokens need the field token; add token=COLUMN to --map, or --set "
         "token=VALUE"},
        {events("object=a"),
         "!events need the field action; add action=COLUMN to --map, or --set "
         "action=VALUE"},
        {events("action=a"),
         "!events need the field object; add object=COLUMN to --map, or --set "
         "object=VALUE"},
        {events("object=a,action=b,token=c"),
         "!events have no field token; they have object, action, id, time, actor, address, agent, "
         "referrer, amount, currency, reseller, ad, publisher"},
        {rates(""), "!--map is needed for this format, as in --map reseller=COLUMN,..."},
        {rates("reseller=a,reward_percent=b"),
         "!rates need the field effective_since; add effective_since=COLUMN to --map, or --set "
         "effective_since=VALUE"},
        {rates("effective_since=a,reward_percent=b"),
         "!rates need either the field reseller or the field publisher"},
        {rates("reseller=a,publisher=b,effective_since=c,reward_percent=d"),
         "!rates need either the field reseller or the field publisher"},
        {rates("object=a"),
         "!rates have no field object; they have reseller, publisher, effective_since, "
         "reward_percent, reason"},
        {people(""), "!--map is needed for this format, as in --map actor=COLUMN,..."},
        {people("reading=a"),
         "!people need the field actor; add actor=COLUMN to --map, or --set actor=VALUE"},
        {people("actor=a"), "!people need one of the fields reading, friends, friend"},
        {people("actor=a,sites=b,friends=c"), "!people need the field reading beside sites"},
        {people("actor=a,friends=b", {"to=friends"}), "!people need the field reading beside to"},
        {people("actor=a,friends=b,friend=c"),
         "!people have either friends, which replaces them all, or friend, which adds one"},
        {people("actor=a,token=b"),
         "!people have no field token; they have actor, reading, until, sites, to, friends, friend"
        },
        {identities(""), "!--map is needed for this format, as in --map NETWORK/NAME=COLUMN,..."},
        {identities("time=a"),
         "!identities need 1 to 32 ids, as in --map www/id=COLUMN,shop/customer=COLUMN"},
        {identities("www=a"), "!identities have no field www; they have time, source, NETWORK/NAME"
        },
        {identities("www/id=a,www/id=b"), "!the field www/id is given twice by --map"},
        {identities("www/id=a", {"shop/id=7"}),
         "!--set shop/id=7: an id is another one in every record; --map it"},
        {events("object=o,action=a,www/id=b"),
         "!events have no field www/id; they have object, action, id, time, actor, address, agent, "
         "referrer, amount, currency, reseller, ad, publisher"},
        {tokens("object=a,token=b", {"ttl"}), "!--set ttl: it must read TARGET=VALUE"},
        {tokens("object=a,token=b", {"ttl="}), "!--set ttl=: it must read TARGET=VALUE"},
    };

    for (const auto& [options, message] : cases) {
        EXPECT_EQ(parsed(options), message);
    }
}

TEST(FieldMap, access_logs_need_none) {
    EXPECT_EQ(parsed({.format = InputFormat::common}), "object=url token=address ");
    EXPECT_EQ(parsed({.format = InputFormat::combined}), "object=url token=address ");
    EXPECT_EQ(
        parsed(
            {.kind = ImportKind::events,
             .format = InputFormat::combined,
             .constants = {"action=view"}}
        ),
        "object=url time=time address=address agent=agent referrer=referrer +action=view "
    );
    EXPECT_EQ(
        parsed(
            {.kind = ImportKind::events,
             .format = InputFormat::common,
             .constants = {"action=view", "object=site"}}
        ),
        "time=time address=address +action=view +object=site "
    );
}

TEST(FieldMap, what_an_access_log_tells_of_is_a_view_unless_said_otherwise) {
    const auto of_log = [](std::string map, std::vector<std::string> constants) {
        return parsed(
            {.kind = ImportKind::events,
             .format = InputFormat::common,
             .map = std::move(map),
             .constants = std::move(constants)}
        );
    };
    EXPECT_EQ(of_log("object=url,actor=address", {}), "object=url actor=address +action=view ");
    EXPECT_EQ(of_log("object=url", {"action=read"}), "object=url +action=read ");
    EXPECT_EQ(of_log("object=url,action=method", {}), "object=url action=method ");
}

std::string columns(std::string map, const std::vector<std::string_view>& header) {
    const auto columns = FieldMap::parse(tokens(std::move(map)))->columns_in(header);
    if (!columns) {
        return "!" + columns.error().message;
    }
    std::string text;
    for (const auto column : *columns) {
        text += std::to_string(column) + " ";
    }
    return text;
}

TEST(FieldMap, finds_columns_by_name_and_by_number) {
    const std::vector<std::string_view> header = {"id", "who", "2", "id"};

    const struct {
        const char* map;
        std::string_view result;
    } cases[] = {
        {"object=who,token=1", "1 0 "},
        {"object=4,token=3", "3 2 "},
        {"object=2,token=who", "2 1 "},
        {"object=who,token=who", "1 1 "},
        {"object=id,token=who",
         "!--map object=id: two columns have this name; give the number of the one you mean, from "
         "1 "
         "to 4"},
        {"object=who,token=Who",
         "!--map token=Who: there is no column Who; the columns are id, who, 2, id"},
        {"object=who,token=5", "!--map token=5: columns are numbered from 1 to 4"},
        {"object=who,token=0", "!--map token=0: columns are numbered from 1 to 4"},
    };

    for (const auto& [map, result] : cases) {
        EXPECT_EQ(columns(map, header), result);
    }
}

TEST(FieldMap, wants_numbers_where_there_is_no_header) {
    const auto by_number = FieldMap::parse(tokens("object=3,token=1"));
    EXPECT_THAT(*by_number->columns_by_number(3), ElementsAre(2, 0));
    EXPECT_FALSE(by_number->columns_by_number(2));
    const auto columns = FieldMap::parse(tokens("object=vendor,token=1"))->columns_by_number(3);
    ASSERT_FALSE(columns);
    EXPECT_EQ(
        columns.error().message,
        "--map object=vendor: without a header a column is given by its number, from 1 to 3"
    );
}

TEST(FieldMap, choices_are_named_when_one_is_unknown) {
    EXPECT_EQ(*parse_input_format("ndjson"), InputFormat::ndjson);
    EXPECT_EQ(*parse_import_kind("events"), ImportKind::events);
    EXPECT_EQ(
        parse_input_format("xml").error().message,
        "--format xml: choose one of csv, tsv, ndjson, common, combined"
    );
    EXPECT_EQ(
        parse_import_kind("").error().message,
        "--as : choose one of tokens, events, rates, people, identities"
    );
}

}  // namespace
}  // namespace footfall::records
