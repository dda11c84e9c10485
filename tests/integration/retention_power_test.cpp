// The power is cut while old events go, at any write; what was not synced is gone. Whatever was
// counted stays counted, and can still be held to what is left of the log.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=200 build/release/tests/integration/retention_power_test

#include "deployment/deployment.h"
#include "deployment/verify.h"
#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"
#include "intake/retention.h"
#include "jobs/list.h"
#include "storage/blocking.h"
#include "storage_rocksdb_testing/faulty_file_system.h"
#include "test_support/must.h"
#include "test_support/random_seed.h"
#include "views_of.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::power {
namespace {

using namespace test_support;
using storage_rocksdb::FaultyFileSystem;

constexpr std::chrono::seconds keep = std::chrono::hours{48};
constexpr std::size_t objects = 40;
constexpr std::size_t events_a_round = 400;

/// Of an object: counted, refused and people.
using Numbers = std::map<std::string, std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>>;

class RetentionPower : public testing::Test {
protected:
    void open() {
        directory_.reset();
        directory_ = must(deployment::Deployment::open(
            {.place = deployment::DirectoryPlace{.path = folder_ / "data", .env = env_.get()},
             .jobs = jobs::all()},
            clock_,
            metrics_
        ));
    }

    /// What was not synced is gone.
    void lose_power() {
        files_->cut_power();
        directory_.reset();
        files_->forget_unsynced(random_());
    }

    intake::Intake& intake() { return directory_->events().intake(); }

    /// Of a few people, so that there are repeats, and by ids that are told twice.
    void take_events() {
        std::vector<events::Event> events;
        for (std::size_t at = 0; at < events_a_round; ++at) {
            const std::uint64_t serial = serial_++;
            events.push_back(
                {.id = fmt::format("{}", serial - serial % 5 / 4),
                 .time = clock_.now() - std::chrono::minutes{random_.below(3000)},
                 .action = "view",
                 .object = fmt::format("post-{}", serial / 2 % objects),
                 .actor = fmt::format("u{}", random_.below(300))}
            );
        }
        const auto taken =
            must(intake().collect({.events = std::move(events), .arrival = clock_.now()}));
        must(storage::wait_durable(directory_->store(), taken.position));
    }

    Numbers numbers() {
        Numbers numbers;
        for (std::size_t object = 0; object < objects; ++object) {
            const std::string name = fmt::format("post-{}", object);
            const std::uint32_t lane = events::lane_of(name, intake().context().secret);
            const views::Report report =
                must(views_of(directory_->events()).report(lane, {.action = "view", .object = name})
                );
            numbers[name] = {
                report.counts.counted, report.counts.events() - report.counts.counted, report.people
            };
        }
        return numbers;
    }

    /// Answers how many events are left.
    std::uint64_t verify() {
        const projecting::Verified verified = must(deployment::verify(
            directory_->events(),
            views::routes::job,
            {.difference = [](const std::string& difference) { ADD_FAILURE() << difference; },
             .progress = [](std::uint64_t) {}}
        ));
        return verified.events;
    }

    const TemporaryDirectory folder_;
    Random random_{random_seed()};
    ManualClock clock_{Instant{std::chrono::days{20'778}}};
    metrics::Metrics metrics_;
    std::shared_ptr<FaultyFileSystem> files_ = std::make_shared<FaultyFileSystem>();
    std::unique_ptr<rocksdb::Env> env_ = FaultyFileSystem::make_env(files_);
    std::unique_ptr<deployment::Deployment> directory_;
    std::uint64_t serial_ = 0;
};

TEST_F(RetentionPower, what_was_counted_stays_whenever_the_power_is_cut_while_events_go) {
    const std::uint64_t cuts = environment_number("FOOTFALL_KILLS", 40);
    std::uint64_t interrupted = 0;
    std::uint64_t gone = 0;
    std::uint64_t steps_a_sweep = 50;
    open();
    for (std::uint64_t cut = 0; cut < cuts && !HasFailure(); ++cut) {
        SCOPED_TRACE(fmt::format("cut number {}", cut));
        take_events();
        open();  // all is stored, and the lanes say so
        const Numbers before = numbers();
        clock_.advance(std::chrono::hours{20});
        intake::Retention retention{intake(), keep};
        files_->cut_power_after(1 + random_.below(steps_a_sweep));
        const std::uint64_t steps_before = files_->steps();
        const auto swept = retention.sweep();
        interrupted += swept ? 0 : 1;
        gone += retention.dropped();
        steps_a_sweep = std::max(steps_a_sweep, files_->steps() - steps_before);
        lose_power();
        open();
        EXPECT_EQ(numbers(), before);
        verify();
    }
    fmt::print("{} of {} sweeps interrupted, {} events gone\n", interrupted, cuts, gone);
    EXPECT_TRUE(cuts < 40 || interrupted > cuts / 4) << "it was seldom cut while they went";
    intake::Retention retention{intake(), keep};
    const Numbers before = numbers();
    clock_.advance(2 * keep);
    must(retention.sweep());
    EXPECT_EQ(numbers(), before);
    EXPECT_EQ(verify(), 0U) << "all are gone";
}

}  // namespace
}  // namespace footfall::power
