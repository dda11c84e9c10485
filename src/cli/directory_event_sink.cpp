#include "cli/event_sink.h"
#include "deployment/deployment.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

/// So many events are taken at once.
constexpr std::size_t batch_events = 2'000;
/// After so many batches all must be durable before more are taken: the store's write queue never
/// fills up.
constexpr std::size_t batches_a_turn = 10;

class DirectoryEventSink final : public EventSink {
public:
    DirectoryEventSink(deployment::Deployment& directory, const Clock& clock)
        : directory_{&directory}, clock_{&clock} {}

    Result<void> put(SourceEvent event) override {
        batch_.push_back(std::move(event.event));
        return batch_.size() < batch_events ? Result<void>{} : take_batch();
    }

    Result<void> finish() override {
        TRY_VOID(take_batch());
        return wait_durable();
    }

    std::uint64_t imported() const override { return imported_; }

    std::uint64_t duplicates() const override { return duplicates_; }

private:
    Result<void> take_batch() {
        if (batch_.empty()) {
            return {};
        }
        const std::size_t count = batch_.size();
        const Instant arrival = clock_->now();
        for (events::Event& each : batch_) {
            each.time = each.time_given ? each.time : arrival;
        }
        TRY(const intake::Taken taken,
            directory_->events().intake().collect(
                {.events = std::exchange(batch_, {}), .arrival = arrival}
            ));
        duplicates_ += taken.duplicates;
        imported_ += count - taken.duplicates;
        position_ = std::max(position_, taken.position);
        if (++batches_ % batches_a_turn == 0) {
            return wait_durable();
        }
        return {};
    }

    Result<void> wait_durable() { return storage::wait_durable(directory_->store(), position_); }

    deployment::Deployment* directory_;
    const Clock* clock_;
    std::vector<events::Event> batch_;
    std::size_t batches_ = 0;
    std::uint64_t imported_ = 0;
    std::uint64_t duplicates_ = 0;
    storage::CommitPosition position_ = 0;
};

}  // namespace

std::unique_ptr<EventSink> make_directory_event_sink(
    deployment::Deployment& directory, const Clock& clock
) {
    return std::make_unique<DirectoryEventSink>(directory, clock);
}

}  // namespace footfall::cli
