#include "real_data.h"

#include "test_support/run_command.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::acceptance {

using test_support::Counts;
using test_support::run_footfall;

std::string DataSet::path() const {
    return fmt::format("{}/{}/{}", FOOTFALL_DATA_DIR, folder, file);
}

Counts DataSet::truth() const {
    return test_support::read_truth(
        fmt::format("{}/{}/truth_objects.tsv.gz", FOOTFALL_DATA_DIR, folder)
    );
}

std::vector<std::string> DataSet::import_words(const std::vector<std::string>& target, int times)
    const {
    std::vector<std::string> words{"import"};
    words.insert(words.end(), static_cast<std::size_t>(times), path());
    words.insert(words.end(), {"--as", "tokens"});
    words.insert(words.end(), how.begin(), how.end());
    words.insert(words.end(), target.begin(), target.end());
    return words;
}

int DataSet::times_for_long_import() const {
    return static_cast<int>(2 + 500'000 / imported);
}

std::string DataSet::last_line(int times) const {
    const auto factor = static_cast<std::uint64_t>(times);
    return fmt::format(
        "imported {} duplicates 0 rejected {}", imported * factor, rejected * factor
    );
}

const std::vector<DataSet>& data_sets() {
    static const std::vector<DataSet> sets{
        {.name = "reviews",
         .folder = "events-reviews",
         .file = "anonreviews.csv.gz",
         .how = {"--format", "csv", "--map", "object=vendorId,token=reviewerId"},
         .imported = 578'805,
         .rejected = 0},
        {.name = "nasa",
         .folder = "weblog-nasa",
         .file = "nasa_19950801.tsv.gz",
         .how = {"--format", "tsv", "--map", "object=url,token=host"},
         .imported = 30'969,
         .rejected = 0},
        {.name = "combined",
         .folder = "weblog-combined",
         .file = "apache_logs.gz",
         .how = {"--format", "combined"},
         .imported = 9'999,
         .rejected = 1,
         .reject_shown = "apache_logs.gz:8899: rejected: "},
    };
    return sets;
}

Counts counts_one_by_one(const test_support::FootfallProcess& server, const Counts& truth) {
    test_support::Api api{server};
    Counts counts;
    for (const auto& [object, count] : truth) {
        const auto answer = api.counter_json(object);
        EXPECT_TRUE(answer.at("exact").as_bool()) << object;
        EXPECT_EQ(std::string_view{answer.at("object").as_string()}, object);
        counts.emplace(object, answer.at("count").to_number<std::uint64_t>());
    }
    return counts;
}

Counts counts_by_command(const std::vector<std::string>& target) {
    std::vector<std::string> words{"count", "--all"};
    words.insert(words.end(), target.begin(), target.end());
    const auto done = run_footfall(std::move(words));
    EXPECT_EQ(done.exit_code, 0) << done.errors;
    return test_support::parse_counts(done.output);
}

std::string surplus(const Counts& truth, const Counts& actual) {
    std::string text;
    for (const auto& [object, count] : actual) {
        const auto found = truth.find(object);
        if (found == truth.end() || count > found->second) {
            text += fmt::format("{}: {}\n", object, count);
        }
    }
    return text;
}

}  // namespace footfall::acceptance
