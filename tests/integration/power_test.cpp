#include "foundation/check.h"
#include "foundation/parse_number.h"
#include "foundation/random.h"
#include "foundation/result.h"
#include "foundation_testing/temporary_directory.h"
#include "http_server/client.h"
#include "server/program.h"
#include "storage_rocksdb_testing/faulty_file_system.h"
#include "test_support/eventually.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace footfall {
namespace {

using http_server::Client;
using http_server::Method;
using storage_rocksdb::FaultyFileSystem;

constexpr std::size_t objects = 20;

std::uint64_t environment_number(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : parse_unsigned(text).value_or(otherwise);
}

/// What one client sent and what of it was acknowledged, by object; every token is sent once.
struct Ledger {
    std::array<std::uint64_t, objects> attempted{};
    std::array<std::uint64_t, objects> acknowledged{};

    void add(const Ledger& other) {
        for (std::size_t object = 0; object < objects; ++object) {
            attempted[object] += other.attempted[object];
            acknowledged[object] += other.acknowledged[object];
        }
    }
};

class PowerTest : public testing::Test {
protected:
    Result<void> try_start() {
        server::Configuration configuration;
        configuration.port = 0;
        configuration.data = directory_.path().string();
        configuration.threads = 2;
        TRY(program_,
            server::Program::start({.configuration = configuration, .env = env_.get()}, clock_));
        return {};
    }

    void start() {
        const auto started = try_start();
        CHECK(started, "the program does not start", started ? "" : started.error().message);
    }

    Client client() const { return Client{{.host = "127.0.0.1", .port = program_->port()}}; }

    std::uint64_t count_of(std::size_t object) {
        auto answer =
            client().send(Method::get, "/api/v1/counter/object-" + std::to_string(object));
        CHECK(
            answer && answer->status == 200,
            "no count",
            answer ? answer->body : answer.error().message
        );
        const auto count = parse_unsigned(answer->body.substr(0, answer->body.size() - 1));
        CHECK(count, "no number", answer->body);
        return *count;
    }

    /// Puts new tokens until one is not acknowledged.
    Ledger put_until_failure(const std::string& prefix, std::uint64_t seed) const {
        Ledger ledger;
        Random random{seed};
        Client sender = client();
        for (std::uint64_t number = 0;; ++number) {
            const std::size_t object = random.below(objects);
            ++ledger.attempted[object];
            const auto answer = sender.send(
                Method::put,
                "/api/v1/counter/object-" + std::to_string(object),
                prefix + std::to_string(number)
            );
            if (!answer || answer->status != 200) {
                return ledger;
            }
            ++ledger.acknowledged[object];
        }
    }

    /// Clients put tokens until the power goes at a random moment; what was not synced is gone.
    void lose_power_under_load(std::uint64_t seed, const std::string& round, Ledger& all) {
        Random random{seed};
        std::array<Ledger, 4> ledgers;
        {
            std::vector<std::jthread> clients;
            clients.reserve(ledgers.size());
            for (std::size_t index = 0; index < ledgers.size(); ++index) {
                clients.emplace_back([&, index] {
                    ledgers[index] =
                        put_until_failure(round + "-" + std::to_string(index) + "-", seed + index);
                });
            }
            const std::uint64_t cut_after = files_->log_writes() + 1 + random.below(200);
            while (files_->log_writes() < cut_after) {
                std::this_thread::yield();
            }
            files_->cut_power();
        }
        program_.reset();
        files_->forget_unsynced(random());
        for (const Ledger& ledger : ledgers) {
            all.add(ledger);
        }
    }

    /// How many acknowledged tokens are missing; none may be there that was not sent.
    std::uint64_t missing(const Ledger& ledger) {
        std::uint64_t missing = 0;
        for (std::size_t object = 0; object < objects; ++object) {
            const std::uint64_t count = count_of(object);
            EXPECT_LE(count, ledger.attempted[object]) << "object-" << object;
            missing +=
                ledger.acknowledged[object] > count ? ledger.acknowledged[object] - count : 0;
        }
        return missing;
    }

