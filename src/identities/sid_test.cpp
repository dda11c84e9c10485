#include "identities/sid.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace footfall::identities {
namespace {

const Id known_id{"www", "id", "w111"};

// By another program: uuid5 of Python's library, in the namespace of the two keyed hashes by a
// SipHash-1-3 of its own, of the name [["www","id","w111"]].
TEST(Sid, is_the_uuid_that_others_compute) {
    EXPECT_EQ(sid_of({3, 4}, known_id), "71f0fd54-d686-56a3-bbba-f632382bf6eb");
    EXPECT_EQ(sid_of({3, 5}, known_id), "64892589-4200-51d5-a089-c885ea2044b3");
}

TEST(Sid, has_the_version_and_the_variant) {
    for (std::uint64_t number = 0; number < 300; ++number) {
        const std::string sid = sid_of({1, 2}, {"www", "id", std::to_string(number)});
        EXPECT_TRUE(looks_like_sid(sid)) << sid;
        EXPECT_EQ(sid[14], '5') << sid;
        EXPECT_NE(std::string_view{"89ab"}.find(sid[19]), std::string_view::npos) << sid;
    }
}

TEST(Sid, differs_by_secret_and_by_each_part_of_the_id) {
    std::set<std::string> different;
    for (const SipKey secret : {SipKey{0, 0}, SipKey{0, 1}, SipKey{1, 0}}) {
        for (const Id& id :
             {known_id,
              Id{"www", "id", "w112"},
              Id{"www", "i", "dw111"},
              Id{"ww", "wid", "w111"},
              Id{"www", "id\",\"w111", ""}}) {
            EXPECT_TRUE(different.insert(sid_of(secret, id)).second);
        }
    }
}

TEST(Sid, other_texts_do_not_look_like_one) {
    EXPECT_TRUE(looks_like_sid("71f0fd54-d686-56a3-bbba-f632382bf6eb"));
    for (const char* text :
         {"",
          "71f0fd54d68656a3bbbaf632382bf6eb",
          "71F0FD54-D686-56A3-BBBA-F632382BF6EB",
          "71f0fd54-d686-56a3-bbba-f632382bf6e",
          "71f0fd54-d686-56a3-bbba-f632382bf6ebb",
          "71f0fd54-d686-56a3-bbba-f632382bf6eg",
          "71f0fd54-d686-56a3-bbbaf-632382bf6eb",
          "71f0fd54-d686-56a3--bbaf632382bf6eb0"}) {
        EXPECT_FALSE(looks_like_sid(text)) << text;
    }
}

TEST(Sid, is_sixteen_bytes_in_rows) {
    const std::string sid = "71f0fd54-d686-56a3-bbba-f632382bf6eb";
    EXPECT_EQ(stored_sid(sid), "\x71\xf0\xfd\x54\xd6\x86\x56\xa3\xbb\xba\xf6\x32\x38\x2b\xf6\xeb");
    EXPECT_EQ(read_sid(stored_sid(sid)), sid);
    EXPECT_EQ(stored_sid("no sid"), "no sid");
    EXPECT_FALSE(looks_like_sid(read_sid("no sid")));
    EXPECT_FALSE(looks_like_sid(read_sid("")));
}

}  // namespace
}  // namespace footfall::identities
