#include "keys/sessions.h"

#include <gtest/gtest.h>

#include <vector>

namespace footfall::keys {
namespace {

using std::chrono::seconds;

class SessionsTest : public testing::Test {
protected:
    ManualClock clock_{Instant{std::chrono::hours{480'000}}};
    Sessions sessions_{clock_};
    const SecretHash key_ = hash_of("a key");
};

TEST_F(SessionsTest, stand_for_a_key_until_they_are_ended) {
    const auto opened = sessions_.open(key_);
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->ends, clock_.now() + Sessions::lifetime);
    EXPECT_EQ(sessions_.key_of(opened->id), key_);
    EXPECT_EQ(sessions_.key_of(""), std::nullopt);
    EXPECT_EQ(sessions_.key_of(std::string(opened->id.size(), 'A')), std::nullopt);
    sessions_.end("none");
    sessions_.end(opened->id);
    EXPECT_EQ(sessions_.key_of(opened->id), std::nullopt);
}

TEST_F(SessionsTest, end_by_themselves) {
    const auto opened = sessions_.open(key_);
    clock_.advance(Sessions::lifetime - seconds{1});
    EXPECT_EQ(sessions_.key_of(opened->id), key_);
    clock_.advance(seconds{1});
    EXPECT_EQ(sessions_.key_of(opened->id), std::nullopt);
}

TEST_F(SessionsTest, last_no_longer_when_they_were_opened_by_a_clock_that_was_ahead) {
    const Instant right = clock_.now();
    clock_.advance(std::chrono::days{1});
    const auto opened = sessions_.open(key_);
    clock_.set(right);
    EXPECT_EQ(sessions_.key_of(opened->id), key_);
    clock_.advance(Sessions::lifetime - seconds{1});
    EXPECT_EQ(sessions_.key_of(opened->id), key_);
    clock_.advance(seconds{1});
    EXPECT_EQ(sessions_.key_of(opened->id), std::nullopt);
}

TEST_F(SessionsTest, of_a_clock_that_was_ahead_are_not_the_last_to_go) {
    const Instant right = clock_.now();
    clock_.advance(std::chrono::days{1});
    const auto opened = sessions_.open(key_);
    clock_.set(right);
    EXPECT_EQ(sessions_.key_of(opened->id), key_);
    std::vector<std::string> ids;
    for (std::size_t at = 0; at < Sessions::sessions_max; ++at) {
        clock_.advance(seconds{1});
        ids.push_back(sessions_.open(key_)->id);
    }
    EXPECT_EQ(sessions_.key_of(opened->id), std::nullopt);
    EXPECT_EQ(sessions_.key_of(ids.front()), key_);
}

TEST_F(SessionsTest, are_bounded_and_the_oldest_goes_first) {
    std::vector<std::string> ids;
    for (std::size_t at = 0; at <= Sessions::sessions_max; ++at) {
        ids.push_back(sessions_.open(key_)->id);
        clock_.advance(seconds{1});
    }
    EXPECT_EQ(sessions_.key_of(ids[0]), std::nullopt);
    EXPECT_EQ(sessions_.key_of(ids[1]), key_);
    EXPECT_EQ(sessions_.key_of(ids.back()), key_);
}

}  // namespace
}  // namespace footfall::keys
