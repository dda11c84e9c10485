// Who read what, on Kafka and Cassandra (./test cluster): what never was shared is nowhere, and a
// key that is destroyed leaves the files of data. The files are those of the cluster that
// tools/cluster started on this machine.

#include "foundation_testing/files_below.h"
#include "foundation_testing/temporary_directory.h"
#include "kafka_client.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/must.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"
#include "test_support/tested_store.h"

#include <boost/json/array.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace footfall {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using http_server::Method;

/// Whether topics keep records as they are, or packed as the program sends them.
enum class Packing { plain, packed };

class ReadsOnCluster : public testing::Test {
protected:
    void start(Packing packing) {
        if (packing == Packing::plain) {
            for (const char* topic : {"events", "judged"}) {
                make_topic(
                    prefix_ + topic,
                    64,
                    {{"compression.type", "uncompressed"},
                     {"retention.ms", "-1"},
                     {"max.message.bytes", "2097152"}}
                );
            }
        }
        server_.emplace(directory_ / "data");
        api_.emplace(*server_);
    }

    /// The same with tables of secrets whose files a key can be looked for in.
    void start_with_readable_files() {
        const CommandResult made =
            run_footfall({"schema", "apply", "--cassandra-keyspace", keyspace_});
        ASSERT_EQ(made.exit_code, 0) << made.errors;
        hurry();
        start(Packing::packed);
    }

    static std::filesystem::path of_cluster() {
        const char* const place = std::getenv("FOOTFALL_TEST_CLUSTER");
        if (place == nullptr) {
            give_up(
                "FOOTFALL_TEST_CLUSTER does not say where the cluster's files are: "
                "source build/cluster/env"
            );
        }
        return place;
    }

    static std::vector<std::filesystem::path> servers(const std::string& kind) {
        std::vector<std::filesystem::path> found;
        for (const auto& each : std::filesystem::directory_iterator{of_cluster()}) {
            if (each.path().filename().string().starts_with(kind + "-")) {
                found.push_back(each.path());
            }
        }
        EXPECT_FALSE(found.empty()) << kind;
        return found;
    }

    /// Which of these texts are in files of these servers; each file is read once. The brokers'
    /// indexes hold offsets and times, and take a MiB each.
    static std::set<std::string> in_files_of(
        const std::string& kind, const std::vector<std::string>& texts
    ) {
        std::set<std::string> found;
        for (const std::filesystem::path& server : servers(kind)) {
            for (const std::filesystem::path& each : files_below(server)) {
                if (each.extension() == ".index" || each.extension() == ".timeindex") {
                    continue;
                }
                const std::string bytes = bytes_of_file(each);
                for (const std::string& text : texts) {
                    if (bytes.contains(text)) {
                        found.insert(text);
                    }
                }
            }
        }
        return found;
    }

    /// The word behind this one, of those by which the server finds its store.
    std::string word_behind(const std::string& flag) const {
        const std::vector<std::string> words = store_words(directory_ / "data");
        return *(std::ranges::find(words, flag) + 1);
    }

    void say(const std::string& actor, const std::string& reading) {
        const auto answer = api_->send(
            Method::put, "/api/v1/people/" + actor, fmt::format(R"({{"reading":"{}"}})", reading)
        );
        ASSERT_EQ(answer.status, 200) << answer.body;
    }

    std::string own(const std::string& name) const { return fmt::format("{}-{:x}", name, seed_); }

    /// With marks in all that is personal.
    static std::string event_of(
        const std::string& action, const std::string& actor, const std::string& url
    ) {
        return fmt::format(
            R"({{"id":"id-of-{0}","action":"{1}","object":"{2}","actor":"{0}",)"
            R"("agent":"agent-of-{0}","referrer":"https://referrer-of-{0}.example/",)"
            R"("identifiers":[{{"identifier":"www","id_name":"id","id_value":"value-of-{0}"}}],)"
            R"("attributes":{{"note":"note-of-{0}"}}}})"
            "\n",
            actor,
            action,
            url
        );
    }

    static std::vector<std::string> marks_of(const std::string& actor) {
        std::vector<std::string> marks;
        for (const char* each : {"id-of-", "agent-of-", "referrer-of-", "value-of-", "note-of-"}) {
            marks.push_back(each + actor);
        }
        return marks;
    }

