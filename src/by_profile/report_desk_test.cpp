#include "by_profile/report_desk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

namespace footfall::by_profile {
namespace {

using testing::HasSubstr;

api::Asked<bool> ask(std::string_view query) {
    return asks_by_profile({.query = query}, nullptr);
}

TEST(AsksByProfile, is_refused_where_no_job_knows_who_is_one_person) {
    const api::Asked<bool> refused = ask("from=2026-11-20&by=profile");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().status, 400);
    EXPECT_THAT(refused.error().body, HasSubstr("needs identities"));
    EXPECT_THAT(refused.error().body, HasSubstr(R"("field":"by")"));
}

TEST(AsksByProfile, is_for_profiles_alone) {
    EXPECT_EQ(ask("").value_or(true), false);
    EXPECT_EQ(ask("by=actor").value_or(true), false);
    for (const char* const other : {"by=", "by=people", "by=Profile", "by=%ff"}) {
        EXPECT_FALSE(ask(other)) << other;
    }
}

}  // namespace
}  // namespace footfall::by_profile
