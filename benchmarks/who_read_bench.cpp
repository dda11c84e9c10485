// Which of M friends read which of 100 URLs, in process, in CPU time of the thread that asks: the
// URLs are in memory, and the friends' ids in order, as a list that is cached has them. Each shape
// says how many matched, which a plain set says, too.
//
//   ninja -C build/release who_read_bench && build/release/benchmarks/who_read_bench
//   who_read_bench SHAPE FRIENDS QUESTIONS FOLDER    one line as JSON, and what it is made of as
//   files, for peers
#include "foundation/check.h"
#include "foundation/parse_number.h"
#include "foundation/random.h"
#include "reading/hot_urls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <fstream>
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

/// URLs of a shape in memory, and the same plainly.
class World {
public:
    explicit World(const Shape& shape) : readers_{shape.readers} {
        for (ReaderId id = 0; id < readers_; ++id) {
            sharers_.put(
                fmt::format("reader-{}", id),
                {.number = random_()},
                {.reading = footfall::people::Reading::shared}
            );
        }
        for (std::size_t url = 0; url < urls; ++url) {
            plain_.push_back(draw(random_, shape.of_url(url), readers_));
            KnownReaders known;
            for (const ReaderId id : plain_.back()) {
                known.readers.push_back(
                    {.reader = id, .latest = 40 * footfall::reading::quarters_a_day}
                );
            }
            hot_.begin(0, url);
            hot_.install(0, url, known, today * footfall::reading::quarters_a_day);
        }
    }

    std::vector<ReaderId> draw_friends(std::size_t count) { return draw(random_, count, readers_); }

    struct Asked {
        double cpu_us = 0;
        std::size_t matches = 0;
    };

    Asked ask(const std::vector<ReaderId>& asked) {
        const double begin = cpu_microseconds();
        friends_.clear();
        friends_.assign(asked);
        std::size_t matches = 0;
        std::vector<ReaderId> ids;
        for (std::size_t url = 0; url < urls; ++url) {
            ids.clear();
            hot_.match(
                0, url, today - 30, today * footfall::reading::quarters_a_day, friends_, ids
            );
            matches += ids.size();
        }
        return {.cpu_us = cpu_microseconds() - begin, .matches = matches};
    }

    std::size_t plain_matches(const std::vector<ReaderId>& asked) const {
        std::size_t matches = 0;
        for (const std::vector<ReaderId>& each : plain_) {
            matches += static_cast<std::size_t>(std::ranges::count_if(each, [&](ReaderId id) {
                return std::ranges::binary_search(asked, id);
            }));
        }
        return matches;
    }

    const std::vector<std::vector<ReaderId>>& plain() const { return plain_; }

    std::size_t bytes() const { return hot_.bytes(); }

private:
    const ReaderId readers_;
    Random random_{1};
    footfall::people::Sharers sharers_{{1, 2}};
    HotUrls hot_{sharers_, (today - 40) * footfall::reading::quarters_a_day};
    std::vector<std::vector<ReaderId>> plain_;
    FriendSet friends_;
};

void run(const Shape& shape, std::size_t friends_count) {
    World world{shape};
    std::vector<double> times;
    std::size_t matches = 0;
    for (int question = 0; question < questions; ++question) {
        const std::vector<ReaderId> friends = world.draw_friends(friends_count);
        const World::Asked asked = world.ask(friends);
        times.push_back(asked.cpu_us);
        if (question == 0) {
            matches = world.plain_matches(friends);
            fmt::print("{}", matches == asked.matches ? "" : "WRONG ");
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
        static_cast<double>(world.bytes()) / 1e6
    );
}

/// FOLDER/reads.csv has a URL and a reader a line, FOLDER/friends.csv a question and a friend.
void run_for_peers(
    const Shape& shape, std::size_t friends_count, std::size_t count, const std::string& folder
) {
    World world{shape};
    std::ofstream reads{folder + "/reads.csv"};
    for (std::size_t url = 0; url < urls; ++url) {
        for (const ReaderId reader : world.plain()[url]) {
            reads << url << ',' << reader << '\n';
        }
    }
    std::ofstream asked_friends{folder + "/friends.csv"};
    std::vector<double> times;
    std::vector<std::size_t> matches;
    world.ask({});  // a URL is tidied when it is first asked for on a day
    for (std::size_t question = 0; question < count; ++question) {
        const std::vector<ReaderId> friends = world.draw_friends(friends_count);
        for (const ReaderId each : friends) {
            asked_friends << question << ',' << each << '\n';
        }
        const World::Asked asked = world.ask(friends);
        times.push_back(asked.cpu_us);
        matches.push_back(asked.matches);
    }
    fmt::print(
        "{{\"name\":\"{}\",\"us\":[{:.1f}],\"matches\":[{}]}}\n",
        shape.name,
        fmt::join(times, ","),
        fmt::join(matches, ",")
    );
}

}  // namespace

int main(int count, char** words) {
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
    if (count == 5) {
        const auto number = [&](int at) {
            return footfall::parse_unsigned(words[at]).value_or(~std::size_t{0});
        };
        CHECK(number(1) < shapes.size(), "a shape by its number, from 0");
        run_for_peers(shapes[number(1)], number(2), number(3), words[4]);
        return 0;
    }
    for (const Shape& each : shapes) {
        for (const std::size_t friends : {450U, 5'000U}) {
            run(each, friends);
        }
    }
}
