#include "cli/rate_profile.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Result<std::vector<double>> read(const std::string& text, std::string_view period = "") {
    const auto source = records::bytes_in_memory("counts.csv", text, 7);
    return read_rate_profile(*source, period);
}

TEST(RateProfile, is_the_counts_of_the_lines_of_a_period) {
    const std::string text =
        "period,count\n1998-06-30 10:00:00,5\n1998-06-30 10:01:00,0\n1998-07-01 00:00:00,7\n";
    EXPECT_THAT(*read(text), ElementsAre(5, 0, 7));
    EXPECT_THAT(*read(text, "1998-06-30"), ElementsAre(5, 0));
    EXPECT_THAT(*read("1998,3"), ElementsAre(3)) << "no heading, no end of line";
}

TEST(RateProfile, says_which_line_is_of_another_kind) {
    for (const char* const line : {"1998-06-30", "1998-06-30,many", "1998-06-30,-1", ""}) {
        const auto found = read(std::string{"a,1\n"} + line + "\nb,2\n");
        ASSERT_FALSE(found) << line;
        EXPECT_EQ(found.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(found.error().message, AllOf(HasSubstr("counts.csv"), HasSubstr("line 2")));
    }
}

TEST(RateProfile, of_nothing_is_none) {
    EXPECT_THAT(read("").error().message, HasSubstr("nothing came"));
    EXPECT_THAT(read("a,0\n").error().message, HasSubstr("nothing came"));
    EXPECT_THAT(read("a,1\n", "b").error().message, HasSubstr("begins with \"b\""));
}

}  // namespace
}  // namespace footfall::cli
