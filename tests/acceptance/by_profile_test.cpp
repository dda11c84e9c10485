// People where somebody with a phone, a laptop and an account at a shop is one person.

#include "foundation/random.h"
#include "identities_server.h"
#include "test_support/eventually.h"
#include "test_support/random_seed.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace footfall::acceptance {
namespace {

using namespace test_support;
using http_server::Method;
using testing::HasSubstr;

constexpr std::string_view range = "from=2026-11-01&to=2026-11-30";

std::string actor_json(const std::string& actor) {
    return fmt::format(R"({{"identifier":"footfall","id_name":"actor","id_value":"{}"}})", actor);
}

struct Figures {
    std::uint64_t counted = 0;
    std::uint64_t actors = 0;
    std::uint64_t people = 0;

    friend bool operator==(const Figures&, const Figures&) = default;

    friend void PrintTo(const Figures& each, std::ostream* out) {
        *out << each.counted << " of " << each.actors << " actors who are " << each.people;
    }
};

Figures figures_in(const boost::json::object& json, const char* counted) {
    const auto number = [&](const char* name) { return json.at(name).to_number<std::uint64_t>(); };
    return {.counted = number(counted), .actors = number("actors"), .people = number("people")};
}

using Days = std::map<std::string, Figures>;

Days days_in(const boost::json::object& json, const char* counted) {
    Days days;
    for (const auto& each : json.at("days").as_array()) {
        days[each.at("day").as_string().c_str()] = figures_in(each.as_object(), counted);
    }
    return days;
}

class ByProfile : public IdentitiesServer {
protected:
    boost::json::object views(const std::string& object, std::string_view query = range) {
        return api_.get_json(fmt::format("/api/v1/views/{}?by=profile&{}", object, query));
    }

    boost::json::object clicks(const std::string& of, std::string_view query = range) {
        return api_.get_json(fmt::format("/api/v1/{}/clicks?by=profile&{}", of, query));
    }

    std::string unite(const std::vector<std::string>& actors) {
        std::string ids;
        for (const std::string& each : actors) {
            ids += (ids.empty() ? "" : ",") + actor_json(each);
        }
        const auto answer = api_.send(
            Method::post, "/api/v1/identities/match", fmt::format(R"({{"ids":[{}]}})", ids)
        );
        EXPECT_EQ(answer.status, 200) << answer.body;
        return std::string{parse_object(answer.body).at("sid").as_string()};
    }

