#include "server/configuration.h"

#include "foundation_testing/repository.h"
#include "foundation_testing/temporary_directory.h"
#include "server/setting_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

namespace footfall::server {
namespace {

using testing::HasSubstr;

Settings one(const std::string& name, const std::string& text) {
    return {{name, Setting{.text = text, .origin = "--" + name}}};
}

/// A file that is gone when the test ends.
class TextFile {
public:
    explicit TextFile(const std::string& text) : path_{directory_.write("footfall.toml", text)} {}

    const std::string& path() const { return path_; }

private:
    const TemporaryDirectory directory_;
    const std::string path_;
};

TEST(Configuration, takes_sites_and_proxies_as_lists) {
    const auto sites = resolve(one("sites", "https://example.org, http://localhost:8000"), {});
    ASSERT_TRUE(sites);
    EXPECT_THAT(sites->sites, testing::ElementsAre("https://example.org", "http://localhost:8000"));
    for (const char* wrong :
         {"example.org", "https://", "https://example.org/", "ftp://example.org"}) {
        EXPECT_FALSE(resolve(one("sites", wrong), {})) << wrong;
    }
    const auto proxies = resolve(one("trusted_proxies", "127.0.0.1 10.0.0.0/8"), {});
    ASSERT_TRUE(proxies);
    EXPECT_EQ(proxies->trusted_proxies.size(), 2U);
    EXPECT_FALSE(resolve(one("trusted_proxies", "everybody"), {}));
}

TEST(Configuration, shares_rates_in_a_redis_by_its_number) {
    EXPECT_FALSE(resolve({}, {})->redis);
    EXPECT_FALSE(resolve(one("redis", ""), {})->redis);
    const auto found = resolve(one("redis", "[::1]:6379"), {});
    ASSERT_TRUE(found && found->redis);
    const auto place = found->redis.value_or(deployment::RedisPlace{});
    EXPECT_EQ(place.address, "::1");
    EXPECT_EQ(place.port, 6379);
    for (const char* wrong : {"10.0.0.1", "10.0.0.1:0", ":6379", "redis:6379"}) {
        const auto refused = resolve(one("redis", wrong), {});
        ASSERT_FALSE(refused) << wrong;
        EXPECT_THAT(refused.error().message, HasSubstr("for example 10.0.0.1:6379"));
    }
}

TEST(Configuration, keeps_events_for_a_time_or_for_ever) {
    EXPECT_EQ(resolve({}, {})->keep_events, std::chrono::days{90});
    EXPECT_EQ(resolve(one("keep_events", "7d"), {})->keep_events, std::chrono::days{7});
    EXPECT_EQ(resolve(one("keep_events", "1m"), {})->keep_events, std::chrono::minutes{1});
    EXPECT_EQ(resolve(one("keep_events", "forever"), {})->keep_events, std::nullopt);
    for (const char* wrong : {"", "soon", "59s", "-1d", "0", "36501d", "1000000000d"}) {
        const auto refused = resolve(one("keep_events", wrong), {});
        ASSERT_FALSE(refused) << wrong;
        EXPECT_THAT(refused.error().message, HasSubstr("for example 90d"));
    }
}

TEST(Configuration, shows_addresses_for_a_time_or_for_ever) {
    EXPECT_EQ(resolve({}, {})->keep_addresses, std::chrono::days{7});
    EXPECT_EQ(resolve(one("keep_addresses", "0s"), {})->keep_addresses, std::chrono::seconds{0});
    EXPECT_EQ(resolve(one("keep_addresses", "forever"), {})->keep_addresses, std::nullopt);
    EXPECT_FALSE(resolve(one("keep_addresses", "a while"), {}));
    EXPECT_FALSE(resolve(one("keep_addresses", "1000000000d"), {}));
}

TEST(Configuration, says_what_holds_of_reads) {
    const people::ReadTerms without = resolve({}, {})->reads;
    EXPECT_EQ(without, people::ReadTerms{});
    EXPECT_EQ(without.ttl, std::chrono::days{30});
    EXPECT_FALSE(without.ingress);
    const auto with = [](const std::string& name, const std::string& text) {
        return resolve(one("reading_" + name, text), {})->reads;
    };
    EXPECT_EQ(
        with("sites", "News.Example, b\u00fccher.example  blog.example").sites,
        (std::vector<std::string>{"news.example", "xn--bcher-kva.example", "blog.example"})
    );
    EXPECT_EQ(with("ttl", "7d").ttl, std::chrono::days{7});
    EXPECT_EQ(with("ttl", "24h").ttl, std::chrono::days{1});
    EXPECT_EQ(with("least", "2").least, 2U);
    EXPECT_TRUE(with("ingress", "on").ingress);
}

TEST(Configuration, has_safe_defaults) {
    const auto configuration = resolve({}, {});
    ASSERT_TRUE(configuration);
    EXPECT_EQ(configuration->address, "127.0.0.1");
    EXPECT_EQ(configuration->port, 8080);
    EXPECT_EQ(configuration->sync_interval, std::nullopt) << "every answer waits for its fdatasync";
    EXPECT_TRUE(configuration->jobs.contains("tokens")) << "they read that nothing was said";
}

TEST(Configuration, reads_addresses_sizes_and_intervals) {
    EXPECT_EQ(resolve(one("listen", "0.0.0.0:0"), {})->port, 0);
    EXPECT_EQ(resolve(one("listen", "[::1]:9090"), {})->address, "::1");
    EXPECT_EQ(resolve(one("sync", "always"), {})->sync_interval, std::nullopt);
    EXPECT_EQ(resolve(one("sync", "200ms"), {})->sync_interval, std::chrono::milliseconds{200});
    EXPECT_EQ(resolve(one("memory", "64MiB"), {})->memory_bytes, 64U << 20);
    EXPECT_EQ(resolve(one("memory", "2 GiB"), {})->memory_bytes, std::size_t{2} << 30);
    EXPECT_EQ(resolve({}, {})->backup_directory, "");
    EXPECT_EQ(resolve(one("backup_directory", "/mnt/b"), {})->backup_directory, "/mnt/b");
    EXPECT_EQ(resolve({}, {})->backup_encryption_key, "");
    EXPECT_EQ(resolve(one("backup_encryption_key", "/k"), {})->backup_encryption_key, "/k");
    EXPECT_EQ(resolve({}, {})->backup_rate, 50U << 20);
    EXPECT_EQ(resolve(one("backup_rate", "1GiB"), {})->backup_rate, 1U << 30);
    EXPECT_EQ(resolve({}, {})->backup_every, std::nullopt);
    EXPECT_EQ(resolve(one("backup_every", "24h"), {})->backup_every, std::chrono::hours{24});
    EXPECT_EQ(resolve(one("backup_keep", "14"), {})->backup_keep, 14U);
    EXPECT_EQ(resolve(one("backup_keep", "all"), {})->backup_keep, std::nullopt);
    EXPECT_EQ(resolve({}, {})->backup_history, 1U << 30);
    EXPECT_EQ(resolve(one("backup_history", "none"), {})->backup_history, 0U);
    EXPECT_EQ(resolve(one("backup_history", "4MiB"), {})->backup_history, 4U << 20);
    EXPECT_EQ(resolve(one("threads", "3"), {})->threads, 3U);
}

TEST(Configuration, says_how_a_cluster_is_reached) {
    const auto plain = resolve({}, {});
    EXPECT_EQ(plain->store, Configuration::Store::rocksdb);
    EXPECT_EQ(plain->cluster.contacts, "127.0.0.1:9042");
    EXPECT_TRUE(plain->cluster.replication.empty()) << "nothing is made unasked";
    EXPECT_FALSE(plain->cluster.count_at_one);
    EXPECT_FALSE(plain->cluster.remote_reads);
    Settings settings = one("store", "cassandra");
    settings.merge(one("cassandra_counts", "local_one"));
    settings.merge(one("cassandra_remote_reads", "yes"));
    settings.merge(one("cassandra", "10.0.0.1:9042,node.example:9043"));
    settings.merge(one("cassandra_datacenter", "ams"));
    settings.merge(one("cassandra_keyspace", "footfall_2"));
    settings.merge(one("cassandra_region_keyspace", "footfall_2_ams"));
    settings.merge(one("cassandra_user", "counter"));
    settings.merge(one("cassandra_password", "pass word"));
    settings.merge(one("cassandra_replication", "ams:3,fra:1"));
    const auto configuration = resolve(settings, {});
    ASSERT_TRUE(configuration) << configuration.error().message;
    EXPECT_EQ(configuration->store, Configuration::Store::cassandra);
    const deployment::ClusterPlace& cluster = configuration->cluster;
    EXPECT_EQ(cluster.contacts, "10.0.0.1:9042,node.example:9043");
    EXPECT_EQ(cluster.datacenter, "ams");
    EXPECT_EQ(cluster.keyspace, "footfall_2");
    EXPECT_EQ(cluster.region_keyspace, "footfall_2_ams");
    EXPECT_EQ(cluster.region(), "ams");
    EXPECT_EQ(cluster.user, "counter");
    EXPECT_EQ(cluster.password, "pass word");
    EXPECT_EQ(cluster.replication, (storage::Replication{{"ams", 3}, {"fra", 1}}));
    EXPECT_TRUE(cluster.count_at_one);
    EXPECT_TRUE(cluster.remote_reads);
}

TEST(Configuration, does_not_take_the_keyspace_of_all_regions_for_that_of_one) {
    EXPECT_EQ(resolve({}, {})->cluster.region_keyspace, "");
    EXPECT_EQ(resolve({}, {})->cluster.region(), "") << "there is one";
    Settings settings = one("cassandra_region_keyspace", "footfall");
    const auto refused = resolve(settings, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::invalid_input);
    EXPECT_THAT(
        refused.error().message,
        testing::AllOf(HasSubstr("cassandra_region_keyspace"), HasSubstr("footfall_dc1"))
    );
    settings.merge(one("cassandra_keyspace", "shop"));
    EXPECT_TRUE(resolve(settings, {}));
}

TEST(Configuration, says_where_the_logs_of_a_cluster_are_and_what_this_process_does) {
    const auto plain = resolve({}, {});
    EXPECT_FALSE(plain->log_on_kafka);
    EXPECT_EQ(plain->kafka.roles, deployment::Roles{});
    Settings settings = one("log", "kafka");
    settings.merge(one("kafka", "10.0.0.1:9092,10.0.0.2:9092"));
    settings.merge(one("kafka_prefix", "shop."));
    settings.merge(one("kafka_replicas", "1"));
    settings.merge(one("instance", "node-1"));
    settings.merge(one("roles", "project,collect"));
    settings.merge(one("advertise", "10.0.0.5:8080"));
    const auto alone = resolve(settings, {});
    ASSERT_FALSE(alone) << "rows of a directory are not seen by those who get the lanes";
    EXPECT_THAT(alone.error().message, testing::HasSubstr("set store to cassandra"));
    settings.merge(one("store", "cassandra"));
    const auto configuration = resolve(settings, {});
    ASSERT_TRUE(configuration) << configuration.error().message;
    EXPECT_TRUE(configuration->log_on_kafka);
    const deployment::KafkaPlace& kafka = configuration->kafka;
    EXPECT_EQ(kafka.brokers, "10.0.0.1:9092,10.0.0.2:9092");
    EXPECT_EQ(kafka.prefix, "shop.");
    EXPECT_EQ(kafka.replicas, 1);
    EXPECT_EQ(kafka.instance, "node-1");
    const deployment::Roles roles{.collect = true, .guard = false, .project = true, .query = false};
    EXPECT_EQ(kafka.roles, roles);
    EXPECT_EQ(configuration->advertise, "10.0.0.5:8080");
}

TEST(Configuration, names_settings_that_change_nothing) {
    Settings settings = one("cassandra", "10.0.0.1:9042");
    settings.merge(one("roles", "query"));
    settings.merge(one("sync", "200ms"));
    const auto alone = resolve(settings, {});
    EXPECT_THAT(
        alone->idle,
        testing::ElementsAre(
            testing::HasSubstr("set store to cassandra"), testing::HasSubstr("set log to kafka")
        )
    );
    settings.merge(one("store", "cassandra"));
    settings.merge(one("log", "kafka"));
    EXPECT_THAT(
        resolve(settings, {})->idle,
        testing::ElementsAre(testing::HasSubstr("set store to rocksdb"))
    );
    EXPECT_THAT(resolve(one("data", "./here"), {})->idle, testing::IsEmpty());
}

TEST(Configuration, keeps_events_as_long_on_a_cluster) {
    Settings settings = one("log", "kafka");
    settings.merge(one("store", "cassandra"));
    EXPECT_EQ(resolve(settings, {})->keep_events, std::chrono::days{90});
    EXPECT_EQ(resolve(settings, {})->kafka.judged_kept, std::chrono::days{90});
    settings.merge(one("keep_events", "10m"));
    EXPECT_EQ(resolve(settings, {})->keep_events, std::chrono::minutes{10});
    EXPECT_EQ(resolve(settings, {})->kafka.judged_kept, std::chrono::minutes{10});
    settings.at("keep_events").text = "forever";
    EXPECT_EQ(resolve(settings, {})->keep_events, std::nullopt);
    EXPECT_EQ(resolve(settings, {})->kafka.judged_kept, std::nullopt);
}

TEST(Configuration, addresses_stay_in_topics_of_others_as_long_as_they_are_told) {
    Settings settings = one("log", "kafka");
    settings.merge(one("store", "cassandra"));
    settings.merge(one("judged_json", "on"));
    const auto kafka = [&](const std::string& keep_addresses) {
        settings.insert_or_assign(
            "keep_addresses", Setting{.text = keep_addresses, .origin = "here"}
        );
        return resolve(settings, {})->kafka;
    };
    EXPECT_EQ(kafka("2d").addresses_kept, std::chrono::days{2});
    EXPECT_EQ(kafka("2d").published_kept, std::chrono::days{2});
    EXPECT_EQ(kafka("30d").addresses_kept, std::chrono::days{30});
    EXPECT_EQ(kafka("30d").published_kept, std::chrono::days{7});
    EXPECT_EQ(kafka("1m").addresses_kept, std::chrono::hours{1});
    EXPECT_EQ(kafka("1m").published_kept, std::chrono::hours{1});
    EXPECT_EQ(kafka("forever").addresses_kept, std::nullopt);
    EXPECT_EQ(kafka("forever").published_kept, std::chrono::days{7});
}

/// Names of settings, and what they cannot be.
void expect_refused(const std::vector<std::pair<std::string, std::string>>& wrong) {
    for (const auto& [name, text] : wrong) {
        const auto configuration = resolve(one(name, text), {});
        ASSERT_FALSE(configuration) << name << "=" << text;
        EXPECT_EQ(configuration.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(configuration.error().message, HasSubstr("--" + name));
    }
}

TEST(Configuration, refuses_what_makes_no_sense_and_names_the_origin) {
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"log", "files"},
        {"kafka", "broker"},
        {"kafka", "10.0.0.1:9092,"},
        {"kafka_prefix", "a/b"},
        {"kafka_replicas", "0"},
        {"instance", "node 1"},
        {"roles", "collect,everything"},
        {"roles", ""},
        {"advertise", "10.0.0.5"},
        {"advertise", "10.0.0.5:0"},
        {"advertise", "0.0.0.0:8080"},
        {"advertise", "[::]:8080"},
        {"advertise", "host:8080"},
        {"listen", "8080"},
        {"listen", ":8080"},
        {"listen", "127.0.0.1:70000"},
        {"sync", "sometimes"},
        {"sync", "0ms"},
        {"sync", "200"},
        {"memory", "1MiB"},
        {"memory", "lots"},
        {"memory", "MiB"},
        {"threads", "-1"},
        {"threads", "1000"},
        {"data", ""},
        {"store", "mysql"},
        {"cassandra", ""},
        {"cassandra", "10.0.0.1"},
        {"cassandra", "10.0.0.1:9042,"},
        {"cassandra", "10.0.0.1:0"},
        {"cassandra_datacenter", ""},
        {"cassandra_keyspace", "Foot-fall"},
        {"cassandra_keyspace", "1st"},
        {"cassandra_keyspace", ""},
        {"cassandra_region_keyspace", "dc-1"},
        {"cassandra_region_keyspace", ""},
        {"cassandra_replication", "dc1=3"},
        {"cassandra_counts", "one"},
        {"cassandra_remote_reads", "1"},
        {"memory", "99999999999GiB"},
        {"reading_sites", "https://news.example"},
        {"reading_sites", "news.example:8443"},
        {"reading_sites", "ok.example, user@news.example"},
        {"reading_sites", "a..b"},
        {"reading_ttl", ""},
        {"reading_ttl", "0d"},
        {"reading_ttl", "12h"},
        {"reading_ttl", "36h"},
        {"reading_ttl", "367d"},
        {"reading_ttl", "forever"},
        {"reading_least", "0"},
        {"reading_least", "-1"},
        {"reading_least", "many"},
        {"reading_ingress", "yes"},
    };
    expect_refused(wrong);
}

TEST(Configuration, refuses_backups_that_make_no_sense) {
    expect_refused({
        {"backup_rate", "0MiB"},
        {"backup_rate", "50"},
        {"backup_history", "1KiB"},
        {"backup_every", "1s"},
        {"backup_every", "daily"},
        {"backup_keep", "0"},
        {"backup_keep", "some"},
        {"backup_history", "much"},
    });
}

TEST(ConfigurationFile, names_settings_and_counters) {
    const TextFile file{
        "listen = \"127.0.0.1:9\"\nthreads = 2\n[[counter]]\nname = \"daily\"\nttl = \"1d\"\nlimit "
        "= 10\n"
    };
    const auto read = read_configuration_file(file.path());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->settings.at("listen").text, "127.0.0.1:9");
    EXPECT_EQ(read->settings.at("threads").text, "2");
    const auto counters = read->sections.find("counter");
    ASSERT_NE(counters, read->sections.end());
    ASSERT_EQ(counters->second.size(), 1U);
    const jobs::Section& daily = counters->second[0];
    EXPECT_THAT(daily.origin, testing::EndsWith(":3"));
    ASSERT_EQ(daily.fields.size(), 3U);
    for (const jobs::SectionField& field : daily.fields) {
        const bool number = field.name == "limit";
        EXPECT_EQ(std::holds_alternative<std::int64_t>(field.value), number) << field.name;
        EXPECT_EQ(std::holds_alternative<std::string>(field.value), !number) << field.name;
        EXPECT_THAT(
            field.origin,
            testing::EndsWith(
                number                ? ":6"
                : field.name == "ttl" ? ":5"
                                      : ":4"
            )
        );
    }
    EXPECT_TRUE(resolve(read->settings, read->sections));
}

