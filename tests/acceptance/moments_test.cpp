// `footfall restore --time`: a data directory as it was at any moment, of which the test knows what
// had been acknowledged by then.

#include "events/rfc3339.h"
#include "foundation/clock.h"
#include "foundation_testing/temporary_directory.h"
#include "moving_parts.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/random_seed.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace footfall::acceptance {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using namespace test_support;

/// When each of a sequence of requests was sent and answered.
struct Deed {
    Instant sent;
    Instant answered;
};

/// What may be there as of a moment: between `least` and `most` deeds.
struct Bounds {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
};

Bounds bounds_at(const std::vector<Deed>& deeds, Instant moment) {
    const auto count = [&](Instant Deed::* time) {
        return static_cast<std::uint64_t>(std::ranges::count_if(deeds, [&](const Deed& deed) {
            return deed.*time <= moment;
        }));
    };
    return {.least = count(&Deed::answered), .most = count(&Deed::sent)};
}

class Moments : public testing::Test {
protected:
    std::string fresh(const std::string& name) const { return here_ / name; }

    std::string place() const { return fresh("place"); }

    /// Does `deed` with 1, 2, 3 and so on until it is stopped, and notes when. A failed one is the
    /// last.
    std::jthread sender(
        std::vector<Deed>& deeds, const std::function<void(Api&, std::size_t)>& deed
    ) {
        return std::jthread{[this, &deeds, deed](const std::stop_token& stop) {
            Api api{*server_};
            while (!stop.stop_requested()) {
                const Instant sent = clock_.now();
                deed(api, deeds.size() + 1);
                deeds.push_back({.sent = sent, .answered = clock_.now()});
                ++done_;
            }
        }};
    }

    /// Some deeds of both kinds, and backups between them.
    void run(int backups) {
        const std::jthread tokens = sender(tokens_, [](Api& api, std::size_t number) {
            api.put("o", fmt::format("t{}", number));
        });
        const std::jthread views = sender(views_, [](Api& api, std::size_t number) {
            api.post_events(fmt::format(
                R"({{"id":"v{}","action":"view","object":"o","actor":"p{}"}})", number, number
            ));
        });
        for (int count = 0; count < backups; ++count) {
            const int before = done_;
            run_well({"backup", "--server", server_->url()});
            ASSERT_TRUE(eventually([&] { return done_ > before + 100; }));
        }
    }

    /// Restores as of `moment` and holds it to what was acknowledged by then.
    void expect_as_at(Instant moment, const std::string& name) {
        const std::string when = events::format_rfc3339(moment);
        run_well({"restore", "--from", place(), "--data", fresh(name), "--time", when});
        const Bounds tokens = bounds_at(tokens_, moment);
        const Bounds views = bounds_at(views_, moment);
        FootfallProcess restored{fresh(name)};
        Api api{restored};
        const std::uint64_t tokens_found = api.count("o");
        EXPECT_GE(tokens_found, tokens.least) << when;
        EXPECT_LE(tokens_found, tokens.most) << when;
        const auto views_found = api.views("o").at("counted").to_number<std::uint64_t>();
        EXPECT_GE(views_found, views.least) << when;
        EXPECT_LE(views_found, views.most) << when;
        EXPECT_EQ(restored.stop(), 0);
        run_well({"verify", "views", "--data", fresh(name)});
        fs::remove_all(fresh(name));
    }

    const TemporaryDirectory here_;
    const SystemClock clock_;
    Random random_{random_seed()};
    std::unique_ptr<FootfallProcess> server_;
    std::vector<Deed> tokens_;  // written by one thread at a time, read when it has ended
    std::vector<Deed> views_;
    std::atomic<int> done_ = 0;
};

TEST_F(Moments, between_backups_are_restored_as_they_were) {
    const std::vector<std::string> flags{"--backup-directory", place()};
    server_ = std::make_unique<FootfallProcess>(fresh("data"), flags);
    run(3);
    server_->kill();
    server_->restart(flags);
    run(2);
    run_well({"backup", "--server", server_->url()});
    server_->kill();

    const CommandResult listed = run_well({"backup", "list", "--from", place(), "--json"});
    const auto moments = parse_object(listed.output).at("moments").as_array();
    ASSERT_FALSE(moments.empty()) << listed.output;
    // A key that is destroyed takes what was written since the last backup with it: then there are
    // several spans, or less of the first.
    const auto time_of = [&](std::size_t span, const char* name) {
        return *events::parse_rfc3339(std::string{moments[span].at(name).as_string()});
    };
    const std::uint64_t count = environment_number("FOOTFALL_MOMENTS", 5);
    for (std::uint64_t each = 0; each < count; ++each) {
        const std::size_t span = random_.below(moments.size());
        const Instant first = time_of(span, "first");
        const auto length = static_cast<std::uint64_t>((time_of(span, "last") - first).count());
        expect_as_at(
            first + std::chrono::microseconds{static_cast<std::int64_t>(random_.below(length))},
            fmt::format("restored{}", each)
        );
    }
    expect_as_at(time_of(moments.size() - 1, "last"), "last");
}

TEST_F(Moments, that_nobody_kept_are_refused) {
    server_ = std::make_unique<FootfallProcess>(
        fresh("data"),
        std::vector<std::string>{"--backup-directory", place(), "--backup-history", "none"}
    );
    run(1);
    const Instant between = clock_.now();
    run(1);
    ASSERT_EQ(server_->stop(), 0);
    const auto refused = [&](const std::string& time, int exit_code) {
        const CommandResult result =
            run_footfall({"restore", "--from", place(), "--data", fresh("target"), "--time", time});
        EXPECT_EQ(result.exit_code, exit_code) << result.errors;
        EXPECT_FALSE(fs::exists(fresh("target") + "/CURRENT"));
        return result.errors;
    };
    EXPECT_THAT(refused(events::format_rfc3339(between), 1), HasSubstr("backup_history"));
    EXPECT_THAT(refused(events::format_rfc3339(clock_.now()), 1), HasSubstr("no backup was made"));
    const std::string before = refused("2026-11-30T10:00:00Z", 1);
    EXPECT_THAT(before, HasSubstr("there is no backup as old; nor can any other moment"));
    EXPECT_THAT(refused("2026-11-30T10:00:00", 2), HasSubstr("--time takes a moment"));
    EXPECT_THAT(refused("yesterday", 2), HasSubstr("not \"yesterday\""));
    EXPECT_EQ(
        run_footfall({"restore",
                      "--from",
                      place(),
                      "--data",
                      fresh("target"),
                      "--time",
                      "2026-11-30T10:00:00Z",
                      "--backup",
                      "x"})
            .exit_code,
        2
    );
}

}  // namespace
}  // namespace footfall::acceptance
