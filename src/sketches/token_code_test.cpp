#include "sketches/token_code.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <set>

namespace footfall::sketches {
namespace {

std::vector<HashToken> some_tokens(std::size_t count, Random& random) {
    std::set<HashToken> tokens;
    while (tokens.size() < count) {
        // A few with the same low bits, and some with many zeros.
        const std::uint64_t hash = random() >> random.below(random.below(4) == 0 ? 60 : 1);
        tokens.insert(token_of(hash));
    }
    return {tokens.begin(), tokens.end()};
}

TEST(TokenCode, gives_back_all_tokens) {
    Random random{1};
    for (std::size_t count = 0; count <= 300; ++count) {
        const std::vector<HashToken> tokens = some_tokens(count, random);
        std::string bytes;
        append_tokens(tokens, bytes);
        const auto read = read_tokens(bytes, 300);
        ASSERT_TRUE(read) << count;
        ASSERT_EQ(*read, tokens);
        EXPECT_FALSE(read_tokens(bytes + '\0', 300));
        EXPECT_EQ(read_tokens(bytes, count - 1).has_value(), count == 0);
    }
}

TEST(TokenCode, takes_as_many_bytes_as_the_note_on_sketches_promises) {
    Random random{2};
    const auto mean = [&](std::size_t count) {
        std::size_t bytes = 0;
        for (int round = 0; round < 50; ++round) {
            std::set<HashToken> tokens;
            while (tokens.size() < count) {
                tokens.insert(token_of(random()));
            }
            std::string packed;
            append_tokens(std::vector<HashToken>(tokens.begin(), tokens.end()), packed);
            bytes += packed.size();
        }
        return static_cast<double>(bytes) / 50;
    };
    EXPECT_LE(mean(1), 5.5);
    EXPECT_LE(mean(10), 35);
    EXPECT_LE(mean(100), 290);
}

TEST(TokenCode, refuses_what_is_damaged) {
    Random random{3};
    std::string bytes;
    append_tokens(some_tokens(100, random), bytes);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        EXPECT_FALSE(read_tokens(std::string_view{bytes}.substr(0, length), 100)) << length;
    }
    for (int round = 0; round < 10'000; ++round) {
        std::string damaged = bytes;
        char& byte = damaged[random.below(damaged.size())];
        byte = static_cast<char>(byte ^ (1 << random.below(8)));
        if (const auto read = read_tokens(damaged, 100)) {
            ASSERT_LE(read->size(), 100U);
        }
    }
}

}  // namespace
}  // namespace footfall::sketches
