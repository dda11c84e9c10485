// A backup and a restore that are killed before each change of the disk: the older backups stay
// whole, a half one is never listed, and nobody takes half a restore for a data directory.

#include "backup/fake_directory.h"
#include "backup/place.h"
#include "backup/verify.h"

#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace footfall::backup {
namespace {

namespace fs = std::filesystem;

enum class Ended { killed, done, failed };

/// Does `work` in a process of its own, which is killed (-9) before its step `last`.
Ended run_until(int last, const std::function<bool(const BeforeStep&)>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        int steps = 0;
        const bool done = work([&](const Step&) -> Result<void> {
            if (steps++ == last) {
                ::kill(::getpid(), SIGKILL);
            }
            return {};
        });
        ::_exit(done ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) {
        return Ended::killed;
    }
    return WEXITSTATUS(status) == 0 ? Ended::done : Ended::failed;
}

class Kills : public testing::Test {
protected:
    Kills() {
        fs::create_directory(data());
        for (const char* const name : {"CURRENT", "MANIFEST-000005", "000001.sst", "000002.sst"}) {
            put(name, std::string{"first "} + name);
        }
    }

    void put(const std::string& name, const std::string& bytes) const {
        std::ofstream{data() / name, std::ios::binary} << bytes;
    }

    fs::path data() const { return here_ / "data"; }

    fs::path path() const { return here_ / "place"; }

    /// As another process finds the place: nobody holds it afterwards.
    Depot& place() const {
        depot_ = std::make_unique<DirectoryDepot>(path());
        return *depot_;
    }

    bool take_with(const BeforeStep& before_step, std::optional<std::size_t> keep = {}) const {
        const SystemClock clock;
        DirectoryDepot own{path()};
        return take(
                   source_of(data()),
                   clock,
                   {.depot = &own, .keep = keep, .before_step = before_step}
        )
            .has_value();
    }

    std::size_t whole() const {
        const auto listing = list(place());
        return listing ? listing->whole.size() : 0;
    }

    void expect_sound() const {
        const auto verified = verify(place(), "", go_on);
        ASSERT_TRUE(verified) << verified.error().message;
        EXPECT_THAT(verified->damage, testing::IsEmpty());
    }

    /// Restores a backup of the place and answers the files.
    std::map<std::string, std::string> restored(const std::string& name) const {
        const fs::path target = here_ / "looked-at";
        fs::remove_all(target);
        RestoreOptions options = restore_into(place(), target);
        options.name = name;
        EXPECT_TRUE(restore(options));
        return files_below(target);
    }

    const TemporaryDirectory here_;
    mutable std::unique_ptr<Depot> depot_;
};

TEST_F(Kills, of_a_backup_leave_the_older_ones_whole) {
    ASSERT_TRUE(take_with(go_on));
    const auto first_files = files_below(data());
    const std::string first = list(place())->whole.front().name;
    put("000002.sst", "other");
    put("000003.sst", "new");
    int kills = 0;
    for (Ended ended = Ended::killed; ended == Ended::killed; ++kills) {
        const std::size_t before = whole();
        ended = run_until(kills, [&](const BeforeStep& step) { return take_with(step); });
        ASSERT_NE(ended, Ended::failed);
        // It is whole, or it is not listed; never anything between.
        ASSERT_LE(whole(), before + 1);
        expect_sound();
        ASSERT_EQ(restored(first), first_files);
        if (whole() > before) {
            ASSERT_EQ(restored(""), files_below(data()));
        }
    }
    EXPECT_GT(kills, 15);
    // What the killed ones left was removed by the last.
    EXPECT_EQ(std::distance(fs::directory_iterator{path() / "backups"}, {}), whole());
}

TEST_F(Kills, of_retention_leave_every_listed_backup_whole) {
    int kills = 0;
    for (Ended ended = Ended::killed; ended == Ended::killed; ++kills) {
        for (int made = 0; made < 2; ++made) {
            put("000002.sst", "of " + std::to_string(kills) + std::to_string(made));
            ASSERT_TRUE(take_with(go_on));
        }
        ended = run_until(kills, [&](const BeforeStep& step) { return take_with(step, 1); });
        ASSERT_NE(ended, Ended::failed);
        ASSERT_GE(whole(), 1U);
        expect_sound();
        ASSERT_EQ(restored(""), files_below(data()));
    }
    EXPECT_GT(kills, 20);
    EXPECT_EQ(whole(), 1U);
    EXPECT_EQ(std::distance(fs::directory_iterator{path() / "files"}, {}), 4);
}

TEST_F(Kills, of_a_restore_leave_nothing_that_is_taken_for_data) {
    ASSERT_TRUE(take_with(go_on));
    const fs::path target = here_ / "target";
    int kills = 0;
    for (Ended ended = Ended::killed; ended == Ended::killed; ++kills) {
        ended = run_until(kills, [&](const BeforeStep& step) {
            RestoreOptions options = restore_into(place(), target);
            options.before_step = step;
            return restore(options).has_value();
        });
        ASSERT_NE(ended, Ended::failed);
        // Without CURRENT it is refused as damaged, with the folder as cut short.
        if (ended == Ended::killed && fs::exists(target / "CURRENT")) {
            EXPECT_TRUE(fs::exists(target / "restoring"));
        }
    }
    EXPECT_GT(kills, 15);
    EXPECT_EQ(files_below(target), files_below(data()));
    EXPECT_FALSE(fs::exists(target / "restoring"));
}

}  // namespace
}  // namespace footfall::backup
