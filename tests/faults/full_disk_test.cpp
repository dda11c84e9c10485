// The disk runs full under load, and stays so: a clear answer, no crash, nothing acknowledged is
// lost, and when there is room again the server goes on.

#include "ledger.h"
#include "small_disk.h"
#include "test_support/eventually.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace footfall::faults {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using testing::ContainsRegex;
using testing::HasSubstr;
using namespace std::chrono_literals;
using namespace test_support;

constexpr unsigned small = 64;
constexpr unsigned large = 256;
constexpr std::size_t batches_max = 2000;
constexpr const char* names_the_reason = "[Nn]o space|[Dd]isk (is )?full";
const std::vector<std::string> small_memory{"--memory", "64MiB"};

class FullDisk : public testing::Test {
protected:
    /// Posts until a batch is refused; the first refusal.
    ClientResponse post_until_refused(Api& api) {
        for (std::size_t batch = 0; batch < batches_max; ++batch) {
            ClientResponse answer = ledger_.post(api);
            if (answer.status != 200) {
                return answer;
            }
        }
        ADD_FAILURE() << "the disk never ran full";
        return {};
    }

    /// As above; and what the server frees by tidying up is taken as well, until nothing helps it.
    /// The last refusal.
    ClientResponse fill_for_good(Api& api) {
        ClientResponse answer = post_until_refused(api);
        int refused_in_a_row = 0;
        EXPECT_TRUE(eventually([&] {
            disk_->fill_up();
            answer = ledger_.post(api);
            refused_in_a_row = answer.status == 200 ? 0 : refused_in_a_row + 1;
            return refused_in_a_row == 20;
        })) << "the server found room again and again";
        return answer;
    }

    void give_room() const {
        disk_->make_room();
        disk_->resize(large);
    }

    std::string data() const { return disk_->path() + "/data"; }

    void SetUp() override {
        if (disk_) {
            server_ = std::make_unique<FootfallProcess>(data(), small_memory);
        }
    }

    std::unique_ptr<SmallDisk> disk_ = SmallDisk::make(small);
    Ledger ledger_;
    std::unique_ptr<FootfallProcess> server_;
};

TEST_F(FullDisk, is_answered_503_with_the_reason_and_readiness_says_it_too) {
    if (!disk_) {
        return;
    }
    Api api{*server_};
    const ClientResponse first = post_until_refused(api);
    EXPECT_EQ(first.status, 503) << first.body;
    EXPECT_EQ(first.content_type, "application/problem+json");
    // The first cannot know how its write ended; later ones are refused for a reason.
    const ClientResponse later = fill_for_good(api);
    EXPECT_EQ(later.status, 503) << later.body;
    EXPECT_EQ(later.content_type, "application/problem+json");
    EXPECT_THAT(later.body, ContainsRegex(names_the_reason));
    ClientResponse ready;
    EXPECT_TRUE(eventually([&] {
        ready = api.send(Method::get, "/healthz/ready");
        return ready.status == 503;
    }));
    EXPECT_THAT(ready.body, ContainsRegex(names_the_reason));
    EXPECT_EQ(api.send(Method::get, "/healthz/live").status, 200);
    EXPECT_TRUE(server_->process().running());
}

/// Warnings and errors in what a server wrote to standard error.
std::vector<std::string> complaints(const std::string& errors) {
    std::vector<std::string> lines;
    std::istringstream text{errors};
    for (std::string line; std::getline(text, line);) {
        if (line.contains(" warning ") || line.contains(" error ")) {
            lines.push_back(line);
        }
    }
    return lines;
}

TEST_F(FullDisk, is_said_once_a_minute_by_one_line_of_the_log) {
    if (!disk_) {
        return;
    }
    Api api{*server_};
    const auto begin = std::chrono::steady_clock::now();
    fill_for_good(api);
    // The store tries again each second, the engine more often than that: both have by then.
    EXPECT_TRUE(eventually(
        [&] {
            ledger_.post(api);
            return std::chrono::steady_clock::now() > begin + 5s;
        },
        20s
    ));
    const std::vector<std::string> said = complaints(server_->process().errors());
    const auto minutes =
        std::chrono::ceil<std::chrono::minutes>(std::chrono::steady_clock::now() - begin);
    EXPECT_FALSE(said.empty());
    EXPECT_LE(said.size(), static_cast<std::size_t>(minutes.count()))
        << fmt::format("{}", fmt::join(said, "\n"));
}

TEST_F(FullDisk, with_room_again_the_server_goes_on_by_itself_and_nothing_is_lost) {
    if (!disk_) {
        return;
    }
    Api api{*server_};
    fill_for_good(api);
    give_room();
    ClientResponse answer;
    EXPECT_TRUE(eventually([&] {
        answer = ledger_.post(api);
        return answer.status == 200;
    })) << answer.body;
    // Rows are taken before those in memory have found room for their files, which is tried again
    // after a second: until then it is not ready.
    EXPECT_TRUE(eventually([&] {
        answer = api.send(Method::get, "/healthz/ready");
        return answer.status == 200;
    })) << answer.body;
    EXPECT_THAT(ledger_.differences(api), testing::IsEmpty());
    EXPECT_EQ(ledger_.lost(api), 0U);
    EXPECT_EQ(server_->stop(), 0);
    server_->restart();
    Api again{*server_};
    EXPECT_EQ(ledger_.lost(again), 0U);
}

TEST_F(FullDisk, with_room_again_a_restart_has_everything_that_was_acknowledged) {
    if (!disk_) {
        return;
    }
    Api api{*server_};
    fill_for_good(api);
    server_->kill();
    give_room();
    server_->restart();
    Api again{*server_};
    EXPECT_GT(ledger_.acknowledged(), 50U);
    EXPECT_THAT(ledger_.differences(again), testing::IsEmpty());
    EXPECT_EQ(ledger_.lost(again), 0U);
}

TEST_F(FullDisk, answers_right_counts_or_none_while_it_takes_no_writes) {
    if (!disk_) {
        return;
    }
    Api api{*server_};
    fill_for_good(api);
    std::vector<std::string> wrong = ledger_.differences(api);
    std::erase_if(wrong, [](const std::string& line) {
        return line.find(": 503 ") != std::string::npos;
    });
    EXPECT_THAT(wrong, testing::IsEmpty());
}

TEST_F(FullDisk, at_start_is_said_and_nothing_is_harmed) {
    if (!disk_) {
        return;
    }
    {
        Api api{*server_};
        for (int batch = 0; batch < 20; ++batch) {
            ASSERT_EQ(ledger_.post(api).status, 200);
        }
    }
    server_->kill();
    disk_->fill_up();
    ChildProcess refused = FootfallProcess::launch(data(), small_memory, server_->port());
    const bool ended = eventually([&] { return !refused.running(); }, 5s);
    if (ended) {
        const Ending ending = refused.wait(1s);
        EXPECT_EQ(ending.signal, 0);
        EXPECT_EQ(ending.exit_code, 1);
        EXPECT_THAT(refused.errors(), ContainsRegex(names_the_reason));
        EXPECT_THAT(refused.errors(), HasSubstr(data()));
    } else {
        Api api{*server_};
        const ClientResponse ready = api.send(Method::get, "/healthz/ready");
        EXPECT_EQ(ready.status, 503);
        EXPECT_THAT(ready.body, ContainsRegex(names_the_reason));
        refused.send_signal(SIGKILL);
        refused.wait(20s);
    }
    disk_->make_room();
    server_->restart();
    Api api{*server_};
    EXPECT_EQ(ledger_.lost(api), 0U);
}

}  // namespace
}  // namespace footfall::faults
