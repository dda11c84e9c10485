// What feeding the rankings costs, what they take, and how many of the largest they find: 64 lanes,
// ten million events of ten million objects, Zipf with exponent 1 or each of another object.
//
//     cmake --preset release -DFOOTFALL_BENCHMARKS=ON && ninja -C build/release rankings_bench
//     build/release/benchmarks/rankings_bench [trending | hot | job]
//     zcat .../traffic-worldcup98/requests_per_minute.csv.gz | .../rankings_bench job arrivals
//
// `arrivals`: only as the lines of that file say, the ten million requests before the end of the
// busiest minute.

#include "foundation/check.h"
#include "foundation/clock.h"
#include "foundation/parse_number.h"
#include "foundation/random.h"
#include "foundation/siphash.h"
#include "rankings/hot.h"
#include "rankings/lane_trends.h"
#include "rankings/trending.h"
#include "runtime/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <iostream>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace footfall;

constexpr std::uint64_t objects = 10'000'000;
constexpr std::uint64_t events = 10'000'000;
constexpr std::size_t chunk = 2'000;
constexpr std::size_t top = 100;
constexpr Instant start{std::chrono::seconds{1'790'000'000}};

struct Event {
    std::uint64_t hash;
    std::uint32_t rank;
    std::string name;
    Instant time;
};

std::uint64_t hash_of(std::uint64_t rank) {
    return Random{rank}();
}

/// 1/k by inversion of the logarithm: of rank k the chance is ln(1 + 1/k) / ln(objects + 1).
std::uint64_t zipf(Random& random) {
    const double rank = std::exp(random.fraction() * std::log(static_cast<double>(objects + 1)));
    return std::min(static_cast<std::uint64_t>(rank), objects) - 1;
}

/// Of this thread: others on the machine are not counted.
std::chrono::nanoseconds time_on_processor() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

struct Traffic {
    bool is_distinct;
    std::size_t name_bytes;
    std::chrono::microseconds between;  ///< Two events.
    bool is_by_lane = true;             ///< Some thirty of a lane, as they are read; else any lane.
    /// Events of minutes one after another, in place of `between`.
    std::vector<std::uint32_t> minutes = {};
};

/// When events come.
class Arrivals {
public:
    explicit Arrivals(const Traffic& traffic) : traffic_{&traffic} {}

    Instant next() {
        if (traffic_->minutes.empty()) {
            return std::exchange(time_, time_ + traffic_->between);
        }
        while (at_ == traffic_->minutes[minute_]) {
            ++minute_;
            at_ = 0;
        }
        const std::chrono::microseconds length{std::chrono::minutes{1}};
        return start + length * static_cast<long>(minute_) +
               length * at_++ / traffic_->minutes[minute_];
    }

private:
    const Traffic* traffic_;
    Instant time_ = start;
    std::size_t minute_ = 0;
    std::uint32_t at_ = 0;
};

struct Figures {
    double ns_an_event = 0;
    std::size_t bytes = 0;
    std::size_t found = 0;  ///< Of the true largest.
};

/// Adds all events to `lanes` by `add(lane, events)`, and counts them for itself.
template <class Lanes, class Add>
double feed(Lanes& lanes, const Traffic& traffic, std::vector<std::uint32_t>& counts, Add add) {
    Random random{7};
    std::vector<Event> batch(chunk);
    std::chrono::nanoseconds taken{};
    Arrivals arrivals{traffic};
    for (std::uint64_t done = 0; done < events; done += chunk) {
        for (std::size_t at = 0; at < chunk; ++at) {
            const std::uint64_t rank = traffic.is_distinct ? done + at : zipf(random);
            batch[at] = {
                .hash = hash_of(rank),
                .rank = static_cast<std::uint32_t>(rank),
                .name = fmt::format("/articles/{:0{}}", rank, traffic.name_bytes - 10),
                .time = arrivals.next()
            };
            ++counts[rank];
        }
        if (traffic.is_by_lane) {
            std::ranges::sort(batch, {}, [](const Event& event) {
                return runtime::Lanes<int>::lane_of(event.hash);
            });
        }
        const auto begin = time_on_processor();
        for (std::span<const Event> left{batch}; !left.empty();) {
            const std::size_t lane = runtime::Lanes<int>::lane_of(left.front().hash);
            const auto end = std::ranges::find_if(left, [&](const Event& event) {
                return runtime::Lanes<int>::lane_of(event.hash) != lane;
            });
            const auto some = left.first(static_cast<std::size_t>(end - left.begin()));
            left = left.subspan(some.size());
            add(lanes[lane], some);
        }
        taken += time_on_processor() - begin;
    }
    return static_cast<double>(taken.count()) / static_cast<double>(events);
}

std::size_t found_of(
    const std::vector<std::uint32_t>& counts,
    const std::set<std::string>& answered,
    std::size_t name_bytes
) {
    std::vector<std::uint32_t> ranks(counts.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    std::ranges::partial_sort(
        ranks,
        ranks.begin() + top,
        [&](std::uint32_t left, std::uint32_t right) { return counts[left] > counts[right]; }
    );
    ranks.resize(top);
    return static_cast<std::size_t>(std::ranges::count_if(ranks, [&](std::uint32_t rank) {
        return answered.contains(fmt::format("/articles/{:0{}}", rank, name_bytes - 10));
    }));
}

template <class Answer>
std::set<std::string> names_of_first(std::vector<std::pair<double, Answer>> all) {
    std::ranges::sort(all, [](const auto& left, const auto& right) {
        return left.first > right.first;
    });
    std::set<std::string> names;
    for (std::size_t at = 0; at < std::min(top, all.size()); ++at) {
        names.insert(all[at].second);
    }
    return names;
}

Figures trending(const Traffic& traffic) {
    std::vector<rankings::TrendCandidates> lanes(runtime::lane_count);
    std::vector<std::uint32_t> counts(objects);
    Figures figures;
    figures.ns_an_event =
        feed(lanes, traffic, counts, [&](auto& lane, std::span<const Event> some) {
            for (const Event& event : some) {
                lane.add(event.hash, event.name, event.time);
            }
        });
    std::vector<std::pair<double, std::string>> all;
    for (const rankings::TrendCandidates& lane : lanes) {
        figures.bytes += lane.bytes();
        for (rankings::TrendCandidate& each : lane.candidates(start)) {
            all.emplace_back(each.slow - each.error, std::move(each.object));
        }
    }
    figures.found = found_of(counts, names_of_first(std::move(all)), traffic.name_bytes);
    return figures;
}

Figures hot(const Traffic& traffic) {
    std::vector<rankings::HotObjects> lanes(runtime::lane_count);
    std::vector<std::uint32_t> counts(objects);
    Figures figures;
    figures.ns_an_event =
        feed(lanes, traffic, counts, [&](auto& lane, std::span<const Event> some) {
            for (const Event& event : some) {
                lane.add(event.hash, event.name, event.time);
            }
        });
    std::vector<std::pair<double, std::string>> all;
    for (const rankings::HotObjects& lane : lanes) {
        figures.bytes += lane.bytes();
        for (rankings::HotObject& each : lane.top(start)) {
            all.emplace_back(each.events, std::move(each.object));
        }
    }
    figures.found = found_of(counts, names_of_first(std::move(all)), traffic.name_bytes);
    return figures;
}

/// All that a job adds to an event for both: the object's hash, who is new, and what they make of
/// it. Each event is somebody else's.
Figures job(const Traffic& traffic) {
    constexpr SipKey secret{.k0 = 1, .k1 = 2};
    const rankings::TrendSettings settings;
    std::vector<rankings::LaneTrends> lanes(runtime::lane_count);
    std::vector<std::uint32_t> counts(objects);
    std::uint64_t offset = 0;
    Random people{11};
    std::vector<rankings::TrendFact> facts;
    Figures figures;
    figures.ns_an_event =
        feed(lanes, traffic, counts, [&](auto& lane, std::span<const Event> some) {
            facts.clear();
            for (const Event& event : some) {
                facts.push_back(
                    {.action = "view",
                     .object = event.name,
                     .object_hash = siphash13(secret, event.name),
                     .offset = offset++,
                     .time = event.time,
                     .person = people()}
                );
            }
            lane.prefetch(facts);
            for (const rankings::TrendFact& fact : facts) {
                lane.add(fact, settings, fact.time);
            }
        });
    std::vector<std::pair<double, std::string>> all;
    for (const rankings::LaneTrends& lane : lanes) {
        figures.bytes += lane.bytes();
        for (rankings::TrendCandidate& each : lane.find("view")->candidates(start)) {
            all.emplace_back(each.slow - each.error, std::move(each.object));
        }
    }
    figures.found = found_of(counts, names_of_first(std::move(all)), traffic.name_bytes);
    return figures;
}

void show(const char* what, const Traffic& traffic, const Figures& figures) {
    fmt::print(
        "{:9} {:8} names of {:4}, {}, {}: {:5.0f} ns an event, {:5.1f} MB",
        what,
        traffic.is_distinct ? "distinct" : "zipf 1.0",
        traffic.name_bytes,
        traffic.minutes.empty() ? fmt::format("{:6} us apart", traffic.between.count())
                                : fmt::format("in {} real minutes", traffic.minutes.size()),
        traffic.is_by_lane ? "lane by lane" : "any lane    ",
        figures.ns_an_event,
        static_cast<double>(figures.bytes) / 1e6
    );
    if (!traffic.is_distinct) {
        fmt::print(", {} of the largest {}", figures.found, top);
    }
    fmt::print("\n");
}

void show_all(const Traffic& traffic, std::string_view wanted) {
    constexpr std::array<std::pair<const char*, Figures (*)(const Traffic&)>, 3> all{
        {{"trending", trending}, {"hot", hot}, {"job", job}}
    };
    for (const auto& [what, measure] : all) {
        if (wanted.empty() || wanted == what) {
            show(what, traffic, measure(traffic));
        }
    }
}

/// The last minutes up to the busiest that have all events; a line is `2026-11-28 12:00:00,17`.
std::vector<std::uint32_t> minutes_of(std::istream& lines) {
    std::vector<std::uint32_t> counts;
    for (std::string line; std::getline(lines, line);) {
        const auto count = parse_unsigned(std::string_view{line}.substr(line.find(',') + 1));
        if (count) {  // else it is the line with the names of columns
            counts.push_back(static_cast<std::uint32_t>(*count));
        }
    }
    const auto end = std::ranges::max_element(counts) + (counts.empty() ? 0 : 1);
    auto begin = end;
    for (std::uint64_t sum = 0; sum < events; sum += *begin) {
        CHECK(begin != counts.begin(), "there are as many requests as events");
        --begin;
    }
    return {begin, end};
}

}  // namespace

int main(int count, char** words) {
    using std::chrono::microseconds;
    const std::string_view wanted = count > 1 ? words[1] : "";
    if (count > 2) {
        const std::vector<std::uint32_t> minutes = minutes_of(std::cin);
        for (const bool is_distinct : {false, true}) {
            show_all(
                {.is_distinct = is_distinct, .name_bytes = 40, .between = {}, .minutes = minutes},
                wanted
            );
        }
        return 0;
    }
    const std::vector<Traffic> all{
        {.is_distinct = false, .name_bytes = 40, .between = microseconds{0}},
        {.is_distinct = true, .name_bytes = 40, .between = microseconds{0}},
        {.is_distinct = false, .name_bytes = 40, .between = microseconds{20}, .is_by_lane = false},
        {.is_distinct = true, .name_bytes = 40, .between = microseconds{20}, .is_by_lane = false},
        {.is_distinct = false, .name_bytes = 40, .between = microseconds{20}},
        {.is_distinct = true, .name_bytes = 40, .between = microseconds{8'640}},
        {.is_distinct = true, .name_bytes = 1000, .between = microseconds{20}},
    };
    for (const Traffic& traffic : all) {
        show_all(traffic, wanted);
    }
}
