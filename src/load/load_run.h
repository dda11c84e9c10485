#pragma once

#include "load/arrivals.h"
#include "load/generator.h"
#include "load/histogram.h"
#include "load/process_cpu.h"
#include "load/traffic.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace footfall::load {

/// How hard and for how long.
struct LoadPlan {
    std::optional<double>
        rate;  ///< Requests a second; absent: each connection as fast as it is answered.
    ArrivalKind arrivals = ArrivalKind::constant;
    /// With a rate: how it goes up and down over the duration, in stretches of equal length; empty:
    /// it stays.
    std::vector<double> profile = {};
    std::uint64_t requests = 0;  ///< Ends after so many; 0: only by time.
    std::size_t batch = 0;       ///< Tokens a request; 0: one PUT or GET each.
    Nanoseconds warm_up = 2'000'000'000;
    Nanoseconds duration = 10'000'000'000;
    Nanoseconds window = 10'000'000'000;
    Nanoseconds patience = 5'000'000'000;  ///< How long after the end answers are waited for.
    std::optional<pid_t> server_pid;  ///< A server on this machine whose CPU time is to be told.
};

/// What was measured in a stretch of time. Latencies are those of answers that were good.
struct Measured {
    double start_seconds = 0;  ///< Since the end of the warm-up.
    double seconds = 0;
    std::uint64_t good = 0;  ///< Requests answered well.
    Histogram latency;
    CpuTime client;
    std::optional<CpuTime> server;
    std::map<int, std::uint64_t>
        failed;              ///< Answers that were not good, by status; 0: a wrong body.
    std::uint64_t lost = 0;  ///< Connection gone, or no answer within the patience.
    std::uint64_t unsent =
        0;  ///< Due, but never sent: the server was too slow. In `latency` with their age.

    std::uint64_t failures() const;

    /// Counts and latencies of another stretch; the times stay.
    void add_counts(const Measured& other);
};

/// The operations of a run whose outcome is not "done": everything else below `operations` was
/// acknowledged.
struct Outcome {
    std::uint64_t operations = 0;
    std::vector<std::uint64_t> unsure;  ///< Refused, failed or lost; may have been done. Sorted.
};

/// Sends traffic for the time of a plan and measures: a Workload for one run.
class LoadRun final : public Workload {
public:
    using OnWindow = std::function<void(const Measured&)>;

    /// `traffic` and `protocol` must outlive the run. `on_window` is told of each window when it
    /// ends. The clock starts with the first tick.
    LoadRun(LoadPlan plan, const Traffic& traffic, const Protocol& protocol, OnWindow on_window);

    std::optional<Ticket> next(Nanoseconds now, std::string& out) override;
    void answered(const Ticket& ticket, const Answer& answer, Nanoseconds now) override;
    void lost(const Ticket& ticket) override;
    void tick(Nanoseconds now) override;
    Nanoseconds wake(bool has_room) const override;
    bool all_sent() const override;
    bool gives_up(Nanoseconds now) const override;

    /// After the run: what was due and never sent becomes unsent. To be called once.
    void finish(Nanoseconds now);

    const Measured& total() const { return total_; }

    /// How many tokens one request carries.
    std::uint64_t operations_a_request() const { return plan_.batch == 0 ? 1 : plan_.batch; }

    Outcome take_outcome();

private:
    enum class Phase { not_started, warm_up, measuring, draining };

    struct Reading {
        Nanoseconds at = 0;
        CpuTime client;
        std::optional<CpuTime> server;
    };

    Nanoseconds due(Nanoseconds now) const;
    void write_request(std::uint64_t id, std::string& out);
    bool good(const Ticket& ticket, const Answer& answer) const;
    void fail(const Ticket& ticket, int status);
    void mark_unsure(std::uint64_t id);

    bool measured(const Ticket& ticket) const { return ticket.due >= measure_from_; }

    Reading read(Nanoseconds now) const;
    void close_window(Nanoseconds now);
    static void add_times(Measured& measured, const Reading& from, const Reading& to);

    const LoadPlan plan_;
    const Traffic* traffic_;
    const Protocol* protocol_;
    const OnWindow on_window_;
    std::optional<Arrivals> arrivals_;

    Phase phase_ = Phase::not_started;
    Nanoseconds start_ = 0;
    Nanoseconds measure_from_ = 0;
    Nanoseconds end_ = 0;
    Nanoseconds window_end_ = 0;
    Reading measure_started_;
    Reading window_started_;
    std::uint64_t sent_ = 0;
    std::uint64_t next_id_ = 0;  ///< Of operations: a batch takes several.
    std::vector<Operation> batch_;
    Measured total_;
    Measured window_;
    std::vector<std::uint64_t> unsure_;
};

}  // namespace footfall::load
