// Real logs become events: each record once, however often and under whatever name it is imported,
// and each object has as many events as the file has records of it.

#include "test_support/run_command.h"
#include "test_support/running_server.h"
#include "test_support/truth.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::acceptance {
namespace {

using namespace test_support;

/// Of the sketch that counts people.
constexpr double standard_error = 0.0076;

struct EventSet {
    std::string name;
    std::string folder;
    std::string file;
    std::vector<std::string> how;
    std::uint64_t imported;
    std::uint64_t rejected;
    bool has_actors;  ///< Its distinct_users are the actors of its events.

    friend void PrintTo(const EventSet& set, std::ostream* out) { *out << set.name; }
};

const EventSet event_sets[] = {
    {.name = "reviews",
     .folder = "events-reviews",
     .file = "anonreviews.csv.gz",
     .how =
         {"--format",
          "csv",
          "--map",
          "object=vendorId,actor=reviewerId,time=date",
          "--set",
          "action=view"},
     .imported = 578'805,
     .rejected = 0,
     .has_actors = true},
    {.name = "nasa",
     .folder = "weblog-nasa",
     .file = "nasa_19950801.tsv.gz",
     .how = {"--format", "tsv", "--map", "object=url,actor=host,time=time", "--set", "action=view"},
     .imported = 30'969,
     .rejected = 0,
     .has_actors = true},
    {.name = "combined",
     .folder = "weblog-combined",
     .file = "apache_logs.gz",
     .how = {"--format", "combined"},
     .imported = 9'999,
     .rejected = 1,
     .has_actors = false},
};

class EventImport : public testing::TestWithParam<EventSet> {
protected:
    static std::string path_of(const std::string& file) {
        return fmt::format("{}/{}/{}", FOOTFALL_DATA_DIR, GetParam().folder, file);
    }

    /// Imports a file, `-` for `input`; answers the last line that is said of it, once what it
    /// brought is counted.
    std::string import_file(const std::string& path, std::string input = {}) {
        std::vector<std::string> words{"import", path, "--as", "events", "--server", server_.url()};
        words.insert(words.end(), GetParam().how.begin(), GetParam().how.end());
        const CommandResult done = run_footfall(std::move(words), std::move(input));
        EXPECT_EQ(done.exit_code, 0) << done.errors;
        std::uint64_t imported = 0;
        std::uint64_t duplicates = 0;
        std::string word;
        std::istringstream{done.last_line()} >> word >> imported >> word >> duplicates;
        // Those that were there already are judged as well, and may be before the new ones.
        sent_ += imported + duplicates;
        api_.wait_until_counted(sent_);
        return done.last_line();
    }

    /// kill -9 and a new start; what was under way is stored when this returns.
    void kill_and_restart() {
        server_.kill();
        server_.restart();
        sent_ = 0;
        api_.wait_until_counted(0);
    }

    static std::string last_line(std::uint64_t imported, std::uint64_t duplicates) {
        return fmt::format(
            "imported {} duplicates {} rejected {}", imported, duplicates, GetParam().rejected
        );
    }

    boost::json::object views_of(const std::string& object) {
        return api_.get_json("/api/v1/views/" + http_server::percent_encode(object));
    }

    /// Every object has its rows as events, each counted or refused with a reason.
    void expect_rows() {
        const Counts truth = read_truth_rows(path_of("truth_objects.tsv.gz"));
        Counts events;
        for (const auto& [object, rows] : truth) {
            const boost::json::object views = views_of(object);
            auto sum = views.at("counted").to_number<std::uint64_t>();
            for (const auto& [reason, count] : views.at("refused").as_object()) {
                sum += count.to_number<std::uint64_t>();
            }
            events[object] = views.at("events").to_number<std::uint64_t>();
            EXPECT_EQ(sum, events[object]) << object;
        }
        EXPECT_EQ(differences(truth, events), "");
    }

    /// People are those of the file, within the stated error.
    void expect_people() {
        if (!GetParam().has_actors) {
            // Who came with which browser is in no truth: only that there is somebody.
            EXPECT_GT(views_of("/favicon.ico").at("people").to_number<std::uint64_t>(), 400U);
            return;
        }
        for (const auto& [object, people] : read_truth(path_of("truth_objects.tsv.gz"))) {
            const boost::json::object views = views_of(object);
            const auto counted = views.at("people").to_number<double>();
            if (views.at("exact").as_bool()) {
                EXPECT_EQ(counted, static_cast<double>(people)) << object;
            } else {
                EXPECT_NEAR(counted / static_cast<double>(people), 1, 5 * standard_error) << object;
            }
        }
    }

    const TemporaryDirectory directory_;
    FootfallProcess server_{directory_ / "data"};
    Api api_{server_};
    std::uint64_t sent_ = 0;  ///< Events, since the server started.
};

TEST_P(EventImport, every_record_is_one_event_of_its_object_also_after_a_kill) {
    const std::string path = path_of(GetParam().file);
    EXPECT_EQ(import_file(path), last_line(GetParam().imported, 0));
    expect_rows();
    expect_people();
    kill_and_restart();
    expect_rows();
    EXPECT_EQ(import_file(path), last_line(0, GetParam().imported));
    expect_rows();
}

class GrowingLog : public EventImport {};

TEST_P(GrowingLog, adds_what_is_new) {
    const std::string whole = read_gzip(path_of(GetParam().file));
    const std::string half = whole.substr(0, whole.find('\n', whole.size() / 2) + 1);
    const std::string first = import_file("-", half);
    const bool has_header = GetParam().how[1] != "combined";
    const auto lines = static_cast<std::uint64_t>(std::ranges::count(half, '\n'));
    const std::uint64_t begun = lines - (has_header ? 1 : 0);
    EXPECT_EQ(first, fmt::format("imported {} duplicates 0 rejected 0", begun));
    EXPECT_EQ(import_file(path_of(GetParam().file)), last_line(GetParam().imported - begun, begun));
    expect_rows();
}

const auto name_of_set = [](const testing::TestParamInfo<EventSet>& set) { return set.param.name; };

INSTANTIATE_TEST_SUITE_P(, EventImport, testing::ValuesIn(event_sets), name_of_set);
INSTANTIATE_TEST_SUITE_P(, GrowingLog, testing::Values(event_sets[1], event_sets[2]), name_of_set);

}  // namespace
}  // namespace footfall::acceptance
