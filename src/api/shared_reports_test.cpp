#include "api/shared_reports.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace footfall::api {
namespace {

/// What a test makes happen to a subject, and what was made of it.
struct Happening {
    std::atomic<int> happened = 0;
    std::atomic<int> told = 0;
    std::atomic<int> attempts = 0;
    std::atomic<bool> broken = false;
    std::size_t filler = 0;  ///< Bytes that a report has besides.
};

class TestSource final : public ReportSource {
public:
    explicit TestSource(Happening& happening) : happening_{&happening} {}

    bool has_news() const override { return happening_->happened != happening_->told; }

    Result<std::optional<Report>> make(bool needed) override {
        ++happening_->attempts;
        if (happening_->broken) {
            return fail(ErrorKind::unavailable, "broken by the test");
        }
        const int happened = happening_->happened;
        const bool is_new = happening_->told.exchange(happened) != happened;
        if (!is_new && !needed) {
            return std::nullopt;
        }
        return Report{
            .text = fmt::format("{};", happened) + std::string(happening_->filler, '.'),
            .is_new = is_new
        };
    }

private:
    Happening* happening_;
};

class SharedReportsTest : public testing::Test {
protected:
    using Watcher = std::unique_ptr<SharedReports::Watcher>;

    Watcher watch(const std::string& subject = "a") {
        return reports_->watch(
            subject,
            [&] { return std::make_unique<TestSource>(happenings_[subject]); },
            [this] { ++woken_; }
        );
    }

    /// Waits until the pool has done what it was given, and what that gave it.
    static void settle(runtime::BlockingPool& pool) {
        for (int round = 0; round < 4; ++round) {
            std::latch reached{1};
            while (!pool.submit([&] { reached.count_down(); })) {
                std::this_thread::yield();
            }
            reached.wait();
        }
    }

    void settle() { settle(pool_); }

    /// A second begins for all of them; what each has once the report was made.
    std::vector<std::string> tick(std::vector<Watcher>& watchers, std::int64_t second) {
        std::vector<std::string> had;
        had.reserve(watchers.size());
        for (const Watcher& each : watchers) {
            had.push_back(each->next(second));
        }
        settle();
        for (std::size_t at = 0; at < watchers.size(); ++at) {
            had[at] += watchers[at]->next(second);
        }
        return had;
    }

