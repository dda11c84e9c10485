#include "reading_routes/person_json.h"

#include "events/canonical_url.h"
#include "events/event.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "foundation/names.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace footfall::reading::routes {
namespace {

using boost::json::object;
using boost::json::value;

constexpr std::array<std::string_view, 4> consent_fields{"reading", "until", "sites", "to"};
constexpr std::array<std::string_view, 8> line_fields{
    "actor", "reading", "until", "sites", "to", "friends", "add", "remove"
};

std::unexpected<Fault> fault(std::string_view field, std::string detail) {
    return std::unexpected(Fault{.field = std::string{field}, .detail = std::move(detail)});
}

/// Null: it is absent, or null.
const value* field_of(const object& object, std::string_view name) {
    const value* const found = object.if_contains({name.data(), name.size()});
    return found == nullptr || found->is_null() ? nullptr : found;
}

Read<std::optional<std::string>> text_field(const object& object, std::string_view name) {
    const value* const found = field_of(object, name);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (const boost::json::string* const text = found->if_string()) {
        return std::string{text->data(), text->size()};
    }
    return fault(name, fmt::format("{} must be a text", name));
}

Read<std::string> checked_actor(std::string name, std::string_view field) {
    if (const Result<void> checked = check_name("name of a person", name); !checked) {
        return fault(field, checked.error().message);
    }
    if (events::has_control_character(name)) {
        return fault(field, "the name of a person has no control characters");
    }
    return name;
}

Read<std::vector<std::string>> sites_field(const object& object) {
    std::vector<std::string> sites;
    const value* const found = field_of(object, "sites");
    if (found == nullptr) {
        return sites;
    }
    const boost::json::array* const list = found->if_array();
    if (list == nullptr || list->empty() || list->size() > people::sites_max) {
        return fault(
            "sites",
            fmt::format(
                R"(sites is a list of 1 to {} hosts, such as ["news.example"]; absent: all sites)",
                people::sites_max
            )
        );
    }
    for (const value& each : *list) {
        const boost::json::string* const text = each.if_string();
        auto site =
            checked_site(text == nullptr ? std::string_view{} : std::string_view{*text}, "sites");
        if (!site) {
            return std::unexpected(std::move(site).error());
        }
        sites.push_back(*std::move(site));
    }
    return sites;
}

Read<std::optional<Instant>> until_field(
    const object& object, people::Reading reading, Instant now
) {
    const auto text = text_field(object, "until");
    if (!text) {
        return std::unexpected(text.error());
    }
    const std::optional<std::string>& said = *text;
    if (!said) {
        return std::nullopt;
    }
    if (reading != people::Reading::paused) {
        return fault(
            "until", "until says when a pause ends: it goes with \"reading\":\"private\" alone"
        );
    }
    const std::optional<Instant> until = events::parse_rfc3339(*said);
    if (!until) {
        return fault("until", "until is an instant such as \"2026-11-21T10:00:00Z\"");
    }
    if (*until <= now) {
        return fault("until", "until is over: a pause ends in the time to come");
    }
    return until;
}

Read<void> check_fields(const object& fields) {
    for (const auto& each : fields) {
        const std::string_view name = each.key();
        if (std::ranges::find(line_fields, name) == line_fields.end()) {
            return fault(
                name,
                fmt::format(
                    "there is no field \"{}\"; there are {}", name, fmt::join(line_fields, ", ")
                )
            );
        }
    }
    return {};
}

void append_list(const std::vector<std::string>& names, std::string& json) {
    json += '[';
    for (const std::string& each : names) {
        json += &each == names.data() ? "" : ",";
        append_json_string(json, each);
    }
    json += ']';
}

/// A list that is empty is left out.
void append_field(
    std::string_view field, const std::vector<std::string>& names, std::string& json
) {
    if (!names.empty()) {
        json += fmt::format(R"(,"{}":)", field);
        append_list(names, json);
    }
}

}  // namespace

Read<std::string> checked_site(std::string_view site, std::string_view field) {
    const bool is_host = !site.empty() && site.find_first_of("/?#@:\\ ") == std::string_view::npos;
    const std::string article =
        is_host ? events::canonical_url(fmt::format("https://{}/", site)) : std::string{};
    const std::string_view host = events::site_of(article);
    if (host.empty()) {
        return fault(
            field, "a site is a host, such as \"news.example\"; those below it are meant, too"
        );
    }
    return std::string{host};
}

Read<people::Consent> read_consent(const object& object, Instant now) {
    people::Consent consent;
    const auto reading = text_field(object, "reading");
    const auto to = text_field(object, "to");
    for (const auto* const each : {&reading, &to}) {
        if (!*each) {
            return std::unexpected(each->error());
        }
    }
    const auto named = people::reading_named(reading->value_or("off"));
    if (!named) {
        return fault("reading", "reading is one of \"shared\", \"private\", \"off\"");
    }
    const auto audience = people::audience_named(to->value_or("anyone"));
    if (!audience) {
        return fault("to", "to is one of \"anyone\", \"friends\"");
    }
    consent.reading = *named;
    consent.to = *audience;
    auto sites = sites_field(object);
    if (!sites) {
        return std::unexpected(std::move(sites).error());
    }
    consent.sites = *std::move(sites);
    const auto until = until_field(object, consent.reading, now);
    if (!until) {
        return std::unexpected(until.error());
    }
    consent.until = *until;
    return consent;
}

