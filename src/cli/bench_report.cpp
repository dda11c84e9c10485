#include "cli/bench_report.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace footfall::cli {
namespace {

using load::CpuTime;
using load::LimitedBy;
using load::LoadOptions;
using load::LoadReport;
using load::Measured;

constexpr std::size_t differences_shown = 10;

double rate_of(const Measured& measured) {
    return measured.seconds > 0 ? static_cast<double>(measured.good) / measured.seconds : 0;
}

double milliseconds(std::uint64_t nanoseconds) {
    return static_cast<double>(nanoseconds) / 1e6;
}

double microseconds_a_request(std::chrono::nanoseconds time, const Measured& measured) {
    return measured.good == 0
               ? 0
               : static_cast<double>(time.count()) / 1e3 / static_cast<double>(measured.good);
}

double cores_busy(const CpuTime& time, const Measured& measured) {
    return measured.seconds > 0 ? static_cast<double>(time.total().count()) / 1e9 / measured.seconds
                                : 0;
}

std::string_view limit_name(LimitedBy limit) {
    switch (limit) {
        case LimitedBy::client:
            return "client";
        case LimitedBy::server:
            return "server";
        case LimitedBy::neither:
            break;
    }
    return "neither";
}

std::string_view limit_text(LimitedBy limit) {
    switch (limit) {
        case LimitedBy::client:
            return "this client's core: the server could do more; compare CPU a request";
        case LimitedBy::server:
            return "the server's cores";
        case LimitedBy::neither:
            break;
    }
    return "neither side's cores: the rate asked for, what is in flight, the disk or the network";
}

std::string cpu_text(const CpuTime& time, const Measured& measured) {
    return fmt::format(
        "{:.2f} us of CPU a request ({:.2f} in the program, {:.2f} in the kernel), {:.0f} % of a "
        "core",
        microseconds_a_request(time.total(), measured),
        microseconds_a_request(time.user, measured),
        microseconds_a_request(time.system, measured),
        100 * cores_busy(time, measured)
    );
}

std::string failures_text(const Measured& total) {
    std::string text;
    for (const auto& [status, count] : total.failed) {
        text += status == 0 ? fmt::format("wrong answer: {}  ", count)
                            : fmt::format("status {}: {}  ", status, count);
    }
    if (total.lost > 0) {
        text += fmt::format("lost or unanswered: {}  ", total.lost);
    }
    if (total.unsent > 0) {
        text += fmt::format("due but never sent: {}  ", total.unsent);
    }
    return text.empty() ? "nothing" : text;
}

/// What one request has several of. As long as the other words that begin a line.
std::string_view operations_of(const LoadOptions& options) {
    return options.speech == load::Speech::events ? "events" : "tokens";
}

std::string check_text(const load::CheckResult& check) {
    std::string text = fmt::format(
        "{} objects checked, {} had to be exact and are, {} are wrong\n",
        check.objects,
        check.exact,
        check.differences.size()
    );
    const std::size_t shown = std::min(check.differences.size(), differences_shown);
    for (std::size_t at = 0; at < shown; ++at) {
        const auto& each = check.differences[at];
        text += fmt::format(
            "  object {} counts {}, must be {} to {}\n",
            each.object,
            each.counted,
            each.least,
            each.most
        );
    }
    return text;
}

boost::json::object cpu_json(const CpuTime& time, const Measured& measured) {
    return {
        {"user_us", microseconds_a_request(time.user, measured)},
        {"system_us", microseconds_a_request(time.system, measured)},
        {"total_us", microseconds_a_request(time.total(), measured)},
        {"cores_busy", cores_busy(time, measured)},
    };
}

boost::json::object measured_json(const Measured& measured) {
    const auto& latency = measured.latency;
    const auto microseconds = [&](double quantile) {
        return static_cast<double>(latency.percentile(quantile)) / 1e3;
    };
    boost::json::object failed;
    for (const auto& [status, count] : measured.failed) {
        failed[std::to_string(status)] = count;
    }
    boost::json::object json{
        {"start", measured.start_seconds},
        {"seconds", measured.seconds},
        {"due", latency.count()},
        {"good", measured.good},
        {"rate", rate_of(measured)},
        {"latency_us",
         {{"mean", latency.mean() / 1e3},
          {"p50", microseconds(0.5)},
          {"p90", microseconds(0.9)},
          {"p99", microseconds(0.99)},
          {"p999", microseconds(0.999)},
          {"max", static_cast<double>(latency.max()) / 1e3}}},
        {"client_cpu", cpu_json(measured.client, measured)},
        {"failed", std::move(failed)},
        {"lost", measured.lost},
        {"unsent", measured.unsent},
    };
    if (measured.server) {
        json["server_cpu"] = cpu_json(*measured.server, measured);
    }
    return json;
}

boost::json::object options_json(const LoadOptions& options) {
    const auto& plan = options.plan;
    boost::json::object json{
        {"server", fmt::format("{}:{}", options.host, options.port)},
        {"loop", plan.rate ? "open" : "closed"},
        {"objects", options.traffic.objects},
        {"deviation", options.traffic.deviation},
        {"get_share", options.traffic.get_share},
        {"seed", options.traffic.seed},
        {"connections", options.connections},
        {"pipeline", options.depth},
        {"post_batch", plan.batch},
    };
    if (plan.rate) {
        json["rate"] = *plan.rate;
        json["arrivals"] = plan.arrivals == load::ArrivalKind::poisson ? "poisson" : "constant";
        json["profile_stretches"] = plan.profile.size();
    }
    return json;
}

}  // namespace

