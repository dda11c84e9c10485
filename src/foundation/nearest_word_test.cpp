#include "foundation/nearest_word.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall {
namespace {

const std::vector<std::string> verbs{"serve", "demo", "import", "count", "bench", "version"};

TEST(NearestWord, forgives_a_letter_that_is_missing_too_many_wrong_or_swapped) {
    for (const char* word : {"srve", "servee", "serwe", "sevre", "esrve", "serv", "serve"}) {
        EXPECT_EQ(nearest_word(word, verbs), "serve") << word;
    }
}

TEST(NearestWord, forgives_two_in_a_long_word_only) {
    EXPECT_EQ(nearest_word("ipmrot", verbs), "import");
    EXPECT_EQ(nearest_word("verzoin", verbs), "version");
    EXPECT_EQ(nearest_word("srv", verbs), "");
}

TEST(NearestWord, takes_the_one_with_the_fewest_mistakes) {
    const std::vector<std::string> words{"counters", "counter", "count"};
    EXPECT_EQ(nearest_word("countr", words), "counter");
    EXPECT_EQ(nearest_word("coun", words), "count");
}

TEST(NearestWord, is_none_when_nothing_resembles_it) {
    for (const char* word : {"", "x", "nothing", "--nothing"}) {
        EXPECT_EQ(nearest_word(word, verbs), "") << word;
    }
    EXPECT_EQ(nearest_word("serve", {}), "");
}

}  // namespace
}  // namespace footfall
