#pragma once

#include "intake/projection.h"
#include "views/views.h"

#include <cstdint>
#include <span>

namespace footfall::cli {

/// Gives the judged log to the views: each event counts for its object, and for all objects
/// together, whose name is empty. `views` must outlive it. Thread-safe as Projection says.
class ViewsProjection final : public intake::Projection {
public:
    explicit ViewsProjection(views::Views& views) : views_{&views} {}

    Result<void> wait_for_room() override { return views_->wait_for_room(); }

    void apply(std::uint32_t lane, std::span<const intake::JudgedRecord> records) override;

    Result<void> expire(std::uint32_t lane, std::span<const intake::JudgedRecord> records) override;

    Result<void> flush(bool all) override { return all ? views_->flush_all() : views_->flush(); }

    std::uint64_t checkpoint(std::uint32_t lane) override { return views_->checkpoint(lane); }

    void drop() override { views_->drop_all(); }

    void drop_lane(std::uint32_t lane) override { views_->drop_lane(lane); }

private:
    views::Views* views_;
};

}  // namespace footfall::cli
