#include "api/openapi_merge.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::api {
namespace {

namespace json = boost::json;

constexpr std::size_t depth_max = 100;  // schemas within schemas: deeper than Boost's own 32

std::string_view text(json::string_view part) {
    return {part.data(), part.size()};
}

Result<json::object> read(std::string_view document) {
    json::parse_options options;
    options.max_depth = depth_max;
    boost::system::error_code error;
    json::value value = json::parse(document, error, {}, options);
    if (error) {
        return fail(ErrorKind::invalid_input, fmt::format("is not JSON: {}", error.message()));
    }
    if (!value.is_object()) {
        return fail(ErrorKind::invalid_input, "is not a JSON object");
    }
    return std::move(value.as_object());
}

std::unexpected<Error> defined_twice(std::string_view where, std::string_view name) {
    return fail(ErrorKind::invalid_input, fmt::format("defines {} of {} again", name, where));
}

/// Puts the members of `added` behind those of `members`, which are `where` in the document.
Result<void> add_members(json::object& members, const json::value& added, std::string_view where) {
    if (!added.is_object()) {
        return fail(ErrorKind::invalid_input, fmt::format("has {} that are not an object", where));
    }
    for (const auto& [name, member] : added.get_object()) {
        if (!members.emplace(name, member).second) {
            return defined_twice(where, text(name));
        }
    }
    return {};
}

/// The member of this name, which is made where there is none; null if it is no object.
json::object* object_of(json::object& parent, json::string_view name) {
    return parent.emplace(name, json::object{}).first->value().if_object();
}

Result<void> add_to_object(
    json::object& parent, json::string_view name, const json::value& added, std::string_view where
) {
    json::object* members = object_of(parent, name);
    if (members == nullptr) {
        return fail(ErrorKind::invalid_input, fmt::format("adds to {}, which is none", where));
    }
    return add_members(*members, added, where);
}

Result<void> add_components(json::object& document, const json::value& added) {
    json::object* components = object_of(document, "components");
    if (components == nullptr || !added.is_object()) {
        return fail(ErrorKind::invalid_input, "has components that are not an object");
    }
    for (const auto& [kind, members] : added.get_object()) {
        TRY_VOID(add_to_object(*components, kind, members, fmt::format("components/{}", text(kind)))
        );
    }
    return {};
}

const json::value* name_of_tag(const json::value& tag) {
    const json::object* members = tag.if_object();
    return members == nullptr ? nullptr : members->if_contains("name");
}

Result<void> add_tags(json::object& document, const json::value& added) {
    json::array* tags = document.emplace("tags", json::array{}).first->value().if_array();
    if (tags == nullptr || !added.is_array()) {
        return fail(ErrorKind::invalid_input, "has tags that are not a list");
    }
    for (const json::value& tag : added.get_array()) {
        const json::value* name = name_of_tag(tag);
        if (name == nullptr || !name->is_string()) {
            return fail(ErrorKind::invalid_input, "has a tag without a name");
        }
        const bool known = std::ranges::any_of(*tags, [name](const json::value& other) {
            const json::value* its_name = name_of_tag(other);
            return its_name != nullptr && *its_name == *name;
        });
        if (known) {
            return defined_twice("tags", text(name->get_string()));
        }
        tags->push_back(tag);
    }
    return {};
}

Result<void> add_fragment(json::object& document, std::string_view fragment) {
    TRY(const json::object added, read(fragment));
    for (const auto& [name, part] : added) {
        if (name == "tags") {
            TRY_VOID(add_tags(document, part));
        } else if (name == "paths") {
            TRY_VOID(add_to_object(document, name, part, "paths"));
        } else if (name == "components") {
            TRY_VOID(add_components(document, part));
        } else {
            return fail(
                ErrorKind::invalid_input, fmt::format("has {}, which only the base has", text(name))
            );
        }
    }
    return {};
}

}  // namespace

Result<std::string> merge_openapi(
    std::string_view base, std::span<const std::string_view> fragments
) {
    Result<json::object> document = read(base);
    if (!document) {
        return fail(ErrorKind::invalid_input, "the base " + document.error().message);
    }
    for (std::size_t i = 0; i < fragments.size(); ++i) {
        if (auto added = add_fragment(*document, fragments[i]); !added) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("fragment {} {}", i + 1, added.error().message)
            );
        }
    }
    return json::serialize(*document);
}

}  // namespace footfall::api
