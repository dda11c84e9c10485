#include "foundation_testing/rounds.h"
#include "storage_testing/random_rows.h"
#include "tokens/size_class.h"
#include "tokens/test_world.h"
#include "tokens/token_counters.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace footfall::tokens {
namespace {

const std::vector<CounterConfig>& configs() {
    static const std::vector<CounterConfig> all{
        {.name = "open"},
        {.name = "brief", .ttl = 10s},
        {.name = "day", .ttl = 86'400s},
        {.name = "few", .ttl = 10s, .limit = 5},
        {.name = "few open", .ttl = {}, .limit = 5},
    };
    return all;
}

/// Counters beside maps that say what each answer has to be.
class Simulation {
public:
    /// So many objects a counter, in so much memory; so many of a million steps are crashes, and as
    /// many see a clock that is ahead.
    explicit Simulation(
        std::uint64_t seed,
        std::uint64_t objects = 4,
        std::size_t memory_bytes = 128 << 20,
        std::uint64_t crashes = 3000,
        std::size_t rows_a_partition = 0
    )
        : random_{seed},
          objects_{objects},
          crashes_{crashes},
          world_{configs(), seed, 10'000, memory_bytes, rows_a_partition} {}

    void run(int steps) {
        for (int step = 0; step < steps; ++step) {
            ASSERT_NO_FATAL_FAILURE(act());
            ASSERT_NO_FATAL_FAILURE(world_.check_account());
        }
        ASSERT_NO_FATAL_FAILURE(check_directory());
    }

    std::uint64_t evictions() const { return evictions_ + new_evictions(); }

    std::uint64_t cold_objects() const { return world_.metric("footfall_token_cold_objects"); }

private:
    using Name = std::pair<std::string, std::string>;

    void act() {
        const std::uint64_t fault = random_.below(1'000'000);
        if (fault < crashes_) {
            evictions_ += new_evictions();
            world_.restart({.lose_only_the_end = random_.below(2) == 0, .duplicate_write = 0.2});
            return;
        }
        if (fault < 2 * crashes_) {
            ask_ahead();
            return;
        }
        const std::uint64_t choice = random_.below(1000);
        if (choice < 2) {
            world_.disk().reclaim();
        } else if (choice < 7) {
            check_directory();
        } else if (choice < 100) {
            advance();
        } else {
            const CounterConfig& config = configs().at(random_.below(configs().size()));
            const Name name{config.name, fmt::format("object {}", random_.below(objects_))};
            if (choice < 300) {
                check(name, world_.get(name.first, name.second));
            } else {
                put(config, name);
            }
        }
    }

    void advance() {
        const std::uint64_t most = random_.below(20) == 0 ? 50'000'000 : 1500;
        world_.clock().advance(std::chrono::milliseconds{random_.below(most)});
    }

    /// By a clock that is ahead, and then is right again.
    void ask_ahead() {
        const Instant right = world_.clock().now();
        world_.clock().advance(clock_slack + std::chrono::seconds{1 + random_.below(50'000)});
        for (int asked = 0; asked < 6; ++asked) {
            if (asked == 5) {
                world_.clock().set(right);
            }
            const CounterConfig& config = configs().at(random_.below(configs().size()));
            const Name name{config.name, fmt::format("object {}", random_.below(objects_))};
            ASSERT_NO_FATAL_FAILURE(check(name, world_.get(name.first, name.second)));
        }
    }

    void put(const CounterConfig& config, const Name& name) {
        const std::string token = fmt::format("token {}", random_.below(40));
        std::optional<std::chrono::seconds> ttl;
        if (random_.below(2) == 0) {
            const auto most = static_cast<std::uint64_t>(config.ttl.value_or(300s).count());
            ttl = std::chrono::seconds{1 + random_.below(most)};
        }
        const bool refused = random_.below(20) == 0;
        world_.store().set_options({.refuse_submit = refused ? 1.0 : 0.0});
        const auto answer = world_.put(name.first, name.second, token, ttl);
        world_.store().set_options({.duplicate_write = 0.2});
        std::int64_t& expiry = oracle_[name][token];
        const std::int64_t asked = expiry_of(world_.clock().now(), ttl ? ttl : config.ttl);
        if (answer) {
            expiry = std::max(expiry, asked);
            check(name, answer);
        } else {
            ASSERT_TRUE(refused) << answer.error().message;
            check(name, world_.get(name.first, name.second));
        }
    }

    std::uint64_t live(const Name& name) {
        return static_cast<std::uint64_t>(std::ranges::count_if(
            oracle_[name], [&](const auto& token) { return token.second > world_.now_ms(); }
        ));
    }

    void check(const Name& name, const Result<Count>& answer) {
        ASSERT_TRUE(answer) << name.first << " " << text_of(answer);
        const Count& count = *answer;
        ASSERT_EQ(count.limit, world_.config(name.first).limit);
        ASSERT_LE(count.count, count.limit);
        if (count.at_least) {
            ASSERT_EQ(count.limit, 5U) << "nothing here comes near the usual limit";
            ASSERT_LE(count.count, live(name)) << name.first << " " << name.second;
        } else {
            ASSERT_EQ(count.count, live(name)) << name.first << " " << name.second;
        }
    }

    /// Every object with live tokens stands in a class at least its own, in a row that counts at
    /// least as long as its tokens.
    void check_directory() {
        std::map<Name, std::vector<DirectoryEntry>> entries;
        for (const CounterConfig& config : configs()) {
            for (std::int64_t at = 0; at < (top_size_class + 1) * 64; ++at) {
                const auto rows = storage::read_all(
                    world_.disk(),
                    {.table = &token_object_table, .partition = {config.name, at / 64, at % 64}}
                );
                for (std::size_t row = 0; row < rows->size(); ++row) {
                    const std::int64_t expires = rows->at(row, 4).number();
                    entries[{config.name, std::string{rows->at(row, 3).text()}}].push_back(
                        {.expiry = expires == 0 ? never : expires / 1000,
                         .size_class = static_cast<std::int8_t>(at / 64)}
                    );
                }
            }
        }
        for (const auto& [name, tokens] : oracle_) {
            const std::uint64_t count = live(name);
            const auto latest = std::ranges::max_element(tokens, {}, [](const auto& token) {
                return token.second;
            });
            ASSERT_TRUE(
                count == 0 || std::ranges::any_of(
                                  entries[name],
                                  [&](const auto& entry) {
                                      return entry.size_class >= size_class_of(count) &&
                                             entry.expiry >= latest->second;
                                  }
                              )
            ) << name.first
              << " " << name.second << ": " << count << " tokens";
        }
    }

    /// Since the last restart.
    std::uint64_t new_evictions() const { return world_.metric("footfall_token_evictions_total"); }

    Random random_;
    const std::uint64_t objects_;
    const std::uint64_t crashes_;
    World world_;
    std::map<Name, std::map<std::string, std::int64_t>> oracle_;
    std::uint64_t evictions_ = 0;
};

TEST(TokenCounters, agree_with_a_map_through_puts_expiry_refusals_and_restarts) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    for (std::uint64_t run = 0; run < rounds(15); ++run) {
        SCOPED_TRACE(run);
        Simulation simulation{seed + run};
        ASSERT_NO_FATAL_FAILURE(simulation.run(3000));
    }
}

TEST(TokenCounters, agree_with_a_map_while_objects_come_and_go) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    for (std::uint64_t run = 0; run < rounds(15); ++run) {
        SCOPED_TRACE(run);
        // Objects are many enough that most are gone before they are used again.
        Simulation simulation{seed + run, 40, 2 << 10};
        ASSERT_NO_FATAL_FAILURE(simulation.run(6000));
        ASSERT_GT(simulation.evictions(), 2000U);
    }
}

TEST(TokenCounters, agree_with_a_map_while_rows_are_spread_over_levels) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    for (std::uint64_t run = 0; run < rounds(6); ++run) {
        SCOPED_TRACE(run);
        // Objects of up to 40 tokens come to levels 1 and 2; crashes have them read again.
        Simulation simulation{seed + run, 4, 128 << 20, 10'000, 1 + run % 3};
        ASSERT_NO_FATAL_FAILURE(simulation.run(1500));
    }
}

TEST(TokenCounters, agree_with_a_map_while_objects_become_cold) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    // More small objects than may stay as they are in the least memory that has cold ones.
    Simulation simulation{seed, 1000, 1 << 20, 20};
    std::uint64_t most = 0;
    for (int part = 0; part < 20; ++part) {
        ASSERT_NO_FATAL_FAILURE(simulation.run(3000));
        most = std::max(most, simulation.cold_objects());
    }
    ASSERT_GT(most, 500U);
}

/// Writes are held back, released, lost; whoever was told that a token is durable can rely on it.
class LossySimulation {
public:
    /// So many objects, in so much memory; so many of a thousand steps lose what is not written.
    LossySimulation(
        std::uint64_t seed,
        std::uint64_t objects,
        std::size_t memory_bytes,
        std::uint64_t losses,
        std::size_t rows_a_partition
    )
        : random_{seed},
          objects_{objects},
          losses_{losses},
          world_{{{.name = "open"}}, seed, 10'000, memory_bytes, rows_a_partition} {
        world_.restart({.lose_only_the_end = seed % 2 == 0});
    }

    void run(int steps) {
        for (int step = 0; step < steps; ++step) {
            act();
            ASSERT_NO_FATAL_FAILURE(world_.check_account());
        }
        settle();
        ASSERT_NO_FATAL_FAILURE(world_.check_account());
        for (const auto& [object, tokens] : acknowledged_) {
            const std::size_t stored = world_.stored_tokens("open", object);
            ASSERT_EQ(text_of(world_.get("open", object)), std::to_string(stored));
            ASSERT_GE(stored, tokens.size());
            ASSERT_GE(listed_bound(object), tokens.size()) << object;
            for (const std::string& token : tokens) {
                ASSERT_EQ(text_of(world_.put("open", object, token)), std::to_string(stored));
            }
        }
    }

private:
    void act() {
        world_.store().set_options(
            {.lost_but_written = 0.5,
             .hold_writes = random_.below(3) > 0,
             .hold_reads = random_.below(3) == 0}
        );
        const std::uint64_t choice = random_.below(1000);
        if (choice < losses_) {
            world_.store().lose_writes();
        } else if (choice < 150) {
            world_.store().release_writes(1 + random_.below(5));
        } else if (choice < 300) {
            world_.store().release_reads(1 + random_.below(3));
        } else {
            const std::string object = fmt::format("object {}", random_.below(objects_));
            const std::string token = fmt::format("token {}", random_.below(900 / objects_));
            world_.counters().put(
                world_.config("open"),
                object,
                token,
                {},
                [this, object, token](const Result<Count>& count) {
                    if (count) {
                        acknowledge(object, token, count->position);
                    }
                }
            );
        }
    }

    void acknowledge(const std::string& object, const std::string& token, std::uint64_t position) {
        world_.store().when_durable(position, [this, object, token](const Result<void>& durable) {
            if (durable) {
                acknowledged_[object].insert(token);
            }
        });
    }

    void settle() {
        world_.store().set_options({});
        while (world_.store().held_reads() + world_.store().held_writes() > 0) {
            world_.store().release_writes();
            world_.store().release_reads();
        }
    }

    /// What the directory says that the object has at most; 0: it is not there.
    std::uint64_t listed_bound(const std::string& object) {
        const std::int64_t lane = world_.counters().lane_of(world_.config("open"), object);
        for (std::int64_t size_class = top_size_class; size_class >= 0; --size_class) {
            const auto row = storage::read_one(
                world_.disk(), token_object_table, {"open", size_class, lane, object}
            );
            if (row && *row) {
                return size_class_bound(size_class);
            }
        }
        return 0;
    }

    Random random_;
    const std::uint64_t objects_;
    const std::uint64_t losses_;
    World world_;
    std::map<std::string, std::set<std::string>> acknowledged_;
};

void run_lossy(
    std::uint64_t objects,
    std::size_t memory_bytes,
    std::uint64_t losses,
    std::size_t rows_a_partition = 0
) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    for (std::uint64_t run = 0; run < rounds(40); ++run) {
        SCOPED_TRACE(run);
        LossySimulation simulation{seed + run, objects, memory_bytes, losses, rows_a_partition};
        ASSERT_NO_FATAL_FAILURE(simulation.run(1500));
    }
}

TEST(TokenCounters, keep_what_they_acknowledged_when_writes_are_lost) {
    run_lossy(300, 128 << 20, 30);
}

TEST(TokenCounters, keep_what_they_acknowledged_when_objects_are_evicted_meanwhile) {
    run_lossy(30, 2 << 10, 2);
}

TEST(TokenCounters, keep_what_they_acknowledged_when_levels_are_lost) {
    run_lossy(30, 2 << 10, 10, 2);
}

}  // namespace
}  // namespace footfall::tokens