TEST(ConfigurationFile, errors_name_the_line) {
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"listen = \"127.0.0.1:9\"\nlisen = 1\n", ":2"},
        {"listen = \n", ":1"},
        {"\n[[counter]]\nname = \"a\"\nttl = \"soon\"\n", ":4"},
        {"[[counter]]\nname = \"a\"\nlimit = 0\n", ":3"},
        {"[[counter]]\nlimit = 5\n", ":1"},
        {"[[counter]]\nname = \"a\"\n[[counter]]\nname = \"a\"\n", ":3"},
        {"counter = 5\n", ":1"},
        {"[[[counter]]]\n", ": this is no TOML"},
    };
    for (const auto& [text, place] : wrong) {
        const TextFile file{text};
        const auto read = read_configuration(file.path(), {});
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(read.error().message, HasSubstr(file.path() + place)) << text;
    }
}

TEST(ConfigurationFile, flags_win_over_the_file) {
    const TextFile file{"threads = 2\nmemory = \"64MiB\"\n"};
    const auto configuration = read_configuration(file.path(), one("threads", "4"));
    ASSERT_TRUE(configuration) << configuration.error().message;
    EXPECT_EQ(configuration->threads, 4U);
    EXPECT_EQ(configuration->memory_bytes, 64U << 20);
}

