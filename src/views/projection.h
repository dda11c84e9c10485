#pragma once

#include "foundation/siphash.h"
#include "projecting/projection.h"
#include "rankings/trends.h"
#include "views/views.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace footfall::views {

/// Gives the judged log to the views, where each event counts for its object, and for all objects
/// together, whose name is empty; and to what trends. Both must outlive it. Thread-safe as
/// Projection says.
class ViewsProjection final : public projecting::Projection {
public:
    /// `secret`: names objects for `trends`, which store that; of the deployment.
    ViewsProjection(Views& views, rankings::Trends& trends, SipKey secret)
        : views_{&views}, trends_{&trends}, secret_{secret} {}

    Result<void> begin(std::span<const projecting::LaneStart> lanes) override;

    Result<void> wait_for_room() override { return views_->wait_for_room(); }

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override;

    void control(std::uint32_t, std::uint64_t, const events::Control&) override {}

    Result<void> expire(std::uint32_t lane, std::span<const projecting::JudgedRecord> records)
        override;

    Result<void> flush_expired() override { return views_->flush_expired(); }

    void drop_expired() override { views_->drop_expired(); }

    Result<void> flush(bool all) override;
    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override;

    Instant stored_until(std::uint32_t lane) override { return views_->stored_until(lane); }

    Result<std::string> answer(std::uint32_t lane, std::string_view question) override;

    void drop() override;
    void drop_lane(std::uint32_t lane) override;

private:
    Views* views_;
    rankings::Trends* trends_;
    SipKey secret_;
};

}  // namespace footfall::views
