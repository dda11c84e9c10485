// Under a steady load, one after the other is killed and started again, and the second datacenter
// is cut off and joined: nothing that was acknowledged is lost, nothing is counted twice. On the
// cluster, with its roles, that tools/cluster started.

#include "foundation_testing/repository.h"
#include "known_load.h"
#include "ledger_clients.h"
#include "reading_clients.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/must.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"
#include "timeline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <ranges>
#include <string>
#include <thread>
#include <vector>

namespace footfall::cluster_test {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

/// One of each kind that has something to lose; FOOTFALL_VICTIMS names others, ./prove cluster all.
constexpr const char* some_victims = "cassandra-2,kafka-2,guard-1,project-1";
constexpr const char* second_datacenter = "dc2";
constexpr const char* shared_memory = "redis";
/// Longer than the others wait for somebody who was killed.
constexpr std::chrono::seconds away{15};
constexpr std::chrono::seconds recovery_max{120};
/// So long all has to be well before somebody is killed, and after they are back.
constexpr std::size_t calm_seconds = 3;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr) {
        give_up(fmt::format("{} is not set: tools/cluster up, source build/cluster/env", name));
    }
    return value;
}

http_server::ServerUrl role_at(const char* name) {
    return must(http_server::parse_server_url("http://" + variable(name)));
}

void cluster(const std::string& verb, const std::string& name = {}) {
    std::vector<std::string> words{in_repository("tools/cluster"), verb};
    if (!name.empty()) {
        words.push_back(name);
    }
    const CommandResult done = run_command({.words = words}, 320s);
    ASSERT_EQ(done.exit_code, 0) << verb << " " << name << ": " << done.errors;
}

std::vector<std::string> victims() {
    const char* const named = std::getenv("FOOTFALL_VICTIMS");
    std::vector<std::string> names;
    for (const auto part :
         std::views::split(std::string_view{named == nullptr ? some_victims : named}, ',')) {
        names.emplace_back(part.begin(), part.end());
    }
    return names;
}

double seconds_of(std::chrono::milliseconds duration) {
    return std::chrono::duration<double>(duration).count();
}

/// What is stored is what the log says, also while everybody serves on.
void expect_verified(const std::string& job) {
    if (!run_footfall({"verify", job, "--help"}).output.contains("--kafka")) {
        fmt::print("left out: this footfall verifies no {} of a cluster\n", job);
        return;
    }
    const CommandResult done = run_command(
        footfall_command(
            {"verify",
             job,
             "--store",
             "cassandra",
             "--cassandra",
             variable("FOOTFALL_CASSANDRA"),
             "--log",
             "kafka",
             "--kafka",
             variable("FOOTFALL_TEST_KAFKA")}
        ),
        300s
    );
    EXPECT_EQ(done.exit_code, 0) << done.output << done.errors;
}

class SurvivalTest : public testing::Test {
protected:
    /// Kills one, or cuts the second datacenter off, has it back, and prints what that cost.
    void have_away(const std::string& victim) {
        wait_for_calm();
        const std::uint64_t before = load_.events().all() + load_.tokens().all();
        const auto begin = Timeline::Clock::now();
        const bool cut = victim == second_datacenter;
        cut ? cluster("partition") : cluster("kill", victim);
        const std::uint64_t meanwhile = load_.next_event() + 100;
        std::this_thread::sleep_for(away);  // tidy-allow(sleep): it is to be away so long
        cut ? cluster("heal") : cluster("start", victim);
        const auto down =
            std::chrono::duration_cast<std::chrono::milliseconds>(Timeline::Clock::now() - begin);
        const bool recovered = eventually(
            [&] { return timeline_.is_well(calm_seconds, begin + down); }, recovery_max, 100ms
        );
        EXPECT_TRUE(recovered) << victim << " did not recover\n" << timeline_.last(20);
        const Stretch sum = timeline_.since(begin);
        fmt::print(
            "{:<12} {:>8.1f} {:>15.1f} {:>12} {:>5} {:>9} {:>14.1f} {:>13.1f}\n",
            victim,
            seconds_of(down),
            seconds_of(timeline_.last_trouble(begin)),
            load_.events().all() + load_.tokens().all() - before,
            sum.refused,
            sum.unanswered,
            seconds_of(sum.slowest),
            seconds_of(sum.behind)
        );
        if (victim == shared_memory) {
            expect_missed(meanwhile);
        }
    }

