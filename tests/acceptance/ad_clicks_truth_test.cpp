// Real banners: each row a view, each click a click, counted by item, day, position and serving
// policy as the data set says; repeats, robots and HEAD among them are refused, each by its reason.

#include "foundation/lines.h"
#include "moving_parts.h"
#include "test_support/must.h"
#include "test_support/running_server.h"
#include "test_support/truth.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::acceptance {
namespace {

using http_server::Method;
using namespace test_support;

constexpr const char* banners = FOOTFALL_DATA_DIR "/ads-openbandit-women/";
constexpr std::uint64_t rows_a_policy = 10'000;
constexpr std::uint64_t clicks_a_policy = 46;

/// By name; the JSON of an object of numbers.
Counts counts_in(const boost::json::value& object) {
    Counts counts;
    for (const auto& [name, number] : object.as_object()) {
        counts[std::string{name}] = number.to_number<std::uint64_t>();
    }
    return counts;
}

std::uint64_t number_in(const boost::json::object& object, std::string_view name) {
    return object.at(name).to_number<std::uint64_t>();
}

std::uint64_t sum_of(const Counts& counts) {
    std::uint64_t sum = 0;
    for (const auto& [name, count] : counts) {
        sum += count;
    }
    return sum;
}

/// One click of the data set, as tests/ads/banner_clicks.py writes it.
struct Click {
    std::string actor;
    std::string time;
    std::string item;
    std::string position;
};

/// The real clicks of a serving policy: a header and a line for each.
std::string clicks_csv(const std::string& policy) {
    CommandResult made = run_command(
        {.words =
             {FOOTFALL_PYTHON,
              FOOTFALL_ADS_SCRIPTS "/banner_clicks.py",
              fmt::format("{}{}_women.csv.gz", banners, policy)}}
    );
    if (made.exit_code != 0) {
        give_up(made.errors);
    }
    return std::move(made.output);
}

std::vector<Click> read_clicks(std::string_view csv) {
    std::vector<Click> clicks;
    take_line(csv);  // the header
    while (!csv.empty()) {
        std::string_view line = take_line(csv);
        Click& click = clicks.emplace_back();
        for (std::string* const each : {&click.actor, &click.time, &click.item, &click.position}) {
            *each = line.substr(0, line.find(','));
            line.remove_prefix(std::min(each->size() + 1, line.size()));
        }
    }
    return clicks;
}

class AdClicks : public testing::TestWithParam<std::string> {
protected:
    void import(const std::string& file, const std::string& map, const std::string& action) {
        const CommandResult done = run_well(
            {"import",
             file,
             "--as",
             "events",
             "--format",
             "csv",
             "--map",
             map,
             "--set",
             "action=" + action,
             "--set",
             "reseller=" + GetParam(),
             "--server",
             server_.url()}
        );
        const std::uint64_t rows = action == "view" ? rows_a_policy : clicks_a_policy;
        EXPECT_EQ(done.last_line(), fmt::format("imported {} duplicates 0 rejected 0", rows));
        sent_ += rows;
        api_.wait_until_counted(sent_);
    }

    void import_clicks() {
        import(
            directory_.write("clicks.csv", clicks_),
            "time=timestamp,object=item_id,publisher=position,actor=row",
            "click"
        );
    }

    /// The answer about the clicks of an ad, a reseller or a publisher, which must add up.
    boost::json::object clicks_of(const std::string& path) {
        const auto answer = api_.get_json("/api/v1/" + path + "/clicks");
        EXPECT_EQ(
            number_in(answer, "events"),
            number_in(answer, "clicks") + sum_of(counts_in(answer.at("refused")))
        ) << path;
        return answer;
    }

    std::vector<std::string> items() const {
        std::vector<std::string> names;
        const std::string text =
            read_gzip(fmt::format("{}{}_women_item_context.csv.gz", banners, GetParam()));
        std::string_view left = text;
        take_line(left);  // the header
        while (!left.empty()) {
            std::string_view line = take_line(left);
            line.remove_prefix(line.find(',') + 1);
            names.emplace_back(line.substr(0, line.find(',')));
        }
        return names;
    }

