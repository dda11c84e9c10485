#pragma once

#include "projecting/projection.h"
#include "views/views.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace footfall::views {

/// Gives the judged log to the views: each event counts for its object, and for all objects
/// together, whose name is empty. `views` must outlive it. Thread-safe as Projection says.
class ViewsProjection final : public projecting::Projection {
public:
    explicit ViewsProjection(Views& views) : views_{&views} {}

    Result<void> wait_for_room() override { return views_->wait_for_room(); }

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override;

    void control(std::uint32_t, std::uint64_t, const events::Control&) override {}

    Result<void> expire(std::uint32_t lane, std::span<const projecting::JudgedRecord> records)
        override;

    Result<void> flush_expired() override { return views_->flush_expired(); }

    void drop_expired() override { views_->drop_expired(); }

    Result<void> flush(bool all) override { return all ? views_->flush_all() : views_->flush(); }

    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override {
        return views_->first_unsaved(lane);
    }

    Instant stored_until(std::uint32_t lane) override { return views_->stored_until(lane); }

    Result<std::string> answer(std::uint32_t lane, std::string_view question) override;

    void drop() override { views_->drop_all(); }

    void drop_lane(std::uint32_t lane) override { views_->drop_lane(lane); }

private:
    Views* views_;
};

}  // namespace footfall::views
