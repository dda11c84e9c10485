// kill -9 in the middle of an import, of the server or of the import itself: afterwards no object
// counts more than it should, and a second import brings exactly the truth.

#include "foundation/random.h"
#include "real_data.h"
#include "test_support/eventually.h"
#include "test_support/log_bytes.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>

namespace footfall::acceptance {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;
using namespace test_support;

constexpr int kills = 2;

class ImportKilled : public testing::TestWithParam<DataSet> {
protected:
    /// The file several times over: whatever is killed within the first is in mid-import.
    ChildProcess start_import(const std::vector<std::string>& target) const {
        const int times = GetParam().times_for_long_import();
        return ChildProcess{footfall_command(GetParam().import_words(target, times))};
    }

    void import_again(const std::vector<std::string>& target) const {
        const CommandResult done = run_footfall(GetParam().import_words(target));
        EXPECT_EQ(done.exit_code, 0) << done.errors;
        EXPECT_EQ(done.last_line(), GetParam().last_line());
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    const Counts truth_ = GetParam().truth();
    Random random_{random_seed()};
};

TEST_P(ImportKilled, server_lets_the_import_fail_and_a_second_one_brings_the_truth) {
    FootfallProcess server{data_};
    for (int kill = 0; kill < kills; ++kill) {
        const std::uint64_t threshold = 1 + random_.below(GetParam().imported * 9 / 10);
        fmt::print("killing the server after {} tokens\n", threshold);
        const Counts before = counts_by_command({"--server", server.url()});
        Api api{server};
        ChildProcess import = start_import({"--server", server.url()});
        ASSERT_TRUE(eventually(
            [&] { return api.metric("footfall_tokens_put_total") >= threshold; }, 120s, 2ms
        ));
        server.kill();
        EXPECT_EQ(import.wait(20s).exit_code, 1);
        EXPECT_THAT(import.errors(), HasSubstr(server.url()));
        EXPECT_THAT(import.output(), Not(HasSubstr("imported")));

        server.restart();
        const Counts after = counts_by_command({"--server", server.url()});
        EXPECT_EQ(surplus(truth_, after), "");
        EXPECT_EQ(surplus(after, before), "") << "what was there before the kill is gone";
    }
    import_again({"--server", server.url()});
    EXPECT_EQ(differences(truth_, counts_one_by_one(server, truth_)), "");
    EXPECT_EQ(differences(truth_, counts_by_command({"--server", server.url()})), "");
}

TEST_P(ImportKilled, itself_leaves_a_directory_that_a_second_one_brings_to_the_truth) {
    const std::vector<std::string> target{"--data", data_};
    Counts before;
    int hits = 0;  // kills that left something new; before the first block is whole none does
    for (int kill = 0; hits < kills && kill < 10 * kills; ++kill) {
        // A token takes some 30 bytes of log; the first ones are the counter's own rows. A log of
        // some 3 MB is deleted, as its rows are in files by then.
        const std::uint64_t range = GetParam().imported * (kill == 0 ? 10 : 1);
        const std::uint64_t more = 1'000 + random_.below(std::min<std::uint64_t>(range, 2'000'000));
        ChildProcess import = start_import(target);
        // A start may write what is in logs into files, and delete the logs.
        std::uint64_t least = log_bytes(data_);
        ASSERT_TRUE(eventually(
            [&] {
                const std::uint64_t now = log_bytes(data_);
                least = std::min(least, now);
                return now >= least + more;
            },
            30s,
            100us
        ));
        import.send_signal(SIGKILL);
        ASSERT_EQ(import.wait(20s).signal, SIGKILL) << "it ended before it could be killed";

        const Counts after = counts_by_command(target);
        std::uint64_t tokens = 0;
        for (const auto& [object, count] : after) {
            tokens += count;
        }
        fmt::print("killed the import after {} bytes of log: {} tokens\n", more, tokens);
        hits += after != before ? 1 : 0;
        EXPECT_EQ(surplus(truth_, after), "");
        EXPECT_EQ(surplus(after, before), "") << "what was there before the kill is gone";
        before = after;
    }
    EXPECT_GT(hits, 0);
    import_again(target);
    EXPECT_EQ(differences(truth_, counts_by_command(target)), "");
    const FootfallProcess server{data_};
    EXPECT_EQ(differences(truth_, counts_one_by_one(server, truth_)), "");
}

INSTANTIATE_TEST_SUITE_P(, ImportKilled, testing::ValuesIn(data_sets()), [](const auto& set) {
    return set.param.name;
});

}  // namespace
}  // namespace footfall::acceptance
