// Several servers of one deployment are told who is who, whom to part again, and other guards each
// time one is started; they are killed at any moment. What was acknowledged holds, whichever of
// them is asked, and rows are those that follow from the facts.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=40 build/release/tests/cluster/identities_kills_test

#include "foundation_testing/temporary_directory.h"
#include "identities_clients.h"
#include "test_support/api.h"
#include "test_support/chance.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace footfall::cluster_test {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

constexpr std::size_t servers_count = 3;
constexpr std::size_t clients_count = 6;
constexpr std::size_t first_per_profile = 2;
constexpr std::size_t last_per_profile = 7;
/// Whoever takes up what somebody else has left half done reads the log again before it.
constexpr std::chrono::seconds settled_within{180};

class IdentitiesKills : public testing::Test {
protected:
    static void SetUpTestSuite() {
        // Before there are other threads.
        setenv("FOOTFALL_TEST_LOG", "kafka", 1);  // NOLINT(concurrency-mt-unsafe)
    }

    void SetUp() override {
        std::vector<std::uint16_t> ports;
        for (std::size_t number = 0; number < servers_count; ++number) {
            servers_.emplace_back(data_, flags(number, first_per_profile));
            ports.push_back(servers_.back().port());
        }
        for (std::size_t number = 0; number < clients_count; ++number) {
            clients_.push_back(std::make_unique<IdentitiesClient>(number, random_(), ports));
        }
    }

    /// Under guards that have so many ids of the chain in a profile.
    std::vector<std::string> flags(std::size_t server, std::size_t per_profile) const {
        const std::string guards = fmt::format(
            "[[identifier]]\nname = \"{}\"\nper_profile = {}\n",
            IdentitiesClient::chain,
            per_profile
        );
        std::vector<std::string> words = small_memory;
        for (const std::string& each :
             {std::string{"--instance"},
              fmt::format("s{}", server),
              std::string{"--identities-index-partition-bytes"},
              std::string{"1024"},
              std::string{"--config"},
              directory_.write(fmt::format("guards-{}.toml", per_profile), guards)}) {
            words.push_back(each);
        }
        return words;
    }

    /// One, or two at once; they come back under other guards.
    void kill_some() {
        const std::size_t first = random_.below(servers_.size());
        wait_for_chance(servers_[first].process(), random_, 3s);
        std::vector<std::size_t> killed{first};
        if (random_.below(3) == 0) {
            killed.push_back((first + 1) % servers_.size());
        }
        for (const std::size_t each : killed) {
            EXPECT_TRUE(servers_[each].process().running())
                << "it gave up: " << servers_[each].process().errors();
            servers_[each].kill();
        }
        const std::size_t other = (first + 2) % servers_.size();
        wait_for_chance(servers_[other].process(), random_, 1s);
        for (const std::size_t each : killed) {
            const std::size_t per_profile =
                first_per_profile + random_.below(last_per_profile - first_per_profile);
            servers_[each].restart(flags(each, per_profile));
        }
    }

    void expect_all_holds(const FootfallProcess& server) {
        Api api{server};
        for (const auto& client : clients_) {
            std::string difference;
            eventually(
                [&] {
                    difference = client->difference(api, last_per_profile);
                    return difference.empty();
                },
                settled_within,
                200ms
            );
            EXPECT_EQ(difference, "");
        }
    }

    void expect_verified() const {
        std::vector<std::string> words{"verify", "identities"};
        for (std::string& each : place_words(data_)) {
            words.push_back(std::move(each));
        }
        const CommandResult verified = run_footfall(std::move(words));
        EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
        EXPECT_TRUE(verified.output.contains(": 0 differences\n")) << verified.output;
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    Random random_{random_seed()};
    std::vector<FootfallProcess> servers_;
    std::vector<std::unique_ptr<IdentitiesClient>> clients_;
};

TEST_F(IdentitiesKills, lose_nothing_and_leave_the_rows_that_follow) {
    const std::uint64_t kills = environment_number("FOOTFALL_KILLS", 3);
    for (std::uint64_t number = 0; number < kills && !HasFailure(); ++number) {
        SCOPED_TRACE(fmt::format("kill number {}", number));
        kill_some();
    }
    std::uint64_t links = 0;
    std::uint64_t partings = 0;
    for (const auto& client : clients_) {
        client->stop();
        for (const std::string& each : client->complaints()) {
            ADD_FAILURE() << each;
        }
        links += client->load().links() + client->chained();
        partings += client->load().partings();
    }
    ASSERT_FALSE(HasFailure());
    EXPECT_EQ(servers_[0].stop(), 0);
    servers_[0].restart(flags(0, last_per_profile));
    for (const FootfallProcess& each : servers_) {
        expect_all_holds(each);
    }
    Api api{servers_[0]};
    // Verify holds no profiles to facts until all are settled under the guards that hold.
    EXPECT_TRUE(eventually(
        [&] { return api.metric("footfall_identities_settling_anew_parts") == 0; }, settled_within
    ));
    for (FootfallProcess& each : servers_) {
        EXPECT_EQ(each.stop(), 0);
    }
    expect_verified();
    fmt::print("{} links and {} partings, acknowledged\n", links, partings);
    EXPECT_GT(links, 0U);
    EXPECT_GT(partings, 0U);
}

}  // namespace
}  // namespace footfall::cluster_test
