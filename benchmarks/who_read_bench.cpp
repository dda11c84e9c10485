// Which of M friends read which of 100 URLs, in process, in CPU time of the thread that asks: the
// URLs are in memory, and the friends' ids in order, as a list that is cached has them. Each shape
// says how many matched, which a plain set says, too.
//
//   ninja -C build/release who_read_bench && build/release/benchmarks/who_read_bench
#include "foundation/random.h"
#include "reading/hot_urls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <unordered_set>
#include <vector>

namespace {

using footfall::Random;
using footfall::reading::FriendSet;
using footfall::reading::HotUrls;
using footfall::reading::KnownReaders;
using footfall::reading::ReaderId;

constexpr std::size_t urls = 100;
constexpr int questions = 500;
constexpr footfall::people::UtcDay today = 20'000;

double cpu_microseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

/// So many different ids below `end`, in order.
std::vector<ReaderId> draw(Random& random, std::size_t count, ReaderId end) {
    std::vector<ReaderId> ids;
    if (count >= end) {
        for (ReaderId id = 0; id < end; ++id) {
            ids.push_back(id);
        }
        return ids;
    }
    std::unordered_set<ReaderId> drawn;
    while (drawn.size() < count) {
        drawn.insert(static_cast<ReaderId>(random.below(end)));
    }
    ids.assign(drawn.begin(), drawn.end());
    std::ranges::sort(ids);
    return ids;
}

struct Shape {
    std::string name;
    ReaderId readers;
    std::size_t (*of_url)(std::size_t url);
};

void run(const Shape& shape, std::size_t friends_count) {
    Random random{1};
    footfall::people::Sharers sharers{{1, 2}};
    for (ReaderId id = 0; id < shape.readers; ++id) {
        sharers.put(
            fmt::format("reader-{}", id),
            {.number = random()},
            {.reading = footfall::people::Reading::shared}
        );
    }
    HotUrls hot{sharers, (today - 40) * footfall::reading::quarters_a_day};
    std::vector<std::vector<ReaderId>> plain;
    for (std::size_t url = 0; url < urls; ++url) {
        plain.push_back(draw(random, shape.of_url(url), shape.readers));
        KnownReaders known;
        for (const ReaderId id : plain.back()) {
            known.readers.push_back({.reader = id, .latest = 40 * footfall::reading::quarters_a_day}
            );
        }
        hot.begin(0, url);
        hot.install(0, url, known, today * footfall::reading::quarters_a_day);
    }
    std::vector<double> times;
    std::size_t matches = 0;
    FriendSet friends;
    for (int question = 0; question < questions; ++question) {
        const std::vector<ReaderId> asked = draw(random, friends_count, shape.readers);
        const double begin = cpu_microseconds();
        friends.clear();
        friends.assign(asked);
        std::size_t matched = 0;
        std::vector<ReaderId> ids;
        for (std::size_t url = 0; url < urls; ++url) {
            ids.clear();
            hot.match(0, url, today - 30, today * footfall::reading::quarters_a_day, friends, ids);
            matched += ids.size();
        }
        times.push_back(cpu_microseconds() - begin);
        if (question == 0) {
            for (const std::vector<ReaderId>& each : plain) {
                matches += static_cast<std::size_t>(std::ranges::count_if(each, [&](ReaderId id) {
                    return std::ranges::binary_search(asked, id);
                }));
            }
            fmt::print("{}", matches == matched ? "" : "WRONG ");
        }
    }
    std::ranges::sort(times);
    fmt::print(
        "{:<34} {:>5} friends  p50 {:>8.1f} us  p99 {:>8.1f} us  {:>7} matches  {:>6.1f} MB\n",
        shape.name,
        friends_count,
        times[times.size() / 2],
        times[times.size() * 99 / 100],
        matches,
        static_cast<double>(hot.bytes()) / 1e6
    );
}

}  // namespace

int main() {
    const std::vector<Shape> shapes{
        {"20,000 readers, 3,000 a URL", 20'000, [](std::size_t) -> std::size_t { return 3'000; }},
        {"1 million, 80 URLs of 2",
         1'000'000,
         [](std::size_t url) -> std::size_t { return url < 20 ? 100'000 / (url + 1) : 2; }},
        {"1 million, 100,000/i",
         1'000'000,
         [](std::size_t url) -> std::size_t { return 100'000 / (url + 1); }},
        {"1 million, 100,000 a URL", 1'000'000, [](std::size_t) -> std::size_t { return 100'000; }},
        {"5,000, all read all", 5'000, [](std::size_t) -> std::size_t { return 5'000; }},
    };
    for (const Shape& each : shapes) {
        for (const std::size_t friends : {450U, 5'000U}) {
            run(each, friends);
        }
    }
}
