#include "cli/demo_ads.h"
#include "cli/demo_customers.h"
#include "cli/demo_ledger.h"
#include "cli/demo_people.h"
#include "cli/demo_segments.h"
#include "foundation/calendar_day.h"
#include "foundation/clock.h"
#include "foundation_testing/temporary_directory.h"
#include "http_server/client.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/run_command.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace footfall {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;
using namespace test_support;

/// The demo of this directory, once it serves.
class RunningDemo {
public:
    explicit RunningDemo(const std::string& directory)
        : process_{footfall_command({"demo", "--listen", "127.0.0.1:0", "--data", directory})} {
        EXPECT_TRUE(eventually([&] { return process_.output().ends_with(")\n"); }))
            << process_.errors();
    }

    std::string url() const {
        const std::string said = process_.output();
        const std::size_t begin = said.find("http://");
        return said.substr(begin, said.find("/ ") - begin);
    }

    void stop() {
        process_.send_signal(SIGTERM);
        EXPECT_EQ(process_.wait(15s).exit_code, 0) << process_.errors();
    }

private:
    ChildProcess process_;
};

TEST(Demo, shows_traffic_and_stops) {
    const TemporaryDirectory directory;
    RunningDemo demo{directory / "demo"};
    EXPECT_TRUE(eventually([&] {
        const auto counts = run_footfall({"count", "--all", "--server", demo.url()});
        return counts.exit_code == 0 && !counts.output.empty();
    }));
    demo.stop();
}

/// What the demo at `url` answers to a GET.
std::string told(const std::string& url, std::string_view target) {
    http_server::Client client{*http_server::parse_server_url(url)};
    const auto answer = client.send(http_server::Method::get, target);
    return answer ? answer->body : answer.error().message;
}

/// The sums of an income, without how far they are sealed.
std::string sums_told(const std::string& url, std::string_view target) {
    const std::string income = told(url, target);
    return income.substr(0, income.find(R"("sealed")"));
}

TEST(Demo, has_three_years_of_clicks_that_are_told_once) {
    const TemporaryDirectory directory;
    constexpr std::string_view long_ago =
        "/api/v1/resellers/emma/income?from=2024-12-01&to=2025-01-31&group_by=none";
    std::string income;
    {
        RunningDemo demo{directory / "demo"};
        const std::string url = demo.url();
        EXPECT_TRUE(eventually(
            [&] { return told(url, "/api/v1/ledger/months").contains(R"("state":"sealed")"); },
            100s,
            100ms
        )) << told(url, "/api/v1/ledger/months");
        income = sums_told(url, long_ago);
        EXPECT_THAT(income, HasSubstr(R"("currency":"EUR")"));
        demo.stop();
    }
    RunningDemo again{directory / "demo"};
    EXPECT_EQ(sums_told(again.url(), long_ago), income);
    again.stop();
}

/// The amount of a day, as the server tells it.
std::string amount_told(const std::string& url, std::int32_t day) {
    const std::string split = told(
        url, fmt::format("/api/v1/ledger/split?from={0}&to={0}&currency=EUR", format_day(day))
    );
    const std::size_t begin = split.find(R"("amount")");
    return split.substr(begin, split.find(',', begin) - begin);
}

TEST(Demo, makes_up_for_the_days_on_which_it_rested) {
    const TemporaryDirectory directory;
    const FootfallProcess server{directory / "data"};
    const auto url = *http_server::parse_server_url(server.url());
    const SystemClock now;
    const auto today = static_cast<std::int32_t>(
        std::chrono::floor<std::chrono::days>(now.now()).time_since_epoch().count()
    );
    ManualClock before{now.now() - 4 * 24h};
    {
        const cli::DemoLedger ledger{url, before, {}};
        const std::string last = cli::demo_rates(today).back().target();
        EXPECT_TRUE(eventually(
            [&] {
                return told(server.url(), last.substr(0, last.rfind('/'))).contains("new contract");
            },
            100s,
            100ms
        ));
    }
    const std::string yesterday = amount_told(server.url(), today - 1);
    EXPECT_EQ(yesterday, R"("amount":"0")");
    const std::string earlier = amount_told(server.url(), today - 10);
    EXPECT_NE(earlier, yesterday);
    const cli::DemoLedger again{url, now, {}};
    for (std::int32_t day = today - 3; day < today; ++day) {
        EXPECT_TRUE(eventually([&] { return amount_told(server.url(), day) != yesterday; }))
            << format_day(day);
    }
    EXPECT_EQ(amount_told(server.url(), today - 10), earlier);
}

