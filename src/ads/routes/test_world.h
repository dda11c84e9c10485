#pragma once

#include "ads/ad_registry.h"
#include "ads/ad_schema.h"
#include "api/test_world.h"
#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <array>
#include <chrono>
#include <memory>

namespace footfall::ads::routes {

/// Registered ads in a store that can be made to fail, and routes to them.
struct AdWorld {
    static constexpr SipKey secret{1, 2};
    static constexpr std::array<const storage::Table*, 2> tables{
        &registered_ad_table, &ad_change_table
    };

    api::KeyWorld keys;
    ManualClock clock{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore disk{tables, clock};
    storage::FaultyStore store{disk, 1};
    std::unique_ptr<AdRegistry> ads = *AdRegistry::open(store, clock);
    api::WaitingRouter routes;
};

}  // namespace footfall::ads::routes
