#include "keys/party.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::keys {
namespace {

TEST(Party, is_read_back_as_it_was_written) {
    const std::string longest(256, 'i');
    for (const std::string& id :
         {std::string{"r"}, std::string{"a:b "}, std::string{"\u00e9\n"}, longest}) {
        for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
            const Result<Party> made = Party::make(kind, id);
            ASSERT_TRUE(made);
            EXPECT_EQ(Party::parse(made->text()).value(), *made);
        }
    }
    EXPECT_EQ((Party{.kind = PartyKind::publisher, .id = "p"}.text()), "publisher:p");
    EXPECT_EQ(Party::make(PartyKind::reseller, "a\n")->description(), R"(reseller "a\u000a")");
}

TEST(Party, of_another_kind_is_another_one) {
    const Party party{.kind = PartyKind::reseller, .id = "x"};
    EXPECT_NE(party, (Party{.kind = PartyKind::publisher, .id = "x"}));
    EXPECT_NE(party, (Party{.kind = PartyKind::reseller, .id = "y"}));
}

TEST(Party, has_an_id_that_an_event_could_name) {
    for (const std::string& id : {std::string{}, std::string(257, 'i'), std::string{"\xff"}}) {
        const Result<Party> made = Party::make(PartyKind::publisher, id);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().kind, ErrorKind::invalid_input);
        EXPECT_EQ(made.error().message, "publisher is 1 to 256 bytes of UTF-8");
    }
    for (const char* const text : {"", "reseller", "reseller:", "resellers:r", "ad:r", ":r"}) {
        EXPECT_FALSE(Party::parse(text)) << text;
    }
}

}  // namespace
}  // namespace footfall::keys