std::string bench_intro(const LoadOptions& options) {
    const std::string batches =
        options.plan.batch > 0
            ? fmt::format(", {} {} a request", options.plan.batch, operations_of(options))
            : "";
    const std::string loop =
        options.plan.rate
            ? fmt::format(
                  "open loop, {:.0f} requests/s{}: a latency counts from when a request was due",
                  *options.plan.rate,
                  options.plan.profile.empty() ? "" : " on average, as the file goes up and down"
              )
            : "closed loop: latencies are service times only; who would have come during a stall "
              "is "
              "not in them";
    return fmt::format(
        "{}:{}, {} connections with {} in flight{}, {} objects, seed {}\n{}\n",
        options.host,
        options.port,
        options.connections,
        options.depth,
        batches,
        options.traffic.objects,
        options.traffic.seed,
        loop
    );
}

std::string bench_window_head() {
    return " seconds  requests/s   p50 ms   p90 ms   p99 ms  p99.9 ms    max ms   failed\n";
}

std::string bench_window_line(const Measured& window) {
    const auto& latency = window.latency;
    if (latency.count() == 0) {
        return fmt::format(
            "{:8.1f}  {:10.0f}  nothing that was due in the measured time was answered{:17}\n",
            window.start_seconds + window.seconds,
            rate_of(window),
            window.failures()
        );
    }
    return fmt::format(
        "{:8.1f}  {:10.0f}  {:7.3f}  {:7.3f}  {:7.3f}  {:8.3f}  {:8.3f}  {:7}\n",
        window.start_seconds + window.seconds,
        rate_of(window),
        milliseconds(latency.percentile(0.5)),
        milliseconds(latency.percentile(0.9)),
        milliseconds(latency.percentile(0.99)),
        milliseconds(latency.percentile(0.999)),
        milliseconds(latency.max()),
        window.failures()
    );
}

std::string bench_summary(const LoadOptions& options, const LoadReport& report) {
    const Measured& total = report.total;
    std::string text = "\n" + bench_window_head() + bench_window_line(total) + "\n";
    auto out = std::back_inserter(text);
    if (report.operations_a_request > 1) {
        const auto operations = static_cast<double>(report.operations_a_request);
        fmt::format_to(
            out, "{}  {:.0f} a second\n", operations_of(options), rate_of(total) * operations
        );
    }
    fmt::format_to(out, "client  {}\n", cpu_text(total.client, total));
    if (total.server) {
        fmt::format_to(out, "server  {}\n", cpu_text(*total.server, total));
    }
    fmt::format_to(out, "limit   {}\n", limit_text(limited_by(report)));
    fmt::format_to(out, "failed  {}\n", failures_text(total));
    fmt::format_to(out, "counts  {}", report.check ? check_text(*report.check) : "not checked\n");
    return text;
}

std::string bench_json(
    const LoadOptions& options, const LoadReport& report, const std::vector<Measured>& windows
) {
    boost::json::array window_list;
    for (const Measured& window : windows) {
        window_list.push_back(measured_json(window));
    }
    boost::json::object json{
        {"options", options_json(options)},
        {"total", measured_json(report.total)},
        {"tokens_a_request", report.operations_a_request},
        {"limited_by", limit_name(limited_by(report))},
        {"windows", std::move(window_list)},
    };
    if (report.check) {
        json["check"] = {
            {"objects", report.check->objects},
            {"exact", report.check->exact},
            {"wrong", report.check->differences.size()}
        };
    }
    return boost::json::serialize(json) + "\n";
}

}  // namespace footfall::cli
