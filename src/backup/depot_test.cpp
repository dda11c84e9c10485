// Depots in a directory, sealed and not: what all keep to, and what a key keeps out.

#include "backup/depot_contract.h"
#include "backup/open_depot.h"
#include "backup/sealed_depot.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace footfall::backup {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Depots : public testing::Test {
protected:
    std::string key_file(const std::string& name, char digit) const {
        const std::string path = here_.write(name, std::string(64, digit) + "\n");
        fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
        return path;
    }

    std::unique_ptr<Depot> depot(const std::string& key) const {
        auto opened = open_depot({.place = here_ / "place", .key_file = key});
        EXPECT_TRUE(opened) << opened.error().message;
        return *std::move(opened);
    }

    /// What is said of a sealed file whose bytes somebody has changed.
    std::string said(Depot& depot, const std::string& name) const {
        const auto read = read_small(depot, name);
        return read ? "read" : read.error().message;
    }

    std::string stored(const std::string& name) const {
        return read_text(here_.path() / "place" / name);
    }

    void store(const std::string& name, const std::string& bytes) const {
        std::ofstream{here_.path() / "place" / name, std::ios::binary} << bytes;
    }

    const TemporaryDirectory here_;
    const std::string key_ = key_file("key", 'a');
};

TEST_F(Depots, in_a_directory_keep_to_what_all_do) {
    expect_depot(*depot(""), here_.path());
}

TEST_F(Depots, that_are_sealed_keep_to_what_all_do) {
    expect_depot(*depot(key_), here_.path());
}

TEST_F(Depots, that_are_sealed_show_nothing_of_what_they_hold) {
    const auto sealed = depot(key_);
    const std::string secret = "a secret that is not to be found";
    write_to(*sealed, "files/a", secret);
    write_to(*sealed, "files/b", secret);
    EXPECT_THAT(stored("files/a"), testing::Not(HasSubstr("secret")));
    EXPECT_EQ(stored("files/a").size(), stored("files/b").size());
    EXPECT_NE(stored("files/a").substr(24), stored("files/b").substr(24));
}

TEST_F(Depots, that_are_sealed_find_every_changed_byte) {
    const auto sealed = depot(key_);
    for (const std::string text : {"", "some text"}) {
        write_to(*sealed, "files/a", text);
        const std::string bytes = stored("files/a");
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            std::string changed = bytes;
            changed[at] = static_cast<char>(changed[at] ^ 1);
            store("files/a", changed);
            EXPECT_THAT(said(*sealed, "files/a"), HasSubstr("place/files/a")) << at;
        }
    }
}

TEST_F(Depots, that_are_sealed_find_what_was_cut_off_moved_or_put_elsewhere) {
    const auto sealed = depot(key_);
    const std::string bytes = some_bytes(3 * portion_bytes);
    write_to(*sealed, "files/a", bytes);
    const std::string whole = stored("files/a");
    constexpr std::size_t head = 48;
    constexpr std::size_t portion = portion_bytes + 16;
    ASSERT_EQ(whole.size(), head + 3 * portion);
    store("files/a", whole.substr(0, head + 2 * portion));
    EXPECT_THAT(said(*sealed, "files/a"), HasSubstr("between byte 1048576 and byte 2097152"));
    store("files/a", whole.substr(0, head + portion) + whole.substr(head + 2 * portion));
    EXPECT_THAT(said(*sealed, "files/a"), HasSubstr("between byte 1048576 and byte 2097152"));
    store("files/a", whole + std::string(20, 'x'));
    EXPECT_THAT(said(*sealed, "files/a"), HasSubstr("is damaged between"));
    store("files/a", whole.substr(0, head + 3));
    EXPECT_THAT(said(*sealed, "files/a"), HasSubstr("is damaged: it has 51 bytes"));
    store("files/b", whole);
    EXPECT_THAT(said(*sealed, "files/b"), HasSubstr("between byte 0 and byte 1048576"));
    store("files/a", whole);
    EXPECT_EQ(said(*sealed, "files/a"), "read");
}

TEST_F(Depots, say_which_key_is_wanted) {
    ASSERT_TRUE(open_place(*depot(key_)));
    write_to(*depot(key_), "backups/x/manifest", "");
    const auto listed = [&](const std::string& key) {
        const auto listing = list(*depot(key));
        return listing ? "listed" : listing.error().message;
    };
    EXPECT_THAT(listed(""), HasSubstr("is encrypted: --encryption-key FILE"));
    EXPECT_THAT(
        listed(key_file("other", 'b')), testing::ContainsRegex("with the key [0-9a-f]{16}, and")
    );
    write_to(*depot(""), "backups/x/manifest", "plain");
    EXPECT_THAT(listed(key_), HasSubstr("is not encrypted: leave --encryption-key"));
}

TEST_F(Depots, refuse_what_is_no_key) {
    const auto refused = [&](const std::string& path) {
        const auto opened = open_depot({.place = here_ / "place", .key_file = path});
        EXPECT_FALSE(opened);
        return opened ? "opened" : opened.error().message;
    };
    EXPECT_THAT(refused(here_ / "nothing"), HasSubstr("there is no such file"));
    EXPECT_THAT(refused(here_.path()), HasSubstr("there is no such file"));
    const std::string path = here_.write("short", std::string(63, 'a'));
    fs::permissions(path, fs::perms::owner_read);
    EXPECT_THAT(refused(path), HasSubstr("openssl rand -hex 32"));
    fs::permissions(key_, fs::perms::group_read, fs::perm_options::add);
    EXPECT_THAT(refused(key_), HasSubstr("chmod 600"));
}

}  // namespace
}  // namespace footfall::backup
