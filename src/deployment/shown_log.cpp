#include "deployment/shown_log.h"

#include "api/event_answers.h"
#include "events/rfc3339.h"
#include "events/verdict.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"
#include "foundation/varint.h"
#include "intake/event_search.h"
#include "intake/lane_judge.h"
#include "journal_rocksdb/blocks.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace footfall::deployment {
namespace {

void append_shown(const events::RulesInForce& rules, std::string& json) {
    json += fmt::format(
        R"("rules":{{"version":{},"digest":{}}})", rules.version, json_string(rules.digest)
    );
}

/// What all say that came from outside.
template <class Said>
void append_who(const Said& said, std::string& json) {
    json += fmt::format(
        R"(,"reason":{},"author":{},"said":"{}","id":{}}})",
        json_string(said.reason),
        json_string(said.author),
        events::format_rfc3339(said.said),
        json_string(said.id)
    );
}

void append_shown(const events::RateSaid& rate, std::string& json) {
    json += fmt::format(
        R"("rate":{{"{}":{},"effective_since":"{}","millionths":{})",
        rate.kind == events::PartyKind::publisher ? "publisher" : "reseller",
        json_string(rate.party),
        format_day(rate.effective),
        rate.share ? std::to_string(*rate.share) : "null"
    );
    if (rate.if_match) {
        json += fmt::format(R"(,"if_match":{})", json_string(*rate.if_match));
    }
    append_who(rate, json);
}

void append_shown(const events::MonthSealed& sealed, std::string& json) {
    using std::chrono::year_month;
    const year_month month = year_month{std::chrono::year{1970}, std::chrono::January} +
                             std::chrono::months{sealed.month};
    json += fmt::format(
        R"("sealed":{{"month":"{:04}-{:02}")",
        static_cast<int>(month.year()),
        static_cast<unsigned>(month.month())
    );
    append_who(sealed, json);
}

void append_shown(const events::ReadsToldAgain& told, std::string& json) {
    json += fmt::format(R"("reads_told_again":{{"bytes":{}}})", told.seal.size());
}

void append_shown(const events::ReadsMark& mark, std::string& json) {
    json += fmt::format(R"("reads_mark":{{"said":"{}"}})", events::format_rfc3339(mark.said));
}

void append_ids(
    std::string_view name, const std::vector<events::Identifier>& ids, std::string& json
) {
    json += fmt::format(R"("{}":[)", name);
    for (const events::Identifier& each : ids) {
        json += fmt::format(
            R"({}{{"identifier":{},"id_name":{},"id_value":{}}})",
            &each == ids.data() ? "" : ",",
            json_string(each.identifier),
            json_string(each.id_name),
            json_string(each.id_value)
        );
    }
    json += ']';
}

void append_shown(const events::IdentityDecided& decided, std::string& json) {
    constexpr std::array<std::string_view, 5> kinds{
        "parting", "accept", "reject", "revoke", "lift"
    };
    json += fmt::format(
        R"("identity":{{"kind":"{}",)", kinds.at(static_cast<std::size_t>(decided.kind))
    );
    append_ids("ids", decided.ids, json);
    json += ',';
    append_ids("others", decided.others, json);
    std::string about;
    for (const char byte : decided.about) {
        about += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    json += fmt::format(R"(,"about":"{}")", about);
    append_who(decided, json);
}

void append_shown(const events::IdentityGuards& guards, std::string& json) {
    json += fmt::format(
        R"("identity_guards":{{"version":{},"guards":{},"said":"{}"}})",
        guards.version,
        json_string(guards.guards),
        events::format_rfc3339(guards.said)
    );
}

void append_control(
    const intake::FoundEvent& at, const events::Control& control, std::string& json
) {
    json += fmt::format(R"({{"position":"{}",)", intake::position_id(at.log, at.lane, at.offset));
    std::visit([&](const auto& each) { append_shown(each, json); }, control);
    json += "}";
}

}  // namespace

Result<std::string> records_json(const showing::RowInPage& row, std::string_view bytes) {
    intake::FoundEvent found{
        .log = static_cast<std::uint64_t>(row.value(0).number()),
        .lane = static_cast<std::uint32_t>(row.value(1).number()),
        .offset = journal_rocksdb::block_at(*row.rows, row.at).first,
        .judged = {}
    };
    std::string json = "[";
    for (; !bytes.empty(); ++found.offset) {
        std::uint64_t size = 0;
        if (!take_varint(bytes, size) || size > bytes.size()) {
            return fail(ErrorKind::corrupt, "a block of the log ends within a record");
        }
        TRY(events::LogRecord record, events::read_record(bytes.substr(0, size)));
        bytes.remove_prefix(size);
        json += json.size() > 1 ? "," : "";
        if (auto* const judged = std::get_if<events::JudgedEvent>(&record)) {
            found.judged = std::move(*judged);
            found.judged.event.address.clear();
            api::append_found_event(found, intake::Context{}, json);
        } else {
            append_control(found, std::get<events::Control>(record), json);
        }
    }
    return json + "]";
}

}  // namespace footfall::deployment
