#include "identities_routes/guard_turns.h"

#include "foundation/json_string.h"
#include "foundation/log.h"
#include "identities/guards_text.h"
#include "projecting/writer.h"
#include "runtime/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::identities::routes {
namespace {

constexpr std::chrono::milliseconds look_period{1000};
constexpr std::chrono::milliseconds still_unwritten_period{100};

}  // namespace

GuardTurns::GuardTurns(
    Identities& identities, intake::Collector& collector, Guards configured, audit::Acts* acts
)
    : identities_{&identities},
      collector_{&collector},
      configured_{std::move(configured)},
      acts_{acts},
      anew_{
          identities,
          static_cast<std::uint64_t>(identities.clock().now().time_since_epoch().count())
      },
      ended_{identities} {}

void GuardTurns::start() {
    turns_.emplace("guards", runtime::Urgency::background, [this](const std::stop_token& stop) {
        return look(stop);
    });
}

void GuardTurns::stop() {
    if (turns_) {
        turns_->stop();
    }
}

/// Where a lane has none of this version, its log is a new one, or who recorded it ended before all
/// lanes had it.
Result<std::vector<std::uint32_t>> GuardTurns::lanes_without(GuardsVersion version) {
    std::vector<std::uint32_t> lanes;
    KnownGuards known;
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        TRY(const std::vector<LaneGuards> of_lane,
            read_lane_guards(
                identities_->settling().store(),
                projecting::writer_of(identities_->log_id(), lane),
                known
            ));
        const bool has_it = std::ranges::any_of(of_lane, [&](const LaneGuards& each) {
            return each.guards.version == version;
        });
        if (!has_it) {
            lanes.push_back(lane);
        }
    }
    return lanes;
}

/// What was recorded a moment ago is in rows first. Who records the same at the same time records
/// one version.
Result<void> GuardTurns::record() {
    TRY_VOID(identities_->flush(true));
    TRY(const RecordedGuards newest, identities_->refresh_guards());
    const std::string text = text_of(configured_);
    const bool is_newest = text_of(*newest.guards) == text;
    if (is_newest && newest.version == GuardsVersion{}) {
        return {};
    }
    const GuardsVersion version =
        is_newest ? newest.version
                  : GuardsVersion{.version = newest.version.version + 1, .digest = digest_of(text)};
    TRY(const std::vector<std::uint32_t> lanes, lanes_without(version));
    if (lanes.empty()) {
        return {};
    }
    if (!is_newest) {
        log(LogLevel::info,
            "guards of identities are others than before: they are version {} from now on, and all "
            "profiles are settled anew",
            version.version);
        if (acts_ != nullptr) {
            TRY_VOID(acts_->record(
                {.kind = "identity_guards_set",
                 .author = std::string{audit::author_settings},
                 .detail = fmt::format(
                     R"({{"version":{},"guards":{}}})", version.version, json_string(text)
                 )}
            ));
        }
    }
    TRY_VOID(collector_->say(
        events::IdentityGuards{
            .version = static_cast<std::uint32_t>(version.version),
            .guards = text,
            .said = identities_->clock().now()
        },
        lanes
    ));
    recorded_ = version;
    return identities_->flush(true);
}

/// That a store is away is said by the store itself, once for all who ask.
void GuardTurns::complain(std::string_view what, const Error& error) {
    if (error.kind != ErrorKind::cancelled && error.kind != ErrorKind::unavailable) {
        troubles_.say(LogLevel::warning, fmt::format("{}: {}", what, error.message));
    }
}

std::chrono::milliseconds GuardTurns::look(const std::stop_token& stop) {
    if (!is_recorded_) {
        const Result<void> recorded = record();
        if (!recorded) {
            complain("guards of identities could not be recorded", recorded.error());
            return look_period;
        }
        is_recorded_ = true;
    }
    // On a cluster it takes a moment until whoever has the lanes has written them down.
    if (const auto newest = identities_->refresh_guards(); newest && newest->version < recorded_) {
        return still_unwritten_period;
    }
    Result<std::size_t> left = anew_.parts_left();
    if (left) {
        parts_left_ = *left;
        left = anew_.go_on(stop);
    }
    if (!left) {
        complain("profiles could not be settled anew", left.error());
        return look_period;
    }
    parts_left_ = *left;
    if (const Result<void> settled = ended_.go_on(stop); !settled) {
        complain("profiles of which something has ended could not be settled", settled.error());
    }
    return *left > 0 ? std::chrono::milliseconds{0} : look_period;
}

}  // namespace footfall::identities::routes
