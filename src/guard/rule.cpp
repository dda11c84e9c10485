#include "guard/rule.h"

#include "foundation/check.h"

#include <algorithm>
#include <array>
#include <utility>

namespace footfall::guard {
namespace {

constexpr std::array<std::pair<Field, std::string_view>, 10> field_names{{
    {Field::actor, "actor"},
    {Field::address, "address"},
    {Field::agent, "agent"},
    {Field::referrer, "referrer"},
    {Field::amount, "amount"},
    {Field::currency, "currency"},
    {Field::reseller, "reseller"},
    {Field::ad, "ad"},
    {Field::publisher, "publisher"},
    {Field::time, "time"},
}};

}  // namespace

std::string_view name_of(Field field) {
    return std::ranges::find(field_names, field, &std::pair<Field, std::string_view>::first)
        ->second;
}

std::optional<Field> field_named(std::string_view name) {
    const auto* const found =
        std::ranges::find(field_names, name, &std::pair<Field, std::string_view>::second);
    return found == field_names.end() ? std::nullopt : std::optional{found->first};
}

std::string_view kind_of(const Rule& rule) {
    constexpr std::array<std::string_view, std::variant_size_v<RuleKind>> kinds{
        "id_conflict",
        "impossible_time",
        "repeat",
        "not_human",
        "networks",
        "missing",
        "owner",
        "rate",
        "condition"
    };
    const auto* const networks = std::get_if<NetworksRule>(&rule.kind);
    return networks != nullptr && networks->internal ? "internal" : kinds[rule.kind.index()];
}

std::string_view name_of(RuleMode mode) {
    switch (mode) {
        case RuleMode::on:
            return "on";
        case RuleMode::off:
            return "off";
        case RuleMode::shadow:
            return "shadow";
    }
    CHECK(false, "a mode without a name", static_cast<int>(mode));
}

}  // namespace footfall::guard
