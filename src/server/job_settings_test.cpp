#include "server/job_settings.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

namespace footfall::server {
namespace {

/// What a job of this test was told, as text.
struct Told : jobs::Options {
    explicit Told(std::string what) : text{std::move(what)} {}

    std::string text;
};

Result<std::shared_ptr<const jobs::Options>> read(const jobs::Written& written) {
    std::string text = fmt::format("{} sections", written.sections.size());
    for (const jobs::GivenValue& each : written.values) {
        if (each.text == "never") {
            return fail(ErrorKind::invalid_input, fmt::format("{}: takes a time", each.origin));
        }
        text += fmt::format(", {} {}", each.name, each.text);
    }
    return std::make_shared<const Told>(std::move(text));
}

constexpr std::array<jobs::ValueSetting, 2> values{{
    {.name = "bell_interval",
     .takes = "TIME",
     .without = {.text = "1h", .is_value = true},
     .help = "How often the bell rings"},
    {.name = "bell_tone",
     .takes = "NOTE",
     .without = {.text = "as it was cast", .is_value = false},
     .help = "What it sounds like"},
}};

constexpr jobs::JobSettings bell_settings{.section = "bell", .values = values, .read = read};
constexpr jobs::JobSettings door_settings{.read = read};

constexpr jobs::Registered bell{
    .name = "bells", .tables = {}, .settings = &bell_settings, .open = nullptr, .openapi = nullptr
};
constexpr jobs::Registered door{
    .name = "doors", .tables = {}, .settings = &door_settings, .open = nullptr, .openapi = nullptr
};
constexpr jobs::Registered silent{
    .name = "silent", .tables = {}, .open = nullptr, .openapi = nullptr
};

constexpr std::array<const jobs::Registered*, 3> list{&bell, &door, &silent};

std::string told(const jobs::OptionsByJob& options, const std::string& job) {
    const auto found = options.find(job);
    const auto* const own =
        found == options.end() ? nullptr : dynamic_cast<const Told*>(found->second.get());
    return own == nullptr ? "nothing" : own->text;
}

TEST(JobSettings, are_rows_of_the_table) {
    const std::vector<SettingRow> rows = rows_of_jobs(list);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(flag_of(rows[0]), "--bell-interval");
    EXPECT_EQ(variable_of(rows[0]), "FOOTFALL_BELL_INTERVAL");
    EXPECT_EQ(help_of(rows[0]), "How often the bell rings [1h]");
    EXPECT_EQ(help_of(rows[1]), "What it sounds like [as it was cast]");
    EXPECT_TRUE(rows[0].is_flag);
}

TEST(JobSettings, are_read_by_their_job_alone) {
    const Settings settings{
        {"bell_tone", {.text = "low", .origin = "--bell-tone"}},
        {"listen", {.text = "127.0.0.1:0", .origin = "--listen"}},
    };
    const Sections sections{{"bell", {{}, {}}}};
    const auto options = read_jobs(list, settings, sections);
    ASSERT_TRUE(options) << options.error().message;
    EXPECT_EQ(told(*options, "bells"), "2 sections, bell_tone low");
    EXPECT_EQ(told(*options, "doors"), "0 sections");
    EXPECT_FALSE(options->contains("silent"));
}

TEST(JobSettings, that_are_wrong_name_their_origin) {
    const Settings settings{{"bell_interval", {.text = "never", .origin = "FOOTFALL_BELL_INTERVAL"}}
    };
    const auto options = read_jobs(list, settings, {});
    ASSERT_FALSE(options);
    EXPECT_THAT(options.error().message, testing::StartsWith("FOOTFALL_BELL_INTERVAL: "));
}

}  // namespace
}  // namespace footfall::server
