// Which friends read which of 100 URLs, asked of a store of which nothing is in memory: our way,
// and the two older ones (a row for each reader of a URL; a row for each URL of a reader). Each
// answer is held to what the world says, to the name, before its time counts.
//
//   reading_models fill WHERE MODEL average READS    so many reads
//   reading_models fill WHERE MODEL heavy PART       5,000 friends with 3,000 URLs each, or a part
//   reading_models ask WHERE MODEL WORLD SIZE QUESTION COUNT    a line as JSON
//   reading_models drop WHERE
//
// WHERE is a folder; of reading_models_cassandra, a keyspace. MODEL: reading_sides.h. QUESTION is
// `any` (450 people), `heavy` (all 5,000), `popular` (450, and one URL of 100,000 readers).
#include "foundation/check.h"
#include "foundation/parse_number.h"
#include "metrics/metrics.h"
#include "reading_sides.h"
#include "reading_store.h"
#include "reading_world.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace {

using namespace footfall;
using namespace footfall::benchmarks;

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::size_t number_of(std::string_view text) {
    const auto number = parse_unsigned(text);
    CHECK(number && *number > 0, "a whole number above 0", text);
    return *number;
}

ReadingWorld world_of(std::string_view name, std::string_view size) {
    CHECK(name == "average" || name == "heavy", "a world is average or heavy", name);
    return name == "average" ? ReadingWorld::average(number_of(size))
                             : ReadingWorld::heavy(number_of(size));
}

/// A process that starts on what there is.
struct Process {
    Process(const std::string& where, const ReadingModel& model, const ReadingWorld& world)
        : store{open_reading_store(where, model.tables, clock, metrics)},
          side{model.open(*store, clock, world)} {}

    SystemClock clock;
    metrics::Metrics metrics;
    std::unique_ptr<storage::Store> store;
    std::unique_ptr<ReadingSide> side;
};

/// Each URL in turn has its next reader, in the course of twenty days up to now.
void fill(const std::string& where, const ReadingModel& model, const ReadingWorld& world) {
    Process process{where, model, world};
    const auto reads = static_cast<double>(world.reads());
    const Instant end = process.clock.now();
    const auto begin = std::chrono::steady_clock::now();
    const double cpu = cpu_seconds();
    std::vector<std::size_t> urls(world.urls());
    std::iota(urls.begin(), urls.end(), 0);
    std::size_t taken = 0;
    for (std::size_t at = 0; !urls.empty(); ++at) {
        for (const std::size_t url : urls) {
            const double left = 1 - static_cast<double>(taken++) / reads;
            process.side->take(
                world.reader(url, at),
                url,
                end - std::chrono::seconds{static_cast<std::int64_t>(left * 20 * 86'400)}
            );
        }
        std::erase_if(urls, [&](std::size_t url) { return world.readers_of(url) <= at + 1; });
    }
    process.side->flush();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const double used = cpu_seconds() - cpu;
    process.side.reset();
    process.store.reset();
    fmt::print(
        "{{\"model\":\"{}\",\"reads\":{},\"seconds\":{:.1f},\"cpu_us\":{:.2f},\"bytes\":{}}}\n",
        model.name,
        taken,
        took.count(),
        used * 1e6 / reads,
        bytes_of_reading_store(where)
    );
}

void check_answer(const ReadingWorld& world, const ReadingQuestion& asked, WhoRead answer) {
    const std::unordered_set<std::size_t> friends{asked.friends.begin(), asked.friends.end()};
    for (std::size_t at = 0; at < asked.urls.size(); ++at) {
        const std::size_t url = asked.urls[at];
        std::vector<std::string> expected;
        for (std::size_t reader = 0; reader < world.readers_of(url); ++reader) {
            if (const auto person = world.reader(url, reader); friends.contains(person)) {
                expected.push_back(ReadingWorld::person_name(person));
            }
        }
        std::ranges::sort(expected);
        std::ranges::sort(answer[at]);
        CHECK(answer[at] == expected, "the friends who read", ReadingWorld::url_name(url));
    }
}

std::vector<ReadingQuestion> questions_of(
    const ReadingWorld& world, std::string_view kind, std::size_t count
) {
    CHECK(kind == "any" || kind == "popular" || kind == "heavy", "no such question", kind);
    CHECK(kind == "any" || world.heavy_people() > 0, "asked of a world that has them", kind);
    return kind == "heavy" ? world.questions_of_heavy(count)
                           : world.questions(count, kind == "popular");
}

void ask(
    const std::string& where,
    const ReadingModel& model,
    const ReadingWorld& world,
    const std::vector<ReadingQuestion>& questions
) {
    forget_reading_store(where);
    Process process{where, model, world};
    std::vector<double> times;
    double cpu = 0;
    std::size_t matches = 0;
    for (const ReadingQuestion& each : questions) {
        std::vector<std::string> urls;
        std::ranges::transform(each.urls, std::back_inserter(urls), ReadingWorld::url_name);
        std::vector<std::string> friends;
        std::ranges::transform(
            each.friends, std::back_inserter(friends), ReadingWorld::person_name
        );
        const double cpu_begin = cpu_seconds();
        const auto begin = std::chrono::steady_clock::now();
        WhoRead answer = process.side->ask(urls, friends);
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - begin;
        cpu += cpu_seconds() - cpu_begin;
        times.push_back(took.count());
        for (const std::vector<std::string>& of_url : answer) {
            matches += of_url.size();
        }
        check_answer(world, each, std::move(answer));
    }
    fmt::print(
        "{{\"model\":\"{}\",\"matches\":{},\"cpu_ms\":{:.2f},\"ms\":[{:.2f}]}}\n",
        model.name,
        matches,
        cpu * 1e3 / static_cast<double>(questions.size()),
        fmt::join(times, ",")
    );
}

}  // namespace

int main(int count, char** words) {
    const std::string_view verb = count > 1 ? words[1] : "";
    if (verb == "drop" && count == 3) {
        drop_reading_store(words[2]);
        return 0;
    }
    if (!(verb == "fill" && count == 6) && !(verb == "ask" && count == 8)) {
        fmt::print(stderr, "reading_models fill|ask|drop ...: the head of its source says how\n");
        return 2;
    }
    const ReadingModel* const model = reading_model(words[3]);
    CHECK(model != nullptr, "there is no such model", words[3]);
    const ReadingWorld world = world_of(words[4], words[5]);
    if (verb == "fill") {
        fill(words[2], *model, world);
    } else {
        ask(words[2], *model, world, questions_of(world, words[6], number_of(words[7])));
    }
}
