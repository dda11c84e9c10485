#include "tokens/counter_registry.h"

#include "storage/blocking.h"
#include "tokens/schema.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

namespace footfall::tokens {
namespace {

std::string describe(std::int64_t ttl_seconds) {
    return ttl_seconds == 0 ? "no ttl" : fmt::format("a ttl of {} s", ttl_seconds);
}

}  // namespace

Result<void> register_counters(storage::Store& store, std::span<const CounterConfig> counters) {
    storage::Batch batch;
    std::set<std::string_view> names;
    for (const CounterConfig& config : counters) {
        TRY_VOID(check_config(config));
        if (!names.insert(config.name).second) {
            return fail(
                ErrorKind::invalid_input, fmt::format("counter {} is configured twice", config.name)
            );
        }
        const std::int64_t ttl = config.ttl ? config.ttl->count() : 0;
        TRY(const auto row, storage::read_one(store, counter_table, {config.name}));
        if (!row) {
            batch.upsert(counter_table, {config.name, ttl});
            continue;
        }
        const std::int64_t stored = std::get<std::int64_t>((*row)[1]);
        if (stored != ttl) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "counter {} was made with {} and is now configured with {}. The ttl of a "
                    "counter cannot be changed; "
                    "name a new counter instead.",
                    config.name,
                    describe(stored),
                    describe(ttl)
                )
            );
        }
    }
    TRY(const storage::CommitPosition position, store.submit(batch));
    return storage::wait_durable(store, position);
}

}  // namespace footfall::tokens
