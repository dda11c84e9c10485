#include "backup/desk.h"

#include "backup/fake_directory.h"
#include "backup/place.h"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <latch>
#include <string>
#include <thread>

namespace footfall::backup {
namespace {

using testing::HasSubstr;

class DeskTest : public testing::Test {
protected:
    DeskTest() {
        std::filesystem::create_directory(data());
        for (const char* const name : {"CURRENT", "000001.sst"}) {
            std::ofstream{data() / name} << std::string(portion_bytes, 'x');
        }
    }

    std::filesystem::path data() const { return here_ / "data"; }

    Desk::Take from(Source source) {
        return [this, source = std::move(source)](const TakeOptions& options) {
            return take(source, clock_, options);
        };
    }

    Desk::Options options(std::uint64_t rate) const {
        return {.address = {.place = here_ / "place"}, .bytes_a_second = rate};
    }

    static Desk::State ended(const Desk& desk) {
        Desk::State state = desk.state();
        while (state.since) {
            std::this_thread::yield();
            state = desk.state();
        }
        return state;
    }

    static Desk::Ended last_of(const Desk::State& state) {
        EXPECT_TRUE(state.last);
        return state.last.value_or(Desk::Ended{});
    }

    const TemporaryDirectory here_;
    const SystemClock clock_;
    metrics::Metrics metrics_;
};

TEST_F(DeskTest, makes_one_after_the_other) {
    std::latch begun{1};
    std::latch go{1};
    Source source = source_of(data());
    source.freeze = [&, freeze = source.freeze] {
        begun.count_down();
        go.wait();
        return freeze();
    };
    Desk desk{options(1'000'000'000), clock_, metrics_, from(source)};
    const auto first = desk.start({});
    ASSERT_TRUE(first);
    begun.wait();
    EXPECT_EQ(desk.state().since, *first);
    const auto other = desk.start({});
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().kind, ErrorKind::conflict);
    go.count_down();
    const Desk::State state = ended(desk);
    EXPECT_EQ(last_of(state).since, *first);
    EXPECT_EQ(last_of(state).error, "");
    EXPECT_EQ(state.step.bytes_done, 2 * portion_bytes);
    EXPECT_EQ(last_of(state).taken.manifest.name, desk.list()->whole.front().name);
}

TEST_F(DeskTest, takes_its_time) {
    Desk desk{options(10 * portion_bytes), clock_, metrics_, from(source_of(data()))};
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(desk.start({}));
    EXPECT_EQ(last_of(ended(desk)).error, "");
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds{190});
}

TEST_F(DeskTest, is_cut_short_by_its_end) {
    Desk desk{options(1), clock_, metrics_, from(source_of(data()))};  // for weeks
    ASSERT_TRUE(desk.start({}));
    while (desk.state().step.bytes_done == 0) {
        std::this_thread::yield();
    }
    desk.stop();
    EXPECT_THAT(last_of(desk.state()).error, HasSubstr("the server was stopped"));
    EXPECT_TRUE(desk.list()->whole.empty());
    EXPECT_FALSE(desk.start({}));
}

TEST_F(DeskTest, makes_the_next_one_when_it_is_due) {
    using std::chrono::hours;
    using std::chrono::minutes;
    ManualClock clock{Instant{hours{1'000'000}}};
    bool fails = false;
    const auto desk_now = [&] {
        Desk::Options terms = options(1'000'000'000);
        terms.every = hours{24};
        terms.keep = 2;
        return std::make_unique<Desk>(
            std::move(terms),
            clock,
            metrics_,
            [&, source = source_of(data())](const TakeOptions& asked) {
                return fails ? Result<Taken>{fail(ErrorKind::unavailable, "no disk")}
                             : take(source, clock, asked);
            }
        );
    };
    auto desk = desk_now();
    EXPECT_TRUE(desk->start_if_due()) << "there is none yet";
    ended(*desk);
    EXPECT_FALSE(desk->start_if_due());
    clock.advance(hours{23});
    desk = desk_now();
    EXPECT_FALSE(desk->start_if_due()) << "a desk knows what one before it made";
    clock.advance(hours{1});
    fails = true;
    EXPECT_TRUE(desk->start_if_due());
    EXPECT_EQ(last_of(ended(*desk)).error, "no disk");
    clock.advance(minutes{9});
    EXPECT_FALSE(desk->start_if_due());
    clock.advance(minutes{1});
    fails = false;
    EXPECT_TRUE(desk->start_if_due());
    EXPECT_EQ(last_of(ended(*desk)).error, "");
    for (int day = 0; day < 3; ++day) {
        clock.advance(hours{24});
        EXPECT_TRUE(desk->start_if_due());
        ended(*desk);
    }
    const auto listing = desk->list();
    ASSERT_EQ(listing->whole.size(), 2U) << "so many stay";
    EXPECT_EQ(listing->whole.back().taken, clock.now());
    EXPECT_THAT(metrics_.text(), HasSubstr("footfall_backup_failures_total 1\n"));
    EXPECT_THAT(metrics_.text(), HasSubstr("footfall_backup_newest_seconds 36003"));
}

TEST_F(DeskTest, keeps_to_its_schedule) {
    Desk::Options terms = options(1'000'000'000);
    terms.every = std::chrono::hours{1};
    Desk desk{std::move(terms), clock_, metrics_, from(source_of(data()))};
    desk.keep_to_schedule();
    while (!desk.state().last) {
        std::this_thread::yield();
    }
    EXPECT_EQ(last_of(desk.state()).error, "");
    desk.stop();
}

TEST_F(DeskTest, says_why_none_is_made) {
    Desk desk{{.why_none = "set backup_directory"}, clock_, metrics_, from(source_of(data()))};
    const auto refused = desk.start({});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "set backup_directory");
    Desk failing{options(1 << 30), clock_, metrics_, [](const TakeOptions&) -> Result<Taken> {
                     return fail(ErrorKind::unavailable, "no disk");
                 }};
    ASSERT_TRUE(failing.start({}));
    EXPECT_EQ(last_of(ended(failing)).error, "no disk");
    EXPECT_TRUE(failing.start({}));
}

}  // namespace
}  // namespace footfall::backup
