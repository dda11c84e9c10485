#include "cli/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::cli {
namespace {

using std::chrono::microseconds;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(RenderProgress, says_how_far_how_fast_and_how_long) {
    const struct {
        ProgressState state;
        microseconds elapsed;
        std::string_view line;
    } cases[] = {
        {{.records = 248'000, .bytes_done = 430, .bytes_total = 1000},
         800ms,
         "  43 %  248,000 records  310,000/s  1 s left"},
        {{.records = 0, .bytes_done = 0, .bytes_total = 1000}, 0us, "   0 %  0 records"},
        {{.records = 1, .bytes_done = 1, .bytes_total = 1000}, 50ms, "   0 %  1 record"},
        {{.records = 10, .bytes_done = 0, .bytes_total = 1000}, 2s, "   0 %  10 records  5/s"},
        {{.records = 999, .bytes_done = 999, .bytes_total = 1000},
         1s,
         "  99 %  999 records  999/s  0 s left"},
        {{.records = 1'000'000, .bytes_done = 2000, .bytes_total = 1000},
         10s,
         "  100 %  1,000,000 records  100,000/s  0 s left"},
        {{.records = 0, .bytes_done = 0, .bytes_total = 0}, 0s, "  100 %  0 records"},
        {{.records = 1234, .bytes_done = 77}, 1s, "  1,234 records  1,234/s"},
        {{.records = 60, .bytes_done = 1, .bytes_total = 3},
         60s,
         "  33 %  60 records  1/s  2 min 00 s left"},
        {{.records = 60, .bytes_done = 1, .bytes_total = 100},
         60s,
         "   1 %  60 records  1/s  1 h 39 min left"},
    };

    for (const auto& [state, elapsed, line] : cases) {
        EXPECT_EQ(render_progress(state, elapsed, 80), line);
    }
}

TEST(RenderProgress, leaves_out_parts_from_the_right_where_the_terminal_is_narrow) {
    const ProgressState state{.records = 248'100, .bytes_done = 43, .bytes_total = 100};

    const struct {
        std::size_t width;
        std::string_view line;
    } cases[] = {
        {44, "  43 %  248,100 records  310,125/s  1 s left"},
        {43, "  43 %  248,100 records  310,125/s"},
        {34, "  43 %  248,100 records  310,125/s"},
        {33, "  43 %  248,100 records"},
        {22, "  43 %"},
        {5, ""},
        {0, ""},
    };

    for (const auto& [width, line] : cases) {
        EXPECT_EQ(render_progress(state, 800ms, width), line) << width;
    }
}

struct Screen {
    std::vector<std::string> writes;
    std::size_t width = 80;

    ProgressOutput output(ProgressOutput::Kind kind) {
        return {
            .kind = kind,
            .width = [this] { return width; },
            .write = [this](std::string_view text) { writes.emplace_back(text); }
        };
    }
};

TEST(Progress, writes_over_its_line_at_most_five_times_a_second_on_a_terminal) {
    ManualClock clock{Instant{}};
    Screen screen;
    Progress progress{clock, screen.output(ProgressOutput::Kind::terminal)};
    for (std::uint64_t step = 0; step < 1000; ++step) {
        progress.update({.records = step, .bytes_done = step, .bytes_total = 1000});
        clock.advance(1ms);
    }
    ASSERT_EQ(screen.writes.size(), 4U);
    EXPECT_EQ(screen.writes[0], "\r  20 %  200 records  1,000/s  0 s left");
}

TEST(Progress, erases_what_a_longer_line_left_and_clears_itself) {
    ManualClock clock{Instant{}};
    Screen screen;
    {
        Progress progress{clock, screen.output(ProgressOutput::Kind::terminal)};
        clock.advance(1s);
        progress.update({.records = 1000});
        screen.width = 16;
        clock.advance(1s);
        progress.update({.records = 1000});
        progress.clear();
        progress.clear();
        clock.advance(1s);
        progress.update({.records = 3000});
    }
    EXPECT_THAT(
        screen.writes,
        ElementsAre(
            "\r  1,000 records  1,000/s",
            "\r  1,000 records ",
            "\r               \r",
            "\r  3,000 records",
            "\r               \r"
        )
    );
}

TEST(Progress, keeps_off_the_last_column_of_a_terminal) {
    ManualClock clock{Instant{}};
    Screen screen{.writes = {}, .width = 15};
    Progress progress{clock, screen.output(ProgressOutput::Kind::terminal)};
    clock.advance(1s);
    progress.update({.records = 1000});
    EXPECT_THAT(screen.writes, ElementsAre("\r"));
}

TEST(Progress, is_a_plain_line_every_ten_seconds_elsewhere) {
    ManualClock clock{Instant{}};
    Screen screen;
    {
        Progress progress{clock, screen.output(ProgressOutput::Kind::plain)};
        for (std::uint64_t step = 0; step <= 250; ++step) {
            progress.update({.records = step});
            clock.advance(100ms);
        }
    }
    EXPECT_THAT(screen.writes, ElementsAre("  100 records  10/s\n", "  200 records  10/s\n"));
}

TEST(Progress, leaves_no_trace_of_short_work) {
    ManualClock clock{Instant{}};
    Screen screen;
    {
        Progress progress{clock, screen.output(ProgressOutput::Kind::terminal)};
        clock.advance(199ms);
        progress.update({.records = 1});
    }
    EXPECT_THAT(screen.writes, IsEmpty());
}

TEST(Progress, goes_on_when_the_clock_is_set_back) {
    ManualClock clock{Instant{} + 24h};
    Screen screen;
    Progress progress{clock, screen.output(ProgressOutput::Kind::terminal)};
    clock.set(Instant{});
    progress.update({.records = 5});
    EXPECT_THAT(screen.writes, ElementsAre("\r  5 records"));
}

}  // namespace
}  // namespace footfall::cli
