#include "keys/party.h"

#include "events/event.h"
#include "foundation/json_string.h"
#include "foundation/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::keys {

std::string_view name_of(PartyKind kind) {
    return kind == PartyKind::reseller ? "reseller" : "publisher";
}

Result<Party> Party::make(PartyKind kind, std::string id) {
    if (id.empty() || id.size() > events::longest_id || !is_utf8(id)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("{} is 1 to {} bytes of UTF-8", name_of(kind), events::longest_id)
        );
    }
    return Party{.kind = kind, .id = std::move(id)};
}

Result<Party> Party::parse(std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        if (text.substr(0, colon) == name_of(kind) && colon < text.size()) {
            return make(kind, std::string{text.substr(colon + 1)});
        }
    }
    return fail(ErrorKind::invalid_input, "a party begins with \"reseller:\" or \"publisher:\"");
}

std::string Party::text() const {
    return fmt::format("{}:{}", name_of(kind), id);
}

std::string Party::description() const {
    return fmt::format("{} {}", name_of(kind), json_string(id));
}

}  // namespace footfall::keys
