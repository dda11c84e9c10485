#include "keys/scopes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace footfall::keys {
namespace {

constexpr std::array<std::pair<Scope, std::string_view>, 6> known{{
    {Scope::read, "read"},
    {Scope::write, "write"},
    {Scope::people, "people"},
    {Scope::money, "money"},
    {Scope::audience, "audience"},
    {Scope::admin, "admin"},
}};

}  // namespace

std::string_view name_of(Scope scope) {
    const auto* const found =
        std::ranges::find(known, scope, [](const auto& each) { return each.first; });
    return found->second;
}

Scopes Scopes::all() {
    Scopes scopes;
    for (const auto& [scope, name] : known) {
        scopes.bits_ |= static_cast<unsigned>(scope);
    }
    return scopes;
}

Result<void> Scopes::add(std::string_view name) {
    for (const auto& [scope, known_name] : known) {
        if (name != known_name) {
            continue;
        }
        if (has(scope)) {
            return fail(ErrorKind::invalid_input, fmt::format("the scope {} is named twice", name));
        }
        bits_ |= static_cast<unsigned>(scope);
        return {};
    }
    return fail(
        ErrorKind::invalid_input,
        fmt::format(
            "there is no scope \"{}\"; there are read, write, people, money, audience and admin",
            name
        )
    );
}

Result<Scopes> Scopes::parse(std::string_view list) {
    Scopes scopes;
    for (;;) {
        const std::size_t end = std::min(list.find(','), list.size());
        TRY_VOID(scopes.add(list.substr(0, end)));
        if (end == list.size()) {
            return scopes;
        }
        list.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> Scopes::names() const {
    std::vector<std::string_view> names;
    for (const auto& [scope, name] : known) {
        if (has(scope)) {
            names.push_back(name);
        }
    }
    return names;
}

std::string Scopes::text() const {
    return fmt::format("{}", fmt::join(names(), ","));
}

}  // namespace footfall::keys
