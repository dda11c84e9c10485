#include "events/event_keys.h"
#include "foundation/random.h"
#include "reading/readership.h"
#include "reading/schema.h"
#include "runtime/memory_shares.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace footfall::reading {
namespace {

using namespace std::chrono_literals;

constexpr SipKey threads_secret{9, 10};
constexpr ReaderId readers_of_threads = 2'000;
constexpr std::size_t urls_of_threads = 40;

std::string url_of_threads(std::size_t url) {
    return fmt::format("https://news.example/{}", url);
}

/// Reads come, rows are written, URLs are loaded and evicted, and what came is told from then on.
class WhoReadThreads : public testing::Test {
protected:
    void SetUp() override {
        for (ReaderId id = 0; id < readers_of_threads; ++id) {
            sharers_.put(
                fmt::format("p{}", id),
                {.number = number_of(id)},
                {.reading = people::Reading::shared}
            );
        }
    }

    static std::uint64_t number_of(ReaderId id) { return id * 0x9e37'79b9'7f4a'7c15; }

    /// Reader n of each URL is n: so many of it have come.
    void read(std::size_t url, std::uint64_t offset) {
        events::JudgedEvent judged;
        judged.event = {.time = clock_.now(), .action = "read", .object = url_of_threads(url)};
        judged.read = events::ReadBy{.reader = number_of(came_[url].load())};
        const projecting::JudgedRecord record{.offset = offset, .judged = &judged, .person = {}};
        ASSERT_TRUE(readership_.wait_for_room());
        readership_.apply(events::lane_of(judged.event.object, threads_secret), {&record, 1});
        ++came_[url];
    }

    void ask(Random& random) {
        const std::size_t url = random.below(urls_of_threads);
        const ReaderId came = came_[url].load();
        AskedFriends friends;
        std::vector<ReaderId> all(readers_of_threads);
        for (ReaderId id = 0; id < readers_of_threads; ++id) {
            all[id] = id;
        }
        friends.ids.assign(all);
        const auto told = readership_.who(std::vector{url_of_threads(url)}, friends);
        ASSERT_TRUE(told) << told.error().message;
        std::vector<ReaderId> readers = told->front();
        std::ranges::sort(readers);
        ASSERT_GE(readers.size(), came) << url;
        for (ReaderId id = 0; id < readers.size(); ++id) {
            ASSERT_EQ(readers[id], id) << url;
        }
    }

    ManualClock clock_{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore store_{all_tables, clock_};
    people::Sharers sharers_{threads_secret};
    runtime::MemoryShares memory_{200'000, std::array<std::size_t, 1>{200'000}};
    Readership readership_{
        store_,
        clock_,
        sharers_,
        {.secret = threads_secret, .interval = 0s, .memory = &memory_.share(0)}
    };
    std::array<std::atomic<ReaderId>, urls_of_threads> came_{};
};

TEST_F(WhoReadThreads, what_came_is_told_from_then_on) {
    std::atomic<bool> done = false;
    std::vector<std::jthread> threads;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        threads.emplace_back([&, seed] {
            Random random{seed};
            while (!done.load() && !HasFatalFailure()) {
                ask(random);
            }
        });
    }
    threads.emplace_back([&] {
        while (!done.load()) {
            ASSERT_TRUE(readership_.flush(false));
            std::this_thread::yield();
        }
    });
    Random random{3};
    for (std::uint64_t offset = 0; offset < 20'000 && !HasFatalFailure(); ++offset) {
        const std::size_t url = random.below(urls_of_threads);
        if (came_[url] < readers_of_threads) {
            read(url, offset);
        }
    }
    done = true;
}

}  // namespace
}  // namespace footfall::reading
