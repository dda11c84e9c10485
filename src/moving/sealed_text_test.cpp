#include "moving/sealed_text.h"

#include "foundation_testing/temporary_directory.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::moving {
namespace {

TEST(SealedText, is_read_as_it_was_written_last) {
    const TemporaryDirectory directory;
    const std::filesystem::path path = directory / "text";
    const auto absent = read_sealed(path);
    ASSERT_TRUE(absent);
    EXPECT_FALSE(*absent);
    for (const std::string text : {"", "one 1\n", "a line\nb of two\n"}) {
        ASSERT_TRUE(write_sealed(path, text));
        const auto read = read_sealed(path);
        ASSERT_TRUE(read);
        EXPECT_EQ(read->value_or("absent"), text);
    }
}

TEST(SealedText, notices_every_changed_byte_and_every_cut) {
    const TemporaryDirectory directory;
    const std::filesystem::path path = directory / "text";
    ASSERT_TRUE(write_sealed(path, "name value\n"));
    const std::string whole = read_text(path);
    const auto kind_of = [&](std::string_view text) {
        (void)directory.write("text", text);
        const auto read = read_sealed(path);
        return read ? ErrorKind::cancelled : read.error().kind;
    };
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        EXPECT_EQ(kind_of(changed), ErrorKind::corrupt) << at;
        EXPECT_EQ(kind_of(whole.substr(0, at)), ErrorKind::corrupt) << at;
    }
    EXPECT_EQ(kind_of(whole + "x"), ErrorKind::corrupt);
}

TEST(SealedText, has_lines_of_a_name_and_a_value) {
    const auto lines = lines_of("a b c\nd\n\ne ");
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0].name, "a");
    EXPECT_EQ(lines[0].value, "b c");
    EXPECT_EQ(lines[1].name, "d");
    EXPECT_EQ(lines[1].value, "");
    EXPECT_EQ(lines[2].name, "");
    EXPECT_EQ(lines[3].name, "e");
    EXPECT_EQ(lines[3].value, "");
}

}  // namespace
}  // namespace footfall::moving
