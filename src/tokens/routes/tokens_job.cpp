#include "tokens_routes/tokens_job.h"

#include "foundation/check.h"
#include "tokens/counter_registry.h"
#include "tokens/schema.h"
#include "tokens/token_set.h"
#include "tokens_routes/counter_listing.h"
#include "tokens_routes/counter_routes.h"
#include "tokens_routes/counter_sections.h"
#include "tokens_routes/largest_cache.h"
#include "tokens_routes/live_counters.h"
#include "tokens_routes/openapi.h"
#include "tokens_routes/token_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace footfall::tokens::routes {
namespace {

/// Where others put tokens on the same objects.
constexpr std::chrono::milliseconds others_seen_within{1000};
/// There, few megabytes, also of long tokens; a node reads a partition as a whole when it compacts
/// it.
constexpr std::size_t rows_a_shared_partition = 10'000;

constexpr std::string_view default_counter = "default";

constexpr std::array<const storage::Table*, 4> tables{
    &counter_table, &token_table, &token_span_table, &token_object_table
};

class CounterOptions final : public jobs::Options {
public:
    explicit CounterOptions(std::vector<CounterConfig> counters) : counters_{std::move(counters)} {
        if (std::ranges::find(counters_, default_counter, &CounterConfig::name) ==
            counters_.end()) {
            counters_.insert(counters_.begin(), CounterConfig{});
        }
    }

    const std::vector<CounterConfig>& counters() const { return counters_; }

private:
    std::vector<CounterConfig> counters_;
};

/// The counters of an opened or checked job; null: nobody configured any.
std::vector<CounterConfig> counters_in(const jobs::Options* options) {
    if (options == nullptr) {
        return {CounterConfig{}};
    }
    const auto* const own = dynamic_cast<const CounterOptions*>(options);
    CHECK(own != nullptr, "the options of another job were taken for those of tokens");
    return own->counters();
}

TokenCounters::Options options_on(const jobs::Floor& floor) {
    return {
        .counters = counters_in(floor.options),
        .memory = floor.memory,
        .fresh_for = floor.shared ? std::optional{others_seen_within} : std::nullopt,
        .rows_a_partition = floor.shared ? rows_a_shared_partition : 0
    };
}

class TokensJob final : public jobs::Job {
public:
    explicit TokensJob(const jobs::Floor& floor)
        : store_{floor.store},
          loads_at_once_{
              floor.shared ? TokenBatches::loads_from_afar : TokenBatches::loads_from_disk
          },
          counters_{*floor.store, *floor.clock, floor.secret, *floor.metrics, options_on(floor)} {}

    TokenCounters& counters() { return counters_; }

    void add_routes(api::FrontDoor& door, const jobs::Answering& answering) override {
        CHECK(!batches_, "routes are added once");
        const auto shown = counters_.counter(default_counter);
        CHECK(shown, "the default counter is always there");
        batches_.emplace(counters_, answering.batch_threads, loads_at_once_);
        largest_.emplace(*store_, counters_, **shown, *answering.surveys);
        add_counter_routes(door, counters_, *batches_);
        add_listing_routes(door, *store_, counters_, *answering.surveys);
        add_live_counters_route(
            door, counters_, *answering.durable_times, *largest_, *answering.facts
        );
    }

    void refuse_waiting() override {
        if (batches_) {
            batches_->refuse_waiting();
        }
    }

    void stop_answering() override {
        if (batches_) {
            batches_->stop();
        }
    }

    std::vector<runtime::AuditedAccount> accounts() override {
        const auto account = [this](std::string of, std::size_t MemoryUse::* figure) {
            return runtime::AuditedAccount{
                .of = std::move(of),
                .audit =
                    [this, figure](std::size_t lane) {
                        const MemoryAudit audit = counters_.audit(lane);
                        return runtime::AccountAudit{
                            .booked = audit.booked.*figure, .counted = audit.counted.*figure
                        };
                    }
            };
        };
        return {
            account("counters", &MemoryUse::bytes), account("small_counters", &MemoryUse::small)
        };
    }

private:
    storage::Store* store_;
    const std::size_t loads_at_once_;
    TokenCounters counters_;
    std::optional<TokenBatches> batches_;  ///< Absent: nobody asks here.
    std::optional<LargestCache> largest_;
};

Result<std::unique_ptr<jobs::Job>> open(const jobs::Floor& floor) {
    TRY_VOID(register_counters(*floor.store, counters_in(floor.options)));
    return std::make_unique<TokensJob>(floor);
}

Result<std::shared_ptr<const jobs::Options>> read(const jobs::Written& written) {
    TRY(std::vector<CounterConfig> counters, read_counters(written.sections));
    return make_options(std::move(counters));
}

/// An object is in memory as a whole: one at its limit has to fit. What the largest takes.
Result<std::size_t> least_memory(const jobs::Options* options, std::size_t most) {
    std::size_t largest = 0;
    for (const CounterConfig& config : counters_in(options)) {
        const std::size_t needed = most_bytes_a_token * config.limit;
        if (needed > most) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "counter {}: an object at its limit of {} tokens takes {} MiB, and of the "
                    "memory {} MiB are for objects: lower the limit or give more memory",
                    config.name,
                    config.limit,
                    (needed >> 20) + 1,
                    most >> 20
                )
            );
        }
        largest = std::max(largest, needed);
    }
    return largest;
}

constexpr jobs::JobSettings settings{.section = counter_section, .read = read};

}  // namespace

const jobs::Registered job{
    .name = "tokens",
    .tables = tables,
    .of_events = false,
    .settings = &settings,
    .least_memory = least_memory,
    .open = open,
    .openapi = openapi
};

std::shared_ptr<const jobs::Options> make_options(std::vector<CounterConfig> counters) {
    return std::make_shared<const CounterOptions>(std::move(counters));
}

TokenCounters& counters_of(jobs::Job& opened) {
    auto* const tokens = dynamic_cast<TokensJob*>(&opened);
    CHECK(tokens != nullptr, "another job was taken for the tokens");
    return tokens->counters();
}

}  // namespace footfall::tokens::routes
