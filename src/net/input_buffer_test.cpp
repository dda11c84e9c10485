#include "net/input_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace footfall::net {
namespace {

/// Reads once, as much of `source` as there is room for; answers how much that was.
std::size_t read(InputBuffer& buffer, std::string_view source) {
    const std::span<char> room = buffer.free_part();
    const std::size_t count = std::min(room.size(), source.size());
    std::ranges::copy(source.substr(0, count), room.begin());
    buffer.received(count);
    return count;
}

TEST(InputBuffer, keeps_what_was_not_taken_in_order) {
    InputBuffer buffer;
    EXPECT_TRUE(buffer.empty());
    read(buffer, "abcdef");
    buffer.take(4);
    EXPECT_EQ(buffer.bytes(), "ef");
    read(buffer, "gh");
    EXPECT_EQ(buffer.bytes(), "efgh");
    buffer.take(4);
    EXPECT_TRUE(buffer.empty());
    read(buffer, "i");
    EXPECT_EQ(buffer.bytes(), "i");
}

TEST(InputBuffer, taken_bytes_stay_until_the_next_read) {
    InputBuffer buffer;
    read(buffer, "abc");
    const std::string_view seen = buffer.bytes();
    buffer.take(3);
    EXPECT_EQ(seen, "abc");
}

TEST(InputBuffer, reads_more_at_a_time_from_who_sends_much_and_only_from_them) {
    InputBuffer small;
    for (int reads = 0; reads < 1000; ++reads) {
        read(small, std::string(100, 's'));
        small.take(100);
    }
    EXPECT_EQ(small.capacity(), InputBuffer::smallest_read);

    InputBuffer large;
    std::string source;
    for (int number = 0; number < 100'000; ++number) {
        source += std::to_string(number);
    }
    std::string seen;
    std::size_t most = 0;
    constexpr std::size_t left_over = 777;  // an unfinished request, say
    for (std::string_view rest = source; !rest.empty();) {
        const std::size_t count = read(large, rest);
        rest.remove_prefix(count);
        most = std::max(most, count);
        const std::string_view bytes = large.bytes();
        const std::size_t taken = bytes.size() - std::min(left_over, bytes.size());
        seen += bytes.substr(0, taken);
        large.take(taken);
    }
    EXPECT_TRUE(source == seen + std::string{large.bytes()});
    EXPECT_EQ(most, InputBuffer::largest_read);
    EXPECT_LE(large.capacity(), InputBuffer::largest_read + left_over);
    large.take(large.bytes().size());
    large.release();
    EXPECT_EQ(large.capacity(), 0U);
    read(large, "abc");
    EXPECT_EQ(large.bytes(), "abc");
}

TEST(InputBuffer, that_waits_keeps_what_was_not_taken_and_little_room) {
    InputBuffer buffer;
    for (int reads = 0; reads < 10; ++reads) {
        read(buffer, std::string(InputBuffer::largest_read, 'x'));
        buffer.take(buffer.bytes().size());
    }
    read(buffer, std::string(5000, 'y') + "end");
    buffer.take(3);
    buffer.trim();
    EXPECT_EQ(buffer.bytes(), std::string(4997, 'y') + "end");
    EXPECT_EQ(buffer.capacity(), 5000U);
    read(buffer, "z");
    EXPECT_TRUE(buffer.bytes().ends_with("endz"));
    buffer.take(buffer.bytes().size());
    buffer.trim();
    EXPECT_EQ(buffer.capacity(), 0U);
    EXPECT_EQ(read(buffer, std::string(100'000, 'x')), InputBuffer::largest_read)
        << "the habits of the client are not forgotten";
}

}  // namespace
}  // namespace footfall::net