    const TemporaryDirectory directory_;
    SystemClock clock_;
    std::shared_ptr<FaultyFileSystem> files_ = std::make_shared<FaultyFileSystem>();
    std::unique_ptr<rocksdb::Env> env_ = FaultyFileSystem::make_env(files_);
    std::unique_ptr<server::Program> program_;
    const std::uint64_t seed_ = environment_number("FOOTFALL_SEED", std::random_device{}());
};

TEST_F(PowerTest, every_acknowledged_token_is_there_after_the_power_was_cut) {
    const std::uint64_t rounds = environment_number("FOOTFALL_KILLS", 40);
    Ledger ledger;
    start();
    for (std::uint64_t round = 0; round < rounds; ++round) {
        lose_power_under_load(seed_ + round, std::to_string(round), ledger);
        start();
        ASSERT_EQ(missing(ledger), 0U) << "FOOTFALL_SEED=" << seed_ << " round " << round;
    }
    std::uint64_t attempted = 0;
    std::uint64_t acknowledged = 0;
    for (std::size_t object = 0; object < objects; ++object) {
        attempted += ledger.attempted[object];
        acknowledged += ledger.acknowledged[object];
    }
    std::cout << "FOOTFALL_SEED=" << seed_ << ": " << rounds << " power cuts, " << attempted
              << " tokens attempted, " << acknowledged << " acknowledged, all of them there\n";
}

// The proof that the test above can fail.
TEST_F(PowerTest, acknowledged_tokens_would_be_missing_if_nothing_were_synced) {
    files_->ignore_log_syncs();
    Ledger ledger;
    start();
    std::uint64_t lost = 0;
    for (std::uint64_t round = 0; round < 20 && lost == 0; ++round) {
        lose_power_under_load(seed_ + round, std::to_string(round), ledger);
        // A store that refuses to open, since what it wrote last is gone, has lost it, too.
        lost = try_start() ? missing(ledger) : 1;
    }
    EXPECT_GT(lost, 0U) << "nothing was lost although nothing was synced: the test does not test";
}

/// Puts a token until it is acknowledged; answers how often the outcome was unknown.
int put_until_acknowledged(Client& client, const std::string& object, const std::string& token) {
    int unknown = 0;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (std::chrono::steady_clock::now() < deadline) {
        const auto answer = client.send(Method::put, "/api/v1/counter/" + object, token);
        if (answer && answer->status == 200) {
            return unknown;
        }
        if (answer) {
            EXPECT_EQ(answer->status, 503);
            EXPECT_EQ(answer->content_type, "application/problem+json");
            unknown += answer->body.find("/problems/outcome-unknown") != std::string::npos ? 1 : 0;
        }
    }
    ADD_FAILURE() << "never acknowledged";
    return unknown;
}

TEST_F(PowerTest, a_failed_sync_answers_outcome_unknown_and_nothing_is_lost_or_counted_twice) {
    start();
    constexpr int senders = 4;
    constexpr int tokens = 300;
    std::atomic<int> unknown = 0;
    {
        std::vector<std::jthread> threads;
        threads.reserve(senders);
        for (int sender = 0; sender < senders; ++sender) {
            threads.emplace_back([&, sender] {
                Client connection = client();
                for (int number = 0; number < tokens; ++number) {
                    if (sender == 0 && number % 60 == 30) {
                        files_->fail_next_log_sync();
                    }
                    unknown += put_until_acknowledged(
                        connection, "shared", std::to_string(sender) + "-" + std::to_string(number)
                    );
                }
            });
        }
    }
    EXPECT_GE(unknown, 5) << "each of the five failed syncs leaves somebody without an answer";
    const auto count = client().send(Method::get, "/api/v1/counter/shared");
    ASSERT_TRUE(count);
    EXPECT_EQ(count->body, std::to_string(senders * tokens) + "\n");
    // Once the store takes writes again the log of events is looked at, which takes a moment.
    EXPECT_TRUE(test_support::eventually([&] {
        const auto ready = client().send(Method::get, "/healthz/ready");
        return ready && ready->status == 200;
    }));

    program_.reset();
    start();
    const auto again = client().send(Method::get, "/api/v1/counter/shared");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->body, std::to_string(senders * tokens) + "\n") << "after a restart";
}

}  // namespace
}  // namespace footfall
