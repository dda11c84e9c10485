#pragma once

#include "projecting/projection.h"
#include "rankings/trends.h"
#include "reading/day_ranks.h"
#include "reading/readership.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::reading {

/// Gives the judged log to all that reading is made of: who read what (Readership), how much each
/// day (DayRanks), and what trends. All three must outlive it. Thread-safe as Projection says.
class ReadingProjection final : public projecting::Projection {
public:
    ReadingProjection(
        Readership& readership, DayRanks& ranks, rankings::Trends& trends, SipKey secret
    )
        : readership_{&readership}, ranks_{&ranks}, trends_{&trends}, secret_{secret} {}

    Result<void> begin(std::span<const projecting::LaneStart> lanes) override;

    Result<void> wait_for_room() override;

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override;

    void control(std::uint32_t lane, std::uint64_t offset, const events::Control& control) override;

    Result<void> flush(bool all) override;
    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override;

    /// What trends is behind by more, and says so itself.
    Instant stored_until(std::uint32_t lane) override {
        return std::min(readership_->stored_until(lane), ranks_->stored_until(lane));
    }

    /// Of what trends.
    Result<std::string> answer(std::uint32_t lane, std::string_view question) override {
        return trends_->answer(lane, question);
    }

    Result<std::vector<std::string>> answer_all(
        std::span<const projecting::AskedLane> asked, std::string_view of_all
    ) override;

    void drop() override;
    void drop_lane(std::uint32_t lane) override;

    Result<void> expire(std::uint32_t lane, std::span<const projecting::JudgedRecord> records)
        override {
        return readership_->expire(lane, records);
    }

private:
    Readership* readership_;
    DayRanks* ranks_;
    rankings::Trends* trends_;
    const SipKey secret_;
};

}  // namespace footfall::reading
