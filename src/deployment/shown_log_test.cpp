#include "deployment/shown_log.h"

#include "events/verdict.h"
#include "foundation/varint.h"
#include "journal_rocksdb/schema.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::deployment {
namespace {

using testing::HasSubstr;
using testing::Not;

void append(const std::string& record, std::string& records) {
    append_varint(record.size(), records);
    records += record;
}

/// Of a row with these records from number 5 on.
Result<std::string> json_of(const std::string& records) {
    storage::Rows rows{journal_rocksdb::log_block_table};
    rows.append(std::vector<storage::ValueView>{
        std::int64_t{-1},
        std::int64_t{7},
        std::int64_t{0},
        std::int64_t{5},
        std::int64_t{6},
        records
    });
    return records_json({.rows = &rows, .at = 0}, records);
}

std::string event_and_rules() {
    events::JudgedEvent judged;
    judged.event.action = "view";
    judged.event.object = "page";
    judged.event.address = "192.0.2.7";
    judged.arrival = Instant{std::chrono::seconds{1'795'255'200}};
    judged.verdict.rules_version = 3;
    std::string record;
    events::append_judged(judged, record);
    std::string records;
    append(record, records);
    record.clear();
    events::append_control(events::RulesInForce{.version = 4, .digest = "00ff"}, record);
    append(record, records);
    return records;
}

TEST(ShownLog, is_a_list_of_what_was_judged_and_what_rules_were_in_force) {
    const auto json = json_of(event_and_rules());
    ASSERT_TRUE(json);
    EXPECT_THAT(
        *json, HasSubstr(R"("position":"ffffffffffffffff-7-5","arrival":"2026-11-21T10:00:00Z")")
    );
    EXPECT_THAT(*json, HasSubstr(R"("verdict":{"counted":true)"));
    EXPECT_THAT(
        *json,
        HasSubstr(R"(,{"position":"ffffffffffffffff-7-6","rules":{"version":4,"digest":"00ff"}}])")
    );
}

TEST(ShownLog, says_what_was_said_from_outside) {
    const Instant said{std::chrono::seconds{1'795'255'200}};
    std::string records;
    for (const events::Control& each : std::vector<events::Control>{
             events::RateSaid{
                 .kind = events::PartyKind::publisher,
                 .party = "the \"daily\"",
                 .effective = 16'039,
                 .share = 300'000,
                 .reason = "new",
                 .author = "ann",
                 .if_match = "7",
                 .said = said,
                 .id = "00ff"
             },
             events::RateSaid{.party = "r", .share = std::nullopt, .if_match = std::nullopt},
             events::MonthSealed{
                 .month = 526, .reason = "closed", .author = "ann", .said = said, .id = "00fe"
             },
             events::IdentityDecided{
                 .kind = events::IdentityKind::revoke,
                 .ids = {{"www", "id", "w\"1"}, {"shop", "customer", "7"}},
                 .about = "\x0f\xff",
                 .reason = "no kiosk",
                 .author = "ann",
                 .said = said,
                 .id = "00fd"
             },
             events::IdentityGuards{.version = 3, .guards = R"({"profile_ids":9})", .said = said}
         }) {
        std::string record;
        events::append_control(each, record);
        append(record, records);
    }
    EXPECT_EQ(
        json_of(records).value(),
        R"([{"position":"ffffffffffffffff-7-5","rate":{"publisher":"the \"daily\"",)"
        R"("effective_since":"2013-11-30","millionths":300000,"if_match":"7","reason":"new",)"
        R"("author":"ann","said":"2026-11-21T10:00:00Z","id":"00ff"}},)"
        R"({"position":"ffffffffffffffff-7-6","rate":{"reseller":"r",)"
        R"("effective_since":"1970-01-01","millionths":null,"reason":"","author":"",)"
        R"("said":"1970-01-01T00:00:00Z","id":""}},)"
        R"({"position":"ffffffffffffffff-7-7","sealed":{"month":"2013-11","reason":"closed",)"
        R"("author":"ann","said":"2026-11-21T10:00:00Z","id":"00fe"}},)"
        R"({"position":"ffffffffffffffff-7-8","identity":{"kind":"revoke","ids":[)"
        R"({"identifier":"www","id_name":"id","id_value":"w\"1"},)"
        R"({"identifier":"shop","id_name":"customer","id_value":"7"}],"others":[],"about":"0fff",)"
        R"("reason":"no kiosk","author":"ann","said":"2026-11-21T10:00:00Z","id":"00fd"}},)"
        R"({"position":"ffffffffffffffff-7-9","identity_guards":{"version":3,)"
        R"("guards":"{\"profile_ids\":9}","said":"2026-11-21T10:00:00Z"}}])"
    );
}

TEST(ShownLog, tells_no_address) {
    EXPECT_THAT(*json_of(event_and_rules()), Not(HasSubstr("192.0.2.7")));
}

TEST(ShownLog, damaged_records_are_refused) {
    const std::string whole = event_and_rules();
    for (std::size_t bytes = 1; bytes < whole.size(); ++bytes) {
        const auto cut = json_of(whole.substr(0, bytes));
        if (cut) {
            // Only where the first record ends.
            EXPECT_THAT(*cut, Not(HasSubstr("rules\":{"))) << bytes;
            continue;
        }
        EXPECT_EQ(cut.error().kind, ErrorKind::corrupt) << bytes;
    }
}

}  // namespace
}  // namespace footfall::deployment
