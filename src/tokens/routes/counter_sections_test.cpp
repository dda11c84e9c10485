#include "tokens_routes/counter_sections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace footfall::tokens::routes {
namespace {

using testing::HasSubstr;

/// A section that begins in line 3, its fields in the lines behind.
jobs::Section section(const std::vector<std::pair<std::string, jobs::SectionValue>>& fields) {
    jobs::Section section{.fields = {}, .origin = "f.toml:3"};
    for (const auto& [name, value] : fields) {
        const std::string origin = "f.toml:" + std::to_string(4 + section.fields.size());
        section.fields.push_back({.name = name, .value = value, .origin = origin});
    }
    return section;
}

std::string error_of(const std::vector<jobs::Section>& sections) {
    const auto counters = read_counters(sections);
    EXPECT_FALSE(counters && !counters->empty());
    EXPECT_EQ(counters ? ErrorKind::conflict : counters.error().kind, ErrorKind::invalid_input);
    return counters ? "" : counters.error().message;
}

TEST(CounterSections, have_a_name_a_ttl_and_a_limit) {
    const auto counters = read_counters(std::vector{
        section({{"name", "daily"}, {"ttl", "1d"}, {"limit", std::int64_t{10}}}),
        section({{"ttl", std::int64_t{90}}, {"name", "short"}})
    });
    ASSERT_TRUE(counters) << counters.error().message;
    ASSERT_EQ(counters->size(), 2U);
    EXPECT_EQ((*counters)[0].name, "daily");
    EXPECT_EQ((*counters)[0].ttl, std::chrono::hours{24});
    EXPECT_EQ((*counters)[0].limit, 10U);
    EXPECT_EQ((*counters)[1].ttl, std::chrono::seconds{90});
    EXPECT_EQ((*counters)[1].limit, CounterConfig{}.limit);
}

TEST(CounterSections, are_refused_by_the_line) {
    EXPECT_THAT(
        error_of({section({{"name", "a"}, {"ttl", "soon"}})}), HasSubstr("f.toml:5: ttl: a ttl is")
    );
    for (const jobs::SectionValue& wrong :
         {jobs::SectionValue{std::int64_t{0}},
          jobs::SectionValue{std::int64_t{50'000'001}},
          jobs::SectionValue{"10"},
          jobs::SectionValue{}}) {
        EXPECT_THAT(
            error_of({section({{"limit", wrong}})}),
            HasSubstr("f.toml:4: limit: a [[counter]] has name (text), ttl (duration) and limit (1 "
                      "to 50000000)")
        );
    }
    EXPECT_THAT(error_of({section({{"name", std::int64_t{1}}})}), HasSubstr("f.toml:4: name: "));
    EXPECT_THAT(error_of({section({{"colour", "red"}})}), HasSubstr("f.toml:4: colour: "));
    EXPECT_THAT(error_of({section({})}), HasSubstr("f.toml:3: "));
    EXPECT_THAT(
        error_of({section({{"name", "a"}}), section({{"name", "a"}})}),
        HasSubstr("f.toml:3: there are two counters \"a\"")
    );
}

}  // namespace
}  // namespace footfall::tokens::routes
