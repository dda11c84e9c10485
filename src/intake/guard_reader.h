#pragma once

#include "intake/intake.h"
#include "journal/lane_feed.h"

#include <cstdint>
#include <span>
#include <vector>

namespace footfall::intake {

/// Has an intake judge what stands in the log of events, as lanes of it come and go; controls that
/// stand there are passed on, in order with the events. Called as
/// LaneReader says; the intake must outlive it.
class GuardReader final : public journal::LaneReader {
public:
    explicit GuardReader(Intake& intake) : intake_{&intake}, recoveries_{intake.recoveries()} {}

    Result<std::vector<std::uint64_t>> assigned(std::span<const std::uint32_t> lanes) override;
    void revoked(std::span<const std::uint32_t> lanes, bool lost) override;
    Result<void> consume(std::uint32_t lane, const journal::Records& records) override;

    std::uint64_t next(std::uint32_t lane) override { return intake_->next_source(lane); }

    Result<Next> settle() override;

private:
    Result<void> pass_on(std::uint32_t lane, events::Control control, std::uint64_t source);

    Intake* intake_;
    std::uint64_t recoveries_;
};

}  // namespace footfall::intake