    void expect_clicks_of_the_truth() {
        Counts days;
        const auto reseller = clicks_of("resellers/" + GetParam());
        for (const boost::json::value& day : reseller.at("days").as_array()) {
            const auto clicks = number_in(day.as_object(), "clicks");
            if (clicks > 0) {
                days[std::string{day.at("day").as_string()}] = clicks;
            }
        }
        EXPECT_EQ(differences(counts_in(truth_.at("clicks_by_day_utc")), days), "");
        EXPECT_EQ(number_in(reseller, "clicks"), number_in(truth_, "clicks"));

        Counts positions;
        for (const char* const position : {"1", "2", "3"}) {
            positions[position] =
                number_in(clicks_of(fmt::format("publishers/{}", position)), "clicks");
        }
        EXPECT_EQ(differences(counts_in(truth_.at("clicks_by_position")), positions), "");

        for (const boost::json::value& top : truth_.at("top10_items_by_clicks").as_array()) {
            const std::string item{top.at("item").as_string()};
            EXPECT_EQ(
                number_in(clicks_of("ads/" + item), "clicks"), number_in(top.as_object(), "clicks")
            ) << item;
        }
    }

    const TemporaryDirectory directory_;
    const boost::json::object truth_ =
        parse_object(read_text(std::string{banners} + "truth.json")).at(GetParam()).as_object();
    const std::string clicks_ = clicks_csv(GetParam());
    FootfallProcess server_{directory_ / "data"};
    Api api_{server_};
    std::uint64_t sent_ = 0;
};

TEST_P(AdClicks, and_views_are_those_of_the_data) {
    import(
        fmt::format("{}{}_women.csv.gz", banners, GetParam()),
        "time=timestamp,object=item_id,publisher=position",
        "view"
    );
    import_clicks();
    expect_clicks_of_the_truth();

    Counts days;
    Counts views;
    for (const std::string& item : items()) {
        const auto answer = api_.views(item);
        views[item] = number_in(answer, "counted");
        for (const boost::json::value& day : answer.at("days").as_array()) {
            days[std::string{day.at("day").as_string()}] += number_in(day.as_object(), "counted");
        }
    }
    EXPECT_EQ(views.size(), number_in(truth_, "distinct_items"));
    EXPECT_EQ(sum_of(views), number_in(truth_, "rows (impressions)"));
    EXPECT_EQ(differences(counts_in(truth_.at("rows_by_day_utc")), days), "");
    for (const boost::json::value& top : truth_.at("top10_items_by_clicks").as_array()) {
        const std::string item{top.at("item").as_string()};
        EXPECT_EQ(views[item], number_in(top.as_object(), "impressions")) << item;
    }
}

TEST_P(AdClicks, are_the_same_with_repeats_robots_and_head_among_them) {
    import_clicks();
    const auto line = [&](const Click& click, std::string_view actor, std::string_view more) {
        return fmt::format(
            R"({{"action":"click","time":"{}T{}","object":"{}","publisher":"{}","reseller":"{}",)"
            R"("actor":"{}"{}}})"
            "\n",
            click.time.substr(0, 10),
            click.time.substr(11),
            click.item,
            click.position,
            GetParam(),
            actor,
            more
        );
    };
    std::string noise;
    Counts heads;
    for (const Click& click : read_clicks(clicks_)) {
        noise += line(click, click.actor, "");  // in the same moment
        noise += line(click, "robot", R"(,"agent":"Googlebot/2.1")");
        ++heads[click.item];
    }
    const auto taken = api_.post_events(noise);
    EXPECT_EQ(number_in(taken, "accepted"), 2 * clicks_a_policy);
    for (const auto& [item, clicks] : heads) {
        const auto registered = api_.send(
            Method::put, "/api/v1/ads/" + item, R"({"targets":["https://shop.example/"]})"
        );
        ASSERT_EQ(registered.status / 100, 2) << registered.body;
        EXPECT_EQ(api_.send(Method::head, "/r/" + item).status, 302);
    }
    sent_ += 2 * clicks_a_policy + heads.size();
    api_.wait_until_counted(sent_);

    expect_clicks_of_the_truth();
    const Counts refused{{"not_human", clicks_a_policy}, {"repeat_fast", clicks_a_policy}};
    EXPECT_EQ(
        differences(refused, counts_in(clicks_of("resellers/" + GetParam()).at("refused"))), ""
    );
    Counts by_ad;
    for (const auto& [item, clicks] : heads) {
        for (const auto& [reason, count] : counts_in(clicks_of("ads/" + item).at("refused"))) {
            by_ad[reason] += count;
        }
    }
    const Counts with_heads{
        {"not_human", clicks_a_policy + heads.size()}, {"repeat_fast", clicks_a_policy}
    };
    EXPECT_EQ(differences(with_heads, by_ad), "");
}

INSTANTIATE_TEST_SUITE_P(, AdClicks, testing::Values("random", "bts"), [](const auto& policy) {
    return policy.param;
});

}  // namespace
}  // namespace footfall::acceptance
