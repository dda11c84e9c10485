#include "identities/stored_ids.h"

#include "identities/test_facts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::identities {
namespace {

TEST(StoredIds, are_lists_that_people_can_read) {
    EXPECT_EQ(stored_text({}), "[]");
    EXPECT_EQ(
        stored_text({{"www", "id", "w111"}, {"shop", "customer", "7"}}),
        R"([["www","id","w111"],["shop","customer","7"]])"
    );
}

TEST(StoredIds, come_back_byte_by_byte) {
    const std::vector<std::vector<Id>> lists{
        {},
        ids_named({"web:a"}),
        {{"", "", ""}, {"a\"b", "c\\d", "[]{},:"}},
        {{"größe", "\xF0\x9F\x91\xA3", "\x01\x1F\x7F"}, {"tab\t", "line\n", std::string{"\0", 1}}},
        std::vector<Id>(fact_ids_max, {"www", "id", std::string(256, '"')})
    };
    for (const std::vector<Id>& list : lists) {
        const auto read = read_stored_ids(stored_text(list));
        ASSERT_TRUE(read) << stored_text(list);
        EXPECT_EQ(*read, list);
    }
}

TEST(StoredIds, other_texts_are_corrupt) {
    for (const char* text :
         {"",
          "{}",
          "null",
          "[",
          "[[]]",
          R"(["www","id","w111"])",
          R"([["www","id"]])",
          R"([["www","id","w111","more"]])",
          R"([["www","id",111]])",
          R"([["www","id","w111"],null])",
          R"([["www","id","w111"]] and more)",
          "[[\"www\",\"id\",\"\xFF\"]]"}) {
        const auto read = read_stored_ids(text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().kind, ErrorKind::corrupt) << text;
    }
}

}  // namespace
}  // namespace footfall::identities
