// Real data in, and every count of every object is the one computed beforehand by other means.

#include "real_data.h"
#include "test_support/run_command.h"

#include <gmock/gmock.h>

#include <string>

namespace footfall::acceptance {
namespace {

using testing::HasSubstr;
using namespace test_support;

class ImportTruth : public testing::TestWithParam<DataSet> {
protected:
    void import_into(const std::vector<std::string>& target) const {
        const CommandResult done = run_footfall(GetParam().import_words(target));
        EXPECT_EQ(done.exit_code, 0) << done.errors;
        EXPECT_EQ(done.last_line(), GetParam().last_line());
        EXPECT_THAT(done.errors, HasSubstr(GetParam().reject_shown));
    }

    void expect_truth_of(const FootfallProcess& server) const {
        EXPECT_EQ(differences(truth_, counts_one_by_one(server, truth_)), "");
        EXPECT_EQ(differences(truth_, counts_by_command({"--server", server.url()})), "");
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    const Counts truth_ = GetParam().truth();
};

TEST_P(ImportTruth, holds_through_a_server_a_second_import_and_restarts) {
    FootfallProcess server{data_};
    import_into({"--server", server.url()});
    expect_truth_of(server);

    import_into({"--server", server.url()});
    expect_truth_of(server);

    ASSERT_EQ(server.stop(), 0);
    server.restart();
    expect_truth_of(server);

    server.kill();
    server.restart();
    expect_truth_of(server);
}

TEST_P(ImportTruth, holds_through_a_directory_and_a_server_started_on_it) {
    import_into({"--data", data_});
    EXPECT_EQ(differences(truth_, counts_by_command({"--data", data_})), "");
    FootfallProcess server{data_};
    expect_truth_of(server);
    ASSERT_EQ(server.stop(), 0);

    import_into({"--data", data_});
    EXPECT_EQ(differences(truth_, counts_by_command({"--data", data_})), "");
}

INSTANTIATE_TEST_SUITE_P(, ImportTruth, testing::ValuesIn(data_sets()), [](const auto& set) {
    return set.param.name;
});

}  // namespace
}  // namespace footfall::acceptance
