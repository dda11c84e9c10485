// Files of a stopped data directory are damaged. What the program does then may be to refuse to
// start, or to answer what it still can; but it says which file is at fault and what to do, it does
// not crash, and it does not count less than was acknowledged without a warning.

#include "foundation/random.h"
#include "ledger.h"
#include "test_support/eventually.h"
#include "test_support/random_seed.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::faults {
namespace {

namespace fs = std::filesystem;

using testing::ContainsRegex;
using testing::HasSubstr;
using namespace std::chrono_literals;
using namespace test_support;

constexpr int rounds = 8;
constexpr const char* names_a_remedy = "restore|repair|backup";

/// What damage to a directory led to.
struct Outcome {
    bool started = false;
    Ending ending;                         ///< Of a program that did not start.
    std::vector<std::string> differences;  ///< Counts that are not what was acknowledged.
    std::string errors;                    ///< What the program wrote to standard error.
};

class Damage : public testing::Test {
protected:
    /// A directory with tokens in files and tokens in the log.
    Damage() {
        FootfallProcess server{data_};
        post(server, 30);
        EXPECT_EQ(server.stop(), 0);
        server.restart();  // what was in the log is in files now
        post(server, 30);
        server.kill();
        fs::copy(data_, sound_, fs::copy_options::recursive);
    }

    void post(const FootfallProcess& server, int batches) {
        Api api{server};
        for (int batch = 0; batch < batches; ++batch) {
            EXPECT_EQ(ledger_.post(api).status, 200);
        }
    }

    void heal() const {
        fs::remove_all(data_);
        fs::copy(sound_, data_, fs::copy_options::recursive);
    }

    /// Files with this extension that are not smaller, the largest first.
    std::vector<fs::path> files(const std::string& extension, std::uintmax_t least_bytes = 1)
        const {
        std::vector<std::pair<std::uintmax_t, fs::path>> found;
        for (const auto& entry : fs::recursive_directory_iterator{data_}) {
            if (entry.path().extension() == extension && entry.file_size() >= least_bytes) {
                found.emplace_back(entry.file_size(), entry.path());
            }
        }
        EXPECT_FALSE(found.empty()) << "no file " << extension;
        std::ranges::sort(found, std::greater{});
        std::vector<fs::path> paths;
        for (auto& [size, path] : found) {
            paths.push_back(std::move(path));
        }
        return paths;
    }

    /// Turns over all bits of 16 bytes somewhere behind the first 10 % and before `before` of 100.
    void flip(const fs::path& file, std::uintmax_t before = 90) {
        const std::uintmax_t size = fs::file_size(file);
        const std::uintmax_t at = size / 10 + random_.below(size * (before - 10) / 100);
        std::fstream stream{file, std::ios::binary | std::ios::in | std::ios::out};
        for (std::uintmax_t offset = at; offset < std::min(at + 16, size); ++offset) {
            stream.seekg(static_cast<std::streamoff>(offset));
            const int byte = stream.get();
            stream.seekp(static_cast<std::streamoff>(offset));
            stream.put(static_cast<char>(~byte));
        }
        ASSERT_TRUE(stream.flush());
    }

    /// Starts the program on what is there now and asks for all counts.
    Outcome try_out() {
        Outcome outcome;
        ChildProcess probe = FootfallProcess::launch(data_);
        const bool known = eventually([&] {
            outcome.started = probe.output().find("http://") != std::string::npos;
            return outcome.started || !probe.running();
        });
        EXPECT_TRUE(known) << "neither started nor ended: " << probe.errors();
        if (!outcome.started) {
            outcome.ending = probe.wait(20s);
            outcome.errors = probe.errors();
            return outcome;
        }
        const std::string said = probe.output();
        const auto port = said.substr(said.find("127.0.0.1:") + 10);
        Api api{http_server::Client{
            {.host = "127.0.0.1", .port = static_cast<std::uint16_t>(std::stoi(port))}
        }};
        outcome.differences = ledger_.differences(api);
        EXPECT_TRUE(probe.running()) << "it crashed when it was asked: " << probe.errors();
        probe.send_signal(SIGTERM);
        const Ending ending = probe.wait(20s);
        EXPECT_EQ(ending.signal, 0) << probe.errors();
        outcome.errors = probe.errors();
        return outcome;
    }

