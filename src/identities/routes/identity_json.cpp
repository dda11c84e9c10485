#include "identities_routes/identity_json.h"

#include "api/answers.h"
#include "events/event.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "identities/said_facts.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace footfall::identities::routes {
namespace {

using api::Asked;
using api::invalid_input;

struct IdField {
    std::string_view name;
    std::string Id::* text;
};

constexpr std::array id_fields{
    IdField{"identifier", &Id::identifier},
    IdField{"id_name", &Id::id_name},
    IdField{"id_value", &Id::id_value}
};

std::string names_of(const std::vector<Id>& ids) {
    std::string text;
    for (std::size_t at = 0; at < ids.size(); ++at) {
        text += at == 0 ? "" : at + 1 == ids.size() ? " and " : ", ";
        text += object_of(ids[at]);
    }
    return text;
}

}  // namespace

Asked<Id> read_id(const boost::json::value& value, std::string_view place) {
    const boost::json::object* const object = value.if_object();
    if (object == nullptr || object->size() != id_fields.size()) {
        return std::unexpected(invalid_input(
            R"(an id is {"identifier":"www","id_name":"id","id_value":"w111"})", place
        ));
    }
    Id id;
    for (const IdField& each : id_fields) {
        const auto* const part = object->if_contains({each.name.data(), each.name.size()});
        const auto* const text = part == nullptr ? nullptr : part->if_string();
        (id.*each.text)
            .assign(
                text == nullptr ? std::string_view{} : std::string_view{text->data(), text->size()}
            );
        if (const auto fault = fault_of_part(each.name, id.*each.text)) {
            return std::unexpected(invalid_input(*fault, fmt::format("{}.{}", place, each.name)));
        }
    }
    if (const auto fault = fault_of(id)) {
        return std::unexpected(invalid_input(*fault, fmt::format("{}.id_value", place)));
    }
    return id;
}

Asked<std::vector<Id>> read_ids(
    const boost::json::object& body, std::string_view field, std::size_t most
) {
    std::vector<Id> ids;
    const auto* const found = body.if_contains({field.data(), field.size()});
    if (found == nullptr || found->is_null()) {
        return ids;
    }
    const boost::json::array* const list = found->if_array();
    if (list == nullptr || list->empty() || list->size() > most) {
        return std::unexpected(
            invalid_input(fmt::format("{} is a list of 1 to {} ids", field, most), field)
        );
    }
    for (std::size_t at = 0; at < list->size(); ++at) {
        Asked<Id> id = read_id((*list)[at], fmt::format("{}[{}]", field, at));
        if (!id) {
            return std::unexpected(std::move(id).error());
        }
        ids.push_back(*std::move(id));
    }
    arrange(ids);
    return ids;
}

Asked<std::string> read_text(
    const boost::json::object& body, std::string_view field, std::size_t most
) {
    const auto* const found = body.if_contains({field.data(), field.size()});
    if (found == nullptr || found->is_null()) {
        return std::string{};
    }
    const auto* const text = found->if_string();
    if (text == nullptr || text->size() > most) {
        return std::unexpected(
            invalid_input(fmt::format("{} is a text of at most {} bytes", field, most), field)
        );
    }
    return std::string{text->data(), text->size()};
}

Id first_id(const boost::json::object& body, std::string_view field) {
    const boost::json::object& first =
        body.at({field.data(), field.size()}).as_array().front().as_object();
    Id id;
    for (const IdField& each : id_fields) {
        const auto& text = first.at({each.name.data(), each.name.size()}).as_string();
        id.*each.text = std::string{text.data(), text.size()};
    }
    return id;
}

void append_ids(const std::vector<Id>& ids, std::string& json) {
    json += '[';
    for (const Id& each : ids) {
        json += &each == ids.data() ? "" : ",";
        append_id(each, json);
    }
    json += ']';
}

void append_id(const Id& id, std::string& json) {
    json += fmt::format(
        R"({{"identifier":{},"id_name":{},"id_value":{}}})",
        json_string(id.identifier),
        json_string(id.id_name),
        json_string(id.id_value)
    );
}

void append_members(const std::vector<Member>& members, std::string& json) {
    json += R"("ids":[)";
    for (const Member& each : members) {
        json += fmt::format(
            R"({}{{"identifier":{},"id_name":{},"id_value":{})",
            &each == members.data() ? "" : ",",
            json_string(each.id.identifier),
            json_string(each.id.id_name),
            json_string(each.id.id_value)
        );
        if (each.since != Instant{}) {
            json += fmt::format(
                R"(,"since":"{}","source":{})",
                events::format_rfc3339(each.since),
                json_string(each.source)
            );
        }
        json += '}';
    }
    json += ']';
}