/// The file that the package installs, with every setting that stands behind a "# " switched on.
std::string with_everything_on(const std::string& text) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz_";
    std::istringstream lines{text};
    std::string all;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t end = std::min(line.find_first_not_of(letters, 2), line.size());
        const bool off = line.starts_with("# [[") ||
                         (line.starts_with("# ") && end > 2 && line.compare(end, 3, " = ") == 0);
        all += off ? line.substr(2) : line;
        all += '\n';
    }
    return all;
}

TEST(ConfigurationFile, of_the_package_names_every_setting_and_all_of_it_holds) {
    const std::string text = read_text(in_repository("packaging/footfall.toml"));
    const TextFile all{with_everything_on(text)};
    const auto read = read_configuration_file(all.path());
    ASSERT_TRUE(read) << read.error().message;
    for (const SettingRow& each : all_settings()) {
        EXPECT_TRUE(read->settings.contains(each.name))
            << each.name << ": describe it in packaging/footfall.toml";
    }
    EXPECT_TRUE(read->sections.contains("counter"));
    const auto configuration = resolve(read->settings, read->sections);
    EXPECT_TRUE(configuration) << configuration.error().message;

    const TextFile as_installed{text};
    const auto installed = read_configuration(as_installed.path(), {});
    ASSERT_TRUE(installed) << installed.error().message;
    EXPECT_EQ(installed->data, "/var/lib/footfall");
    EXPECT_EQ(installed->address, "127.0.0.1");
}

}  // namespace
}  // namespace footfall::server
