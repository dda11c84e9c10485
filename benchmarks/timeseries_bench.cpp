// The metrics store alone, on a disk, without HTTP: what graphs of a hundred series take. One JSON
// document to stdout.
//
//   timeseries_bench fill FOLDER day|year NOW           a store in FOLDER, and its values in
//                                                       FOLDER.values: doubles, series by series
//   timeseries_bench render FOLDER day|year NOW ROUNDS  times of /render in milliseconds; answers
//                                                       in FOLDER.all.json and FOLDER.most.json
//   timeseries_bench lines FOLDER SERIES ROUNDS         CPU of a line of Carbon over TCP, of all
//                                                       threads: a line of each series a round
//   timeseries_bench names FOLDER SERIES MIB            so many series of 60 letters, with so much
//                                                       memory for their names
//
// NOW is in seconds since 1970, a full hour. `day`: a point each ten seconds of the last day.
// `year`: a point each quarter of an hour, of which hours are kept as cells.

#include "foundation/check.h"
#include "foundation/random.h"
#include "storage/blocking.h"
#include "timeseries/point_list.h"
#include "timeseries/sealing.h"
#include "timeseries_routes/carbon_server.h"
#include "timeseries_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <future>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace footfall;
using benchmarks::cpu_seconds;
using benchmarks::MetricsWorld;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::size_t series_count = 100;
constexpr std::int64_t hour_seconds = 3600;

/// What is filled and asked for.
struct Span {
    std::int64_t hours = 0;
    std::int64_t step = 0;  ///< Of points, in seconds.
    timeseries::Retention retention;
    std::string_view from;
};

Span span_named(std::string_view name) {
    if (name == "day") {
        return {
            .hours = 24,
            .step = 10,
            .retention = {{}, {{.step = seconds{10}, .kept = days{2}}}},
            .from = "-1d"
        };
    }
    return {
        .hours = std::int64_t{365} * 24,
        .step = 900,
        .retention =
            {{}, {{.step = minutes{15}, .kept = days{1}}, {.step = hours{1}, .kept = days{366}}}},
        .from = "-1y"
    };
}

std::string name_of(std::size_t series) {
    return fmt::format("servers.web{:02}.load.shortterm", series);
}

/// A gauge of two decimals that goes up and down.
class Gauge {
public:
    explicit Gauge(std::uint64_t seed) : random_{seed} {}