    void view(std::string_view object, std::string_view actor, std::string_view time) {
        api_.post_events(fmt::format(
            R"({{"action":"view","object":"{}","actor":"{}","time":"{}"}})", object, actor, time
        ));
    }
};

TEST_F(ByProfile, two_actors_are_one_person_once_they_are_matched_and_two_when_they_are_parted) {
    view("post-1", "phone", "2026-11-20T10:00:00Z");
    view("post-1", "laptop", "2026-11-20T11:00:00Z");
    view("post-1", "laptop", "2026-11-21T11:00:00Z");
    view("post-2", "laptop", "2026-11-22T11:00:00Z");

    const auto apart = views("post-1");
    EXPECT_EQ(figures_in(apart, "counted"), (Figures{3, 2, 2}));
    EXPECT_EQ(
        days_in(apart, "counted"), (Days{{"2026-11-20", {2, 2, 2}}, {"2026-11-21", {1, 1, 1}}})
    );
    EXPECT_EQ(apart.at("by").as_string(), "profile");
    EXPECT_TRUE(apart.at("exact").as_bool());
    EXPECT_FALSE(apart.at("partial").as_bool());
    EXPECT_TRUE(apart.at("since").is_null());

    const std::string sid = unite({"phone", "laptop"});
    const auto together = views("post-1");
    EXPECT_EQ(figures_in(together, "counted"), (Figures{3, 2, 1}));
    EXPECT_EQ(
        days_in(together, "counted"), (Days{{"2026-11-20", {2, 2, 1}}, {"2026-11-21", {1, 1, 1}}})
    );
    EXPECT_EQ(figures_in(views("post-1", "from=2026-11-21"), "counted"), (Figures{1, 1, 1}));

    ASSERT_EQ(detach(sid, fmt::format(R"({{"ids":[{}]}})", actor_json("phone"))).status, 200);
    EXPECT_TRUE(eventually([&] {
        return figures_in(views("post-1"), "counted") == Figures{3, 2, 2};
    }));
}

TEST_F(ByProfile, an_account_at_a_shop_unites_who_named_it) {
    constexpr std::string_view line =
        R"({{"action":"view","object":"o","actor":"{}","time":"2026-11-2{}T10:00:00Z",)"
        R"("identifiers":[{{"identifier":"shop","id_name":"customer","id_value":"7"}}]}})"
        "\n";
    api_.post_events(
        fmt::format(fmt::runtime(line), "phone", 0) + fmt::format(fmt::runtime(line), "laptop", 1)
    );
    view("o", "somebody", "2026-11-21T10:00:00Z");
    EXPECT_TRUE(eventually([&] { return figures_in(views("o"), "counted") == Figures{3, 3, 2}; }));
}

TEST_F(ByProfile, who_has_no_name_counts_as_before_and_nobody_is_no_person) {
    api_.post_events(R"({"action":"view","object":"o","address":"192.0.2.7","agent":"a"})"
                     "\n"
                     R"({"action":"view","object":"o","address":"192.0.2.8","agent":"a"})"
                     "\n"
                     R"({"action":"view","object":"o"})"
                     "\n");
    EXPECT_EQ(figures_in(views("o", ""), "counted"), (Figures{3, 2, 2}));
}

TEST_F(ByProfile, repeats_and_other_actions_do_not_count) {
    view("o", "ann", "2026-11-20T10:00:00Z");
    view("o", "ann", "2026-11-20T10:10:00Z");
    api_.post_events(R"({"action":"like","object":"o","actor":"bob","time":"2026-11-20T10:00:00Z"})"
    );
    EXPECT_EQ(figures_in(views("o"), "counted"), (Figures{1, 1, 1}));
    EXPECT_EQ(figures_in(views("o", "action=like&from=2026-11-01"), "counted"), (Figures{1, 1, 1}));
    EXPECT_EQ(figures_in(views("nobody-saw-it"), "counted"), (Figures{}));
}

TEST_F(ByProfile, days_are_those_of_the_zone) {
    view("o", "ann", "2026-11-20T23:30:00Z");
    EXPECT_EQ(
        days_in(views("o", "from=2026-11-20&to=2026-11-21&tz=Europe/Oslo"), "counted"),
        (Days{{"2026-11-21", {1, 1, 1}}})
    );
}

TEST_F(ByProfile, readers_of_one_profile_are_one_and_what_is_hidden_or_taken_back_is_not_counted) {
    const std::string consent = R"({"reading":"shared"})";
    for (const char* const actor : {"phone", "laptop", "ann"}) {
        ASSERT_EQ(
            api_.send(Method::put, fmt::format("/api/v1/people/{}", actor), consent).status, 200
        );
    }
    std::string lines;
    for (const char* const actor : {"phone", "laptop", "ann", "hidden"}) {
        lines += fmt::format(
            R"({{"action":"read","object":"https://news.example/a","actor":"{}"}})"
            "\n",
            actor
        );
    }
    api_.post_events(lines);
    const auto readers = [&] {
        const auto told =
            api_.get_json("/api/v1/reading/readers?by=profile&url=http%3A%2F%2FNEWS.example%2Fa");
        return std::pair{told.at("readers").to_number<int>(), told.at("people").to_number<int>()};
    };
    EXPECT_TRUE(eventually([&] { return readers() == std::pair{3, 3}; }));
    unite({"phone", "laptop", "hidden"});
    EXPECT_EQ(readers(), (std::pair{3, 2}));
    const auto plain = api_.get_json("/api/v1/reading/readers?url=https%3A%2F%2Fnews.example%2Fa");
    EXPECT_EQ(plain.at("readers").to_number<int>(), 3);
    EXPECT_FALSE(plain.contains("people"));

    const auto taken_back =
        api_.send(Method::del, "/api/v1/people/phone/reads?url=https%3A%2F%2Fnews.example%2Fa");
    ASSERT_EQ(taken_back.status, 200) << taken_back.body;
    EXPECT_EQ(readers(), (std::pair{2, 2}));
    ASSERT_EQ(api_.send(Method::put, "/api/v1/people/ann", R"({"reading":"off"})").status, 200);
    EXPECT_EQ(readers(), (std::pair{1, 1}));
}

/// Which actors are one person, and who did what on which day: counted by hand.
class Naive {
public:
    explicit Naive(std::size_t actors) : person_(actors) {
        std::iota(person_.begin(), person_.end(), 0);
    }

    void unite(std::size_t one, std::size_t other) {
        const std::size_t from = person_[one];
        for (std::size_t& each : person_) {
            each = each == from ? person_[other] : each;
        }
    }

    void add(const std::string& day, std::size_t actor) { actors_[day].push_back(actor); }