    /// What must be true of any damage at all.
    static void judge(const Outcome& outcome, const std::string& file) {
        SCOPED_TRACE("damaged: " + file);
        const std::string wrong = fmt::format("{}", fmt::join(outcome.differences, ""));
        if (!outcome.started) {
            EXPECT_EQ(outcome.ending.signal, 0) << outcome.errors;
            EXPECT_NE(outcome.ending.exit_code, 0);
            EXPECT_THAT(outcome.errors, HasSubstr(file));
            EXPECT_THAT(outcome.errors, ContainsRegex(names_a_remedy));
        } else if (!outcome.differences.empty()) {
            const std::string told = wrong + outcome.errors;
            EXPECT_THAT(told, HasSubstr(file)) << "lost without a word";
            EXPECT_THAT(told, ContainsRegex(names_a_remedy));
        }
    }

    /// Damages the directory again and again, each time from a sound one: one of the three largest
    /// files after the other, for one may hold only what is not needed any more.
    void damage_and_judge(
        const std::string& extension,
        const std::function<void(const fs::path&)>& hurt,
        std::uintmax_t least_bytes = 1
    ) {
        for (int round = 0; round < rounds && !HasFailure(); ++round) {
            heal();
            const std::vector<fs::path> hurtable = files(extension, least_bytes);
            const std::size_t which = static_cast<std::size_t>(round) % 3;
            const fs::path file = hurtable.at(std::min(which, hurtable.size() - 1));
            hurt(file);
            const Outcome outcome = try_out();
            noticed_ += !outcome.started || !outcome.differences.empty() ? 1 : 0;
            judge(outcome, file.stem().string());
        }
        EXPECT_GT(noticed_, 0) << "no damage was seen at all: nothing was tested";
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    const std::string sound_ = directory_ / "sound";
    Random random_{random_seed()};
    Ledger ledger_;
    int noticed_ = 0;
};

TEST_F(Damage, none_gives_the_right_counts) {
    const Outcome outcome = try_out();
    EXPECT_TRUE(outcome.started) << outcome.errors;
    EXPECT_THAT(outcome.differences, testing::IsEmpty());
}

TEST_F(Damage, of_a_table_file_is_told_with_its_name_and_a_remedy) {
    damage_and_judge(".sst", [this](const fs::path& file) { flip(file); });
}

TEST_F(Damage, of_a_table_file_cut_short_is_told) {
    damage_and_judge(".sst", [this](const fs::path& file) {
        fs::resize_file(file, fs::file_size(file) * (10 + random_.below(80)) / 100);
    });
}

TEST_F(Damage, of_a_table_file_that_is_gone_is_told) {
    damage_and_judge(".sst", [](const fs::path& file) { fs::remove(file); });
}

// Acknowledged records stand behind the damage: this is not the torn end that a crash leaves. What
// is posted is a record of 120 kB, and a log of three has the last one in its last third.
TEST_F(Damage, of_the_log_in_its_middle_is_told_with_its_name_and_a_remedy) {
    constexpr std::uintmax_t three_records = 350'000;
    damage_and_judge(".log", [this](const fs::path& file) { flip(file, 60); }, three_records);
}

TEST_F(Damage, of_the_list_of_files_is_told) {
    for (int round = 0; round < rounds && !HasFailure(); ++round) {
        heal();
        fs::path manifest;
        for (const auto& entry : fs::directory_iterator{data_}) {
            if (entry.path().filename().string().starts_with("MANIFEST")) {
                manifest = entry.path();
            }
        }
        flip(manifest);
        judge(try_out(), "MANIFEST");
    }
}

// What a crash of the machine leaves behind: no damage, but the end of what can be known.
TEST_F(Damage, of_the_logs_very_end_is_none_to_what_stands_before) {
    const fs::path log = std::ranges::max(files(".log"));  // by its number
    fs::resize_file(log, fs::file_size(log) - 7);
    const Outcome outcome = try_out();
    EXPECT_TRUE(outcome.started) << outcome.errors;
    EXPECT_LE(outcome.differences.size(), 10U) << "more than the last record is gone";
}

}  // namespace
}  // namespace footfall::faults
