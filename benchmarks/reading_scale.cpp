// Fifteen million shared reads on an embedded store: what taking one in costs, what it takes on
// disk, how long a start takes with a million people who share, and who-read questions of which
// nothing is in memory, or a third of what they need. Answers are held to a plain set.
//
//   ninja -C build/release reading_scale && build/release/benchmarks/reading_scale FOLDER
//   [MILLIONS]
#include "events/event_keys.h"
#include "foundation/check.h"
#include "foundation/parse_number.h"
#include "foundation/random.h"
#include "metrics/metrics.h"
#include "people/people.h"
#include "people/schema.h"
#include "reading/readership.h"
#include "reading/schema.h"
#include "runtime/memory_shares.h"
#include "storage_rocksdb/rocks_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

namespace {

using namespace footfall;
using reading::ReaderId;

constexpr SipKey secret{3, 4};
constexpr std::size_t sharers_count = 1'000'000;
constexpr std::size_t readers_a_url = 10;
constexpr std::size_t urls_a_question = 100;
constexpr std::size_t store_memory = 256 << 20;

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::string url_of(std::size_t url) {
    return fmt::format("https://news{}.example/2026/11/article-{}", url % 997, url);
}

class Scale {
public:
    Scale(std::string folder, std::size_t facts)
        : folder_{std::move(folder)}, facts_{facts}, urls_{facts / readers_a_url} {
        tables_.assign(people::all_tables.begin(), people::all_tables.end());
        tables_.insert(tables_.end(), reading::all_tables.begin(), reading::all_tables.end());
    }

    /// A folder that an earlier run has filled is asked again.
    void run() {
        const bool is_new = !std::filesystem::exists(folder_);
        open_store();
        if (is_new) {
            share();
            fill();
        }
        start_again();
        ask("cold", 500);
        const std::size_t hot = ask_all();
        runtime::MemoryShares third{hot * 2 / 3, std::array<std::size_t, 1>{hot * 2 / 3}};
        readership_ = open_readership(&third.share(0));
        ask("with a third of the memory", 500);
        readership_.reset();
    }

private:
    void open_store() {
        auto opened = storage_rocksdb::RocksStore::open(
            {.directory = folder_, .tables = tables_, .memory_budget_bytes = store_memory},
            clock_,
            metrics_
        );
        CHECK(opened, "the store opens", opened.error().message);
        store_ = *std::move(opened);
    }

    std::unique_ptr<reading::Readership> open_readership(runtime::MemoryShare* memory) {
        return std::make_unique<reading::Readership>(
            *store_,
            clock_,
            people_->sharers(),
            reading::Readership::Options{
                .secret = secret, .interval = std::chrono::seconds{30}, .memory = memory
            }
        );
    }

    void open_people() {
        const auto begin = std::chrono::steady_clock::now();
        auto opened = people::People::open(*store_, clock_, {.secret = secret});
        CHECK(opened, "people open", opened.error().message);
        people_ = *std::move(opened);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        fmt::print(
            "{} sharers known after {:.2f} s, {:.1f} bytes each\n",
            people_->sharers().size(),
            took.count(),
            static_cast<double>(people_->sharers().bytes()) /
                static_cast<double>(std::max<std::size_t>(1, people_->sharers().size()))
        );
    }

    /// The store refuses what it has no room for.
    template <class Try>
    static void until_it_is_done(const Try& once) {
        while (!once()) {
            std::this_thread::sleep_for(std::chrono::milliseconds{50});  // tidy-allow(sleep): room
        }
    }

    static std::string actor_of(std::size_t actor) { return fmt::format("reader-{}", actor); }

    void share() {
        open_people();
        constexpr std::size_t at_once = 1000;
        std::vector<people::Said> said;
        for (std::size_t actor = 0; actor < sharers_count; ++actor) {
            said.push_back(
                {.actor = actor_of(actor),
                 .consent = people::Consent{.reading = people::Reading::shared}}
            );
            if (said.size() == at_once) {
                CHECK(people_->say(said), "they share");
                said.clear();
            }
        }
        before_ = on_disk();
    }

    /// Each URL by so many, spread over thirty days: the same pairs each time.
    std::size_t reader_of_fact(std::size_t url, std::size_t at) const {
        return siphash13({url, at}, "reader") % sharers_count;
    }

