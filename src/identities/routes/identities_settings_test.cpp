#include "identities_routes/identities_settings.h"

#include "identities/guards_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::identities::routes {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Fields = std::vector<jobs::SectionField>;

/// One [[identifier]], which stands in lines 3 to 5.
jobs::Section section(Fields fields) {
    for (jobs::SectionField& each : fields) {
        each.origin = "f.toml:4";
    }
    return {.fields = std::move(fields), .origin = "f.toml:3"};
}

Result<Guards> read(
    const std::vector<jobs::Section>& sections, const std::vector<jobs::GivenValue>& values = {}
) {
    TRY(const auto options, identities_settings.read({.sections = sections, .values = values}));
    return guards_in(options.get());
}

TEST(IdentitiesSettings, are_what_holds_anyway_if_nobody_says_anything) {
    EXPECT_EQ(read({}).value(), Guards{});
    EXPECT_EQ(guards_in(nullptr), Guards{});
}

TEST(IdentitiesSettings, say_how_large_a_partition_of_the_index_becomes) {
    const auto given = [](std::string_view text) {
        const std::vector<jobs::GivenValue> values{
            {.name = "identities_index_partition_bytes", .text = text, .origin = "--bytes"}
        };
        return identities_settings.read({.sections = {}, .values = values});
    };
    EXPECT_EQ(index_partition_bytes_in(nullptr), std::size_t{10} << 20);
    EXPECT_EQ(index_partition_bytes_in(given("1024").value().get()), 1024);
    EXPECT_EQ(index_partition_bytes_in(given("1073741824").value().get()), std::size_t{1} << 30);
    for (const char* const wrong : {"1023", "1073741825", "10MiB", "-1", ""}) {
        const auto read_wrong = given(wrong);
        ASSERT_FALSE(read_wrong) << wrong;
        EXPECT_THAT(
            read_wrong.error().message,
            StartsWith("--bytes: this is a number of bytes, from 1024 to 1073741824")
        );
    }
}

TEST(IdentitiesSettings, are_read) {
    const auto guards = read(
        {section(
             {{.name = "name", .value = "mail"},
              {.name = "per_profile", .value = std::int64_t{3}},
              {.name = "shared_above", .value = std::int64_t{10}},
              {.name = "never", .value = std::vector<std::string>{"None@x", "a@x"}},
              {.name = "keeps", .value = "latest"},
              {.name = "normalise", .value = "email"},
              {.name = "ttl", .value = "30d"}}
         ),
         section({{.name = "name", .value = "www"}})},
        {{.name = "identities_profile_ids", .text = "7", .origin = "--a"},
         {.name = "identities_shared_above", .text = "8", .origin = "--b"}}
    );
    ASSERT_TRUE(guards) << guards.error().message;
    EXPECT_EQ(
        text_of(*guards),
        R"({"profile_ids":7,"shared_above":8,"identifiers":[{"name":"mail","per_profile":3,)"
        R"("shared_above":10,"never":["a@x","none@x"],"keeps":"latest","normalise":"email",)"
        R"("ttl":2592000}]})"
    ) << "values that stand for nobody are as they are known";
}

TEST(IdentitiesSettings, say_what_is_wrong_with_them_and_where) {
    struct Wrong {
        jobs::SectionField field;
        std::string says;
    };

    std::vector<std::string> many(1001, "x");
    const std::vector<Wrong> wrongs{
        {{.name = "per_profile", .value = std::int64_t{0}}, "from 1 to 100000"},
        {{.name = "per_profile", .value = std::int64_t{100'001}}, "from 1 to 100000"},
        {{.name = "per_profile", .value = "3"}, "without quotes"},
        {{.name = "shared_above", .value = std::int64_t{-1}}, "from 1 to 100000"},
        {{.name = "never", .value = "x"}, "values that stand for nobody, such as"},
        {{.name = "never", .value = std::monostate{}}, "values that stand for nobody, such as"},
        {{.name = "never", .value = many}, "these are 1001 values, and up to 1000"},
        {{.name = "never", .value = std::vector<std::string>{""}}, "is no id_value"},
        {{.name = "keeps", .value = "last"}, R"("first" or "latest")"},
        {{.name = "normalise", .value = "upper"}, R"("none", "lower", "email" or "phone")"},
        {{.name = "normalise", .value = std::int64_t{1}}, R"("none", "lower", "email" or "phone")"},
        {{.name = "ttl", .value = "59m"}, "1h to 3650d"},
        {{.name = "ttl", .value = "3651d"}, "1h to 3650d"},
        {{.name = "ttl", .value = "long"}, "1h to 3650d"},
        {{.name = "ttl", .value = std::int64_t{30}}, "1h to 3650d"},
        {{.name = "limit", .value = std::int64_t{1}}, "an [[identifier]] has name, per_profile"},
        {{.name = "name", .value = ""}, "a text of 1 to 256 bytes"},
        {{.name = "name", .value = std::string(257, 'n')}, "a text of 1 to 256 bytes"},
        {{.name = "name", .value = "a\nb"}, "a text of 1 to 256 bytes"},
        {{.name = "name", .value = "\xff"}, "a text of 1 to 256 bytes"},
        {{.name = "name", .value = std::int64_t{1}}, "a text of 1 to 256 bytes"}
    };
    for (const Wrong& each : wrongs) {
        const auto guards = read({section({{.name = "name", .value = "a"}, each.field})});
        ASSERT_FALSE(guards) << each.says;
        EXPECT_EQ(guards.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(guards.error().message, StartsWith("f.toml:4: " + each.field.name + ": "));
        EXPECT_THAT(guards.error().message, HasSubstr(each.says));
    }
}

TEST(IdentitiesSettings, that_are_wrong_together_say_so) {
    const auto twice =
        read({section({{.name = "name", .value = "a"}}), section({{.name = "name", .value = "a"}})}
        );
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().message, "f.toml:3: there are two identifiers \"a\"");
    const auto nameless = read({section({{.name = "per_profile", .value = std::int64_t{1}}})});
    ASSERT_FALSE(nameless);
    EXPECT_THAT(nameless.error().message, StartsWith("f.toml:3: an [[identifier]] has a name"));
    std::vector<std::string> never;
    never.reserve(1000);
    for (int at = 0; at < 1000; ++at) {
        never.push_back(fmt::format("{:0>250}", at));
    }
    const auto large = read(
        {section({{.name = "name", .value = "a"}, {.name = "never", .value = never}}),
         section({{.name = "name", .value = "b"}, {.name = "never", .value = never}})}
    );
    ASSERT_FALSE(large);
    EXPECT_THAT(large.error().message, HasSubstr("more than 256 KiB"));
    for (const std::string_view wrong : {"", "0", "-1", "100001", "x"}) {
        const auto value =
            read({}, {{.name = "identities_profile_ids", .text = wrong, .origin = "--ids"}});
        ASSERT_FALSE(value) << wrong;
        EXPECT_EQ(value.error().message, "--ids: this is a number of ids, from 1 to 100000");
    }
}

}  // namespace
}  // namespace footfall::identities::routes
