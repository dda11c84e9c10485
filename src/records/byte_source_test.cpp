#include "records/byte_source.h"

#include "foundation_testing/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <utility>

namespace footfall::records {
namespace {

using testing::HasSubstr;

std::string gzipped(const std::string& text) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(compressBound(text.size()) + 64, '\0');
    std::string in = text;
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string zstandard(const std::string& text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
    return out;
}

/// Too long for one chunk, and not the same everywhere.
std::string long_text() {
    std::string text;
    for (int number = 0; text.size() < 700'000; ++number) {
        text += std::to_string(number * 7919) + "\n";
    }
    return text;
}

struct Read {
    std::string text;
    std::string error;
    ErrorKind kind{};
    std::uint64_t position = 0;
};

Read read_all(ByteSource& source) {
    Read read;
    for (;;) {
        auto chunk = source.next();
        read.position = source.stored_position();
        if (!chunk) {
            read.error = chunk.error().message;
            read.kind = chunk.error().kind;
            return read;
        }
        if (chunk->empty()) {
            EXPECT_TRUE(source.next()->empty()) << "the end is not an end";
            return read;
        }
        read.text += *chunk;
    }
}

Read read_stored(const std::string& bytes, std::size_t chunk_size) {
    auto source = decompressed(bytes_in_memory("log.gz", bytes, chunk_size));
    EXPECT_TRUE(source);
    return read_all(**source);
}

TEST(ByteSource, gives_the_same_text_however_it_is_stored_and_cut) {
    const std::string text = long_text();
    const std::string skippable{"\x53\x2a\x4d\x18\x02\x00\x00\x00xy", 10};

    const struct {
        const char* what;
        std::string stored;
        std::string text;
    } cases[] = {
        {"nothing", "", ""},
        {"one byte", "a", "a"},
        {"as long as a magic number", "abcd", "abcd"},
        {"the beginning of a magic number", "\x28\xb5\x2f", "\x28\xb5\x2f"},
        {"plain", text, text},
        {"gzip", gzipped(text), text},
        {"gzip of nothing", gzipped(""), ""},
        {"gzip members", gzipped("a\n") + gzipped("") + gzipped(text), "a\n" + text},
        {"gzip with padding", gzipped("a") + std::string(700, '\0'), "a"},
        {"zstd", zstandard(text), text},
        {"zstd of nothing", zstandard(""), ""},
        {"zstd frames", zstandard("a\n") + zstandard("") + zstandard(text), "a\n" + text},
        {"zstd behind a skippable frame", skippable + zstandard("a"), "a"},
    };

    for (const auto& [what, stored, expected] : cases) {
        for (const std::size_t chunk_size : {1UZ, 3UZ, 4096UZ, 10'000'000UZ}) {
            const Read read = read_stored(stored, chunk_size);
            EXPECT_EQ(read.error, "") << what;
            EXPECT_TRUE(read.text == expected) << what << " in chunks of " << chunk_size;
            EXPECT_EQ(read.position, stored.size()) << what;
        }
    }
}

TEST(ByteSource, names_the_file_and_the_place_where_compressed_data_is_cut_short) {
    const std::string text = long_text();
    for (const auto& [stored, format] :
         {std::pair{gzipped(text), "gzip"}, std::pair{zstandard(text), "zstd"}}) {
        for (const std::size_t kept : {5UZ, 12UZ, stored.size() / 2, stored.size() - 1}) {
            for (const std::size_t chunk_size : {1UZ, 10'000'000UZ}) {
                const Read read = read_stored(stored.substr(0, kept), chunk_size);
                EXPECT_EQ(read.kind, ErrorKind::corrupt);
                EXPECT_THAT(read.error, HasSubstr("log.gz: the " + std::string{format}));
                EXPECT_THAT(read.error, HasSubstr("ends early at byte " + std::to_string(kept)));
                EXPECT_TRUE(text.starts_with(read.text)) << "text that is not in the file";
            }
        }
    }
}

TEST(ByteSource, cut_data_gives_what_is_in_front_of_the_cut) {
    const std::string text = long_text();
    const std::string stored = gzipped(text);
    EXPECT_GT(read_stored(stored.substr(0, stored.size() - 1), 4096).text.size(), text.size() - 9);
}

TEST(ByteSource, tells_damaged_data_from_data_that_ends_early) {
    std::string wrong_checksum = gzipped("abc");
    wrong_checksum[wrong_checksum.size() - 6] ^= 1;
    std::string wrong_frame = zstandard(long_text());
    wrong_frame[wrong_frame.size() / 2] ^= 1;

    const struct {
        std::string stored;
        const char* error;
    } cases[] = {
        {wrong_checksum, "gzip data is damaged (incorrect data check)"},
        {wrong_frame, "zstd data is damaged"},
        {gzipped("a") + "rubbish", "gzip data is damaged (incorrect header check)"},
        {gzipped("a") + std::string(3, '\0') + gzipped("b"), "goes on behind its padding"},
        {zstandard("a") + "rubbish", "zstd data is damaged (Unknown frame descriptor)"},
    };

    for (const auto& [stored, error] : cases) {
        EXPECT_THAT(read_stored(stored, 4096).error, HasSubstr(error));
    }
}

class ByteSourceFile : public testing::Test {
protected:
    const TemporaryDirectory folder_;
};

TEST_F(ByteSourceFile, is_recognised_by_content_and_knows_its_size_as_stored) {
    const std::string stored = gzipped(long_text());
    const std::string path = folder_.write("no_extension", stored);
    auto source = open_byte_source(path);
    ASSERT_TRUE(source);
    EXPECT_EQ((*source)->name(), path);
    EXPECT_EQ((*source)->stored_size(), stored.size());
    EXPECT_TRUE(read_all(**source).text == long_text());
    EXPECT_EQ((*source)->stored_position(), stored.size());
}

TEST_F(ByteSourceFile, missing_is_told_with_the_path_and_a_remedy) {
    const auto source = open_byte_source(folder_ / "missing.csv");
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().kind, ErrorKind::not_found);
    EXPECT_THAT(source.error().message, HasSubstr(folder_ / "missing.csv: No such file"));
    EXPECT_THAT(source.error().message, HasSubstr("check the path"));
}

TEST_F(ByteSourceFile, may_not_be_a_folder) {
    const auto source = open_byte_source(folder_.path());
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().kind, ErrorKind::invalid_input);
    EXPECT_THAT(source.error().message, HasSubstr("it is a folder"));
}

}  // namespace
}  // namespace footfall::records
