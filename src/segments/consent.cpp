#include "segments/consent.h"

#include <algorithm>
#include <string_view>

namespace footfall::segments {
namespace {

constexpr std::string_view consent_name = "consent";
constexpr std::string_view granted_json = R"("granted")";

}  // namespace

bool may_be_told(std::span<const identities::Member> members) {
    return std::ranges::all_of(members, [](const identities::Member& member) {
        return std::ranges::all_of(member.data, [](const identities::SaidDatum& said) {
            return said.datum.name != consent_name || said.datum.latest == granted_json;
        });
    });
}

}  // namespace footfall::segments