    void fill() {
        readership_ = open_readership(nullptr);
        Random random{5};
        std::vector<events::JudgedEvent> some(1);
        std::array<std::uint64_t, 64> offsets{};
        const double begin = cpu_seconds();
        double told = begin;
        for (std::size_t fact = 0; fact < facts_; ++fact) {
            const std::size_t url = fact % urls_;
            events::JudgedEvent& judged = some.front();
            judged.event.object = url_of(url);
            judged.event.action = "read";
            judged.event.time = clock_.now() - std::chrono::seconds{random.below(29 * 86'400)};
            const auto id = people_->sharers().id_of(actor_of(reader_of_fact(url, fact / urls_)));
            judged.read = events::ReadBy{
                .reader =
                    people_->sharers().reader_of(id.value_or(0)).value_or(people::Reader{}).number
            };
            const std::uint32_t lane = events::lane_of(judged.event.object, secret);
            const projecting::JudgedRecord record{
                .offset = offsets[lane]++, .judged = &judged, .person = {}
            };
            until_it_is_done([&] { return readership_->wait_for_room(); });
            readership_->apply(lane, {&record, 1});
            if ((fact + 1) % (facts_ / 5) == 0) {
                fmt::print(
                    "{} facts: {:.2f} us CPU each of the last fifth, with all writing and "
                    "compacting\n",
                    fact + 1,
                    (cpu_seconds() - told) * 1e6 / static_cast<double>(facts_ / 5)
                );
                told = cpu_seconds();
            }
        }
        until_it_is_done([&] { return readership_->flush(true); });
        fmt::print(
            "{} facts, {} rows; {:.2f} rows a fact\n",
            facts_,
            readership_->rows_written(),
            static_cast<double>(readership_->rows_written()) / static_cast<double>(facts_)
        );
    }

    std::uint64_t on_disk() const {
        std::uint64_t bytes = 0;
        for (const auto& each : std::filesystem::recursive_directory_iterator{folder_}) {
            bytes += each.is_regular_file() ? each.file_size() : 0;
        }
        return bytes;
    }

    void start_again() {
        readership_.reset();
        people_.reset();
        store_.reset();
        if (before_ != 0) {
            const std::uint64_t bytes = on_disk() - before_;
            fmt::print(
                "{:.0f} MB on disk beside what people said, {:.1f} bytes a fact\n",
                static_cast<double>(bytes) / 1e6,
                static_cast<double>(bytes) / static_cast<double>(facts_)
            );
        }
        open_store();
        open_people();
        readership_ = open_readership(nullptr);
    }

    /// Questions about random URLs and friends of whom every tenth read something of them.
    void ask(const std::string& how, int questions) {
        Random random{7};
        std::vector<double> times;
        std::size_t matches = 0;
        double cpu = 0;
        for (int question = 0; question < questions; ++question) {
            std::vector<std::size_t> urls;
            std::vector<std::string> names;
            for (std::size_t at = 0; at < urls_a_question; ++at) {
                urls.push_back(random.below(urls_));
                names.push_back(url_of(urls.back()));
            }
            std::unordered_set<std::size_t> friends;
            while (friends.size() < 450) {
                friends.insert(
                    random.below(10) == 0
                        ? reader_of_fact(
                              urls[random.below(urls.size())], random.below(readers_a_url)
                          )
                        : random.below(sharers_count)
                );
            }
            std::vector<ReaderId> ids;
            for (const std::size_t each : friends) {
                ids.push_back(people_->sharers().id_of(actor_of(each)).value_or(0));
            }
            std::ranges::sort(ids);
            const double cpu_begin = cpu_seconds();
            const auto begin = std::chrono::steady_clock::now();
            reading::AskedFriends asked;
            asked.ids.assign(ids);
            const auto answer = readership_->who(names, asked);
            const std::chrono::duration<double, std::milli> took =
                std::chrono::steady_clock::now() - begin;
            CHECK(answer, "it is answered");
            cpu += cpu_seconds() - cpu_begin;
            times.push_back(took.count());
            for (std::size_t at = 0; at < urls.size(); ++at) {
                std::unordered_set<std::size_t> expected;
                for (std::size_t reader = 0; reader < readers_a_url; ++reader) {
                    if (const auto actor = reader_of_fact(urls[at], reader);
                        friends.contains(actor)) {
                        expected.insert(actor);
                    }
                }
                CHECK((*answer)[at].size() == expected.size(), "as a plain set says", names[at]);
                matches += expected.size();
            }
        }
        std::ranges::sort(times);
        fmt::print(
            "100 URLs x 450 friends, {}: p50 {:.2f} ms, p99 {:.2f} ms, CPU {:.2f} ms; {} matches "
            "as a plain set "
            "has them\n",
            how,
            times[times.size() / 2],
            times[times.size() * 99 / 100],
            cpu * 1e3 / questions,
            matches
        );
    }

    /// Memory that all of some URLs take, of which a question asks.
    std::size_t ask_all() {
        fmt::print(
            "{} URLs in memory, {:.1f} bytes a fact\n",
            readership_->hot_urls(),
            static_cast<double>(readership_->hot_bytes()) /
                static_cast<double>(readership_->hot_urls() * readers_a_url)
        );
        return readership_->hot_bytes();
    }

    const std::string folder_;
    const std::size_t facts_;
    const std::size_t urls_;
    std::uint64_t before_ = 0;  ///< Bytes on disk without any fact.
    std::vector<const storage::Table*> tables_;
    ManualClock clock_{Instant{std::chrono::days{20'000}}};
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    std::unique_ptr<people::People> people_;
    std::unique_ptr<reading::Readership> readership_;
};

}  // namespace

int main(int count, char** words) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (count < 2 || count > 3) {
        fmt::print(stderr, "reading_scale FOLDER [MILLIONS]: a folder, and how many reads\n");
        return 2;
    }
    const auto millions = footfall::parse_unsigned(count == 3 ? words[2] : "15");
    CHECK(millions && *millions > 0, "how many millions is a whole number above 0");
    Scale{words[1], *millions * 1'000'000}.run();
}
