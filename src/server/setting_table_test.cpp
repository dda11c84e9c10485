#include "server/setting_table.h"

#include "foundation_testing/repository.h"
#include "foundation_testing/temporary_directory.h"
#include "server/setting_flags.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace footfall::server {
namespace {

/// As tables of the documentation write it.
std::string in_markdown(const jobs::Default& without) {
    return without.is_value ? fmt::format("`{}`", without.text) : std::string{without.text};
}

/// The third column of all rows "| `NAME` | what | without it |", by name.
std::multimap<std::string, std::string> documented_defaults(const std::string& markdown) {
    std::multimap<std::string, std::string> defaults;
    std::istringstream lines{markdown};
    bool settings = false;
    for (std::string line; std::getline(lines, line);) {
        settings = line == "| setting | what | without it |" || (settings && line.starts_with('|'));
        if (!settings || !line.starts_with("| `") || !line.ends_with(" |")) {
            continue;
        }
        const std::string row = line.substr(0, line.size() - 2);
        defaults.emplace(row.substr(3, row.find('`', 3) - 3), row.substr(row.rfind("| ") + 2));
    }
    return defaults;
}

TEST(SettingTable, has_each_name_once_and_finds_it) {
    for (const SettingRow& each : all_settings()) {
        EXPECT_EQ(find_setting(each.name), &each) << each.name;
        EXPECT_EQ(
            each.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos
        ) << each.name;
    }
    EXPECT_EQ(find_setting("lisen"), nullptr);
    EXPECT_EQ(find_setting(""), nullptr);
}

TEST(SettingTable, makes_flags_variables_and_help_of_a_row) {
    const SettingRow* const keep = find_setting("keep_events");
    ASSERT_NE(keep, nullptr);
    EXPECT_EQ(flag_of(*keep), "--keep-events");
    EXPECT_EQ(variable_of(*keep), "FOOTFALL_KEEP_EVENTS");
    EXPECT_THAT(help_of(*keep), testing::EndsWith("Or forever [90d]"));
}

TEST(SettingTable, says_the_defaults_that_hold) {
    const Configuration defaults;
    for (const SettingRow& each : all_settings()) {
        if (!each.without.is_value || each.read == nullptr) {
            continue;
        }
        Configuration configuration;
        const auto read =
            each.read({.text = std::string{each.without.text}, .origin = "default"}, configuration);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_TRUE(configuration == defaults) << each.name << " is not " << each.without.text;
    }
}

/// What each verb takes of the table stands in the help, once, with the default.
TEST(SettingTable, gives_verbs_the_flags_that_they_can_use) {
    const auto names = [](SettingFlags::Which which) {
        CLI::App verb;
        SettingFlags::add_to(verb, which);
        std::string all;
        for (const SettingRow& each : all_settings()) {
            if (const CLI::Option* const flag = verb.get_option_no_throw(flag_of(each))) {
                all += fmt::format("{} ", each.name);
                EXPECT_EQ(flag->get_description(), help_of(each));
            }
        }
        return all;
    };
    const std::string cluster =
        "cassandra cassandra_datacenter cassandra_keyspace cassandra_region_keyspace "
        "cassandra_user "
        "cassandra_replication cassandra_counts cassandra_remote_reads ";
    EXPECT_EQ(names(SettingFlags::Which::cluster), cluster);
    EXPECT_EQ(names(SettingFlags::Which::place), "data store " + cluster);
    EXPECT_EQ(
        names(SettingFlags::Which::logs),
        "data store " + cluster + "log kafka kafka_prefix kafka_replicas "
    );
    EXPECT_EQ(
        names(SettingFlags::Which::cluster_logs), cluster + "log kafka kafka_prefix kafka_replicas "
    );
    EXPECT_EQ(
        names(SettingFlags::Which::directory),
        "listen data sync memory backup_directory backup_encryption_key backup_rate "
        "backup_every backup_keep "
        "backup_history threads rules redis "
        "keep_events "
        "keep_addresses sites "
        "trusted_proxies reading_sites reading_ttl reading_least trending_fast trending_slow "
        "trending_floor trending_people trending_score trending_per_site ledger_zone "
        "ledger_currency keep_clicks identities_profile_ids identities_shared_above "
        "identities_data identities_index_partition_bytes identities_replay segments_webhooks "
        "segments_topic segments_least segments_numbers carbon metrics_keep metrics_step "
        "metrics_retention metrics_series metrics_own "
    );
    const std::string all = names(SettingFlags::Which::all);
    EXPECT_THAT(all, testing::Not(testing::HasSubstr("cassandra_password")));
    EXPECT_EQ(std::ranges::count(all, ' ') + 1, std::ssize(all_settings()));
}

TEST(SettingTable, is_what_the_documentation_says) {
    const auto documented = documented_defaults(read_text(in_repository("docs/operations.md")));
    for (const SettingRow& each : all_settings()) {
        EXPECT_TRUE(documented.contains(std::string{each.name}))
            << each.name << ": describe it in docs/operations.md";
    }
    for (const auto& [name, without] : documented) {
        const SettingRow* const row = find_setting(name);
        if (row == nullptr) {
            ADD_FAILURE() << "docs/operations.md describes " << name << ", which is no setting";
            continue;
        }
        EXPECT_EQ(without, in_markdown(row->without)) << name;
    }
}

/// The README's configuration file: what is not behind a "#" there says what holds anyway.
TEST(SettingTable, is_what_the_readme_shows) {
    const std::string readme = read_text(in_repository("README.md"));
    constexpr std::string_view fence = "```toml\n";
    const std::size_t start = readme.find(std::string{fence} + "# footfall.toml");
    ASSERT_NE(start, std::string::npos);
    const std::size_t text = start + fence.size();
    const TemporaryDirectory directory;
    const std::string path =
        directory.write("footfall.toml", readme.substr(text, readme.find("```", text) - text));
    const auto file = read_configuration_file(path);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_THAT(file->settings, testing::SizeIs(testing::Ge(6)));
    for (const auto& [name, setting] : file->settings) {
        EXPECT_EQ(setting.text, find_setting(name)->without.text) << name;
    }
}

}  // namespace
}  // namespace footfall::server