void append_contested(std::span<const Contested> contested, const FactId& fact, std::string& json) {
    json += '[';
    for (const Contested& each : contested) {
        if (each.fact != fact) {
            continue;
        }
        json += json.ends_with('[') ? "" : ",";
        append_contested(each, json);
    }
    json += ']';
}

void append_contested(const Contested& contested, std::string& json) {
    json += fmt::format(R"({{"fact":"{}","ids":)", text_of(contested.fact));
    append_ids(contested.ids, json);
    json += fmt::format(R"(,"guard":"{}"}})", name_of(contested.objection));
}

void append_data(std::span<const Winner> winners, std::string& json) {
    json += R"("data":{)";
    for (const Winner& each : winners) {
        json += fmt::format(
            "{}{}:{}", json.ends_with('{') ? "" : ",", json_string(each.name), each.value
        );
    }
    json += R"(},"data_why":[)";
    for (const Winner& each : winners) {
        json += fmt::format(
            R"({}{{"name":{},"value":{},"wins":"{}","source":{},"time":"{}","of":)",
            json.ends_with('[') ? "" : ",",
            json_string(each.name),
            each.value,
            name_of(each.wins),
            json_string(each.source),
            events::format_rfc3339(each.time)
        );
        append_id(each.of, json);
        json += fmt::format(R"(,"others":{}}})", each.others);
    }
    json += ']';
}

std::string sentence_of(const Fact& fact) {
    const std::string who = !fact.author.empty()  ? fact.author
                            : fact.source.empty() ? std::string{"somebody"}
                                                  : fact.source;
    const std::string about = fact.about ? text_of(*fact.about) : std::string{};
    switch (fact.kind) {
        case FactKind::link:
            return fact.ids.size() == 1
                       ? fmt::format("{} said that there is {}", who, names_of(fact.ids))
                       : fmt::format("{} said that {} are one person", who, names_of(fact.ids));
        case FactKind::parting:
            return fmt::format(
                "{} decided that {} {} somebody else than {}",
                who,
                names_of(fact.ids),
                fact.ids.size() == 1 ? "is" : "are",
                names_of(fact.others)
            );
        case FactKind::accept:
            return fmt::format("{} decided that the link {} holds over the guards", who, about);
        case FactKind::reject:
            return fmt::format("{} decided that the link {} does not hold", who, about);
        case FactKind::revoke:
            return fmt::format("{} took back the decision {}", who, about);
        case FactKind::lift:
            return fmt::format(
                "{} decided that {} {} one person, whoever else it was linked with",
                who,
                names_of(fact.ids),
                fact.ids.size() == 1 ? "is" : "are each"
            );
        case FactKind::datum:
            return fmt::format(
                "{} said that {} of {} is {}",
                who,
                fact.datum ? fact.datum->name : std::string{},
                names_of(fact.ids),
                fact.datum ? fact.datum->latest : std::string{}
            );
    }
    return {};
}

namespace {

std::string end_sentence(Instant end) {
    return fmt::format(
        "; nobody has said it again, so it does not hold since {}", events::format_rfc3339(end)
    );
}

}  // namespace

void append_fact(const ShownFact& shown, std::string& json) {
    const Fact& fact = *shown.fact;
    json +=
        fmt::format(R"({{"fact":"{}","kind":"{}","ids":)", text_of(fact.id), name_of(fact.kind));
    append_ids(fact.ids, json);
    if (!fact.others.empty()) {
        json += R"(,"others":)";
        append_ids(fact.others, json);
    }
    if (fact.about) {
        json += fmt::format(R"(,"about":"{}")", text_of(*fact.about));
    }
    // The source of a decision is what tells it from another one.
    const bool is_link = fact.kind == FactKind::link || fact.kind == FactKind::datum;
    json += fmt::format(
        R"(,"time":"{}","last":"{}","recorded":"{}","source":{},"author":{},"reason":{},"says":{})",
        events::format_rfc3339(fact.first),
        events::format_rfc3339(fact.last),
        events::format_rfc3339(fact.recorded),
        json_string(is_link ? fact.source : std::string{}),
        json_string(fact.author),
        json_string(fact.reason),
        json_string(
            sentence_of(fact) + (shown.end && shown.has_ended ? end_sentence(*shown.end) : "")
        )
    );
    if (shown.end) {
        json += fmt::format(R"(,"ends":"{}")", events::format_rfc3339(*shown.end));
    }
    json += shown.has_ended ? R"(,"ended":true)" : "";
    if (!shown.contested.empty()) {
        json += fmt::format(R"(,"contested":"{}")", shown.contested);
    }
    json += shown.is_void ? R"(,"revoked":true})" : "}";
}

}  // namespace footfall::identities::routes
