#include "series/glob.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::series {
namespace {

bool matches(std::string_view pattern, std::string_view name) {
    const auto glob = Glob::parse(pattern);
    EXPECT_TRUE(glob) << pattern << ": " << (glob ? "" : glob.error().message);
    return glob && glob->matches(name);
}

TEST(Glob, matches_names_part_by_part) {
    const std::vector<std::pair<std::string, std::string>> pairs{
        {"a.b.c", "a.b.c"},
        {"*", "a"},
        {"a.*.c", "a.long.c"},
        {"a.*x*y", "a.1x2x3y"},
        {"a.b?", "a.bc"},
        {"a.[b-d]1", "a.c1"},
        {"a.[!b-d]1", "a.e1"},
        {"a.[]]", "a.]"},
        {"a.[a-]", "a.-"},
        {"a.{b,c*}.d", "a.cpu.d"},
        {"{a,b}{1,2}", "b2"},
        {"a{,b}", "a"},
        {"a.**", "a.b"},
    };
    for (const auto& [pattern, name] : pairs) {
        EXPECT_TRUE(matches(pattern, name)) << pattern << " " << name;
    }
    const std::vector<std::pair<std::string, std::string>> others{
        {"a.b.c", "a.b"},
        {"a.b", "a.b.c"},
        {"*", "a.b"},
        {"a.?", "a."},
        {"a.[b-d]1", "a.e1"},
        {"a.[!b-d]1", "a.c1"},
        {"a.{b,c}", "a.d"},
        {"a.b*c", "a.b.c"},
        {"a", "A"},
        {"a*b", "ab1"},
    };
    for (const auto& [pattern, name] : others) {
        EXPECT_FALSE(matches(pattern, name)) << pattern << " " << name;
    }
}

TEST(Glob, knows_what_is_beneath) {
    const auto glob = Glob::parse("servers.*");
    ASSERT_TRUE(glob);
    EXPECT_TRUE(glob->is_above("servers.a"));
    EXPECT_TRUE(glob->is_above("servers.a.cpu.user"));
    EXPECT_FALSE(glob->is_above("servers"));
    EXPECT_FALSE(glob->is_above("other.a"));
}

TEST(Glob, refuses_what_it_cannot_mean) {
    std::string many = "a";
    for (int at = 0; at < 7; ++at) {
        many += "{b,c}";  // 128
    }
    for (const std::string& pattern :
         {std::string{},
          std::string{"a..b"},
          std::string{".a"},
          std::string{"a."},
          std::string{"a.{b"},
          std::string{"a.b}"},
          std::string{"{a,{b,c}}"},
          std::string{"{a.b,c}"},
          std::string{"a.[b"},
          std::string{"a.[]"},
          std::string{"[!]"},
          many,
          std::string(2000, 'a')}) {
        const auto glob = Glob::parse(pattern);
        ASSERT_FALSE(glob) << pattern;
        EXPECT_EQ(glob.error().kind, ErrorKind::invalid_input);
    }
}

/// By the definition, at whatever cost.
bool matches_slowly(std::string_view pattern, std::string_view text) {
    if (pattern.empty()) {
        return text.empty();
    }
    if (pattern[0] == '*') {
        return matches_slowly(pattern.substr(1), text) ||
               (!text.empty() && matches_slowly(pattern, text.substr(1)));
    }
    return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
           matches_slowly(pattern.substr(1), text.substr(1));
}

TEST(Glob, stars_are_what_their_definition_says) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    for (std::uint64_t round = 0; round < rounds(20'000); ++round) {
        std::string pattern;
        std::string text;
        for (std::uint64_t left = 1 + random.below(8); left > 0; --left) {
            pattern += "ab*?"[random.below(4)];
        }
        for (std::uint64_t left = 1 + random.below(10); left > 0; --left) {
            text += "ab"[random.below(2)];
        }
        EXPECT_EQ(matches(pattern, text), matches_slowly(pattern, text)) << pattern << " " << text;
    }
}

}  // namespace
}  // namespace footfall::series
