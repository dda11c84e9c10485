// kill -9 again and again: while clients put, while buffered rows are written in bulk, while views
// are, while the server starts, while it replays, and while it ends. Whatever was acknowledged is
// there, nothing counts that was not attempted, no token counts twice, and the views are those that
// follow from the events.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=400 build/release/tests/crash/crash_test

#include "crowd.h"
#include "flush_watch.h"
#include "test_support/api.h"
#include "test_support/chance.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::crash {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;
using namespace test_support;

constexpr microseconds start_up{50'000};
constexpr microseconds load{600'000};
/// What an orderly end may take that has to write views and checkpoints; learnt from those before.
constexpr microseconds first_end{60'000};
constexpr double learning = 1.5;

/// Where kills fall, in the order in which they are dealt: a replay has what a flush left, and is
/// finished by the start for the next load.
enum class Moment { load, start, flush, replay, view_flush, end };

constexpr std::array<std::string_view, 6> moment_names{
    "under load",
    "within 50 ms of a start",
    "in a bulk flush",
    "in a replay",
    "in a flush of views",
    "in an orderly end"
};

class Kill : public testing::Test {
protected:
    /// Clients put until the server is killed: at a random moment, or in a flush.
    void kill_under_load(Moment moment) {
        const auto begin = steady_clock::now();
        FootfallProcess server{data_, small_memory};
        if (moment == Moment::load) {
            replay_ = std::chrono::duration_cast<microseconds>(steady_clock::now() - begin);
        }
        note_start(server);
        crowd_.check_sample(server, random_);
        const std::vector<std::jthread> threads = crowd_.start(server, flood_of(moment));
        if (moment == Moment::flush) {
            seen_[index(moment)] += wait_for_flush(server, random_) ? 1 : 0;
        } else if (moment == Moment::view_flush) {
            seen_[index(moment)] += wait_for_view_flush(server, random_) ? 1 : 0;
        } else {
            wait_for_chance(server.process(), random_, load);
        }
        EXPECT_TRUE(server.process().running()) << "it gave up: " << server.process().errors();
        if (moment == Moment::end) {
            server.process().send_signal(SIGTERM);
            wait_for_chance(server.process(), random_, end_);
            ended_in_time_ = !server.process().running();
        }
        server.kill();
    }

    Crowd::Flood flood_of(Moment moment) {
        switch (moment) {
            case Moment::flush:
                return Crowd::Flood::tokens;
            case Moment::view_flush:
                return Crowd::Flood::views;
            default:
                return random_.below(2) == 0 ? Crowd::Flood::tokens : Crowd::Flood::none;
        }
    }

    /// How far the end before this start came: what is read again had no checkpoint.
    void note_start(const FootfallProcess& server) {
        const std::uint64_t read_again = Api{server}.metric("footfall_events_read_again");
        events_read_again_ += read_again;
        if (ended_in_time_) {
            const double factor = read_again > 0 ? learning : 1 / learning;
            end_ = std::chrono::duration_cast<microseconds>(end_ * factor);
            (*ended_in_time_  ? ends_done_
             : read_again > 0 ? ends_before_checkpoint_
                              : ends_after_checkpoint_) += 1;
            ended_in_time_.reset();
        }
    }

    static std::size_t index(Moment moment) { return static_cast<std::size_t>(moment); }

    /// Kills within `bound` of a start: most of them before the server is ready.
    void kill_at_start(Moment moment, microseconds bound) {
        ChildProcess server = FootfallProcess::launch(data_, small_memory);
        wait_for_chance(server, random_, bound);
        EXPECT_TRUE(server.running()) << "it gave up by itself: " << server.errors();
        before_ready_[index(moment)] += server.output().empty() ? 1 : 0;
        server.send_signal(SIGKILL);
        server.wait(std::chrono::seconds{20});
    }

    void kill(Moment moment) {
        ++kills_[index(moment)];
        switch (moment) {
            case Moment::load:
            case Moment::flush:
            case Moment::view_flush:
            case Moment::end:
                kill_under_load(moment);
                break;
            case Moment::start:
                kill_at_start(moment, start_up);
                break;
            case Moment::replay:
                kill_at_start(moment, std::max(replay_, start_up));
                break;
        }
    }

    void print_sums() const {
        for (std::size_t moment = 0; moment < kills_.size(); ++moment) {
            fmt::print("{} kills {}", kills_[moment], moment_names[moment]);
            if (before_ready_[moment] > 0) {
                fmt::print(", {} of them before the server was ready", before_ready_[moment]);
            }
            if (seen_[moment] > 0) {
                fmt::print(", {} of them timed by the server's metrics", seen_[moment]);
            }
            fmt::print("\n");
        }
        fmt::print(
            "orderly ends: {} killed before the checkpoint was written, {} after it, {} were over; "
            "{} events read again at starts\n",
            ends_before_checkpoint_,
            ends_after_checkpoint_,
            ends_done_,
            events_read_again_
        );
        crowd_.print_sums();
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    Random random_{random_seed()};
    Crowd crowd_{random_()};
    microseconds replay_{0};  ///< What the last start after a kill in a replay took.
    std::array<std::uint64_t, moment_names.size()> kills_{};
    std::array<std::uint64_t, moment_names.size()> before_ready_{};
    std::array<std::uint64_t, moment_names.size()> seen_{};  ///< Kills timed by metrics.
    std::optional<bool> ended_in_time_;  ///< Whether an end that was to be killed was over before.
    microseconds end_ = first_end;
    std::uint64_t ends_before_checkpoint_ = 0;
    std::uint64_t ends_after_checkpoint_ = 0;
    std::uint64_t ends_done_ = 0;
    std::uint64_t events_read_again_ = 0;
};

TEST_F(Kill, at_any_moment_loses_nothing_acknowledged_and_counts_nothing_twice) {
    const std::uint64_t kills = environment_number("FOOTFALL_KILLS", 40);
    for (std::uint64_t number = 0; number < kills && !HasFailure(); ++number) {
        SCOPED_TRACE(fmt::format("kill number {}", number));
        kill(Moment{static_cast<int>(number % moment_names.size())});
    }
    FootfallProcess server{data_, small_memory};
    note_start(server);
    print_sums();
    crowd_.check_acknowledged(server);
    crowd_.check_sums(server);
    crowd_.check_views(server);
    EXPECT_EQ(server.stop(), 0);
    server.restart();
    crowd_.check_sums(server);
    crowd_.check_views(server);
    EXPECT_EQ(server.stop(), 0);
    const CommandResult verified = run_footfall({"verify", "views", "--data", data_});
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    fmt::print("{}\n", verified.last_line());
}

}  // namespace
}  // namespace footfall::crash
