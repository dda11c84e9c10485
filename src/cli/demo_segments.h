#pragma once

#include "cli/demo_client.h"
#include "cli/demo_customers.h"
#include "foundation/random.h"
#include "foundation/result.h"
#include "http_server/client.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace footfall::cli {

/// What the demo's networks know together about customers: who opened a letter, whose app is
/// there, who bought in spring, who must not be written to.
inline constexpr std::array<std::string_view, 4> demo_segments{
    "newsletter-readers", "app-users", "bought-in-spring", "do-not-contact"
};

/// Members as lines of NDJSON. A pure function of its arguments. `segment`: below
/// demo_segments.size().
std::string demo_members_before(std::size_t segment);

/// A customer who gets into a segment now, for some minutes, by an id of the network that says so.
std::string demo_member_now(std::size_t segment, Random& random);

/// Fills a server with demo_segments by HTTP, once for a server; then somebody gets into one of
/// them or leaves it every few seconds. Owns one thread, which tries again when the server is away,
/// and gives up where it may not; ends when destroyed.
class DemoSegments {
public:
    DemoSegments(http_server::ServerUrl server, std::uint64_t seed);

private:
    void run(const std::stop_token& stop);
    Result<void> set_up(const std::stop_token& stop);
    Result<void> move_one();

    DemoClient client_;
    Random random_;
    std::vector<std::string> leaving_;  ///< Lines of those who leave next, a segment each.
    std::jthread thread_;               // last: ends before what it uses
};

}  // namespace footfall::cli
