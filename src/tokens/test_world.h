#pragma once

#include "metrics/metrics.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"
#include "tokens/levels.h"
#include "tokens/schema.h"
#include "tokens/token_counters.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace footfall::tokens {

using namespace std::chrono_literals;

inline constexpr Instant test_start = std::chrono::sys_days{std::chrono::year{2026} / 11 / 21};

inline const std::array<const storage::Table*, 4> token_tables{
    &token_table, &token_span_table, &token_object_table, &counter_table
};

/// For messages of tests.
inline void PrintTo(const MemoryUse& use, std::ostream* out) {  // NOLINT: the name is gtest's
    *out << fmt::format(
        "{} objects, {} cold, {} bytes, {} of small", use.objects, use.cold, use.bytes, use.small
    );
}

/// For tests: counters over a store that can fail, over one that survives restart().
class World {
public:
    explicit World(
        std::vector<CounterConfig> configs,
        std::uint64_t seed = 1,
        std::size_t waiting_limit = 10'000,
        std::size_t memory_bytes = 128 << 20,
        std::size_t rows_a_partition = 0
    )
        : configs_{std::move(configs)},
          seed_{seed},
          waiting_limit_{waiting_limit},
          memory_bytes_{memory_bytes},
          rows_a_partition_{rows_a_partition} {
        restart();
    }

    /// A crash: whatever was held back is gone.
    void restart(const storage::FaultOptions& faults = {}) {
        counters_.reset();
        store_ = std::make_unique<storage::FaultyStore>(disk_, seed_++, faults);
        metrics_ = std::make_unique<metrics::Metrics>();
        counters_ = std::make_unique<TokenCounters>(
            *store_,
            clock_,
            SipKey{.k0 = 1, .k1 = 2},
            *metrics_,
            TokenCounters::Options{
                .counters = configs_,
                .memory_bytes = memory_bytes_,
                .waiting_limit = waiting_limit_,
                .rows_a_partition = rows_a_partition_
            }
        );
    }

    /// Takes effect with the next restart().
    void configure(std::vector<CounterConfig> configs) { configs_ = std::move(configs); }

    ManualClock& clock() { return clock_; }

    std::int64_t now_ms() const { return to_milliseconds(clock_.now()); }

    storage::MemoryStore& disk() { return disk_; }

    storage::FaultyStore& store() { return *store_; }

    TokenCounters& counters() { return *counters_; }

    const CounterConfig& config(const std::string& name) { return **counters_->counter(name); }

    /// What a connection does: at once if it can be, else with a completion. `cancelled`: not yet.
    Result<Count> put(
        const std::string& counter,
        const std::string& object,
        const std::string& token,
        std::optional<std::chrono::seconds> ttl = {}
    ) {
        const ObjectCheck check{*this, counter, object};
        if (auto now = counters_->put_now(config(counter), object, token, ttl)) {
            return *std::move(now);
        }
        auto answer = std::make_shared<Result<Count>>(fail(ErrorKind::cancelled, "it waits"));
        counters_->put(config(counter), object, token, ttl, [answer](Result<Count> count) {
            *answer = std::move(count);
        });
        return *answer;
    }

    Result<Count> get(const std::string& counter, const std::string& object) {
        const ObjectCheck check{*this, counter, object};
        if (auto now = counters_->get_now(config(counter), object)) {
            return *std::move(now);
        }
        auto answer = std::make_shared<Result<Count>>(fail(ErrorKind::cancelled, "it waits"));
        counters_->get(config(counter), object, [answer](Result<Count> count) {
            *answer = std::move(count);
        });
        return *answer;
    }

    /// What is booked of memory is what is there.
    void check_account() {
        MemoryUse all;
        for (std::size_t lane = 0; lane < runtime::lane_count; ++lane) {
            const MemoryUse counted = check_lane(lane);
            all.objects += counted.objects;
            all.cold += counted.cold;
            all.bytes += counted.bytes;
            all.small += counted.small;
        }
        ASSERT_EQ(counters_->memory_use(), all);
    }

    /// How many objects were loaded since the last restart, from memory or not.
    std::uint64_t loads() const {
        return metric(R"(footfall_token_loads_total{from="memory"})") +
               metric(R"(footfall_token_loads_total{from="disk"})");
    }

    /// A metric by name and labels; 0 if there is none.
    std::uint64_t metric(const std::string& name) const {
        const std::string text = metrics_->text();
        const std::size_t at = text.find("\n" + name + " ");
        return at == std::string::npos ? 0 : std::stoull(text.substr(at + name.size() + 2));
    }

    std::size_t rows(const storage::Table& table, std::vector<storage::Value> partition) {
        return storage::read_all(disk_, {.table = &table, .partition = std::move(partition)})
            ->size();
    }

    /// The tokens of an object that never expire, in all levels that say that they are there.
    std::size_t stored_tokens(const std::string& counter, const std::string& object) {
        std::set<std::string> tokens;
        bool more = true;
        for (std::int64_t level = 0; more; ++level) {
            more = false;
            for (std::int64_t bucket = 0; bucket < buckets_of(level); ++bucket) {
                const auto rows = storage::read_all(
                    disk_,
                    {.table = &token_table,
                     .partition = {counter, object, level, bucket, never_span}}
                );
                for (std::size_t row = 0; row < rows->size(); ++row) {
                    const std::string_view token = rows->at(row, 5).text();
                    more = more || token == level_marker;
                    if (token != level_marker) {
                        tokens.emplace(token);
                    }
                }
            }
        }
        return tokens.size();
    }

private:
    /// Checks, when an operation has ended, the accounts of the object's lane and of the next one
    /// in turn: it may have made room in any.
    class ObjectCheck {
    public:
        ObjectCheck(World& world, const std::string& counter, const std::string& object)
            : world_{&world},
              lane_{static_cast<std::size_t>(world.counters().lane_of(world.config(counter), object)
              )} {}

        ObjectCheck(const ObjectCheck&) = delete;
        ObjectCheck& operator=(const ObjectCheck&) = delete;

        ~ObjectCheck() {
            world_->check_lane(lane_);
            world_->check_lane(world_->next_checked_++ % runtime::lane_count);
        }

    private:
        World* world_;
        std::size_t lane_;
    };

    MemoryUse check_lane(std::size_t lane) {
        const MemoryAudit audit = counters_->audit(lane);
        EXPECT_EQ(audit.booked, audit.counted) << "lane " << lane;
        return audit.counted;
    }

    std::size_t next_checked_ = 0;
    std::vector<CounterConfig> configs_;
    std::uint64_t seed_;
    std::size_t waiting_limit_;
    std::size_t memory_bytes_;
    std::size_t rows_a_partition_;
    ManualClock clock_{test_start};
    storage::MemoryStore disk_{token_tables, clock_};
    std::unique_ptr<storage::FaultyStore> store_;
    std::unique_ptr<metrics::Metrics> metrics_;
    std::unique_ptr<TokenCounters> counters_;
};

/// "3", or "3+" for a lower bound, or why there is none.
inline std::string text_of(const Result<Count>& answer) {
    if (!answer) {
        return std::string{name_of(answer.error().kind)};
    }
    return fmt::format("{}{}", answer->count, answer->at_least ? "+" : "");
}

/// The same, or "absent".
inline std::string text_of(const std::optional<Result<Count>>& answer) {
    return answer ? text_of(*answer) : "absent";
}

}  // namespace footfall::tokens
