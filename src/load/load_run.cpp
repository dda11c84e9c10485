#include "load/load_run.h"

#include <algorithm>
#include <utility>

namespace footfall::load {

std::uint64_t Measured::failures() const {
    std::uint64_t sum = lost + unsent;
    for (const auto& [status, count] : failed) {
        sum += count;
    }
    return sum;
}

void Measured::add_counts(const Measured& other) {
    good += other.good;
    lost += other.lost;
    unsent += other.unsent;
    latency.merge(other.latency);
    for (const auto& [status, count] : other.failed) {
        failed[status] += count;
    }
}

LoadRun::LoadRun(
    LoadPlan plan, const Traffic& traffic, const Protocol& protocol, OnWindow on_window
)
    : plan_{std::move(plan)},
      traffic_{&traffic},
      protocol_{&protocol},
      on_window_{std::move(on_window)},
      batch_(plan_.batch) {
    if (plan_.rate) {
        arrivals_.emplace(
            plan_.arrivals,
            *plan_.rate,
            traffic.shape().seed,
            RateProfile{.weights = plan_.profile, .begin = plan_.warm_up, .length = plan_.duration}
        );
    }
}

/// When the next request is due; in a closed loop at once, until the end.
Nanoseconds LoadRun::due(Nanoseconds now) const {
    return arrivals_ ? start_ + arrivals_->due() : now;
}

std::optional<Ticket> LoadRun::next(Nanoseconds now, std::string& out) {
    const Ticket ticket{.id = next_id_, .due = due(now)};
    if (plan_.requests > 0 && sent_ == plan_.requests) {
        end_ = std::min(end_, ticket.due);
    }
    if (ticket.due > now || ticket.due >= end_) {
        return std::nullopt;
    }
    write_request(ticket.id, out);
    ++sent_;
    next_id_ += operations_a_request();
    if (arrivals_) {
        arrivals_->advance();
    }
    return ticket;
}

void LoadRun::write_request(std::uint64_t id, std::string& out) {
    if (plan_.batch > 0) {
        for (std::size_t at = 0; at < plan_.batch; ++at) {
            batch_[at] = traffic_->at(id + at);
        }
        protocol_->append_batch(out, batch_);
        return;
    }
    const Operation operation = traffic_->at(id);
    if (operation.is_get) {
        protocol_->append_get(out, operation.object);
    } else {
        protocol_->append_put(out, operation);
    }
}

/// Every answer is looked at: a PUT or a batch must answer how much there is, a GET any number.
bool LoadRun::good(const Ticket& ticket, const Answer& answer) const {
    if (answer.status != 200 || !answer.has_number) {
        return false;
    }
    if (plan_.batch > 0) {
        return answer.number == plan_.batch;
    }
    const bool may_be_zero = traffic_->shape().get_share > 0 && traffic_->at(ticket.id).is_get;
    return may_be_zero || answer.number > 0;
}

void LoadRun::answered(const Ticket& ticket, const Answer& answer, Nanoseconds now) {
    if (!good(ticket, answer)) {
        mark_unsure(ticket.id);
        fail(ticket, answer.status == 200 ? 0 : answer.status);
        return;
    }
    // A rate counts the answers of the measured time, a latency belongs to a request that was due
    // in it, however late its answer.
    if (phase_ == Phase::measuring) {
        ++window_.good;
    }
    if (measured(ticket)) {
        window_.latency.record(static_cast<std::uint64_t>(now - ticket.due));
    }
}

void LoadRun::fail(const Ticket& ticket, int status) {
    if (measured(ticket)) {
        ++window_.failed[status];
    }
}

void LoadRun::lost(const Ticket& ticket) {
    mark_unsure(ticket.id);
    if (measured(ticket)) {
        ++window_.lost;
    }
}

void LoadRun::mark_unsure(std::uint64_t id) {
    for (std::uint64_t at = 0; at < operations_a_request(); ++at) {
        unsure_.push_back(id + at);
    }
}

void LoadRun::tick(Nanoseconds now) {
    if (phase_ == Phase::not_started) {
        phase_ = Phase::warm_up;
        start_ = now;
        measure_from_ = start_ + plan_.warm_up;
        end_ = measure_from_ + plan_.duration;
    }
    if (phase_ == Phase::warm_up && now >= measure_from_) {
        phase_ = Phase::measuring;
        measure_started_ = window_started_ = read(now);
        window_end_ = measure_from_ + plan_.window;
    }
    if (phase_ != Phase::measuring) {
        return;
    }
    if (now >= end_) {
        phase_ = Phase::draining;
        add_times(total_, measure_started_, read(now));
        close_window(now);
    } else if (now >= window_end_) {
        close_window(now);
    }
}

void LoadRun::close_window(Nanoseconds now) {
    const Reading ended = read(now);
    add_times(window_, window_started_, ended);
    window_.start_seconds = static_cast<double>(window_started_.at - measure_from_) / 1e9;
    total_.add_counts(window_);
    // What is left of the last window may be too short to say anything.
    if (window_.seconds * 1e9 >= static_cast<double>(plan_.window) / 2) {
        on_window_(window_);
    }
    window_ = Measured{};
    window_started_ = ended;
    window_end_ += plan_.window;
}

LoadRun::Reading LoadRun::read(Nanoseconds now) const {
    Reading reading{.at = now, .client = cpu_of_this_thread()};
    if (plan_.server_pid) {
        if (const Result<CpuTime> server = cpu_of_process(*plan_.server_pid)) {
            reading.server = *server;
        }
    }
    return reading;
}

void LoadRun::add_times(Measured& measured, const Reading& from, const Reading& to) {
    measured.seconds = static_cast<double>(to.at - from.at) / 1e9;
    measured.client = to.client - from.client;
    if (from.server && to.server) {
        measured.server = *to.server - *from.server;
    }
}

Nanoseconds LoadRun::wake(bool has_room) const {
    const Nanoseconds boundaries[] = {
        start_, measure_from_, std::min(window_end_, end_), end_ + plan_.patience
    };
    const Nanoseconds boundary = boundaries[static_cast<std::size_t>(phase_)];
    return arrivals_ && has_room ? std::min(due(boundary), boundary) : boundary;
}

bool LoadRun::all_sent() const {
    return phase_ == Phase::draining && (!arrivals_ || due(0) >= end_);
}

bool LoadRun::gives_up(Nanoseconds now) const {
    return phase_ == Phase::draining && now >= end_ + plan_.patience;
}

void LoadRun::finish(Nanoseconds now) {
    // Requests that were due but never left waited until now at least: not to count them would
    // flatter a server that could not keep up.
    while (arrivals_ && due(0) < end_) {
        if (due(0) >= measure_from_) {
            ++window_.unsent;
            window_.latency.record(static_cast<std::uint64_t>(now - due(0)));
        }
        arrivals_->advance();
    }
    total_.add_counts(window_);
}

Outcome LoadRun::take_outcome() {
    std::ranges::sort(unsure_);
    return {.operations = next_id_, .unsure = std::move(unsure_)};
}

}  // namespace footfall::load
