#include "identities_routes/decisions_of_author.h"

#include "api/answers.h"
#include "identities_routes/identity_json.h"
#include "identities_routes/links_of_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace footfall::identities::routes {
namespace {

using api::Asked;
using api::invalid_input;

/// Absent: there is no such field. An empty one is refused: a variable of a shell that is not set
/// would have all decisions revoked.
Asked<std::optional<std::string>> read_filled_text(
    const boost::json::object& object, std::string_view field
) {
    const auto* const found = object.if_contains(field);
    if (found == nullptr || found->is_null()) {
        return std::nullopt;
    }
    Asked<std::string> text = read_text(object, field, longest_reason);
    if (!text) {
        return std::unexpected(std::move(text).error());
    }
    if (text->empty()) {
        return std::unexpected(invalid_input(
            fmt::format("decisions.{0} is empty; without it, leave {0} out", field), "decisions"
        ));
    }
    return *std::move(text);
}

}  // namespace

bool DecisionsOfAuthor::has(const Fact& fact) const {
    const bool can_be_revoked = fact.kind == FactKind::parting || fact.kind == FactKind::accept ||
                                fact.kind == FactKind::reject || fact.kind == FactKind::lift;
    return can_be_revoked && (!author || *author == fact.author) &&
           (!reason || *reason == fact.reason) && (!from || *from <= fact.recorded) &&
           (!until || fact.recorded < *until);
}

Asked<DecisionsOfAuthor> read_decisions_of_author(const boost::json::object& body) {
    constexpr std::array<std::string_view, 4> known{"author", "reason", "from", "until"};
    const auto* const found = body.if_contains("decisions");
    const boost::json::object* const decisions = found == nullptr ? nullptr : found->if_object();
    const bool is_known =
        decisions != nullptr && std::ranges::all_of(*decisions, [&](const auto& field) {
            return std::ranges::find(known, std::string_view{field.key()}) != known.end();
        });
    if (!is_known) {
        return std::unexpected(invalid_input(
            R"(decisions is {"author":"ann","reason":"a broken form","from":"2026-11-01T00:00:00Z",)"
            R"("until":"2026-11-02T00:00:00Z"})",
            "decisions"
        ));
    }
    auto author = read_filled_text(*decisions, "author");
    auto reason = read_filled_text(*decisions, "reason");
    const auto from = read_instant(*decisions, "from", "decisions.from", "decisions");
    const auto until = read_instant(*decisions, "until", "decisions.until", "decisions");
    if (!author || !reason || !from || !until) {
        return std::unexpected(
            !author   ? author.error()
            : !reason ? reason.error()
            : !from   ? from.error()
                      : until.error()
        );
    }
    if (!*author && !*reason) {
        return std::unexpected(
            invalid_input("decisions names an author, a reason, or both", "decisions")
        );
    }
    const std::optional<Instant>& begin = *from;
    const std::optional<Instant>& end = *until;
    if (begin && end && *end <= *begin) {
        return std::unexpected(
            invalid_input("decisions.until is not after decisions.from", "decisions")
        );
    }
    return DecisionsOfAuthor{
        .author = *std::move(author), .reason = *std::move(reason), .from = begin, .until = end
    };
}

}  // namespace footfall::identities::routes
