#include "moving_parts.h"

#include "foundation/parse_number.h"
#include "foundation_testing/temporary_directory.h"
#include "test_support/eventually.h"
#include "test_support/must.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

namespace footfall::acceptance {

using namespace std::chrono_literals;
using namespace test_support;

namespace {

constexpr std::chrono::minutes long_patience{20};

std::string made_records(std::uint64_t records) {
    Random random{1};
    std::string lines;
    for (std::uint64_t record = 0; record < records; ++record) {
        lines += fmt::format(
            "page {}\tvisitor {}\t{}\n",
            random.below(1 + records / 100),
            random.below(1 + records / 10),
            1'782'864'000 + 60 * record
        );
    }
    return lines;
}

/// What a process has read from or written to files up to now; 0 when it is gone.
std::uint64_t bytes_of(pid_t process, FileUse use) {
    std::ifstream facts{fmt::format("/proc/{}/io", process)};
    std::string name;
    std::uint64_t number = 0;
    while (facts >> name >> number) {
        if (name == (use == FileUse::read ? "rchar:" : "wchar:")) {
            return number;
        }
    }
    return 0;
}

}  // namespace

void fill_directory(const std::string& data, std::uint64_t records) {
    const TemporaryDirectory directory;
    const std::string file = directory.write("records.tsv", made_records(records));
    run_well(
        {"import",
         file,
         "--as",
         "tokens",
         "--format",
         "tsv",
         "--no-header",
         "--map",
         "object=1,token=2",
         "--data",
         data}
    );
    run_well(
        {"import",
         file,
         "--as",
         "events",
         "--format",
         "tsv",
         "--no-header",
         "--map",
         "object=1,actor=2,time=3",
         "--time-format",
         "unix",
         "--set",
         "action=view",
         "--data",
         data}
    );
    run_well({"keys", "add", "shop", "--scope", "write", "--data", data});
#ifdef FOOTFALL_DATA_DIR
    run_well(
        {"import",
         FOOTFALL_DATA_DIR "/weblog-nasa/nasa_19950801.tsv.gz",
         "--as",
         "events",
         "--format",
         "tsv",
         "--map",
         "object=url,actor=host,time=time",
         "--set",
         "action=view",
         "--data",
         data}
    );
#endif
}

CommandResult run_well(const std::vector<std::string>& words) {
    CommandResult result = run_command(footfall_command(words), long_patience);
    if (result.exit_code != 0) {
        give_up(fmt::format("{} failed: {}{}", words.front(), result.errors, result.output));
    }
    return result;
}

KilledRun run_with_kills(
    const std::vector<std::string>& words,
    FileUse use,
    std::uint64_t bytes,
    int kills,
    Random& random
) {
    KilledRun run;
    while (run.kills < kills) {
        // Late enough that something is there to go on from, early enough that something is left.
        const std::uint64_t threshold =
            bytes / 5 + random.below(1 + bytes / (2 * static_cast<std::uint64_t>(kills)));
        ChildProcess process{footfall_command(words)};
        const bool reached = eventually(
            [&] { return !process.running() || bytes_of(process.pid(), use) >= threshold; },
            long_patience,
            200us
        );
        EXPECT_TRUE(reached);
        process.send_signal(SIGKILL);
        const Ending ending = process.wait(long_patience);
        if (ending.signal != SIGKILL) {
            break;  // the rest was less than that
        }
        ++run.kills;
        fmt::print("killed {} after {} bytes\n", words.front(), threshold);
    }
    run.last = run_command(footfall_command(words), long_patience);
    return run;
}

std::map<std::string, std::string> export_files(const std::string& directory) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator{directory}) {
        files[entry.path().filename().string()] = read_text(entry.path());
    }
    return files;
}

std::string different_files(const std::string& left, const std::string& right) {
    const auto mine = export_files(left);
    const auto other = export_files(right);
    std::string names;
    for (const auto& [name, bytes] : mine) {
        const auto found = other.find(name);
        if (found == other.end() || found->second != bytes) {
            names += name + " ";
        }
    }
    for (const auto& [name, bytes] : other) {
        names += mine.contains(name) ? "" : name + " ";
    }
    return names;
}

std::uint64_t rows_gone_on_behind(const std::string& output) {
    constexpr std::string_view before = "went on behind ";
    const std::size_t found = output.find(before);
    if (found == std::string::npos) {
        return 0;
    }
    const std::string_view rest = std::string_view{output}.substr(found + before.size());
    return parse_unsigned(rest.substr(0, rest.find(' '))).value_or(0);
}

}  // namespace footfall::acceptance
