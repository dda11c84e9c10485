#include "timeseries_routes/carbon_datagrams.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

constexpr std::uint64_t undecided_max = 200'000;
/// A turn without anything to do ends after it, so that stop() does not wait long.
constexpr std::chrono::milliseconds turn_max{100};
constexpr std::chrono::milliseconds full_pause{20};

}  // namespace

Result<void> CarbonDatagrams::start(const AddressAndPort& address, std::string_view chosen_with) {
    TRY(net::DatagramSocket socket, net::DatagramSocket::bind(address, chosen_with));
    auto next = [this, socket = std::move(socket)](const std::stop_token&) mutable {
        return turn(socket);
    };
    thread_.emplace("carbon udp", runtime::Urgency::background, std::move(next));
    return {};
}

void CarbonDatagrams::stop() {
    thread_.reset();
    std::unique_lock lock{undecided_->mutex};
    undecided_->decided.wait(lock, [this] { return undecided_->points == 0; });
}

runtime::Turns::Pause CarbonDatagrams::turn(net::DatagramSocket& socket) {
    if (!may_take()) {
        return full_pause;
    }
    const auto datagrams = socket.receive(turn_max);
    if (!datagrams.empty()) {
        take(datagrams);
    }
    if (socket.dropped() > dropped_) {
        context_->drop(socket.dropped() - std::exchange(dropped_, socket.dropped()));
    }
    return runtime::Turns::Pause{0};
}

bool CarbonDatagrams::may_take() const {
    const std::scoped_lock lock{undecided_->mutex};
    return undecided_->points < undecided_max && !context_->is_busy();
}

void CarbonDatagrams::take(std::span<const std::string_view> datagrams) {
    const Instant now = context_->now();
    PointList points;
    for (std::string_view rest : datagrams) {
        while (!rest.empty()) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
            context_->take_line(line, now, points);
        }
    }
    if (points.empty()) {
        return;
    }
    if (const auto taken = context_->write(points)) {
        watch(*taken);
    } else {
        context_->lose(points.size(), taken.error().message);
    }
}

/// The context and what it refers to are there until stop() has returned, and so until the last
/// call of it.
void CarbonDatagrams::watch(const Taken& taken) {
    if (taken.points == 0) {
        return;
    }
    {
        const std::scoped_lock lock{undecided_->mutex};
        undecided_->points += taken.points;
    }
    context_->store().when_durable(
        taken.position,
        [context = context_,
         undecided = undecided_,
         points = taken.points](const Result<void>& durable) {
            context->settle(points, durable.has_value());
            const std::scoped_lock lock{undecided->mutex};
            undecided->points -= points;
            undecided->decided.notify_all();
        }
    );
}

}  // namespace footfall::timeseries::routes
