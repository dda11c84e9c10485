#include "identities_routes/region_turns.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::identities::routes {
namespace {

constexpr std::chrono::milliseconds follow_period{500};

}  // namespace

RegionTurns::RegionTurns(Identities& identities, std::string region)
    : following_{identities, std::move(region)},
      turns_{"regions", runtime::Urgency::background, [this](const std::stop_token& stop) {
                 return turn(stop);
             }} {}

/// That a store is away is said by the store itself.
std::chrono::milliseconds RegionTurns::turn(const std::stop_token& stop) {
    const Result<bool> more = following_.go_on(stop);
    if (!more && more.error().kind != ErrorKind::cancelled &&
        more.error().kind != ErrorKind::unavailable) {
        troubles_.say(
            LogLevel::warning,
            fmt::format("identities of other regions are not followed: {}", more.error().message)
        );
    }
    return more && *more ? std::chrono::milliseconds{0} : follow_period;
}

}  // namespace footfall::identities::routes
