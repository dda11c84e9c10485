#include "deployment/shown_log.h"

#include "api/event_answers.h"
#include "events/verdict.h"
#include "foundation/json_string.h"
#include "foundation/varint.h"
#include "intake/event_search.h"
#include "intake/lane_judge.h"
#include "journal_rocksdb/blocks.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <variant>

namespace footfall::deployment {
namespace {

void append_control(
    const intake::FoundEvent& at, const events::Control& control, std::string& json
) {
    const auto& rules = std::get<events::RulesInForce>(control);
    json += fmt::format(
        R"({{"position":"{}","rules":{{"version":{},"digest":{}}}}})",
        intake::position_id(at.log, at.lane, at.offset),
        rules.version,
        json_string(rules.digest)
    );
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
