#pragma once

#include "foundation/random.h"
#include "test_support/child_process.h"
#include "test_support/eventually.h"

#include <chrono>
#include <string>
#include <vector>

namespace footfall::test_support {

/// The least the configuration takes, so that buffers fill and are written several times a second.
inline const std::vector<std::string> small_memory{"--memory", "64MiB"};

/// Waits up to a random time below `bound`; less if the server ends by itself.
inline void wait_for_chance(ChildProcess& server, Random& random, std::chrono::microseconds bound) {
    const auto drawn = random.below(static_cast<std::uint64_t>(bound.count()));
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(
        std::chrono::microseconds{static_cast<std::int64_t>(drawn)}
    );
    eventually([&] { return !server.running(); }, wait, std::chrono::microseconds{200});
}

}  // namespace footfall::test_support