    double next() {
        hundredths_ += static_cast<std::int64_t>(random_.below(201)) - 100;
        hundredths_ = std::clamp<std::int64_t>(hundredths_, 0, 100'000);
        return static_cast<double>(hundredths_) / 100;
    }

private:
    Random random_;
    std::int64_t hundredths_ = 5'000;
};

/// Writes points as they come, and seals each hour once it is over.
std::string fill_store(const std::string& folder, std::string_view named, std::int64_t now) {
    const Span span = span_named(named);
    MetricsWorld world{folder, now - span.hours * hour_seconds, span.retention};
    timeseries::Sealing sealing{world.store(), world.clock(), [&](timeseries::SeriesId id) {
                                    return world.series().resolutions_of(id);
                                }};
    std::vector<Gauge> gauges;
    std::vector<std::vector<double>> values(series_count);
    for (std::size_t at = 0; at < series_count; ++at) {
        gauges.emplace_back(at);
    }
    std::uint64_t points = 0;
    for (std::int64_t hour = now - span.hours * hour_seconds; hour < now; hour += hour_seconds) {
        timeseries::PointList list;
        for (std::size_t at = 0; at < series_count; ++at) {
            double sum = 0;
            for (std::int64_t time = hour; time < hour + hour_seconds; time += span.step) {
                const double value = gauges[at].next();
                list.add(name_of(at), {.time = time * 1000, .value = value});
                sum += value;
                if (named == "day") {
                    values[at].push_back(value);
                }
            }
            if (named == "year") {
                values[at].push_back(sum / static_cast<double>(hour_seconds / span.step));
            }
        }
        points += list.size();
        const auto taken = world.series().write(list.points());
        CHECK(taken && taken->points == list.size(), "points are taken");
        CHECK(storage::wait_durable(world.store(), taken->position).has_value(), "durable");
        world.clock().set(Instant{seconds{hour + hour_seconds + 1800}});
        const auto sealed = sealing.seal({});
        CHECK(sealed.has_value(), "sealed", sealed.error().message);
    }
    // Points of the last hour are sealed in the hour after the one in which they were written.
    world.clock().set(Instant{seconds{now + 2 * hour_seconds}});
    CHECK(sealing.seal({}).has_value(), "sealed");
    CHECK(world.store().compact().has_value(), "compact");
    std::ofstream file{folder + ".values", std::ios::binary};
    for (const std::vector<double>& each : values) {
        file.write(
            reinterpret_cast<const char*>(each.data()),
            static_cast<std::streamsize>(each.size() * sizeof(double))
        );
    }
    return fmt::format(
        R"({{"series":{},"points":{},"sealed":{}}})", series_count, points, sealing.sealed()
    );
}

double median(std::vector<double> all) {
    std::ranges::sort(all);
    return all[all.size() / 2];
}

std::string timed(MetricsWorld& world, const std::string& query, std::size_t rounds) {
    std::vector<double> waited;
    std::vector<double> cpu;
    std::size_t bytes = 0;
    for (std::size_t round = 0; round <= rounds; ++round) {
        const double cpu_before = cpu_seconds();
        const auto before = std::chrono::steady_clock::now();
        bytes = world.render(query).size();
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - before;
        // The first finds nothing in memory.
        if (round > 0) {
            waited.push_back(taken.count());
            cpu.push_back((cpu_seconds() - cpu_before) * 1000);
        }
    }
    return fmt::format(
        R"({{"p50":{:.2f},"cpu":{:.2f},"least":{:.2f},"bytes":{}}})",
        median(waited),
        median(cpu),
        std::ranges::min(cpu),
        bytes
    );
}

std::string ask_store(
    const std::string& folder, std::string_view named, std::int64_t now, std::size_t rounds
) {
    const Span span = span_named(named);
    MetricsWorld world{folder, now, span.retention};
    const std::string all = fmt::format("target=servers.*.load.shortterm&from={}", span.from);
    const std::string most = all + "&maxDataPoints=1000";
    std::ofstream{folder + ".all.json"} << world.render(all);
    std::ofstream{folder + ".most.json"} << world.render(most);
    return fmt::format(
        R"({{"all":{},"most":{}}})", timed(world, all, rounds), timed(world, most, rounds)
    );
}

/// Late in an hour, so that all lines are of it.
constexpr std::int64_t some_time = 1'796'043'500;

/// 60 letters, as names of hosts and what they tell of themselves have.
std::string long_name(std::size_t series) {
    return fmt::format(
        "production.fra1.rack{:03}.server{:07}.network.eth0.rx_octets", series / 10'000, series
    );
}

/// What a sender sends in a round.
std::string lines_of(std::size_t series, std::int64_t round, std::int64_t rounds) {
    std::string lines;
    for (std::size_t at = 0; at < series; ++at) {
        lines += fmt::format(
            "{} {} {}\n",
            long_name(at),
            static_cast<std::int64_t>(at) * 7 + round * 3,
            some_time - (rounds - round) * 10
        );
    }
    return lines;
}

/// Sends all lines from a process of its own, so that its CPU is not counted here.
pid_t send_lines(std::uint16_t port, std::size_t series, std::int64_t rounds) {
    const pid_t sender = ::fork();
    if (sender != 0) {
        return sender;
    }
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bool sent =
        ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    for (std::int64_t round = 0; sent && round < rounds; ++round) {
        const std::string lines = lines_of(series, round, rounds);
        for (std::size_t at = 0; sent && at < lines.size();) {
            const ssize_t count = ::send(socket, lines.data() + at, lines.size() - at, 0);
            sent = count > 0;
            at += sent ? static_cast<std::size_t>(count) : 0;
        }
    }
    ::close(socket);
    ::_exit(sent ? 0 : 1);
}

std::string take_lines(const std::string& folder, std::size_t series, std::int64_t rounds) {
    MetricsWorld world{folder, some_time, {}};
    timeseries::routes::CarbonServer carbon{world.series(), world.clock(), world.store()};
    const auto port = carbon.start({.address = "127.0.0.1", .port = 0});
    CHECK(port.has_value(), "a port", port.error().message);
    const double before = cpu_seconds();
    const auto started = std::chrono::steady_clock::now();
    const pid_t sender = send_lines(*port, series, rounds);
    const std::uint64_t lines = series * static_cast<std::uint64_t>(rounds);
    std::promise<void> nobody;
    const auto never = nobody.get_future();
    while (world.series().durable_points() < lines) {
        never.wait_for(std::chrono::milliseconds{5});
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - started;
    const double cpu = cpu_seconds() - before;
    int status = 0;
    CHECK(::waitpid(sender, &status, 0) == sender && status == 0, "all was sent");
    carbon.stop();
    return fmt::format(
        R"({{"lines":{},"series":{},"microseconds_a_line":{:.3f},"lines_a_second":{:.0f}}})",
        lines,
        world.series().series(),
        cpu / static_cast<double>(lines) * 1e6,
        static_cast<double>(lines) / taken.count()
    );
}

/// Of memory, in bytes.
std::size_t resident() {
    std::ifstream file{"/proc/self/statm"};
    std::size_t all = 0;
    std::size_t pages = 0;
    file >> all >> pages;
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// Writes a point of each of these; microseconds of CPU each.
double write_points(MetricsWorld& world, std::size_t from, std::size_t until, double value) {
    constexpr std::size_t at_once = 10'000;
    const double before = cpu_seconds();
    for (std::size_t first = from; first < until; first += at_once) {
        timeseries::PointList list;
        for (std::size_t at = first; at < std::min(first + at_once, until); ++at) {
            list.add(long_name(at), {.time = some_time * 1000, .value = value});
        }
        const auto taken = world.series().write(list.points());
        CHECK(taken && taken->points == list.size(), "points are taken");
        CHECK(storage::wait_durable(world.store(), taken->position).has_value(), "durable");
    }
    return (cpu_seconds() - before) / static_cast<double>(until - from) * 1e6;
}

/// What writing and drawing series takes that are there already, among so many.
std::string among(MetricsWorld& world) {
    constexpr std::size_t written = 10'000;
    constexpr std::size_t rounds = 101;
    // What was written before is to be in files, not on its way there.
    CHECK(world.store().compact().has_value(), "compact");
    std::vector<double> writing;
    for (std::size_t round = 0; round < rounds; ++round) {
        writing.push_back(write_points(world, 0, written, static_cast<double>(round)));
    }
    CHECK(world.store().compact().has_value(), "compact");
    std::vector<double> drawing;
    const std::string query = fmt::format("target={}&from=-1h", long_name(written / 2));
    for (std::size_t round = 0; round < rounds; ++round) {
        const double before = cpu_seconds();
        constexpr std::size_t times = 20;
        for (std::size_t again = 0; again < times; ++again) {
            world.render(query);
        }
        drawing.push_back((cpu_seconds() - before) / times * 1e6);
    }
    return fmt::format(R"({{"write":{:.2f},"render":{:.0f}}})", median(writing), median(drawing));
}

std::string name_series(const std::string& folder, std::size_t series, std::size_t mebibytes) {
    constexpr std::size_t few = 10'000;
    runtime::MemoryShare memory{mebibytes << 20};
    MetricsWorld world{folder, some_time, {}, &memory};
    write_points(world, 0, few, 0);
    const std::string among_few = among(world);
    const std::size_t before = resident();
    const std::size_t booked = world.series().bytes();
    const double added = write_points(world, few, series, 0);
    const std::size_t grown = resident() - before;
    const double each = static_cast<double>(series - few);
    const std::string among_all = among(world);
    timeseries::PointList more;
    more.add(long_name(series), {.time = some_time * 1000, .value = 1});
    const auto refused = world.series().write(more.points());
    CHECK(refused && refused->points == 0, "a series more than there may be is refused");
    return fmt::format(
        R"({{"series":{},"name_bytes":{},"booked_each":{:.1f},"grown_each":{:.1f},"resident_mib":{},)"
        R"("new":{:.2f},"among_few":{},"among_all":{},"refusal":"{}"}})",
        world.series().series(),
        long_name(0).size(),
        static_cast<double>(world.series().bytes() - booked) / each,
        static_cast<double>(grown) / each,
        resident() >> 20,
        added,
        among_few,
        among_all,
        world.series().no_room()
    );
}

std::int64_t number(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    CHECK(error == std::errc{} && end == text.data() + text.size(), "a number", text);
    return number;
}

/// Empty: it is none of what there is.
std::string run(const std::vector<std::string>& words) {
    if (words.size() == 4 && words[0] == "fill") {
        return fill_store(words[1], words[2], number(words[3]));
    }
    if (words.size() == 5 && words[0] == "render") {
        return ask_store(
            words[1], words[2], number(words[3]), static_cast<std::size_t>(number(words[4]))
        );
    }
    if (words.size() == 4 && words[0] == "lines") {
        return take_lines(words[1], static_cast<std::size_t>(number(words[2])), number(words[3]));
    }
    if (words.size() == 4 && words[0] == "names") {
        return name_series(
            words[1],
            static_cast<std::size_t>(number(words[2])),
            static_cast<std::size_t>(number(words[3]))
        );
    }
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    const std::string said = run({argv + 1, argv + argc});
    if (said.empty()) {
        std::fputs(
            "usage: timeseries_bench fill FOLDER day|year NOW | "
            "render FOLDER day|year NOW ROUNDS | lines FOLDER SERIES ROUNDS | names FOLDER SERIES "
            "MIB\n",
            stderr
        );
        return 2;
    }
    std::puts(said.c_str());
    return 0;
}