TEST(Demo, has_people_who_read_and_leaves_them_as_they_are) {
    const TemporaryDirectory directory;
    const cli::DemoPerson& last = cli::demo_people().back();
    const std::string friends =
        "/api/v1/people/" + http_server::percent_encode(last.name) + "/friends";
    const std::string first = "/api/v1/people/" + cli::demo_people().front().name;
    {
        RunningDemo demo{directory / "demo"};
        EXPECT_TRUE(eventually(
            [&] {
                return told(demo.url(), friends)
                    .contains(fmt::format(R"("count":{})", last.friends.size()));
            },
            100s,
            100ms
        )) << told(demo.url(), friends);
        EXPECT_THAT(told(demo.url(), first), HasSubstr(R"("reading":"shared")"));
        const std::string all = told(demo.url(), "/api/v1/views?action=read");
        EXPECT_THAT(all, testing::ContainsRegex("\"counted\":[1-9][0-9]{4},")) << "two days of it";
        http_server::Client client{*http_server::parse_server_url(demo.url())};
        ASSERT_TRUE(client.send(http_server::Method::put, first, R"({"reading":"off"})"));
        demo.stop();
    }
    RunningDemo again{directory / "demo"};
    // Only after all that is said of people does a read of now come.
    const std::string_view reads = "/api/v1/views?action=read";
    const std::string before = told(again.url(), reads);
    EXPECT_TRUE(eventually([&] { return told(again.url(), reads) != before; }, 30s));
    EXPECT_THAT(told(again.url(), first), HasSubstr(R"("reading":"off")"));
    again.stop();
}

std::string path_of(const events::Identifier& id) {
    return fmt::format(
        "/api/v1/identities/{}/{}/{}",
        http_server::percent_encode(id.identifier),
        http_server::percent_encode(id.id_name),
        http_server::percent_encode(id.id_value)
    );
}

TEST(Demo, has_customers_whom_nobody_glues_together_for_long) {
    const TemporaryDirectory directory;
    RunningDemo demo{directory / "demo"};
    const auto sid_of = [&](const events::Identifier& id) {
        const std::string answer = told(demo.url(), path_of(id));
        return answer.substr(0, answer.find(R"(","identifier)"));
    };
    const auto sid_of_customer = [&](std::size_t customer) {
        return sid_of(cli::demo_id(customer, 0));
    };
    // Each id is known once its lane has been written, in no order.
    const auto is_told = [&](const events::Identifier& id, std::string_view what) {
        return eventually(
            [&] { return told(demo.url(), path_of(id)).contains(what); }, 100s, 100ms
        );
    };
    ASSERT_TRUE(is_told(cli::demo_kiosk(), R"("shared":true)"));
    for (std::size_t network = 0; network < cli::demo_networks; ++network) {
        ASSERT_TRUE(is_told(cli::demo_id(cli::demo_customers - 1, network), R"("sid":)"));
        ASSERT_TRUE(is_told(cli::demo_id(cli::demo_mix_up(0).other, network), R"("sid":)"));
        for (std::size_t guest = 0; guest < cli::demo_kiosk_guests; ++guest) {
            ASSERT_TRUE(is_told(cli::demo_id(guest, network), R"("sid":)"));
        }
    }
    std::set<std::string> guests;
    for (std::size_t guest = 0; guest < cli::demo_kiosk_guests; ++guest) {
        guests.insert(sid_of_customer(guest));
        EXPECT_EQ(sid_of_customer(guest), sid_of(cli::demo_id(guest, 1)));
    }
    EXPECT_EQ(guests.size(), cli::demo_kiosk_guests);
    const auto [one, other] = cli::demo_mix_up(0);
    const auto are_one = [&] { return sid_of_customer(one) == sid_of_customer(other); };
    EXPECT_TRUE(eventually(are_one, 30s, 100ms));
    EXPECT_TRUE(eventually([&] { return !are_one(); }, 60s, 100ms));
    EXPECT_EQ(sid_of_customer(other), sid_of(cli::demo_id(other, 4))) << "all ids of theirs";
    demo.stop();
}

TEST(Demo, has_four_segments_that_move) {
    const TemporaryDirectory directory;
    RunningDemo demo{directory / "demo"};
    for (const std::string_view segment : cli::demo_segments) {
        const std::string path = fmt::format("/api/v1/segments/{}", segment);
        EXPECT_TRUE(eventually(
            [&] {
                const std::string size = told(demo.url(), path);
                return size.contains(R"("people":)") && !size.contains(R"("people":0,)");
            },
            100s,
            100ms
        )) << told(demo.url(), path);
    }
    const auto last_change = [&](std::string_view segment) {
        std::string answer =
            told(demo.url(), fmt::format("/api/v1/segments/{}/changes?limit=10000", segment));
        return answer.substr(answer.find(R"("next":)"));
    };
    const std::string before = last_change(cli::demo_segments[1]);
    EXPECT_TRUE(eventually([&] { return last_change(cli::demo_segments[1]) != before; }, 60s, 100ms)
    );
    demo.stop();
}

TEST(Demo, sends_traffic_to_a_server_that_runs) {
    const TemporaryDirectory directory;
    const FootfallProcess server{directory / "data"};
    ChildProcess demo{footfall_command({"demo", "--server", server.url()})};
    EXPECT_TRUE(eventually([&] {
        const auto counts = run_footfall({"count", "--all", "--server", server.url()});
        return counts.exit_code == 0 && !counts.output.empty();
    }));
    demo.send_signal(SIGTERM);
    EXPECT_EQ(demo.wait(15s).exit_code, 0) << demo.errors();
    const auto both = run_footfall({"demo", "--server", server.url(), "--data", directory / "own"});
    EXPECT_EQ(both.exit_code, 2);
}

}  // namespace
}  // namespace footfall
