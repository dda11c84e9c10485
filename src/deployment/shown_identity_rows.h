#pragma once

#include "identities/sid.h"
#include "storage/value.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::deployment {

/// What rows of many tables have in common. For a test.
struct OfShownRows {
    std::string writer;
    std::int64_t offset = 0;
    std::int64_t ten = 0;   ///< Ten o'clock.
    std::int64_t late = 0;  ///< When nothing has expired yet.
};

/// A row of each table of identities, as docs/formats/tables.md has it.
inline void add_identity_rows(
    const OfShownRows& of, std::map<std::string_view, std::vector<storage::Value>>& rows
) {
    const std::string fact(16, 'f');
    const std::string sid = identities::stored_sid("7b1c2a0e-93d5-5f0e-8a53-9f8f0c7f2d11");
    constexpr const char* ids = R"([["shop","customer","7"],["www","id","w111"]])";
    rows["identity_fact"] = {
        "www",
        "id",
        "w111",
        fact,
        of.writer,
        "link",
        ids,
        "[]",
        "",
        of.ten,
        of.ten,
        of.ten,
        "crm",
        "",
        "",
        ""
    };
    rows["fact_anchor"] = {fact, "shop", "customer", "7"};
    rows["profile_index"] = {"www", std::int64_t{93}, "id", "w111", sid, std::int64_t{0}};
    rows["profile"] = {
        sid, "www", R"({"id":["w111"]})", "{}", R"([["id","w111",1795255200000000,"crm"]])"
    };
    rows["sid_anchor"] = {sid, "shop", "customer", "7"};
    rows["identity_contested"] = {std::int64_t{6}, fact, ids, "per_profile"};
    rows["identity_settling"] = {of.writer, std::int64_t{7'165'430}, ids};
    rows["identity_later"] = {
        std::int64_t{6},
        std::int64_t{7'165'430},
        "said",
        ids,
        std::int64_t{1},
        of.ten,
        std::int64_t{3}
    };
    constexpr std::int64_t digest = 2'207'411'032'119'874'410;
    constexpr const char* guards = R"({"profile_ids":1000,"shared_above":64,"identifiers":[]})";
    rows["identity_guards"] = {"guards", std::int64_t{3}, digest, guards, of.ten};
    rows["identity_guards_of_lane"] = {of.writer, std::int64_t{3}, digest, of.offset};
    rows["identity_network"] = {"networks", "www"};
    rows["identity_settled_anew"] = {std::int64_t{3}, digest, "www", std::int64_t{93}};
    rows["identity_index_level"] = {"levels", "www", std::int64_t{10}, std::int64_t{2}, of.ten};
    constexpr const char* told =
        R"([["66666666666666666666666666666666",1795255200000000,1795255200000000,1795255200000000,[["www","id","w111"],["shop","customer","7"]],[]]])";
    rows["identity_feed"] = {
        of.writer, std::int64_t{0}, of.offset, std::int64_t{12}, told, of.ten, of.late
    };
    rows["identity_feed_end"] = {"all", "ams", of.writer, of.offset, std::int64_t{12}, of.ten};
    rows["identity_followed"] = {of.writer, of.offset};
    rows["identity_expiry"] = {std::int64_t{498'682}, std::int64_t{6}, of.ten, fact, ids};
    rows["identity_expiry_bucket"] = {"expiries", std::int64_t{498'682}, std::int64_t{6}};
    rows["profile_moved"] = {
        std::int64_t{179'525'520}, of.ten, std::int64_t{7'165'430}, sid, of.late
    };
    rows["profile_follower"] = {"moves", std::int64_t{1}};
}

}  // namespace footfall::deployment
