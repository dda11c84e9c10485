#include "identities_routes/doubling_turns.h"

#include "foundation/siphash.h"
#include "runtime/lanes.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace footfall::identities::routes {
namespace {

constexpr std::chrono::milliseconds after_failure{1000};

bool is_told_lane_of(const Identities& identities, const std::string& network) {
    const std::uint64_t lane = siphash13(SipKey{0, 0}, network) % runtime::lane_count;
    return identities.lanes().contains(static_cast<std::uint32_t>(lane));
}

}  // namespace

DoublingTurns::DoublingTurns(Identities& identities, std::size_t partition_bytes, bool shared)
    : doubling_{
          identities,
          {.partition_bytes = partition_bytes,
           .shared = shared,
           .seed = static_cast<std::uint64_t>(
               identities.clock().now().time_since_epoch().count()
           ),
           .is_ours = [&identities](const std::string& network) {
               return is_told_lane_of(identities, network);
           }}
      },
      turns_{"doubling", runtime::Urgency::background, [this](const std::stop_token& stop) {
                 return turn(stop);
             }} {}

/// That a store is away is said by the store itself.
std::chrono::milliseconds DoublingTurns::turn(const std::stop_token& stop) {
    const Result<std::chrono::milliseconds> pause = doubling_.go_on(stop);
    if (pause) {
        return *pause;
    }
    if (pause.error().kind != ErrorKind::cancelled &&
        pause.error().kind != ErrorKind::unavailable) {
        troubles_.say(
            LogLevel::warning,
            fmt::format("the index of identities is not doubled: {}", pause.error().message)
        );
    }
    return after_failure;
}

}  // namespace footfall::identities::routes
