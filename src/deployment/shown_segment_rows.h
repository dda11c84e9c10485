#pragma once

#include "deployment/shown_identity_rows.h"
#include "identities/sid.h"
#include "segment_rules/latest_events.h"
#include "storage/value.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::deployment {

/// Of what stands beside segments: who sees numbers only, reports, webhooks.
inline void add_rows_beside_segments(
    const OfShownRows& of, std::map<std::string_view, std::vector<storage::Value>>& rows
) {
    rows["audience_number"] = {
        std::int64_t{20'778}, std::int64_t{7'165'430}, std::int64_t{1'012}, of.late
    };
    rows["audience_asked"] = {std::int64_t{20'778}, "ads", std::int64_t{7'165'430}, of.late};
    rows["segment_report"] = {"all", "growth", R"(["spring","loyal"])", std::int64_t{390}, of.ten};
    rows["segment_report_day"] = {
        "growth", std::int64_t{20'778}, R"(["spring","loyal"])", "\x02\x05\x01", "", of.ten, of.late
    };
    rows["webhook"] = {
        "all",
        "crm",
        "2207411032119874410 buyers",
        "shop",
        "https://crm.example.org/audiences",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        of.ten
    };
    rows["webhook_progress"] = {
        "all",
        "crm",
        of.ten,
        std::int64_t{42},
        std::int64_t{47},
        std::int64_t{3},
        of.late,
        of.ten,
        of.ten,
        std::int64_t{0},
        "it answered 503"
    };
}

/// A row of each table of segments, as docs/formats/tables.md has it. For a test.
inline void add_segment_rows(
    const OfShownRows& of, std::map<std::string_view, std::vector<storage::Value>>& rows
) {
    const std::string sid = identities::stored_sid("7b1c2a0e-93d5-5f0e-8a53-9f8f0c7f2d11");
    constexpr std::int64_t segment = 2'207'411'032'119'874'410;
    constexpr std::int64_t bucket = 179'525'520;
    std::string numbers;
    for (std::int64_t left = segment, byte = 0; byte < 8; ++byte, left >>= 8) {
        numbers += static_cast<char>(left & 0xFF);
    }
    rows["segment"] = {"segments", "buyers", segment, of.ten};
    rows["segment_rule"] = {
        "segments",
        "buyers",
        segment,
        R"({"event":{"action":"click","ad":"spring","times":2,"within":"30d"}})",
        "this machine",
        of.ten
    };
    rows["segment_filled"] = {"segments", segment, of.ten};
    const segment_rules::EventMark mark{
        .time = Instant{std::chrono::microseconds{of.ten}}, .lane = 23, .offset = 18
    };
    segment_rules::LatestEvents events{2};
    events.add(mark);
    rows["segment_did"] = {
        "footfall", "actor", "u1", std::int64_t{7'165'430}, of.writer, events.bytes(), of.late
    };
    rows["segment_dropped"] = {"segments", segment, "buyers", of.ten};
    rows["segment_member"] = {
        segment, std::int64_t{93}, "www", "id", "w111", of.late, of.ten, "crm"
    };
    rows["segment_of"] = {"www", "id", "w111", segment, of.late};
    rows["segment_noted"] = {
        bucket, of.ten, std::int64_t{7'165'430}, R"([["www","id","w111"]])", of.late
    };
    rows["segment_person"] = {sid, std::int64_t{17}, numbers, of.late, R"([["www","id","w111"]])"};
    rows["segment_expiry"] = {bucket, of.ten, sid, of.late};
    rows["segment_told"] = {"www", "id", "w111", segment, std::int64_t{42}};
    rows["segment_change"] = {
        segment, std::int64_t{0}, std::int64_t{42}, "www", "id", "w111", std::int64_t{1}, of.ten
    };
    rows["segment_told_until"] = {segment, std::int64_t{42}};
    rows["segment_published"] = {segment, std::int64_t{42}};
    rows["segment_derived"] = {"segments", of.ten};
    rows["segment_size"] = {segment, "hour", of.ten, std::int64_t{1'204}, of.late};
    add_rows_beside_segments(of, rows);
}

}  // namespace footfall::deployment
