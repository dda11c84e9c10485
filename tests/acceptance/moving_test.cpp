// `footfall export` and `footfall import-tables` between data directories: the same bytes come out
// again, also when either is killed on its way.

#include "foundation_testing/temporary_directory.h"
#include "moving_parts.h"
#include "test_support/api.h"
#include "test_support/footfall_process.h"
#include "test_support/random_seed.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

namespace footfall::acceptance {
namespace {

using testing::HasSubstr;
using namespace test_support;

constexpr int kills = 3;

class Moving : public testing::Test {
protected:
    static void SetUpTestSuite() {
        directory = std::make_unique<TemporaryDirectory>();
        fill_directory(data(), environment_number("FOOTFALL_MOVING_RECORDS", 20'000));
        run_well({"export", whole(), "--data", data()});
        total_bytes = 0;
        for (const auto& [name, bytes] : export_files(whole())) {
            total_bytes += bytes.size();
        }
    }

    static void TearDownTestSuite() { directory.reset(); }

    static std::string data() { return *directory / "data"; }

    static std::string whole() { return *directory / "whole"; }

    std::string fresh(const char* name) const { return mine_ / name; }

    static inline std::unique_ptr<TemporaryDirectory> directory;
    static inline std::uint64_t total_bytes = 0;  ///< Of the export.
    const TemporaryDirectory mine_;
    Random random_{random_seed()};
};

TEST_F(Moving, an_export_that_is_killed_goes_on_and_makes_the_same_bytes) {
    // Runs, and then the files made of them.
    const KilledRun run = run_with_kills(
        {"export", fresh("cut"), "--data", data()},
        FileUse::written,
        2 * total_bytes,
        kills,
        random_
    );
    ASSERT_EQ(run.last.exit_code, 0) << run.last.errors;
    EXPECT_GT(run.kills, 0);
    EXPECT_GT(rows_gone_on_behind(run.last.output), 0U) << run.last.output;
    EXPECT_EQ(different_files(fresh("cut"), whole()), "");
}

TEST_F(Moving, an_import_that_is_killed_goes_on_and_loses_nothing) {
    const std::string target = fresh("target");
    const KilledRun run = run_with_kills(
        {"import-tables", whole(), "--data", target},
        FileUse::written,
        8 * total_bytes,  // a fresh directory with all its tables takes more than a megabyte
        kills,
        random_
    );
    ASSERT_EQ(run.last.exit_code, 0) << run.last.errors << run.last.output;
    EXPECT_GT(run.kills, 0);
    EXPECT_GT(rows_gone_on_behind(run.last.output), 0U) << run.last.output;
    EXPECT_THAT(run.last.output, HasSubstr("the store holds what the export says"));
    run_well({"export", fresh("again"), "--data", target});
    EXPECT_EQ(different_files(fresh("again"), whole()), "");
    EXPECT_EQ(
        run_well({"count", "--all", "--data", target}).output,
        run_well({"count", "--all", "--data", data()}).output
    );
    EXPECT_EQ(
        run_footfall({"verify", "views", "--data", target}).output,
        run_footfall({"verify", "views", "--data", data()}).output
    );
    EXPECT_EQ(
        run_well({"keys", "list", "--json", "--data", target}).output,
        run_well({"keys", "list", "--json", "--data", data()}).output
    );
}

TEST_F(Moving, says_what_it_did_as_json) {
    const CommandResult exported = run_well({"export", fresh("json"), "--data", data(), "--json"});
    EXPECT_THAT(exported.output, HasSubstr(R"("resumed_rows":0,"tables":[{"name":"deployment")"));
    const CommandResult imported =
        run_well({"import-tables", fresh("json"), "--data", fresh("target"), "--json"});
    EXPECT_THAT(imported.output, HasSubstr(R"("was_done":false,"equal":true)"));
    const CommandResult again =
        run_well({"import-tables", fresh("json"), "--data", fresh("target"), "--json"});
    EXPECT_THAT(again.output, HasSubstr(R"("was_done":true,"equal":true)"));
}

/// A store that goes without its log must have all that is in it.
TEST_F(Moving, refuses_rows_that_a_kill_left_behind_their_log) {
    const std::string killed = fresh("killed");
    FootfallProcess server{killed};
    Api{server}.post_events(
        R"({"action":"click","object":"o","actor":"a","amount":"0.5","currency":"EUR","reseller":"r"})"
        "\n"
    );
    server.kill();
    const CommandResult behind = run_footfall({"export", fresh("e"), "--data", killed});
    EXPECT_EQ(behind.exit_code, 1) << behind.output;
    EXPECT_THAT(behind.errors, HasSubstr("start the server with its settings, stop it"));
    server.restart();
    ASSERT_EQ(server.stop(), 0);
    run_well({"export", fresh("e"), "--data", killed});
    run_well({"import-tables", fresh("e"), "--data", fresh("moved")});
    const CommandResult table = run_well({"table", "amount_by_day", "--data", fresh("moved")});
    EXPECT_THAT(table.output, HasSubstr("0.500000")) << "nothing has read the log of it yet";
}

TEST_F(Moving, refuses_what_it_must_not_overwrite) {
    const CommandResult full = run_footfall({"import-tables", whole(), "--data", data()});
    EXPECT_EQ(full.exit_code, 1);
    EXPECT_THAT(full.errors, HasSubstr("not empty"));
    const CommandResult done = run_footfall({"export", whole(), "--data", data()});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.errors, HasSubstr("empty directory"));
    const CommandResult absent = run_footfall({"export", fresh("x"), "--data", fresh("absent")});
    EXPECT_EQ(absent.exit_code, 1);
    EXPECT_THAT(absent.errors, HasSubstr("there is no data directory"));
    const CommandResult none = run_footfall({"import-tables", fresh("no"), "--data", fresh("d")});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_THAT(none.errors, HasSubstr("holds no complete export"));
    EXPECT_EQ(run_footfall({"export"}).exit_code, 2);
}

}  // namespace
}  // namespace footfall::acceptance
