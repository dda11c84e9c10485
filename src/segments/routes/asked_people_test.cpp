// Numbers of people asked of the process that derives them: the same as if they were asked there.
#include "segments_routes/asked_people.h"

#include "audience/schema.h"
#include "foundation/clock.h"
#include "identities/schema.h"
#include "identities/settling.h"
#include "runtime/memory_shares.h"
#include "runtime/moment.h"
#include "segments/schema.h"
#include "storage/memory_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::segments::routes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<const storage::Table*> tables_of_both() {
    std::vector<const storage::Table*> tables{
        identities::all_tables.begin(), identities::all_tables.end()
    };
    tables.insert(tables.end(), all_tables.begin(), all_tables.end());
    tables.push_back(&audience::audience_number_table);
    tables.push_back(&audience::audience_asked_table);
    return tables;
}

/// Whoever has the lane, as a process of its own.
class OwnerOfLane final : public projecting::Owners {
public:
    explicit OwnerOfLane(AskedPeople& there) : there_{&there} {}

    std::optional<std::uint64_t> counted_here(std::uint32_t /*lane*/) override {
        return std::nullopt;
    }

    projecting::LaneAnswers ask(
        std::string_view projection,
        std::span<const projecting::LaneQuestion> asked,
        std::string_view /*of_all*/
    ) override {
        EXPECT_EQ(projection, "segments");
        projecting::LaneAnswers answers;
        for (const projecting::LaneQuestion& each : asked) {
            EXPECT_EQ(each.lane, deriving_lane);
            const auto bytes = there_->answer(each.bytes);
            ++questions_;
            auto& answer = answers.of_asked.emplace_back();
            // The first one is lost on its way.
            if (bytes && questions_ > 1) {
                answer = projecting::LaneAnswer{.bytes = *bytes};
            }
        }
        return answers;
    }

    int questions() const { return questions_; }

private:
    AskedPeople* there_;
    int questions_ = 0;
};

identities::Id id_of(const std::string& value) {
    return {.identifier = "www", .id_name = "id", .id_value = value};
}

class PeopleOfOthers : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(deriving_.begin());
        ASSERT_TRUE(here_.add("spring", std::vector<Member>{{id_of("1")}, {id_of("2")}}));
        ASSERT_TRUE(here_.add("Zürich, \"a\"", std::vector<Member>{{id_of("2")}}));
        derive();
    }

    void derive() {
        const Instant said = clock_.now();
        while (deriving_.figures().as_of <= said) {
            const auto pause = deriving_.derive({});
            ASSERT_TRUE(pause);
            runtime::wait_a_moment(*pause);
        }
    }

    SystemClock clock_;
    storage::MemoryStore store_{tables_of_both(), clock_};
    const SipKey secret_{.k0 = 1, .k1 = 2};
    identities::Settling settling_{store_, {.secret = secret_, .clock = &clock_}};
    runtime::MemoryShare room_{15'000};
    Segments deriving_{store_, settling_, clock_, {.memory = &room_}};
    Segments here_{store_, settling_, clock_, {}};
    AudienceNumbers audience_there_{deriving_, store_, clock_, secret_, {.least = 1}};
    AudienceNumbers audience_here_{here_, store_, clock_, secret_, {.least = 1}};
    AskedPeople there_{deriving_, clock_, nullptr, "segments", audience_there_};
    OwnerOfLane owner_{there_};
    AskedPeople people_{here_, clock_, &owner_, "segments", audience_here_};
};

TEST_F(PeopleOfOthers, are_those_that_they_count) {
    const std::vector<std::string> names{"Zürich, \"a\"", "nobody", "spring"};
    const auto sizes = people_.sizes(names);
    ASSERT_TRUE(sizes) << sizes.error().message;
    EXPECT_THAT(sizes->people, ElementsAre(1, std::nullopt, 2));
    EXPECT_GE(owner_.questions(), 2) << "the first answer was lost, and it was asked again";
    const auto count = people_.count({.all = {"spring"}, .none = {"Zürich, \"a\""}});
    ASSERT_TRUE(count) << count.error().message;
    EXPECT_EQ(count->people, 1);
    EXPECT_EQ(count->as_of, there_.count({.all = {"spring"}})->as_of);
    const auto overlap = people_.overlap(std::vector<std::string>{"spring", "Zürich, \"a\""});
    ASSERT_TRUE(overlap) << overlap.error().message;
    EXPECT_THAT(overlap->sizes, ElementsAre(2, 1));
    EXPECT_EQ(overlap->pair(0, 1), 1);
}

/// Where those who count have not the room, numbers are estimates on both sides; to an audience
/// they are not told, as noise hides one person and not many.
TEST_F(PeopleOfOthers, are_estimates_where_they_are_there) {
    constexpr int count = 5000;
    std::vector<Member> many;
    many.reserve(count);
    for (int number = 0; number < count; ++number) {
        many.push_back({.id = id_of(std::to_string(number)), .expires = {}});
    }
    ASSERT_TRUE(here_.add("spring", many));
    ASSERT_TRUE(here_.add("summer", std::span{many}.first(2500)));
    derive();
    const std::vector<std::string> names{"spring", "summer"};
    const auto overlap = people_.overlap(names);
    ASSERT_TRUE(overlap) << overlap.error().message;
    EXPECT_GT(overlap->one_of, 1);
    EXPECT_EQ(overlap->sizes, there_.overlap(names)->sizes);
    EXPECT_EQ(overlap->pairs, there_.overlap(names)->pairs);
    const auto sizes = people_.sizes(names);
    ASSERT_TRUE(sizes) << sizes.error().message;
    EXPECT_EQ(sizes->one_of, overlap->one_of);
    EXPECT_EQ(people_.count({.all = names})->one_of, overlap->one_of);
    EXPECT_EQ(people_.combined(names)->one_of, overlap->one_of);
    const std::vector<Expression> questions{{.all = {"spring"}}};
    EXPECT_EQ(people_.for_audience("ads", questions).error().kind, ErrorKind::unavailable);
}

TEST_F(PeopleOfOthers, are_shown_to_an_audience_as_they_are_there) {
    const std::vector<Expression> questions{{.all = {"spring"}}, {.all = {"Zürich, \"a\""}}};
    const auto shown = people_.for_audience("ads", questions);
    ASSERT_TRUE(shown) << shown.error().message;
    EXPECT_THAT(*shown, ElementsAre(std::nullopt, std::nullopt)) << "they are few";
    EXPECT_EQ(there_.for_audience("ads", questions).value(), *shown);
    const std::vector<Expression> unknown{{.all = {"nobody"}}};
    const auto refused = people_.for_audience("ads", unknown);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::not_found);
}

TEST_F(PeopleOfOthers, are_refused_in_their_words) {
    const auto count = people_.count({.all = {"spring", "nobody"}});
    ASSERT_FALSE(count);
    EXPECT_EQ(count.error().kind, ErrorKind::not_found);
    EXPECT_THAT(count.error().message, HasSubstr("nobody"));
    for (const char* const question :
         {"", "s", "s[]", "x[[],[],[]]", "s[[],[],[7]]", "c7", "a", "a[]", R"(a["k",7])"}) {
        const auto answer = there_.answer(question);
        ASSERT_FALSE(answer) << question;
        EXPECT_EQ(answer.error().kind, ErrorKind::invalid_input);
    }
}

}  // namespace
}  // namespace footfall::segments::routes