Read<std::vector<std::string>> read_names(
    const object& object, std::string_view field, std::size_t most
) {
    std::vector<std::string> names;
    const value* const found = field_of(object, field);
    if (found == nullptr) {
        return names;
    }
    const boost::json::array* const list = found->if_array();
    if (list == nullptr) {
        return fault(field, fmt::format(R"({} is a list of names, such as ["u2","u3"])", field));
    }
    if (list->size() > most) {
        return fault(
            field, fmt::format("{} has {} names, more than {}", field, list->size(), most)
        );
    }
    names.reserve(list->size());
    for (const value& each : *list) {
        const boost::json::string* const text = each.if_string();
        if (text == nullptr) {
            return fault(field, fmt::format("each of {} is a text", field));
        }
        auto name = checked_actor({text->data(), text->size()}, field);
        if (!name) {
            return std::unexpected(std::move(name).error());
        }
        names.push_back(*std::move(name));
    }
    return names;
}

Read<std::optional<std::string>> read_actor(const object& object) {
    auto actor = text_field(object, "actor");
    if (!actor) {
        return std::unexpected(std::move(actor).error());
    }
    std::optional<std::string>& given = *actor;
    if (!given) {
        return std::nullopt;
    }
    auto name = checked_actor(*std::move(given), "actor");
    if (!name) {
        return std::unexpected(std::move(name).error());
    }
    return *std::move(name);
}

Read<people::Said> read_person_line(std::string_view line, Instant now) {
    boost::json::error_code error;
    const value document = boost::json::parse({line.data(), line.size()}, error);
    const object* const fields = error ? nullptr : document.if_object();
    if (fields == nullptr) {
        return fault("line", "the line is not a JSON object");
    }
    return read_person(*fields, now);
}

Read<people::Said> read_person(const object& fields, Instant now) {
    if (const auto known = check_fields(fields); !known) {
        return std::unexpected(known.error());
    }
    people::Said said;
    auto actor = read_actor(fields);
    if (!actor) {
        return std::unexpected(std::move(actor).error());
    }
    std::optional<std::string>& name = *actor;
    if (!name) {
        return fault("actor", "actor is missing: who the line is about");
    }
    said.actor = *std::move(name);
    const auto is_there = [&](std::string_view field) {
        return field_of(fields, field) != nullptr;
    };
    if (std::ranges::any_of(consent_fields, is_there)) {
        auto consent = read_consent(fields, now);
        if (!consent) {
            return std::unexpected(std::move(consent).error());
        }
        said.consent = *std::move(consent);
    }
    auto friends = read_names(fields, "friends", people::friends_max);
    auto add = read_names(fields, "add", people::friends_max);
    auto remove = read_names(fields, "remove", people::friends_max);
    for (const auto* const each : {&friends, &add, &remove}) {
        if (!*each) {
            return std::unexpected(each->error());
        }
    }
    if (is_there("friends")) {
        said.friends = *std::move(friends);
    }
    said.add = *std::move(add);
    said.remove = *std::move(remove);
    if (!said.consent && !said.friends && said.add.empty() && said.remove.empty()) {
        return fault("reading", "the line says nothing of the person: neither reading nor friends");
    }
    return said;
}

void append_person_line(const people::Said& said, std::string& json) {
    json += R"({"actor":)";
    append_json_string(json, said.actor);
    if (said.consent) {
        const people::Consent& consent = *said.consent;
        json += fmt::format(
            R"(,"reading":"{}","to":"{}")", name_of(consent.reading), name_of(consent.to)
        );
        if (consent.until) {
            json += fmt::format(R"(,"until":"{}")", events::format_rfc3339(*consent.until));
        }
        append_field("sites", consent.sites, json);
    }
    if (said.friends) {
        json += R"(,"friends":)";
        append_list(*said.friends, json);
    }
    append_field("add", said.add, json);
    append_field("remove", said.remove, json);
    json += '}';
}

std::string person_json(const people::Person& person) {
    const people::Consent& consent = person.consent;
    const auto instant_json = [](Instant instant) {
        return instant == Instant{} ? std::string{"null"}
                                    : fmt::format(R"("{}")", events::format_rfc3339(instant));
    };
    std::string json = R"({"actor":)";
    append_json_string(json, person.actor);
    json += fmt::format(
        R"(,"reading":"{}","until":{},"sites":)",
        name_of(consent.reading),
        instant_json(consent.until.value_or(Instant{}))
    );
    if (consent.sites.empty()) {
        json += "null";
    } else {
        append_list(consent.sites, json);
    }
    json += fmt::format(
        R"(,"to":"{}","since":{},"changed_at":{}}})",
        name_of(consent.to),
        instant_json(person.since),
        instant_json(person.changed_at)
    );
    return json;
}

}  // namespace footfall::reading::routes