    /// All that consumers of the topics are given.
    std::string in_topics() const {
        std::string all;
        for (const char* topic : {"events", "judged"}) {
            for (const PlainRecord& each : read_all_of(prefix_ + topic, records_of_topic, 6s)) {
                all += each.key + each.value;
                for (const auto& [name, text] : each.headers) {
                    all += name + text;
                }
            }
        }
        return all;
    }

    /// What the program says of itself, and answers whoever may not ask for people.
    std::string in_words() {
        std::string all = server_->process().output() + server_->process().errors();
        for (const char* target :
             {"/metrics",
              "/api/v1/events?limit=100",
              "/api/v1/reading/popular?window=24h",
              "/api/v1/reading/trending",
              "/api/v1/hot"}) {
            const auto answer = api_->send(Method::get, target);
            EXPECT_EQ(answer.status, 200) << target << answer.body;
            all += answer.body;
        }
        return all;
    }

    void expect_nowhere(Packing packing) {
        start(packing);
        const std::string shares = own("annabel");
        const std::string never = own("evelyn");
        const std::string planted = own("planted");
        say(shares, "shared");
        api_->post_events(
            event_of("read", shares, "https://news.example/a") +
            event_of("read", never, "https://news.example/a") +
            event_of("view", planted, "https://news.example/a")
        );

        const std::string topics = in_topics();

        struct Place {
            const char* name;
            std::string text;
        };

        for (const Place& place :
             {Place{"topics", topics}, Place{"tables", all_cells(keyspace_)}}) {
            SCOPED_TRACE(place.name);
            EXPECT_TRUE(place.text.contains("news.example/a"));
            EXPECT_FALSE(place.text.contains(never));
            for (const std::string& actor : {shares, never}) {
                for (const std::string& mark : marks_of(actor)) {
                    EXPECT_FALSE(place.text.contains(mark)) << mark;
                }
            }
        }
        for (const std::string& mark : marks_of(planted)) {
            EXPECT_TRUE(topics.contains(mark)) << "it would be found: " << mark;
        }
        EXPECT_FALSE(topics.contains(shares)) << "who shares is known to a table alone";
        const std::string words = in_words();
        EXPECT_TRUE(words.contains("agent-of-" + planted));
        EXPECT_FALSE(words.contains(shares));
        EXPECT_FALSE(words.contains(never));
        expect_in_files(packing, planted, shares, never);
    }

    /// Brokers' files are those of the topics; the nodes' logs have what is in no other file yet.
    static void expect_in_files(
        Packing packing,
        const std::string& planted,
        const std::string& shares,
        const std::string& never
    ) {
        const std::string agent = "agent-of-";
        const std::vector<std::string> texts{agent + planted, agent + shares, shares, never};
        std::set<std::string> expected;
        if (packing == Packing::plain) {
            expected.insert(agent + planted);
        }
        auto in_kafka = in_files_of("kafka", texts);
        if (packing == Packing::packed) {
            in_kafka.erase(agent + planted);  // as it may be, in a packed file
        }
        EXPECT_EQ(in_kafka, expected) << "the planted mark, and nothing else";
        EXPECT_EQ(in_files_of("cassandra", texts), std::set<std::string>{shares})
            << "who shares is known to a table, and what they use to none";
    }

    // --- keys ---

    std::string cell(const std::string& column, const std::string& table, const std::string& where)
        const {
        return cell_of_cql(
            fmt::format(R"(SELECT "{}" FROM {}.{} WHERE {})", column, keyspace_, table, where)
        );
    }

    /// Tables of secrets are written to files twice an hour; here each second. What is in memory
    /// already may go on waiting for the former period: then it has to be said again, as another.
    /// Nor are files compressed: the last byte of a key may be taken from the key before it.
    void hurry() {
        ++period_;
        for (const char* table : {"reader_key", "former_reader", "day_key"}) {
            run_cql(fmt::format(
                "ALTER TABLE {}.{} WITH memtable_flush_period_in_ms = {} "
                "AND compression = {{'enabled': 'false'}}",
                keyspace_,
                table,
                period_
            ));
        }
    }

    bool is_in_data(const std::string& bytes) const {
        return std::ranges::any_of(servers("cassandra"), [&](const std::filesystem::path& each) {
            return is_in_files_below(each / "data" / keyspace_, bytes);
        });
    }

