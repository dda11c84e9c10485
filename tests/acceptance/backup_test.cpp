// `footfall backup` and `footfall restore` of a data directory: every row comes back, also when
// either is killed on its way.

#include "foundation/crc32c.h"
#include "foundation_testing/temporary_directory.h"
#include "moving_parts.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/random_seed.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace footfall::acceptance {
namespace {

namespace fs = std::filesystem;
using http_server::Method;
using testing::HasSubstr;
using namespace test_support;

/// Writes a list of a backup as somebody would who means it.
void write_list(const std::filesystem::path& path, const std::string& text) {
    std::ofstream{path} << text << fmt::format("crc32c {:08x}\n", crc32c(text));
}

class Backup : public testing::Test {
protected:
    static void SetUpTestSuite() {
        directory = std::make_unique<TemporaryDirectory>();
        fill_directory(data(), environment_number("FOOTFALL_MOVING_RECORDS", 5'000));
    }

    static void TearDownTestSuite() { directory.reset(); }

    static std::string data() { return *directory / "data"; }

    std::string fresh(const char* name) const { return mine_ / name; }

    std::string place() const { return mine_ / "place"; }

    std::string make() const {
        return run_well({"backup", "--to", place(), "--data", data()}).output;
    }

    /// How many backups are listed; each has to be sound.
    std::size_t sound() const {
        const CommandResult listed = run_footfall({"backup", "list", "--from", place(), "--json"});
        if (listed.exit_code != 0) {
            return 0;
        }
        std::size_t count = 0;
        for (std::size_t at = 0; (at = listed.output.find("\"name\"", at)) != std::string::npos;
             ++at) {
            ++count;
        }
        if (count > 0) {
            run_well({"backup", "verify", "--from", place()});
        }
        return count;
    }

    /// Whether a restored directory has each row that the one that was backed up has.
    void expect_equal(const std::string& target) const {
        run_well({"export", fresh("expected"), "--data", data()});
        run_well({"export", fresh("found"), "--data", target});
        EXPECT_EQ(different_files(fresh("found"), fresh("expected")), "");
    }

    static inline std::unique_ptr<TemporaryDirectory> directory;
    const TemporaryDirectory mine_;
    Random random_{random_seed()};
};

TEST_F(Backup, is_restored_with_every_row) {
    EXPECT_THAT(make(), HasSubstr("made the backup 20"));
    EXPECT_EQ(sound(), 1U);
    const CommandResult restored =
        run_well({"restore", "--from", place(), "--data", fresh("target")});
    EXPECT_THAT(restored.output, HasSubstr("restored the backup 20"));
    expect_equal(fresh("target"));
    EXPECT_EQ(
        run_footfall({"verify", "views", "--data", fresh("target")}).output,
        run_footfall({"verify", "views", "--data", data()}).output
    );
}

TEST_F(Backup, of_a_directory_is_not_restored_as_a_snapshot_of_a_node) {
    make();
    const CommandResult done =
        run_footfall({"restore", "--from", place(), "--tables", fresh("target")});
    EXPECT_EQ(done.exit_code, 2);
    EXPECT_THAT(done.errors, HasSubstr("--data DIR says where it is restored"));
    EXPECT_FALSE(fs::exists(fresh("target")));
}

TEST_F(Backup, is_rehearsed) {
    make();
    const CommandResult well =
        run_well({"backup", "rehearse", "--from", place(), "--in", mine_.path()});
    EXPECT_THAT(well.output, HasSubstr("restored the backup 20"));
    EXPECT_THAT(well.output, HasSubstr("views: counted "));
    EXPECT_THAT(well.output, HasSubstr("the rehearsal went well"));
    const auto sums = parse_object(
        run_well({"backup", "rehearse", "--from", place(), "--in", mine_.path(), "--json"}).output
    );
    EXPECT_EQ(sums.at("differences").to_number<int>(), 0);
    EXPECT_GT(sums.at("jobs").as_array().at(0).at("events").to_number<int>(), 0);
    std::size_t left = 0;
    for (const auto& entry : fs::directory_iterator{fs::path{mine_.path()}}) {
        left += entry.path().filename().string().starts_with("footfall-rehearsal") ? 1 : 0;
    }
    EXPECT_EQ(left, 0U);
    const CommandResult nowhere =
        run_footfall({"backup", "rehearse", "--from", place(), "--in", fresh("no")});
    EXPECT_EQ(nowhere.exit_code, 2);
    EXPECT_THAT(nowhere.errors, HasSubstr("is no directory"));
    const CommandResult never =
        run_footfall({"backup", "rehearse", "--from", place(), "--time", "2026-01-01T00:00:00Z"});
    EXPECT_EQ(never.exit_code, 1);
    EXPECT_THAT(never.errors, HasSubstr("cannot be restored"));
}

TEST_F(Backup, that_is_killed_leaves_the_older_ones_whole) {
    make();
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator{place()}) {
        bytes += entry.is_regular_file() ? entry.file_size() : 0;
    }
    const auto kills = static_cast<int>(environment_number("FOOTFALL_BACKUP_KILLS", 2));
    const KilledRun backup = run_with_kills(
        {"backup", "--to", place(), "--data", data(), "--full"},
        FileUse::written,
        bytes,
        kills,
        random_
    );
    ASSERT_EQ(backup.last.exit_code, 0) << backup.last.errors;
    EXPECT_GE(sound(), 2U);
    const KilledRun restore = run_with_kills(
        {"restore", "--from", place(), "--data", fresh("target")},
        FileUse::written,
        bytes,
        kills,
        random_
    );
    ASSERT_EQ(restore.last.exit_code, 0) << restore.last.errors;
    EXPECT_GT(backup.kills + restore.kills, 0);
    expect_equal(fresh("target"));
}

/// What was acknowledged before is in it, also when the server is killed during the next one.
TEST_F(Backup, is_made_while_events_come) {
    FootfallProcess server{fresh("served"), {"--backup-directory", place()}};
    std::atomic<int> acknowledged = 0;
    std::jthread sender{[&](const std::stop_token& stop) {
        Api api{server};
        while (!stop.stop_requested()) {
            api.put("o", fmt::format("t{}", acknowledged + 1));
            ++acknowledged;
        }
    }};
    ASSERT_TRUE(eventually([&] { return acknowledged > 20; }));
    const int before = acknowledged;
    const CommandResult made = run_well({"backup", "--server", server.url(), "--keep", "1"});
    EXPECT_THAT(made.output, HasSubstr("made the backup 20"));
    EXPECT_THAT(made.output, HasSubstr("in " + place()));
    ASSERT_TRUE(eventually([&] { return acknowledged > before + 20; })) << "it serves on";
    sender.request_stop();
    sender.join();
    const auto last = Api{server}.get_json("/api/v1/backups").at("last").as_object();
    const std::string first{last.at("backup").at("name").as_string()};

    ASSERT_EQ(server.stop(), 0);
    server.restart({"--backup-directory", place(), "--backup-rate", "1MiB"});
    ASSERT_EQ(Api{server}.send(Method::post, "/api/v1/backups?full=1").status, 202);
    EXPECT_EQ(Api{server}.send(Method::post, "/api/v1/backups").status, 409);
    server.kill();
    EXPECT_EQ(sound(), 1U);
    run_well({"restore", "--from", place(), "--data", fresh("target"), "--backup", first});
    const CommandResult count = run_well({"count", "o", "--data", fresh("target")});
    const int restored = std::stoi(count.output);
    EXPECT_GE(restored, before);
    EXPECT_LE(restored, acknowledged);
    server.restart();
    EXPECT_FALSE(fs::exists(fresh("served") + "/linked"));
}

void write_key(const std::string& path, char digit) {
    std::ofstream{path} << std::string(64, digit) << "\n";
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
}

/// Made by the server and by the command.
TEST_F(Backup, is_encrypted_where_there_is_a_key) {
    const std::string key = fresh("key");
    write_key(key, 'c');
    const std::vector<std::string> with{"--encryption-key", key};
    const auto words = [&](std::vector<std::string> these) {
        these.insert(these.end(), with.begin(), with.end());
        return these;
    };
    {
        FootfallProcess server{
            fresh("served"), {"--backup-directory", place(), "--backup-encryption-key", key}
        };
        Api{server}.put("/o-that-nobody-may-know", "t");
        run_well({"backup", "--server", server.url()});
        const auto backups = Api{server}.get_json("/api/v1/backups").at("backups");
        EXPECT_EQ(backups.as_array().size(), 1U);
        EXPECT_EQ(server.stop(), 0);
    }
    EXPECT_THAT(
        run_well(words({"backup", "--to", place(), "--data", fresh("served")})).output,
        HasSubstr("made the backup")
    );
    for (const auto& file : fs::recursive_directory_iterator{place()}) {
        if (file.is_regular_file()) {
            EXPECT_THAT(read_text(file.path()), testing::Not(HasSubstr("nobody-may-know")))
                << file.path();
        }
    }
    run_well(words({"backup", "verify", "--from", place()}));
    run_well(words({"backup", "rehearse", "--from", place(), "--in", mine_.path()}));
    run_well(words({"restore", "--from", place(), "--data", fresh("target")}));
    EXPECT_EQ(
        run_well({"count", "/o-that-nobody-may-know", "--data", fresh("target")}).output, "1\n"
    );
}

TEST_F(Backup, that_is_encrypted_is_of_use_to_nobody_without_its_key) {
    const std::string key = fresh("key");
    write_key(key, 'c');
    run_well({"backup", "--to", place(), "--data", data(), "--encryption-key", key});
    const auto refused = [](const std::vector<std::string>& these) {
        const CommandResult done = run_footfall(these);
        EXPECT_EQ(done.exit_code, 2) << done.errors;
        return done.errors;
    };
    EXPECT_THAT(
        refused({"restore", "--from", place(), "--data", fresh("t")}),
        HasSubstr("is encrypted: --encryption-key FILE")
    );
    EXPECT_THAT(refused({"backup", "--to", place(), "--data", data()}), HasSubstr("is encrypted"));
    write_key(key, 'd');
    EXPECT_THAT(
        refused({"backup", "verify", "--from", place(), "--encryption-key", key}),
        testing::ContainsRegex("is encrypted with the key [0-9a-f]+, and the one that was given")
    );
    fs::remove(key);
    EXPECT_THAT(
        refused(
            {"serve",
             "--data",
             fresh("s"),
             "--backup-directory",
             place(),
             "--backup-encryption-key",
             key}
        ),
        HasSubstr("there is no such file")
    );
    EXPECT_THAT(
        refused({"backup", "--to", "s3://Bad", "--data", data()}), HasSubstr("a bucket has")
    );
}

TEST_F(Backup, of_another_format_or_deployment_is_refused) {
    make();
    const fs::path folder = fs::directory_iterator{fs::path{place()} / "backups"} -> path();
    const fs::path list = folder / "manifest";
    std::string text = read_text(list);
    text.resize(text.rfind("crc32c "));
    const auto with = [&](const std::string& line, const std::string& other) {
        std::string changed = text;
        const std::size_t begin = changed.find(line);
        changed.replace(begin, changed.find('\n', begin) - begin, other);
        write_list(list, changed);
        const CommandResult done =
            run_footfall({"restore", "--from", place(), "--data", fresh("target")});
        EXPECT_EQ(done.exit_code, 1) << other;
        EXPECT_FALSE(fs::exists(fresh("target") + "/CURRENT")) << other;
        return done.errors;
    };
    EXPECT_THAT(with("format 5", "format 4"), HasSubstr("an earlier version of footfall wrote"));
    EXPECT_THAT(with("format 5", "format 6"), HasSubstr("a newer version of footfall wrote"));
    EXPECT_THAT(
        with("footfall-backup 2", "footfall-backup 3"), HasSubstr("a newer version of footfall")
    );
    EXPECT_THAT(
        with("footfall-backup 2", "footfall-backup 1"), HasSubstr("an earlier version of footfall")
    );
    EXPECT_THAT(
        with("deployment ", "deployment 0123456789abcdef"),
        HasSubstr("says that it is of the deployment 0123456789abcdef")
    );
    const CommandResult taken = run_footfall({"backup", "--to", place(), "--data", data()});
    EXPECT_EQ(taken.exit_code, 1);
    EXPECT_THAT(taken.errors, HasSubstr("holds backups of the deployment 0123456789abcdef"));
}

TEST_F(Backup, refuses_what_cannot_be) {
    make();
    const auto refused = [](const std::vector<std::string>& words, int exit_code) {
        const CommandResult done = run_footfall(words);
        EXPECT_EQ(done.exit_code, exit_code) << done.errors;
        return done.errors;
    };
    EXPECT_THAT(refused({"backup", "--data", data()}, 2), HasSubstr("say where to"));
    EXPECT_THAT(
        refused({"backup", "--to", place(), "--data", fresh("no")}, 1),
        HasSubstr("there is no data directory")
    );
    EXPECT_THAT(
        refused({"backup", "--to", data(), "--data", data()}, 1),
        HasSubstr("holds something else than backups")
    );
    EXPECT_THAT(
        refused({"backup", "--to", place(), "--data", data(), "--keep", "0"}, 2),
        HasSubstr("--keep")
    );
    EXPECT_THAT(
        refused({"backup", "list", "--from", fresh("no")}, 1), HasSubstr("holds no backups")
    );
    EXPECT_THAT(
        refused({"restore", "--from", place(), "--data", data()}, 1), HasSubstr("is not empty")
    );
    EXPECT_THAT(
        refused({"restore", "--from", place(), "--data", fresh("t"), "--backup", "../x"}, 1),
        HasSubstr("no whole backup named ../x")
    );
    const FootfallProcess server{fresh("served")};
    EXPECT_THAT(
        refused({"backup", "--to", place(), "--data", fresh("served")}, 1),
        HasSubstr("is in use by another footfall process")
    );
}

}  // namespace
}  // namespace footfall::acceptance
