#include "cli/bench_targets.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Result<std::vector<std::string>> targets_in(const std::string& text) {
    const auto source = records::bytes_in_memory("targets", text, 7);
    return read_bench_targets(*source);
}

TEST(BenchTargets, are_the_lines) {
    EXPECT_THAT(*targets_in("/a?b=c\r\n/%20\n/"), ElementsAre("/a?b=c", "/%20", "/"));
}

TEST(BenchTargets, say_which_line_is_none) {
    const std::string too_long = "/" + std::string(4 << 10, 'a');
    for (const std::string& line :
         {std::string{}, std::string{"a"}, std::string{"/a b"}, std::string{"/\xc3\xa4"}, too_long
         }) {
        const auto found = targets_in("/a\n" + line + "\n/b\n");
        ASSERT_FALSE(found) << line;
        EXPECT_EQ(found.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(found.error().message, AllOf(HasSubstr("targets"), HasSubstr("line 2")));
    }
}

TEST(BenchTargets, of_an_empty_file_are_none) {
    EXPECT_THAT(targets_in("").error().message, HasSubstr("no line"));
}

}  // namespace
}  // namespace footfall::cli
