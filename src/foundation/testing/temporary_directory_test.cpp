#include "foundation_testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace footfall {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryDirectory, is_new_and_gone_in_the_end_with_all_in_it) {
    fs::path path;
    {
        const TemporaryDirectory directory;
        const TemporaryDirectory other;
        path = directory.path();
        EXPECT_NE(path, other.path());
        EXPECT_TRUE(fs::is_empty(path));
        fs::create_directory(directory / "folder");
        directory.write("folder/file", "text");
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryDirectory, gives_back_every_byte_that_was_written_into_it) {
    const TemporaryDirectory directory;
    const std::string text{"a\0b\r\n\xff", 6};
    const std::string file = directory.write("file", text);
    EXPECT_EQ(file, directory / "file");
    EXPECT_EQ(read_text(file), text);
    EXPECT_EQ(read_text(directory.write("file", "shorter")), "shorter");
}

TEST(TemporaryDirectory, does_not_take_what_cannot_be_read_or_written_for_nothing) {
    const TemporaryDirectory directory;
    EXPECT_THROW(read_text(directory / "missing"), std::runtime_error);
    EXPECT_THROW(directory.write("missing/file", "text"), std::runtime_error);
}

}  // namespace
}  // namespace footfall