    /// That rules on rates went without what others counted is said by the guards' metrics, and by
    /// the verdicts of events that were judged meanwhile.
    void expect_missed(std::uint64_t event) {
        for (const auto part : std::views::split(variable("FOOTFALL_TEST_GUARDS"), ',')) {
            const std::string guard{part.begin(), part.end()};
            Api api{http_server::Client{must(http_server::parse_server_url("http://" + guard))}};
            EXPECT_GT(api.metric("footfall_shared_rates_answers_total"), 0U) << guard;
            EXPECT_GT(api.metric("footfall_shared_rates_away_seconds_total"), 0U) << guard;
        }
        Api api{http_server::Client{role_at("FOOTFALL_TEST_QUERY")}};
        const auto found = api.get_json(
            fmt::format("/api/v1/events/e{}?object={}", event, load_.object(event % known_objects))
        );
        const auto& verdict = found.at("verdict").as_object();
        EXPECT_TRUE(verdict.at("counted").as_bool());
        EXPECT_EQ(verdict.at("evidence").at("shared").as_string(), "away") << found;
    }

    void wait_for_calm() {
        const auto begin = Timeline::Clock::now();
        ASSERT_TRUE(
            eventually([&] { return timeline_.is_well(calm_seconds, begin); }, recovery_max, 100ms)
        ) << timeline_.last(20);
    }

    /// Who asks there is told that each acknowledged event, and each token, was counted once.
    void expect_exact(http_server::Client client) {
        Api api{std::move(client)};
        for (std::size_t number = 0; number < known_objects; ++number) {
            const std::string object = load_.object(number);
            const std::uint64_t events = load_.events().of(number);
            boost::json::object views;
            eventually(
                [&] {
                    views = api.views(object);
                    return views.at("events").to_number<std::uint64_t>() >= events;
                },
                recovery_max,
                100ms
            );
            EXPECT_EQ(views.at("events").to_number<std::uint64_t>(), events) << object;
            EXPECT_EQ(views.at("counted").to_number<std::uint64_t>(), events) << object;
            const std::uint64_t tokens = load_.tokens().of(number);
            eventually([&] { return api.count(object) >= tokens; }, recovery_max, 100ms);
            EXPECT_EQ(api.count(object), tokens) << object;
        }
    }

    /// A process that knows nothing, and asks the second datacenter: it has what it missed.
    static FootfallProcess far_away() {
        return FootfallProcess{
            "unused",
            {"--store",
             "cassandra",
             "--cassandra",
             variable("FOOTFALL_CASSANDRA_DC2"),
             "--cassandra-datacenter",
             second_datacenter,
             "--log",
             "kafka",
             "--kafka",
             variable("FOOTFALL_TEST_KAFKA"),
             "--roles",
             "query",
             "--instance",
             "far-away"}
        };
    }

    const std::uint64_t seed_ = random_seed();
    Timeline timeline_;
    KnownLoad load_{
        {.write = role_at("FOOTFALL_TEST_COLLECT"), .read = role_at("FOOTFALL_TEST_QUERY")},
        fmt::format("load-{:x}", seed_),
        timeline_
    };
    LedgerClients ledger_{
        {.write = role_at("FOOTFALL_TEST_COLLECT"), .read = role_at("FOOTFALL_TEST_QUERY")},
        seed_ % 1'000'000'000,
        seed_
    };
    ReadingClients reading_{
        {.write = role_at("FOOTFALL_TEST_COLLECT"), .read = role_at("FOOTFALL_TEST_QUERY")},
        seed_ % 1'000'000'000,
        seed_
    };
};

TEST_F(SurvivalTest, whoever_is_killed_nothing_is_lost_or_counted_twice) {
    fmt::print(
        "victim       down for recovered after acknowledged   5xx no answer slowest answer counted "
        "after\n"
    );
    for (const std::string& victim : victims()) {
        have_away(victim);
        if (HasFatalFailure()) {
            return;
        }
    }
    load_.stop();
    ledger_.stop();
    reading_.stop();
    EXPECT_TRUE(load_.wrong_answers().empty()) << load_.wrong_answers().front();
    expect_exact(http_server::Client{role_at("FOOTFALL_TEST_QUERY")});
    ledger_.check(http_server::Client{role_at("FOOTFALL_TEST_QUERY")});
    reading_.check(http_server::Client{role_at("FOOTFALL_TEST_QUERY")});
    FootfallProcess far = far_away();
    expect_exact(far.client());
    ledger_.check(far.client());
    reading_.check(far.client());
    expect_verified("views");
    expect_verified("ads");
    expect_verified("reading");
    cluster("status");  // nobody ended by itself
    fmt::print(
        "{} events and {} tokens acknowledged, each counted once\n",
        load_.events().all(),
        load_.tokens().all()
    );
    fmt::print(
        "{} clicks and sales and {} changes of rates acknowledged, the ledger is exact\n",
        ledger_.load().events(),
        ledger_.load().rates()
    );
    fmt::print(
        "{} reads and {} things that people said acknowledged, none is lost and none returned\n",
        reading_.load().reads(),
        reading_.load().said()
    );
}

}  // namespace
}  // namespace footfall::cluster_test
