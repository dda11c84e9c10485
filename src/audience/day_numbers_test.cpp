#include "audience/day_numbers.h"

#include "audience/noise.h"
#include "audience/schema.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace footfall::audience {
namespace {

using testing::HasSubstr;

constexpr const storage::Table* day_tables[] = {&audience_number_table, &audience_asked_table};

class DayNumbersTest : public testing::Test {
protected:
    static std::vector<std::uint64_t> questions(std::uint64_t first, std::uint64_t count) {
        std::vector<std::uint64_t> questions;
        questions.reserve(count);
        for (std::uint64_t each = 0; each < count; ++each) {
            questions.push_back((first + each) * 0x9e3779b97f4a7c15);
        }
        return questions;
    }

    Result<std::vector<DayNumbers::Shown>> ask(
        DayNumbers& numbers, std::string_view key, const std::vector<std::uint64_t>& questions
    ) {
        return numbers.ask(
            key,
            questions,
            [&](std::span<const std::size_t> places) -> Result<std::vector<std::uint64_t>> {
                counted_ += places.size();
                return std::vector<std::uint64_t>(places.size(), people_);
            }
        );
    }

    ManualClock clock_{
        Instant{std::chrono::sys_days{std::chrono::year{2026} / 11 / 29}} + std::chrono::hours{23}
    };
    storage::MemoryStore disk_{day_tables, clock_};
    storage::FaultyStore store_{disk_, 1};
    const Terms terms_{};
    DayNumbers numbers_{store_, clock_, {1, 2}, terms_};
    std::uint64_t people_ = 5000;
    std::size_t counted_ = 0;
};

TEST_F(DayNumbersTest, a_day_has_so_many_for_each_key) {
    EXPECT_TRUE(ask(numbers_, "crm", questions(0, 60)));
    EXPECT_EQ(numbers_.left("crm").value(), 40);
    EXPECT_TRUE(ask(numbers_, "crm", questions(60, 40)));
    const auto more = ask(numbers_, "crm", questions(100, 1));
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().kind, ErrorKind::overloaded);
    EXPECT_THAT(more.error().message, HasSubstr("in 60 minutes"));
    EXPECT_TRUE(ask(numbers_, "other", questions(100, 1)));
}

TEST_F(DayNumbersTest, too_many_at_once_are_neither_spent_nor_counted) {
    EXPECT_FALSE(ask(numbers_, "crm", questions(0, 101)));
    EXPECT_EQ(numbers_.left("crm").value(), 100);
    EXPECT_EQ(counted_, 0);
}

TEST_F(DayNumbersTest, the_first_answer_holds_all_day_whoever_asks_and_whatever_changes) {
    const auto first = ask(numbers_, "crm", questions(0, 3)).value();
    people_ = 9000;
    EXPECT_EQ(ask(numbers_, "crm", questions(0, 3)).value(), first);
    EXPECT_EQ(ask(numbers_, "other", questions(0, 3)).value(), first);
    DayNumbers again{store_, clock_, {1, 2}, terms_};
    EXPECT_EQ(ask(again, "crm", questions(0, 3)).value(), first);
    EXPECT_EQ(counted_, 3);
    EXPECT_EQ(again.left("crm").value(), 97);
    clock_.advance(std::chrono::hours{1});
    const auto next = ask(again, "crm", questions(0, 3)).value();
    for (const DayNumbers::Shown& each : next) {
        EXPECT_GT(each.value_or(0), 8000);
    }
    EXPECT_EQ(again.left("crm").value(), 97);
}

TEST_F(DayNumbersTest, a_question_that_comes_twice_at_once_is_one) {
    std::vector<std::uint64_t> twice = questions(0, 2);
    twice.push_back(twice.front());
    const auto answers = ask(numbers_, "crm", twice).value();
    EXPECT_EQ(answers.front(), answers.back());
    EXPECT_EQ(numbers_.left("crm").value(), 98);
}

TEST_F(DayNumbersTest, few_people_are_not_shown_nor_after_a_restart) {
    people_ = terms_.least - 1;
    for (const auto& each : ask(numbers_, "crm", questions(0, 100)).value()) {
        EXPECT_EQ(each, std::nullopt);
    }
    DayNumbers again{store_, clock_, {1, 2}, terms_};
    EXPECT_EQ(ask(again, "crm", questions(0, 1)).value().front(), std::nullopt);
    EXPECT_EQ(counted_, 100);
}

TEST_F(DayNumbersTest, what_could_not_be_written_is_not_shown) {
    store_.set_options({.refuse_submit = 1});
    EXPECT_FALSE(ask(numbers_, "crm", questions(0, 1)));
    store_.set_options({});
    EXPECT_EQ(numbers_.left("crm").value(), 100);
    EXPECT_TRUE(ask(numbers_, "crm", questions(0, 1)));
}

}  // namespace
}  // namespace footfall::audience