    /// How long it took to be in no file of the tables.
    void expect_gone(const std::string& what, const std::string& key) const {
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_TRUE(eventually([&] { return !is_in_data(key); }, 60s, 50ms)) << what;
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        fmt::print("{} is in no file of a table {:.1f} s later\n", what, took.count());
    }

    std::string key_of(const std::string& actor) const {
        return cell("key", "reader_key", fmt::format("actor = '{}'", actor));
    }

    bool is_told_who_read(const std::string& actor) {
        return api_->get_json("/api/v1/events/id-of-" + actor).contains("actor");
    }

    static constexpr std::size_t records_of_topic = 100'000;
    int period_ = 1000;  ///< Milliseconds.

    const std::uint64_t seed_ = random_seed();
    TemporaryDirectory directory_;
    const std::string prefix_ = word_behind("--kafka-prefix");
    const std::string keyspace_ = word_behind("--cassandra-keyspace");
    std::optional<FootfallProcess> server_;
    std::optional<Api> api_;
};

TEST_F(ReadsOnCluster, of_who_never_shared_are_nowhere_in_plain_topics) {
    expect_nowhere(Packing::plain);
}

TEST_F(ReadsOnCluster, of_who_never_shared_are_nowhere_in_packed_topics) {
    expect_nowhere(Packing::packed);
}

TEST_F(ReadsOnCluster, are_nobodys_once_a_key_is_destroyed_and_it_leaves_the_files) {
    ASSERT_NO_FATAL_FAILURE(start_with_readable_files());
    const std::string off = own("annabel");
    const std::string back = own("bertram");
    const std::string stays = own("cecilia");
    const std::vector<std::string> everybody{off, back, stays};
    for (const std::string& actor : everybody) {
        say(actor, "shared");
        api_->post_events(event_of("read", actor, "https://news.example/a"));
    }
    std::vector<std::string> keys;
    for (const std::string& actor : everybody) {
        EXPECT_TRUE(is_told_who_read(actor));
        keys.push_back(key_of(actor));
        ASSERT_GE(keys.back().size(), 16U);
        EXPECT_TRUE(eventually([&] { return is_in_data(keys.back()); }, 60s, 50ms)) << actor;
    }
    say(off, "off");
    EXPECT_FALSE(is_told_who_read(off));
    const auto taken = api_->send(Method::del, "/api/v1/people/" + back + "/reads?all=true");
    EXPECT_EQ(taken.status, 200) << taken.body;
    EXPECT_FALSE(is_told_who_read(back));
    expect_gone("the key of who is off", keys[0]);
    expect_gone("the key of who took back all", keys[1]);
    EXPECT_TRUE(is_in_data(keys[2])) << "who still shares has theirs";
    server_->kill();
    server_->restart();
    api_.emplace(*server_);
    EXPECT_FALSE(is_told_who_read(off));
    EXPECT_FALSE(is_told_who_read(back));
    EXPECT_TRUE(is_told_who_read(stays));
}

TEST_F(ReadsOnCluster, of_a_day_that_ended_are_nobodys_and_its_key_leaves_the_files) {
    ASSERT_NO_FATAL_FAILURE(start_with_readable_files());
    const std::string actor = own("annabel");
    say(actor, "shared");
    const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    const auto day = today - std::chrono::days{10};
    api_->post_events(fmt::format(
        R"({{"id":"id-of-{0}","action":"read","object":"https://news.example/a","actor":"{0}",)"
        R"("time":"{1:%F}T12:00:00Z"}})",
        actor,
        day
    ));
    EXPECT_TRUE(is_told_who_read(actor));
    const std::string key = cell("key", "day_key", fmt::format("day = '{:%F}'", day));
    const std::string of_today = cell("key", "day_key", fmt::format("day = '{:%F}'", today));
    ASSERT_GE(key.size(), 16U);
    const auto are_in_data = [&] {
        hurry();
        return is_in_data(key) && is_in_data(of_today);
    };
    EXPECT_TRUE(eventually(are_in_data, 60s, 3s));
    ASSERT_EQ(server_->stop(), 0);
    server_->restart({"--reading-ttl", "7d"});
    api_.emplace(*server_);
    EXPECT_FALSE(is_told_who_read(actor));
    expect_gone("the key of a day that ended", key);
    EXPECT_TRUE(is_in_data(of_today));
}

}  // namespace
}  // namespace footfall
