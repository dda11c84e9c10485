#include "runtime/heap.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace footfall::runtime {
namespace {

constexpr std::size_t taken_bytes = 64 << 20;

TEST(Heap, what_is_taken_is_resident) {
    const std::size_t before = resident_bytes();
    EXPECT_GT(before, 1U << 20);
    const std::vector<char> taken(taken_bytes, 'x');
    EXPECT_GE(resident_bytes(), before + taken_bytes / 2) << taken[1];
}

TEST(Heap, gives_back_what_is_free_and_nothing_else) {
    std::vector<std::vector<char>> taken(taken_bytes >> 10, std::vector<char>(1 << 10, 'x'));
    taken.resize(10);
    give_freed_memory_back();
    EXPECT_EQ(taken, (std::vector<std::vector<char>>(10, std::vector<char>(1 << 10, 'x'))));
}

}  // namespace
}  // namespace footfall::runtime
