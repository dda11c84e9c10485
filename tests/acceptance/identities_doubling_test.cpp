// The index of ids doubles its partitions while it is told and asked.
#include "identities_server.h"
#include "test_support/eventually.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace footfall {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

class IdentitiesDoubling : public IdentitiesServer {
protected:
    static constexpr std::size_t lines_at_once = 200;
    static constexpr std::size_t ids_said = 8000;
    static constexpr std::uint64_t doublings = 3;

    /// So long that a partition of 1 KiB holds a few.
    static std::string id(std::size_t number) {
        return fmt::format("www:{}-{}", number, std::string(200, 'w'));
    }

    std::uint64_t doubled() {
        return static_cast<std::uint64_t>(api_.metric("footfall_identities_index_doublings_total"));
    }

    void say(std::size_t first) {
        std::string lines;
        for (std::size_t number = first; number < first + lines_at_once; ++number) {
            lines += fmt::format(
                "{{\"ids\":{}}}\n", ids_json({id(number), fmt::format("mail:m{}", number)})
            );
        }
        for (const auto& each : match_lines(lines)) {
            EXPECT_TRUE(each.contains("sid"));
        }
    }
};

TEST_F(IdentitiesDoubling, goes_on_beside_matches_and_look_ups_and_misses_nothing) {
    restart({"--identities-index-partition-bytes", "1024"});
    std::atomic<std::size_t> said = 0;
    std::atomic<std::size_t> missed = 0;
    std::atomic<std::size_t> found = 0;
    {
        std::vector<std::jthread> readers;
        for (std::size_t reader = 0; reader < 2; ++reader) {
            readers.emplace_back([&, reader](const std::stop_token& stop) {
                http_server::Client client = server_.client();
                for (std::size_t at = reader; !stop.stop_requested(); at += 7) {
                    const std::size_t known = said.load();
                    if (known == 0) {
                        std::this_thread::yield();
                        continue;
                    }
                    const auto answer =
                        must(client.send(http_server::Method::get, path_of(id(at % known)), {}, {})
                        );
                    ++(answer.status == 200 ? found : missed);
                }
            });
        }
        const auto until = std::chrono::steady_clock::now() + 60s;
        while (doubled() < doublings && std::chrono::steady_clock::now() < until) {
            // More ids, and once these are enough the same ones again.
            const bool is_enough = said >= ids_said;
            ASSERT_NO_FATAL_FAILURE(say(is_enough ? 0 : said.load()));
            said += is_enough ? 0 : lines_at_once;
        }
    }
    EXPECT_GE(doubled(), doublings) << "after " << said << " ids";
    EXPECT_EQ(missed, 0);
    EXPECT_GT(found, 0);
    // The last one may have begun once more.
    EXPECT_TRUE(eventually([&] { return api_.metric("footfall_identities_index_doubling") == 0; }));
    for (std::size_t number = 0; number < said; number += 37) {
        EXPECT_EQ(sid(id(number)), sid(fmt::format("mail:m{}", number))) << number;
    }
    ASSERT_EQ(server_.stop(), 0);
    const CommandResult verified = verify();
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    EXPECT_TRUE(verified.output.contains(": 0 differences\n")) << verified.output;
}

}  // namespace
}  // namespace footfall
