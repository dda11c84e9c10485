#include "audit/entry.h"

#include "audit/tree.h"
#include "foundation/json_string.h"
#include "foundation/parse_number.h"
#include "foundation/utf8.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::audit {
namespace {

constexpr std::size_t kind_bytes_max = 40;
constexpr std::size_t author_bytes_max = 200;
/// Objects and lists within each other.
constexpr std::size_t detail_depth_max = 16;
constexpr std::string_view leaf_member = R"(,"leaf":")";

bool is_kind(std::string_view kind) {
    return !kind.empty() && kind.size() <= kind_bytes_max &&
           std::ranges::all_of(kind, [](char letter) {
               return (letter >= 'a' && letter <= 'z') || letter == '_';
           });
}

Result<void> refuse_act(std::string_view why) {
    return fail(ErrorKind::invalid_input, fmt::format("the audit log does not take this: {}", why));
}

Result<void> check_personal(const Personal& personal) {
    if (personal.persons.empty()) {
        return refuse_act("what is said of a person names whom it is about");
    }
    if (personal.persons.size() > people_max) {
        return refuse_act(fmt::format("more than {} persons", people_max));
    }
    if (personal.payload.size() > personal_bytes_max || !is_utf8(personal.payload)) {
        return refuse_act(
            fmt::format("what it says of a person is at most {} bytes of UTF-8", personal_bytes_max)
        );
    }
    return {};
}

/// One JSON object, made one line of.
Result<std::string> one_line(std::string_view detail) {
    boost::json::error_code error;
    const boost::json::parse_options options{.max_depth = detail_depth_max};
    const boost::json::value value = boost::json::parse(detail, error, {}, options);
    if (error || !value.is_object()) {
        return fail(
            ErrorKind::invalid_input, "the audit log does not take this: its detail is no object"
        );
    }
    return boost::json::serialize(value);
}

}  // namespace

std::string audit_time(Instant time) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z", seconds, (time - seconds).count());
}

std::string entry_bytes(const Entry& entry) {
    std::string bytes =
        fmt::format(R"({{"entry":{},"time":"{}","kind":)", entry.number, audit_time(entry.time));
    append_json_string(bytes, entry.kind);
    bytes += R"(,"author":)";
    append_json_string(bytes, entry.author);
    bytes += R"(,"detail":)";
    bytes += entry.detail;
    bytes += R"(,"people":[)";
    for (const Hash& each : entry.people) {
        bytes += bytes.ends_with('[') ? "\"" : ",\"";
        bytes += base64_of(each);
        bytes += '"';
    }
    bytes += "]}";
    return bytes;
}

Hash leaf_of(const Entry& entry) {
    return leaf_hash(entry_bytes(entry));
}

std::string entry_line(std::string_view bytes, const Hash& leaf) {
    return fmt::format(
        "{}{}{}\"}}", bytes.substr(0, bytes.size() - 1), leaf_member, base64_of(leaf)
    );
}

Result<ShownEntry> read_entry_line(std::string_view line) {
    const auto corrupt = [] {
        return fail(ErrorKind::corrupt, "this is no entry of an audit log");
    };
    const std::size_t leaf_at = line.rfind(leaf_member);
    if (leaf_at == std::string_view::npos || !line.ends_with("\"}")) {
        return corrupt();
    }
    std::string_view leaf = line.substr(leaf_at + leaf_member.size());
    leaf.remove_suffix(2);
    const auto bytes = bytes_of_base64(leaf);
    constexpr std::string_view begin = R"({"entry":)";
    if (!bytes || bytes->size() != Hash{}.size() || !line.starts_with(begin)) {
        return corrupt();
    }
    const std::string_view rest = line.substr(begin.size());
    const auto number = parse_unsigned(rest.substr(0, std::min(rest.find(','), rest.size())));
    if (!number) {
        return corrupt();
    }
    ShownEntry shown{.number = *number, .bytes = std::string{line.substr(0, leaf_at)} + "}"};
    TRY(shown.leaf, hash_from(*bytes));
    return shown;
}

Result<void> check_act(Act& act) {
    if (!is_kind(act.kind)) {
        return refuse_act("a kind is at most 40 small letters and _");
    }
    if (act.author.size() > author_bytes_max || !is_utf8(act.author)) {
        return refuse_act(fmt::format("an author has at most {} bytes of UTF-8", author_bytes_max));
    }
    if (act.detail.size() > detail_bytes_max) {
        return refuse_act(fmt::format("a detail has at most {} bytes", detail_bytes_max));
    }
    TRY(act.detail, one_line(act.detail));
    if (act.detail.size() > 2 * detail_bytes_max) {
        return refuse_act(fmt::format("a detail has at most {} bytes", detail_bytes_max));
    }
    if (act.people.size() > people_max) {
        return refuse_act(fmt::format("more than {} persons", people_max));
    }
    for (const Personal& each : act.people) {
        TRY_VOID(check_personal(each));
    }
    return {};
}

std::string person_of_actor(std::string_view actor) {
    return fmt::format("actor\n{}", actor);
}

std::string person_of_id(
    std::string_view identifier, std::string_view id_name, std::string_view id_value
) {
    return fmt::format("id\n{}\n{}\n{}", identifier, id_name, id_value);
}

std::string person_of_sid(std::string_view sid) {
    return fmt::format("sid\n{}", sid);
}

std::string person_of_fact(std::string_view fact) {
    return fmt::format("fact\n{}", fact);
}

Result<std::uint64_t> Acts::record(Act act) {
    std::vector<Act> acts;
    acts.push_back(std::move(act));
    return record_all(std::move(acts));
}

}  // namespace footfall::audit
