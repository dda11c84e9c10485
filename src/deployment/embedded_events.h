#pragma once

#include "deployment/event_parts.h"
#include "intake/retention.h"

#include <memory>
#include <optional>
#include <string>

namespace footfall::deployment {

/// The parts of one program alone: its log is in its store, it has all lanes, and judges an event
/// where it comes in.
class EmbeddedEvents final : public EventParts {
public:
    /// As EventParts::open().
    static Result<std::unique_ptr<EventParts>> open(
        storage::Store& store, const Clock& clock, const EventOptions& options
    );

    intake::Collector& collector() override { return *intake_; }

    Result<void> health() const override { return intake_->health(); }

    const owners::OwnerDesk* owner_desk() const override { return nullptr; }

    void announce(const std::string&) override {}

    std::uint64_t dropped() const override { return retention_ ? retention_->dropped() : 0; }

    std::uint64_t dropped_ahead() const override { return retention_ ? retention_->ahead() : 0; }

    std::chrono::seconds overdue() const override {
        return retention_ ? retention_->overdue() : std::chrono::seconds{0};
    }

    std::optional<ClusterFigures> cluster_figures() const override { return std::nullopt; }

    void close() override;

private:
    EmbeddedEvents() = default;

    std::unique_ptr<intake::Retention> retention_;  ///< Null: events are kept for ever.
};

}  // namespace footfall::deployment
