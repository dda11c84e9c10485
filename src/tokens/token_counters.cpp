#include "tokens/token_counters.h"

#include "foundation/check.h"
#include "foundation/names.h"
#include "tokens/names.h"
#include "tokens/object_load.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace footfall::tokens {
namespace {

std::vector<CounterConfig> checked(std::vector<CounterConfig> counters) {
    for (const CounterConfig& config : counters) {
        const Result<void> sound = check_config(config);
        CHECK(sound, "configuration is checked before", sound ? "" : sound.error().message);
    }
    CHECK(counters.size() <= UINT16_MAX, "more counters than two bytes number", counters.size());
    return counters;
}

}  // namespace

TokenCounters::TokenCounters(
    storage::Store& store,
    const Clock& clock,
    SipKey secret,
    metrics::Metrics& metrics,
    Options options
)
    : clock_{&clock},
      secret_{secret},
      counters_{checked(std::move(options.counters))},
      cache_{
          store,
          clock,
          secret,
          metrics,
          counters_,
          {.memory_bytes = options.memory_bytes,
           .memory = options.memory,
           .waiting_limit = options.waiting_limit,
           .fresh_for = options.fresh_for,
           .rows_a_partition = options.rows_a_partition}
      } {}

Result<const CounterConfig*> TokenCounters::counter(std::string_view name) const {
    for (const CounterConfig& config : counters_) {
        if (config.name == name) {
            return &config;
        }
    }
    return fail(
        ErrorKind::not_found,
        fmt::format(
            "there is no counter \"{}\"; counters are named in the configuration as [[counter]]",
            name
        )
    );
}

std::optional<Result<Count>> TokenCounters::put_now(
    const CounterConfig& config,
    std::string_view object,
    std::string_view token,
    std::optional<std::chrono::seconds> ttl
) {
    const Result<Operation> operation = put_operation(config, object, token, ttl);
    if (!operation) {
        return std::unexpected(operation.error());
    }
    return cache_.operate(index_of(config), object, *operation, nullptr);
}

void TokenCounters::put(
    const CounterConfig& config,
    std::string_view object,
    std::string_view token,
    std::optional<std::chrono::seconds> ttl,
    CountDone done
) {
    const Result<Operation> operation = put_operation(config, object, token, ttl);
    if (!operation) {
        done(std::unexpected(operation.error()));
        return;
    }
    if (auto answer = cache_.operate(index_of(config), object, *operation, &done)) {
        done(*std::move(answer));
    }
}

std::optional<Result<Count>> TokenCounters::get_now(
    const CounterConfig& config, std::string_view object
) {
    if (Result<void> check = check_name("object name", object); !check) {
        return std::unexpected(std::move(check).error());
    }
    return cache_.operate(index_of(config), object, {.kind = Operation::Kind::get}, nullptr);
}

void TokenCounters::get(const CounterConfig& config, std::string_view object, CountDone done) {
    if (Result<void> check = check_name("object name", object); !check) {
        done(std::unexpected(std::move(check).error()));
        return;
    }
    const Operation operation{.kind = Operation::Kind::get};
    if (auto answer = cache_.operate(index_of(config), object, operation, &done)) {
        done(*std::move(answer));
    }
}

/// What a PUT asks, checked.
Result<Operation> TokenCounters::put_operation(
    const CounterConfig& config,
    std::string_view object,
    std::string_view token,
    std::optional<std::chrono::seconds> ttl
) const {
    TRY_VOID(check_name("object name", object));
    TRY_VOID(check_token(token));
    TRY(const auto effective, effective_ttl(config, ttl));
    return Operation{
        .kind = Operation::Kind::put,
        .token = token,
        .token_hash = token_hash(secret_, token),
        .ttl = effective,
        .explicit_ttl = ttl.has_value()
    };
}

std::vector<ActivitySecond> TokenCounters::activity_between(
    std::int64_t from, std::int64_t before
) {
    return cache_.activity_between(from, before);
}

std::int64_t TokenCounters::lane_of(const CounterConfig& config, std::string_view object) const {
    return static_cast<std::int64_t>(cache_.lane_of(index_of(config), object));
}

std::uint16_t TokenCounters::index_of(const CounterConfig& config) const {
    const auto index = static_cast<std::size_t>(&config - counters_.data());
    CHECK(index < counters_.size(), "a counter of another TokenCounters", config.name);
    return static_cast<std::uint16_t>(index);
}

}  // namespace footfall::tokens
