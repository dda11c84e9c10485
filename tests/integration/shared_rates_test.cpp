// Two processes, each with a log and lanes of its own, that share rates in a real Redis: what each
// of them judges, also while Redis is killed, stands still, and comes back.
#include "foundation/log.h"
#include "guard_redis/redis_rates.h"
#include "guard_redis_testing/redis_server.h"
#include "intake/intake.h"
#include "intake/schema.h"
#include "journal_rocksdb/schema.h"
#include "journal_rocksdb/store_log.h"
#include "storage/deployment.h"
#include "storage/memory_store.h"
#include "test_support/eventually.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace footfall {
namespace {

using namespace std::chrono_literals;
using guard_redis::RedisRates;
using guard_redis::RedisServer;

constexpr SipKey secret{.k0 = 1, .k1 = 2};
constexpr std::uint32_t limit = 20;
const Instant noon{std::chrono::hours{24 * 20'000 + 12}};

/// One process: a store of its own, so a log of its own.
class Process {
public:
    Process(const RedisServer& redis, std::string_view on_missing)
        : port_{redis.port()}, on_missing_{on_missing} {
        start();
    }

    /// Ends and begins again, with the same store.
    void restart() {
        intake_->close();
        intake_.reset();
        rates_.reset();
        start();
    }

    RedisRates& rates() { return *rates_; }

    /// Events of one actor at one time, each of another object, so in many lanes; and waits until
    /// others can know of them.
    void take(std::string_view actor, int count) {
        intake::Arrived arrived{.arrival = noon + 1min};
        for (int event = 0; event < count; ++event) {
            arrived.events.push_back(
                {.time = noon,
                 .action = "view",
                 .object = fmt::format("object {}", next_++),
                 .actor = std::string{actor}}
            );
        }
        ASSERT_TRUE(intake_->collect(std::move(arrived)));
        rates_->settle();
    }

    /// How often each was said in the log of this actor's events: "counted", "counted away",
    /// "rate", "rate away".
    std::map<std::string, int> verdicts(std::string_view actor) {
        std::map<std::string, int> verdicts;
        for (std::uint32_t lane = 0; lane < log_->lanes(); ++lane) {
            for (std::uint64_t next = 0;;) {
                const journal::Records records = log_->read(lane, next, {}).value();
                if (records.empty()) {
                    break;
                }
                count(records, actor, verdicts);
                next = records.next();
            }
        }
        return verdicts;
    }

private:
    static void count(
        const journal::Records& records,
        std::string_view actor,
        std::map<std::string, int>& verdicts
    ) {
        for (std::size_t at = 0; at < records.size(); ++at) {
            const auto record = events::read_record(records[at]).value();
            const auto* const judged = std::get_if<events::JudgedEvent>(&record);
            if (judged != nullptr && judged->event.actor == actor) {
                ++verdicts[said(judged->verdict)];
            }
        }
    }

    static std::string said(const events::Verdict& verdict) {
        const std::optional<events::Objection>& refusal = verdict.refusal;
        std::string said = refusal ? refusal->reason : "counted";
        for (const auto& [name, value] : refusal ? refusal->evidence : verdict.remarks) {
            said += name == "shared" ? " " + value : "";
        }
        return said;
    }

    void start() {
        log_ = journal_rocksdb::StoreLog::open(store_).value();
        own_ = std::make_unique<guard::RateState>(secret, std::size_t{1} << 20);
        rates_ = std::make_unique<RedisRates>(RedisRates::Options{
            .address = RedisServer::address(),
            .port = port_,
            .deployment = "test",
            .log = log_->id(),
            .deadline = 5s,  // the machine may be busy
            .pause = 20ms
        });
        const std::string rule = fmt::format(
            "[[rule]]\nname = \"rate\"\nkind = \"rate\"\nper = \"actor\"\nlimit = {}\n"
            "window = \"1h\"\non_missing = \"{}\"\n",
            limit,
            on_missing_
        );
        intake::Context context{
            .store = &store_,
            .log = log_.get(),
            .clock = &clock_,
            .secret = secret,
            .rules = std::make_shared<const guard::RuleSet>(
                guard::RuleSet::read(
                    rule,
                    [](const std::string& name) -> Result<std::string> {
                        return fail(ErrorKind::not_found, name);
                    }
                ).value()
            ),
            .rates = own_.get(),
            .shared_rates = rates_.get()
        };
        intake_ = intake::Intake::open(std::move(context)).value();
    }

    std::uint16_t port_;
    std::string on_missing_;
    int next_ = 0;
    ManualClock clock_{noon};
    const std::array<const storage::Table*, 7> tables_{
        &storage::deployment_table,
        &journal_rocksdb::log_block_table,
        &journal_rocksdb::log_lane_table,
        &journal_rocksdb::log_begin_table,
        &intake::event_by_id_table,
        &intake::guard_seen_table,
        &intake::lane_checkpoint_table
    };
    storage::MemoryStore store_{tables_, clock_};
    std::unique_ptr<journal_rocksdb::StoreLog> log_;
    std::unique_ptr<guard::RateState> own_;
    std::unique_ptr<RedisRates> rates_;
    std::unique_ptr<intake::Intake> intake_;
};

using Verdicts = std::map<std::string, int>;

class SharedRates : public testing::Test {
protected:
    void SetUp() override { set_log_level(LogLevel::error); }

    /// Until the process was answered again.
    static void wait_until_back(Process& process) {
        int tries = 0;
        EXPECT_TRUE(test_support::eventually([&] {
            const std::uint64_t answers = process.rates().figures().answers;
            process.take(fmt::format("probe {}", ++tries), 1);
            return process.rates().figures().answers > answers;
        }));
    }

    /// What the two said of a person's events.
    static Verdicts both(std::string_view person, Process& first, Process& second) {
        Verdicts all = first.verdicts(person);
        for (const auto& [said, count] : second.verdicts(person)) {
            all[said] += count;
        }
        return all;
    }

    RedisServer redis;
};

TEST_F(SharedRates, hold_for_what_two_processes_count_together) {
    Process first{redis, "open"};
    Process second{redis, "open"};
    for (int turn = 0; turn < 5; ++turn) {
        first.take("u1", 3);
        second.take("u1", 3);
        second.take("u2", 1);
    }
    EXPECT_EQ(first.verdicts("u1"), (Verdicts{{"counted", 11}, {"rate", 4}}));
    EXPECT_EQ(second.verdicts("u1"), (Verdicts{{"counted", 9}, {"rate", 6}}));
    EXPECT_EQ(second.verdicts("u2"), (Verdicts{{"counted", 5}}));
}

/// Of one batch each sees those before it.
TEST_F(SharedRates, hold_within_a_batch) {
    Process first{redis, "open"};
    Process second{redis, "open"};
    first.take("u1", 15);
    second.take("u1", 15);
    EXPECT_EQ(second.verdicts("u1"), (Verdicts{{"counted", 5}, {"rate", 10}}));
    const RedisRates::Figures figures = second.rates().figures();
    EXPECT_EQ(figures.asks, 1U) << "once for all of them";
    second.take("u1", 5);
    EXPECT_EQ(second.rates().figures().asks, 1U) << "who is above the limit is not asked for";
}

TEST_F(SharedRates, without_redis_are_a_processs_own_if_open) {
    Process first{redis, "open"};
    Process second{redis, "open"};
    first.take("u1", 15);
    redis.kill();
    second.take("u1", 25);
    EXPECT_EQ(second.verdicts("u1"), (Verdicts{{"counted away", 20}, {"rate", 5}}));
    first.take("u1", 10);
    EXPECT_EQ(first.verdicts("u1"), (Verdicts{{"counted", 15}, {"counted away", 5}, {"rate", 5}}));
    redis.start();
    wait_until_back(first);
    wait_until_back(second);
    first.take("u3", 15);
    second.take("u3", 15);
    EXPECT_EQ(second.verdicts("u3"), (Verdicts{{"counted", 5}, {"rate", 10}}));
}

TEST_F(SharedRates, without_redis_refuse_if_closed) {
    Process first{redis, "closed"};
    Process second{redis, "closed"};
    first.take("u1", 15);
    redis.pause();
    redis.kill();
    second.take("u1", 3);
    EXPECT_EQ(second.verdicts("u1"), (Verdicts{{"rate away", 3}}));
    redis.start();
    wait_until_back(second);
    second.take("u1", 3);
    EXPECT_EQ(second.verdicts("u1"), (Verdicts{{"counted", 3}, {"rate away", 3}}))
        << "a Redis that forgot: its own are all that it knows";
}

/// What was said stays said, also when Redis knows more than it did then; and a start tells again
/// what Redis may never have been told.
TEST_F(SharedRates, are_told_again_by_a_start_which_changes_no_verdict) {
    Process first{redis, "open"};
    Process second{redis, "open"};
    first.take("u1", 15);
    redis.kill();
    second.take("u1", 15);
    const Verdicts before{{"counted away", 15}};
    EXPECT_EQ(second.verdicts("u1"), before);
    redis.start();
    first.restart();
    second.restart();
    EXPECT_EQ(second.verdicts("u1"), before);
    EXPECT_EQ(first.verdicts("u1"), (Verdicts{{"counted", 15}}));
    first.take("u1", 1);
    EXPECT_EQ(first.verdicts("u1"), (Verdicts{{"counted", 15}, {"rate", 1}}));
}

/// kill -9 and starts while two processes judge: every event has a verdict that fits what was
/// known, and nobody fails.
TEST_F(SharedRates, survive_kills_while_events_are_judged) {
    for (const std::string_view on_missing : {"open", "closed"}) {
        // Redis may still know what was counted of the person before.
        const std::string person = fmt::format("who comes while it is {}", on_missing);
        Process first{redis, on_missing};
        Process second{redis, on_missing};
        wait_until_back(first);
        wait_until_back(second);
        std::atomic<int> turns = 0;
        {
            std::vector<std::jthread> threads;
            threads.reserve(2);
            for (Process* const process : {&first, &second}) {
                threads.emplace_back([&turns, &person, process](const std::stop_token& stop) {
                    for (; !stop.stop_requested(); ++turns) {
                        process->take(person, 5);
                    }
                });
            }
            for (int kills = 0; kills < 4; ++kills) {
                const int before = turns;
                EXPECT_TRUE(test_support::eventually([&] { return turns > before + 10; }));
                redis.kill();
                EXPECT_TRUE(test_support::eventually([&] { return turns > before + 20; }));
                redis.start();
            }
        }
        Verdicts all;
        const auto counted = [&all] { return all["counted"] + all["counted away"]; };
        EXPECT_TRUE(test_support::eventually([&] {
            for (Process* const process : {&first, &second}) {
                process->take(person, 5);
                ++turns;
            }
            all = both(person, first, second);
            return counted() >= static_cast<int>(limit) && all["rate"] > 0;
        })) << "once Redis answers again, the limit is reached: "
            << on_missing;
        EXPECT_LE(counted(), 2 * static_cast<int>(limit))
            << "each alone keeps to it: " << on_missing;
        EXPECT_EQ(on_missing == "open" ? all["rate away"] : all["counted away"], 0) << on_missing;
        EXPECT_EQ(counted() + all["rate"] + all["rate away"], 5 * turns) << on_missing;
    }
}

}  // namespace
}  // namespace footfall
