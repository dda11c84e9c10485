#include "sketches/sketch.h"

#include "foundation/random.h"
#include "foundation_testing/repository.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace footfall::sketches {
namespace {

constexpr std::uint16_t key = 7;

Sketch read_back(const Sketch& sketch) {
    Result<Sketch> read = Sketch::read(sketch.written(key), key);
    EXPECT_TRUE(read) << (read ? "" : read.error().message);
    return read ? *std::move(read) : Sketch{};
}

TEST(Sketch, counts_the_first_hundred_one_by_one) {
    Sketch sketch;
    EXPECT_EQ(sketch.people().count, 0);
    EXPECT_EQ(sketch.people().error, 0);
    Random random{1};
    for (int count = 1; count <= 128; ++count) {
        const std::uint64_t hash = random();
        EXPECT_TRUE(sketch.add(hash));
        EXPECT_FALSE(sketch.add(hash));
        EXPECT_EQ(std::round(sketch.people().count), count);
    }
    EXPECT_LE(sketch.bytes(), 2 * 128 * sizeof(HashToken));
    EXPECT_FALSE(sketch.is_open());
    sketch.open();
    EXPECT_FALSE(sketch.is_open()) << "there are no registers yet";
}

TEST(Sketch, open_or_closed_it_counts_the_same) {
    Sketch closed;
    Sketch open;
    Sketch both;
    Random random{2};
    for (int at = 0; at < 30'000; ++at) {
        const std::uint64_t hash = random();
        closed.add(hash);
        open.add(hash);
        open.open();
        both.add(hash);
        if (random.below(100) == 0) {
            both.close();
        } else if (random.below(100) == 0) {
            both.open();
        }
    }
    EXPECT_TRUE(open.is_open());
    EXPECT_FALSE(closed.is_open());
    EXPECT_EQ(closed.people().count, open.people().count);
    EXPECT_EQ(both.people().count, open.people().count);
    EXPECT_NEAR(open.people().count, 30'000, 30'000 * 4 * open.people().error);
    EXPECT_EQ(closed.written(key), open.written(key));
    EXPECT_LE(closed.bytes(), 4800U + 128 * sizeof(HashToken)) << "192 wait, not 64";
}

TEST(Sketch, of_few_takes_little) {
    EXPECT_EQ(sizeof(Sketch), 16U);
    Sketch sketch;
    Random random{7};
    for (std::size_t count = 1; count <= 128; ++count) {
        sketch.add(random());
        const std::size_t tokens = count <= 3 ? 0 : count * sizeof(HashToken);
        EXPECT_LE(sketch.bytes(), count <= 3 ? 0 : std::max<std::size_t>(24, tokens + 12)) << count;
        EXPECT_GE(sketch.bytes(), tokens) << count;
    }
}

TEST(Sketch, whoever_comes_again_and_again_waits_once) {
    Random random{8};
    Sketch sketch;
    for (int at = 0; at < 1000; ++at) {
        sketch.add(random());
    }
    sketch.open();
    sketch.close();
    const std::uint64_t known = random();
    sketch.add(known);
    const std::size_t bytes = sketch.bytes();
    for (int at = 0; at < 1000; ++at) {
        EXPECT_FALSE(sketch.add(known));
    }
    EXPECT_EQ(sketch.bytes(), bytes);
}

TEST(Sketch, can_be_moved_in_every_form) {
    for (const int count : {0, 3, 100, 1000}) {
        for (const bool open : {false, true}) {
            Random random{9};
            Sketch sketch;
            for (int at = 0; at < count; ++at) {
                sketch.add(random());
            }
            if (open) {
                sketch.open();
            }
            const std::string bytes = sketch.written(key);
            Sketch moved = std::move(sketch);
            EXPECT_EQ(moved.written(key), bytes);
            Sketch other;
            other.add(random());
            other = std::move(moved);
            EXPECT_EQ(other.written(key), bytes);
        }
    }
}

TEST(Sketch, promotion_makes_no_jump) {
    Random random{3};
    Sketch sketch;
    double before = 0;
    for (int count = 1; count <= 1000; ++count) {
        sketch.add(random());
        const double people = sketch.people().count;
        EXPECT_NEAR(people - before, 1, 0.35 * std::sqrt(count)) << count;
        EXPECT_NEAR(people, count, 1 + 0.03 * count);
        before = people;
    }
}

TEST(Sketch, is_the_same_after_reading_and_goes_on_the_same) {
    Random random{4};
    for (const int count : {0, 1, 2, 100, 128, 129, 200, 5000, 300'000}) {
        Sketch sketch;
        for (int at = 0; at < count; ++at) {
            sketch.add(random());
        }
        Sketch read = read_back(sketch);
        EXPECT_EQ(read.people().count, sketch.people().count) << count;
        EXPECT_EQ(read.written(key), sketch.written(key));
        for (int at = 0; at < 1000; ++at) {
            const std::uint64_t hash = random();
            sketch.add(hash);
            read.add(hash);
        }
        EXPECT_EQ(read.people().count, sketch.people().count) << count;
        EXPECT_EQ(read.written(key), sketch.written(key));
    }
}

TEST(Sketch, a_clone_is_the_same_and_goes_its_own_way) {
    Random random{5};
    for (const int count : {0, 1, 128, 129, 200, 5000}) {
        for (const bool open : {false, true}) {
            Sketch sketch;
            for (int at = 0; at < count; ++at) {
                sketch.add(random());
            }
            if (open) {
                sketch.open();
            }
            const std::string before = sketch.written(key);
            Sketch clone = sketch.clone();
            EXPECT_EQ(clone.is_open(), sketch.is_open());
            EXPECT_EQ(clone.tokens().has_value(), count <= 128);
            EXPECT_EQ(clone.written(key), before);
            for (int at = 0; at < 1000; ++at) {
                clone.add(random());
            }
            EXPECT_NE(clone.written(key), before);
            EXPECT_EQ(sketch.written(key), before);
        }
    }
}

TEST(Sketch, unites_whatever_form_the_two_have) {
    Random random{5};
    for (const int left_count : {0, 50, 128, 3000}) {
        for (const int right_count : {0, 50, 128, 3000}) {
            for (const bool open : {false, true}) {
                Sketch left;
                Sketch right;
                Sketch whole;
                for (int at = 0; at < std::max(left_count, right_count); ++at) {
                    const std::uint64_t hash = random();
                    if (at < left_count) {
                        left.add(hash);
                    }
                    // Half of them are known to both.
                    const std::uint64_t other = at % 2 == 0 ? hash : random();
                    if (at < right_count) {
                        right.add(other);
                        whole.add(other);
                    }
                    if (at < left_count) {
                        whole.add(hash);
                    }
                }
                if (open) {
                    left.open();
                }
                left.unite(right);
                EXPECT_TRUE(left.is_open() || right_count < 3000);
                EXPECT_TRUE(left.is_open() || left_count != 128 || right_count != 128);
                const double people = whole.people().count;
                EXPECT_NEAR(left.people().count, people, 0.5 + people * 0.02);
                Sketch again = read_back(left);
                again.unite(right);
                EXPECT_EQ(again.people().count, left.people().count) << "nothing new";
            }
        }
    }
}

TEST(Sketch, read_open_or_closed_is_the_same) {
    Random random{10};
    for (const int count : {0, 3, 128, 200, 50'000}) {
        Sketch sketch;
        for (int at = 0; at < count; ++at) {
            sketch.add(random());
        }
        const std::string bytes = sketch.written(key);
        Result<Sketch> open = Sketch::read(bytes, key, Sketch::Kept::open);
        ASSERT_TRUE(open);
        EXPECT_EQ(open->is_open(), count > 128);
        EXPECT_EQ(open->people().count, sketch.people().count);
        EXPECT_EQ(open->people().error, sketch.people().error);
        EXPECT_EQ(open->written(key), bytes);
        for (int at = 0; at < 1000; ++at) {
            const std::uint64_t hash = random();
            sketch.add(hash);
            open->add(hash);
        }
        EXPECT_EQ(open->people().count, sketch.people().count) << count;
        EXPECT_EQ(open->written(key), sketch.written(key));
    }
}

TEST(Sketch, of_another_key_or_damaged_is_refused) {
    Random random{6};
    Sketch sketch;
    for (int at = 0; at < 1000; ++at) {
        sketch.add(random());
    }
    const std::string bytes = sketch.written(key);
    const auto other = Sketch::read(bytes, key + 1);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().kind, ErrorKind::invalid_input);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const std::string_view some = std::string_view{bytes}.substr(0, length);
        EXPECT_FALSE(Sketch::read(some, key)) << length;
        EXPECT_FALSE(Sketch::read(some, key, Sketch::Kept::open)) << length;
    }
}

TEST(Sketch, of_an_earlier_version_is_refused_by_name) {
    Sketch sketch;
    sketch.add(1);
    std::string bytes = sketch.written(key);
    ASSERT_EQ(bytes.front() >> 4, 3);
    bytes.front() = static_cast<char>(2 << 4);
    const auto earlier = Sketch::read(bytes, key);
    ASSERT_FALSE(earlier);
    EXPECT_EQ(earlier.error().kind, ErrorKind::corrupt);
    EXPECT_NE(earlier.error().message.find("of format 2, this one reads 3"), std::string::npos);
}

TEST(Sketch, is_written_as_its_document_says) {
    Sketch sketch;
    for (const std::uint64_t hash : std::initializer_list<std::uint64_t>{
             0x0123456789abcdefU, 0xfedcba9876543210U, 0x00000000000000ffU
         }) {
        sketch.add(hash);
    }
    std::string shown;
    for (const char byte : sketch.written(key)) {
        shown +=
            fmt::format("{}{:02x}", shown.empty() ? "" : " ", static_cast<unsigned char>(byte));
    }
    const std::ifstream file{in_repository("docs/formats/sketch.md")};
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_NE(text.str().find(shown), std::string::npos) << shown;
}

}  // namespace
}  // namespace footfall::sketches