    Days days() const {
        Days days;
        for (const auto& [day, actors] : actors_) {
            days[day] = figures_of(actors);
        }
        return days;
    }

    Figures all() const {
        std::vector<std::size_t> all;
        for (const auto& [day, actors] : actors_) {
            all.insert(all.end(), actors.begin(), actors.end());
        }
        return figures_of(all);
    }

private:
    Figures figures_of(const std::vector<std::size_t>& actors) const {
        std::set<std::size_t> people;
        for (const std::size_t each : actors) {
            people.insert(person_[each]);
        }
        return {
            .counted = actors.size(),
            .actors = std::set<std::size_t>{actors.begin(), actors.end()}.size(),
            .people = people.size()
        };
    }

    std::vector<std::size_t> person_;
    std::map<std::string, std::vector<std::size_t>> actors_;
};

TEST_F(ByProfile, random_events_and_matches_are_counted_as_by_hand) {
    constexpr std::size_t actors = 60;
    constexpr std::size_t days = 5;
    Random random{random_seed()};
    Naive of_views{actors};
    Naive of_clicks{actors};
    std::string lines;
    for (std::size_t actor = 0; actor < actors; ++actor) {
        for (std::size_t day = 10; day < 10 + days; ++day) {
            for (std::size_t hour = 1; hour < 24; hour += 5) {
                const auto drawn = random.below(8);
                if (drawn > 1) {
                    continue;
                }
                const bool is_click = drawn == 1;
                (is_click ? of_clicks : of_views).add(fmt::format("2026-11-{}", day), actor);
                lines += fmt::format(
                    R"({{"action":"{}","object":"o","actor":"u{}",{}"time":"2026-11-{}T{:02}:30:00Z"}})"
                    "\n",
                    is_click ? "click" : "view",
                    actor,
                    is_click ? R"("ad":"banner","reseller":"r1",)" : "",
                    day,
                    hour
                );
            }
        }
    }
    api_.post_events(lines);
    for (int match = 0; match < 25; ++match) {
        const auto one = static_cast<std::size_t>(random.below(actors));
        const auto other = static_cast<std::size_t>(random.below(actors));
        if (one != other) {
            of_views.unite(one, other);
            of_clicks.unite(one, other);
            unite({fmt::format("u{}", one), fmt::format("u{}", other)});
        }
        if (match % 8 == 0) {
            const auto told = views("o");
            EXPECT_EQ(days_in(told, "counted"), of_views.days());
            EXPECT_EQ(figures_in(told, "counted"), of_views.all());
        }
    }
    EXPECT_EQ(days_in(views("o"), "counted"), of_views.days());
    EXPECT_EQ(figures_in(views("o"), "counted"), of_views.all());
    for (const char* const of : {"ads/banner", "resellers/r1"}) {
        const auto told = clicks(of);
        EXPECT_EQ(days_in(told, "clicks"), of_clicks.days()) << of;
        EXPECT_EQ(figures_in(told, "clicks"), of_clicks.all()) << of;
    }
}

TEST_F(ByProfile, what_cannot_be_asked_is_refused_with_what_is_wrong) {
    const auto refused = [&](const std::string& target, const std::string& field) {
        const auto answer = api_.send(Method::get, target);
        expect_problem(answer, 400, "invalid-input", field);
        return answer.body;
    };
    EXPECT_THAT(refused("/api/v1/views/o?by=person", "by"), HasSubstr("actor or profile"));
    EXPECT_THAT(
        refused("/api/v1/views/o?by=profile&from=2026-11-20&group_by=hour", "by"),
        HasSubstr("by day")
    );
    EXPECT_THAT(refused("/api/v1/views/o?by=profile&action=read", "by"), HasSubstr("reading"));
    refused("/api/v1/views/o?by=profile&from=2026-11-20&to=2026-11-19", "from");
    refused("/api/v1/views/o?by=profile&from=2000-01-01&to=2026-11-19", "from");
    refused("/api/v1/views/o?by=profile&tz=Nowhere", "tz");
    refused("/api/v1/views?by=profile", "by");
    refused("/api/v1/ads/a/clicks?by=person", "by");
    refused("/api/v1/reading/readers?by=profile", "url");
    EXPECT_EQ(api_.send(Method::get, "/api/v1/views/o?by=actor").status, 200);
    expect_problem(
        api_.send(Method::get, "/api/v1/resellers/nobody/clicks?by=profile"),
        404,
        "not-found",
        "reseller"
    );
}

}  // namespace
}  // namespace footfall::acceptance
