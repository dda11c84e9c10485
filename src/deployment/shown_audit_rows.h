#pragma once

#include "storage/value.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::deployment {

/// A row of each table of the audit log, as docs/formats/tables.md has it. For a test. `ten`: ten
/// o'clock.
inline void add_audit_rows(
    std::int64_t ten, std::map<std::string_view, std::vector<storage::Value>>& rows
) {
    const std::string hash(32, 'h');
    const std::string root(32, 'r');
    const std::string commitment(32, 'c');
    constexpr const char* detail =
        R"({"method":"POST","route":"/api/v1/keys","named":[],"body":{"name":"shop"}})";
    constexpr std::int64_t entry = 300;
    rows["audit_entry"] = {
        "main",
        std::int64_t{1},
        entry,
        ten,
        "key_added",
        "ops",
        detail,
        commitment,
        hash,
        std::int64_t{7'165'430}
    };
    rows["audit_hash"] = {"main", std::int64_t{0}, std::int64_t{1}, std::int64_t{44}, hash};
    constexpr const char* checkpoint = "footfall/4bca503c90257d82/main\n301\n..";
    rows["audit_head"] = {
        "newest",
        "main",
        std::int64_t{301},
        root,
        ten,
        checkpoint,
        "footfall/4bca503c90257d82/main+.."
    };
    rows["audit_seen"] = {"main", "ams", std::int64_t{17}, root};
    rows["audit_secret"] = {commitment, std::string(32, 's'), R"({"named":["u1"]})"};
    rows["audit_person"] = {std::string(32, 'p'), commitment, ten};
}

}  // namespace footfall::deployment
