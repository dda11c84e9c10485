#include "segments_routes/change_json.h"

#include "events/rfc3339.h"
#include "foundation/json_string.h"

#include <fmt/format.h>

namespace footfall::segments::routes {
namespace {

std::string_view kind_of_change(const Change& change) {
    return change.is_erased() ? "erased" : change.joined ? "joined" : "left";
}

}  // namespace

void append_change(const Change& change, std::string_view id, std::string& json) {
    json += '{';
    if (!id.empty()) {
        json += R"("id":)";
        append_json_string(json, id);
        json += ',';
    }
    json += fmt::format(
        R"("number":{},"change":"{}","identifier":)", change.number, kind_of_change(change)
    );
    append_json_string(json, change.id.identifier);
    json += R"(,"id_name":)";
    append_json_string(json, change.id.id_name);
    json += R"(,"id_value":)";
    append_json_string(json, change.id.id_value);
    json += fmt::format(R"(,"time":"{}"}})", events::format_rfc3339(change.at));
}

}  // namespace footfall::segments::routes
