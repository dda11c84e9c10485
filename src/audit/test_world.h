#pragma once

#include "audit/log.h"
#include "audit/schema.h"
#include "audit/verify.h"
#include "foundation/clock.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage/memory_store.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::audit {

inline std::vector<const storage::Table*> test_tables() {
    std::vector<const storage::Table*> tables{all_tables.begin(), all_tables.end()};
    tables.push_back(&storage::deployment_table);
    return tables;
}

/// A log in memory.
struct LogWorld {
    std::unique_ptr<Log> open(storage::Store& on, bool shared = false, std::string region = "") {
        auto opened = Log::open(
            on,
            clock,
            {.secret = {1, 2}, .origin = "test", .region = std::move(region), .shared = shared}
        );
        return opened ? *std::move(opened) : nullptr;
    }

    /// Entries as they are shown, one a line.
    std::vector<std::string> lines(std::string_view log = "main") {
        std::vector<std::string> lines;
        for (const StoredEntry& each : *read_entries(store, log, 0, 1'000'000)) {
            lines.push_back(entry_line(entry_bytes(each.entry), each.leaf));
        }
        return lines;
    }

    ManualClock clock{Instant{std::chrono::hours{480'000}}};
    std::vector<const storage::Table*> tables = test_tables();
    storage::MemoryStore store{tables, clock};
};

inline Act act_numbered(std::size_t number) {
    return {
        .kind = "rate_set",
        .author = "ops",
        .detail = fmt::format(R"({{"reseller": "r-{}", "reward_percent": "0.05"}})", number)
    };
}

}  // namespace footfall::audit
