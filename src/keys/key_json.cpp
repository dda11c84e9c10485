#include "keys/key_json.h"

#include "events/rfc3339.h"
#include "foundation/json_string.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace footfall::keys {
namespace {

std::string scopes_json(const Scopes& scopes) {
    return fmt::format(R"(["{}"])", fmt::join(scopes.names(), R"(",")"));
}

/// Without the braces, so that more may follow.
std::string fields_of(const ApiKey& key) {
    return fmt::format(
        R"("name":{},"scopes":{},"created":"{}","expires":{})",
        json_string(key.name),
        scopes_json(key.scopes),
        events::format_rfc3339(key.created),
        key.expires ? json_string(events::format_rfc3339(*key.expires)) : "null"
    );
}

std::string text_or_null(const std::string& text) {
    return text.empty() ? "null" : json_string(text);
}

}  // namespace

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

std::string caller_json(std::optional<std::string_view> name, const Scopes& scopes) {
    return fmt::format(
        R"({{"name":{},"scopes":{}}})", name ? json_string(*name) : "null", scopes_json(scopes)
    );
}

}  // namespace footfall::keys
