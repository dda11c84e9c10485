// Views on the real store, in far less memory than their objects take: each lane has an owner who
// counts events in the order of its log while a thread writes behind and others read. After a
// restart the log is read again from the checkpoint; rows are compared with what whole sketches
// make of the events.

#include "views/views.h"

#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"
#include "metrics/metrics.h"
#include "storage/blocking.h"
#include "storage_rocksdb/rocks_store.h"
#include "test_support/random_seed.h"
#include "views/schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace footfall {
namespace {

using views::Day;
using views::Views;

constexpr std::size_t lanes = 8;
constexpr std::uint64_t objects = 500;
constexpr std::uint64_t log_id = 77;
constexpr std::uint16_t key = 3;
constexpr Instant today{std::chrono::seconds{1'790'000'000}};

struct Logged {
    std::string object;
    Instant time;
    std::uint64_t person;
    bool refused;
};

std::vector<Logged> random_log(Random& random, std::size_t size) {
    std::vector<Logged> log;
    log.reserve(size);
    for (std::size_t at = 0; at < size; ++at) {
        log.push_back(
            {.object = fmt::format("/articles/{}", random.below(1 + random.below(objects))),
             .time = today - std::chrono::seconds{random.below(3 * 86'400)},
             .person = random.below(2000) * 0x9e3779b97f4a7c15,
             .refused = random.below(4) == 0}
        );
    }
    return log;
}

/// A process: opened on the directory, ended without a last flush.
class Program {
public:
    explicit Program(const std::filesystem::path& directory) {
        auto opened = storage_rocksdb::RocksStore::open(
            {.directory = directory,
             .tables = {&views::view_day_table, &views::view_total_table, &views::view_rank_table}},
            clock_,
            metrics_
        );
        EXPECT_TRUE(opened) << opened.error().message;
        store_ = *std::move(opened);
        views_ = std::make_unique<Views>(
            *store_,
            log_id,
            key,
            clock_,
            Views::Options{
                .memory_bytes = 256 << 10, .flush_interval = std::chrono::milliseconds{20}
            }
        );
    }

    ~Program() { store_->close(); }

    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    Views& views() { return *views_; }

    storage::Store& store() { return *store_; }

    /// Counts events [from, before) of a lane.
    void count(
        std::size_t lane, const std::vector<Logged>& log, std::size_t from, std::size_t before
    ) {
        while (from < before) {
            if (const auto room = views_->wait_for_room(); !room) {
                ASSERT_EQ(room.error().kind, ErrorKind::overloaded) << room.error().message;
                ASSERT_TRUE(views_->flush_all());
                continue;
            }
            std::vector<views::Fact> facts;
            for (const std::size_t end = std::min(before, from + 40); from < end; ++from) {
                const Logged& event = log[from];
                facts.push_back(
                    {.action = "view",
                     .object = event.object,
                     .offset = from,
                     .time = event.time,
                     .person = event.person,
                     .refusal = event.refused ? "repeat" : ""}
                );
            }
            views_->apply(lane, facts);
        }
    }

private:
    SystemClock clock_;
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    std::unique_ptr<Views> views_;
};

/// Counts a part of each lane while others write behind and read; answers the checkpoints.
std::array<std::uint64_t, lanes> run(
    Program& program,
    const std::array<std::vector<Logged>, lanes>& logs,
    const std::array<std::uint64_t, lanes>& from,
    std::size_t before
) {
    std::atomic<std::size_t> counting = lanes;
    {
        std::vector<std::jthread> threads;
        threads.reserve(lanes + 2);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            threads.emplace_back([&, lane] {
                // On a machine that counts all of it at once, too, something is written in between.
                const std::size_t half = from[lane] + (before - from[lane]) / 2;
                program.count(lane, logs[lane], from[lane], half);
                while (half > from[lane] && program.views().checkpoint(lane) <= from[lane]) {
                    std::this_thread::yield();
                }
                program.count(lane, logs[lane], half, before);
                --counting;
            });
        }
        threads.emplace_back([&] {
            while (counting > 0) {
                EXPECT_TRUE(program.views().flush());
                std::this_thread::yield();
            }
        });
        threads.emplace_back([&] {
            // Numbers never fall.
            Random random{9};
            std::map<std::string, std::uint64_t> least;
            while (counting > 0) {
                const std::size_t lane = random.below(lanes);
                const std::string object =
                    fmt::format("/articles/{}", random.below(1 + random.below(objects)));
                const auto report =
                    program.views().report(lane, {.action = "view", .object = object});
                ASSERT_TRUE(report) << report.error().message;
                std::uint64_t& seen = least[fmt::format("{} {}", lane, object)];
                EXPECT_GE(report->counts.events(), seen) << object;
                seen = report->counts.events();
            }
        });
    }
    std::array<std::uint64_t, lanes> checkpoints{};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        checkpoints[lane] = std::max(from[lane], program.views().checkpoint(lane));
    }
    return checkpoints;
}

struct Truth {
    std::int64_t counted = 0;
    std::int64_t refused = 0;
    sketches::Sketch people;
};

TEST(Views, count_each_event_once_on_the_real_store_while_objects_come_and_go) {
    Random random{test_support::random_seed()};
    const TemporaryDirectory directory;
    std::array<std::vector<Logged>, lanes> logs;
    for (auto& log : logs) {
        log = random_log(random, 12'000);
    }
    std::array<std::uint64_t, lanes> checkpoints{};
    for (const std::size_t before : {4000U, 8000U, 12'000U}) {
        Program program{directory.path()};
        checkpoints = run(program, logs, checkpoints, before);
        EXPECT_GT(program.views().figures().rows_read, objects) << "memory was short";
        EXPECT_LE(program.views().figures().bytes, 1024U << 10);
    }
    Program program{directory.path()};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        EXPECT_GT(checkpoints[lane], 0U) << "rows were written behind";
        program.count(lane, logs[lane], checkpoints[lane], logs[lane].size());
    }
    ASSERT_TRUE(program.views().flush_all());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        std::map<std::string, Truth> truths;
        for (const Logged& event : logs[lane]) {
            Truth& truth = truths[event.object];
            (event.refused ? truth.refused : truth.counted) += 1;
            if (!event.refused) {
                truth.people.add(event.person);
            }
        }
        for (const auto& [object, truth] : truths) {
            const auto row = storage::read_one(
                program.store(),
                views::view_total_table,
                {"view", object, views::first_epoch, views::writer_of(log_id, lane)}
            );
            ASSERT_TRUE(row) << object;
            const auto values = row->value_or(std::vector<storage::Value>{});
            ASSERT_EQ(values.size(), views::view_total_table.width()) << object;
            EXPECT_EQ(std::get<std::int64_t>(values[4]), truth.counted) << object;
            EXPECT_EQ(std::get<std::int64_t>(values[5]), truth.refused) << object;
            EXPECT_EQ(std::get<std::string>(values[7]), truth.people.written(key)) << object;
        }
    }
}

}  // namespace
}  // namespace footfall
