// Events that come as requests came to a web site on the busiest day of a world cup.

#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <gmock/gmock.h>

#include <string>

namespace footfall::acceptance {
namespace {

using namespace test_support;

class EventProfile : public RunningServer {
protected:
    const std::string file_ = FOOTFALL_DATA_DIR "/traffic-worldcup98/requests_per_minute.csv.gz";
};

TEST_F(EventProfile, is_that_of_a_real_day_and_every_event_of_it_is_counted) {
    // So few events a request that any machine takes them as they are due, on a cluster as well:
    // the shape of the day is what is looked at, not how much can be taken.
    const std::string report = directory_ / "report.json";
    const CommandResult done =
        run_footfall({"bench",     "events",     "--server",  server_.url(), "--profile",   file_,
                      "--period",  "1998-06-30", "--rate",    "30",          "--batch",     "10",
                      "--objects", "500",        "--warm-up", "0.5",         "--duration",  "8",
                      "--window",  "1",          "--json",    report,        "--verify-all"});
    ASSERT_EQ(done.exit_code, 0) << done.output << done.errors;
    EXPECT_THAT(done.output, testing::HasSubstr("500 had to be exact and are, 0 are wrong"));
    EXPECT_THAT(done.output, testing::ContainsRegex("\nevents  [0-9]+ a second\n"));
    const auto json = parse_object(read_text(report));
    double in_the_first_half = 0;  // due, whether or not the machine was fast enough for all
    for (const auto& window : json.at("windows").as_array()) {
        const bool early = window.at("start").to_number<double>() < 3.9;
        in_the_first_half += early ? window.at("due").to_number<double>() : 0;
    }
    // That day had 15 of 100 requests in its first half.
    EXPECT_NEAR(json.at("total").at("due").to_number<double>(), 240, 2);
    EXPECT_GT(in_the_first_half, 10);
    EXPECT_LT(in_the_first_half, 60);
}

TEST_F(EventProfile, without_a_line_of_the_period_is_refused) {
    const CommandResult done = run_footfall(
        {"bench",
         "events",
         "--server",
         server_.url(),
         "--profile",
         file_,
         "--period",
         "2026-06-30",
         "--rate",
         "30"}
    );
    EXPECT_EQ(done.exit_code, 2);
    EXPECT_THAT(done.errors, testing::HasSubstr("begins with \"2026-06-30\""));
}

}  // namespace
}  // namespace footfall::acceptance
