#include "keys/key_json.h"

#include "events/rfc3339.h"
#include "foundation/json_string.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace footfall::keys {
namespace {

/// `"scopes":["read"]`, or none and the party.
std::string rights_json(const Rights& rights) {
    const std::string asked = asked_rights_json(rights);
    return party_of(rights) == nullptr ? asked : R"("scopes":[],)" + asked;
}

/// Without the braces, so that more may follow.
std::string fields_of(const ApiKey& key) {
    return fmt::format(
        R"("name":{},{},"created":"{}","expires":{})",
        json_string(key.name),
        rights_json(key.rights),
        events::format_rfc3339(key.created),
        key.expires ? json_string(events::format_rfc3339(*key.expires)) : "null"
    );
}

std::string text_or_null(const std::string& text) {
    return text.empty() ? "null" : json_string(text);
}

}  // namespace

std::string asked_rights_json(const Rights& rights) {
    if (const Party* const party = party_of(rights)) {
        return fmt::format(R"("{}":{})", name_of(party->kind), json_string(party->id));
    }
    return fmt::format(R"("scopes":["{}"])", fmt::join(scopes_of(rights).names(), R"(",")"));
}

std::string made_key_json(const KeyRegistry::Added& added) {
    return fmt::format(
        R"({{{},"key":"{}","notice":{}}})",
        fields_of(added.key),
        added.text,
        text_or_null(added.notice())
    );
}

std::string key_list_json(std::span<const ApiKey> keys, Instant now) {
    std::string json = R"({"keys":[)";
    for (const ApiKey& key : keys) {
        json += fmt::format(
            R"({}{{{},"expired":{}}})",
            json.ends_with('[') ? "" : ",",
            fields_of(key),
            key.expired_at(now)
        );
    }
    return json + "]}";
}

std::string revoked_key_json(std::string_view name, std::size_t left) {
    return fmt::format(
        R"({{"revoked":{},"left":{},"notice":{}}})",
        json_string(name),
        left,
        text_or_null(KeyRegistry::revoke_notice(left))
    );
}

std::string caller_json(std::optional<std::string_view> name, const Rights& rights) {
    return fmt::format(
        R"({{"name":{},{}}})", name ? json_string(*name) : "null", rights_json(rights)
    );
}

}  // namespace footfall::keys