    std::map<std::string, Happening> happenings_;
    Happening& happening_ = happenings_["a"];
    std::atomic<int> woken_ = 0;
    runtime::BlockingPool pool_{1, 100};
    std::shared_ptr<SharedReports> reports_ = std::make_shared<SharedReports>(pool_);
};

TEST_F(SharedReportsTest, are_made_once_for_all_who_watch_the_same) {
    std::vector<Watcher> watchers;
    watchers.reserve(600);
    for (int client = 0; client < 600; ++client) {
        watchers.push_back(watch());
    }
    const std::size_t all = watchers.size();
    EXPECT_EQ(tick(watchers, 1), std::vector<std::string>(all, "0;"));
    EXPECT_EQ(happening_.attempts, 1);
    happening_.happened = 5;
    EXPECT_EQ(tick(watchers, 2), std::vector<std::string>(all, "5;"));
    EXPECT_EQ(tick(watchers, 3), std::vector<std::string>(all, ""));
    EXPECT_EQ(happening_.attempts, 2);
    EXPECT_EQ(woken_, 1200);
}

TEST_F(SharedReportsTest, of_another_subject_are_others) {
    const Watcher a = watch("a");
    const Watcher b = watch("b");
    happenings_["b"].happened = 7;
    a->next(1);
    b->next(1);
    settle();
    EXPECT_EQ(a->next(1), "0;");
    EXPECT_EQ(b->next(1), "7;");
}

TEST_F(SharedReportsTest, that_a_slow_client_did_not_take_are_counted_for_it) {
    std::vector<Watcher> quick;
    quick.push_back(watch());
    const Watcher slow = watch();
    tick(quick, 1);
    EXPECT_EQ(slow->next(1), "0;");
    for (int second = 2; second <= 5; ++second) {
        happening_.happened = second;
        EXPECT_EQ(tick(quick, second)[0], fmt::format("{};", second));
    }
    EXPECT_EQ(slow->next(5), "event: left_out\ndata: {\"reports\":3}\n\n5;");
    happening_.happened = 6;
    EXPECT_EQ(tick(quick, 6)[0], "6;");
    EXPECT_EQ(slow->next(6), "6;") << "it has caught up";
}

TEST_F(SharedReportsTest, that_could_not_be_made_are_counted_for_all_and_made_up_for) {
    std::vector<Watcher> watchers;
    watchers.push_back(watch());
    watchers.push_back(watch());
    tick(watchers, 1);
    happening_.broken = true;
    happening_.happened = 1;
    for (int second = 2; second <= 3; ++second) {
        EXPECT_EQ(tick(watchers, second), std::vector<std::string>(2, ""));
    }
    EXPECT_EQ(happening_.attempts, 3) << "one a second";
    happening_.broken = false;
    EXPECT_EQ(
        tick(watchers, 4),
        std::vector<std::string>(2, "event: left_out\ndata: {\"reports\":2}\n\n1;")
    );
}

TEST_F(SharedReportsTest, of_a_newcomer_come_first_and_are_never_left_out) {
    std::vector<Watcher> early;
    early.push_back(watch());
    EXPECT_EQ(tick(early, 1)[0], "0;");
    const Watcher same_second = watch();
    EXPECT_EQ(same_second->next(1), "0;") << "that of others is of now";
    EXPECT_EQ(happening_.attempts, 1);

    std::vector<Watcher> late;
    late.push_back(watch());
    happening_.broken = true;
    EXPECT_EQ(tick(late, 5)[0], "");
    EXPECT_EQ(tick(late, 6)[0], "");
    happening_.broken = false;
    EXPECT_EQ(tick(late, 7)[0], "0;") << "made for it, though nothing is new";
    EXPECT_EQ(early[0]->next(7), "") << "the others know that";
}

TEST_F(SharedReportsTest, are_made_when_a_full_pool_has_room_again) {
    runtime::BlockingPool full{1, 1};
    std::latch begun{1};
    std::latch released{1};
    ASSERT_TRUE(full.submit([&] {
        begun.count_down();
        released.wait();
    }));
    begun.wait();
    ASSERT_TRUE(full.submit([] {}));
    const auto reports = std::make_shared<SharedReports>(full);
    const auto watcher = reports->watch(
        "a", [&] { return std::make_unique<TestSource>(happening_); }, [this] { ++woken_; }
    );
    EXPECT_EQ(watcher->next(1), "");
    EXPECT_EQ(watcher->next(2), "");
    released.count_down();
    settle(full);
    EXPECT_EQ(happening_.attempts, 0);
    EXPECT_EQ(watcher->next(3), "") << "it is made now";
    settle(full);
    EXPECT_EQ(watcher->next(3), "0;");
    full.stop();
}

TEST_F(SharedReportsTest, that_are_kept_are_bounded_and_made_again_for_who_was_slow) {
    constexpr std::size_t large = 1000;
    reports_ = std::make_shared<SharedReports>(pool_, 2 * large + large / 2);
    std::vector<Watcher> watchers;
    for (const char* subject : {"a", "b", "c"}) {
        happenings_[subject].filler = large;
        watchers.push_back(watch(subject));
    }
    for (const Watcher& each : watchers) {
        each->next(1);
        settle();
    }
    EXPECT_EQ(watchers[0]->next(1), "") << "dropped for the others";
    EXPECT_EQ(watchers[1]->next(1).substr(0, 2), "0;");
    EXPECT_EQ(watchers[2]->next(1).substr(0, 2), "0;");
    watchers[0]->next(2);
    settle();
    EXPECT_EQ(watchers[0]->next(2).substr(0, 2), "0;");
    EXPECT_EQ(happening_.attempts, 2);
}

TEST_F(SharedReportsTest, are_not_made_for_who_left) {
    std::latch released{1};
    ASSERT_TRUE(pool_.submit([&] { released.wait(); }));
    watch()->next(1);
    const Watcher stays = watch("b");
    stays->next(1);
    released.count_down();
    settle();
    EXPECT_EQ(happening_.attempts, 0);
    EXPECT_EQ(stays->next(1), "0;");
}

TEST_F(SharedReportsTest, go_on_when_the_clock_was_set_back) {
    std::vector<Watcher> watchers;
    watchers.push_back(watch());
    EXPECT_EQ(tick(watchers, 5000)[0], "0;");
    happening_.happened = 1;
    EXPECT_EQ(tick(watchers, 1400)[0], "1;");
}

}  // namespace
}  // namespace footfall::api
