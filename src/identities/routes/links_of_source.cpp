#include "identities_routes/links_of_source.h"

#include "api/answers.h"
#include "events/rfc3339.h"
#include "identities_routes/identity_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace footfall::identities::routes {

using api::Asked;
using api::invalid_input;

Asked<std::optional<Instant>> read_instant(
    const boost::json::object& object,
    std::string_view field,
    std::string_view place,
    std::string_view at_fault
) {
    const Asked<std::string> text = read_text(object, field, longest_reason);
    if (!text) {
        return std::unexpected(text.error());
    }
    const std::optional<Instant> instant = events::parse_rfc3339(*text);
    if (!text->empty() && !instant) {
        return std::unexpected(invalid_input(
            fmt::format("{} is an instant such as 2026-11-21T10:00:00Z", place), at_fault
        ));
    }
    return instant;
}

Asked<std::optional<LinksOfSource>> read_links_of_source(const boost::json::object& body) {
    const auto* const found = body.if_contains("links");
    if (found == nullptr || found->is_null()) {
        return std::nullopt;
    }
    constexpr std::array<std::string_view, 3> known{"source", "from", "until"};
    const boost::json::object* const links = found->if_object();
    const bool is_known =
        links != nullptr && links->contains("source") &&
        std::ranges::all_of(*links, [&](const auto& field) {
            return std::ranges::find(known, std::string_view{field.key()}) != known.end();
        });
    if (!is_known) {
        return std::unexpected(invalid_input(
            R"(links is {"source":"crm","from":"2026-11-01T00:00:00Z","until":"2026-11-02T00:00:00Z"})",
            "links"
        ));
    }
    Asked<std::string> source = read_text(*links, "source", longest_reason);
    const auto from = read_instant(*links, "from", "links.from", "links");
    const auto until = read_instant(*links, "until", "links.until", "links");
    if (!source || !from || !until) {
        return std::unexpected(!source ? source.error() : !from ? from.error() : until.error());
    }
    const std::optional<Instant>& begin = *from;
    const std::optional<Instant>& end = *until;
    if (begin && end && *end <= *begin) {
        return std::unexpected(invalid_input("links.until is not after links.from", "links"));
    }
    return LinksOfSource{.source = *std::move(source), .from = begin, .until = end};
}

Asked<LinksOfSource> read_source_and_time(const boost::json::object& body) {
    const auto* const named = body.if_contains("source");
    if (named == nullptr || named->is_null()) {
        return std::unexpected(
            invalid_input(R"(source is missing: "" is who did not say its name)", "source")
        );
    }
    Asked<std::string> source = read_text(body, "source", longest_reason);
    const auto from = read_instant(body, "from", "from", "from");
    const auto until = read_instant(body, "until", "until", "until");
    if (!source || !from || !until) {
        return std::unexpected(!source ? source.error() : !from ? from.error() : until.error());
    }
    const std::optional<Instant>& begin = *from;
    const std::optional<Instant>& end = *until;
    if (begin && end && *end <= *begin) {
        return std::unexpected(invalid_input("until is not after from", "until"));
    }
    return LinksOfSource{.source = *std::move(source), .from = begin, .until = end};
}

}  // namespace footfall::identities::routes
