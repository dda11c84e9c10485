#include "keys/scopes.h"

#include <gtest/gtest.h>

namespace footfall::keys {
namespace {

TEST(Scopes, are_read_and_written_as_a_list) {
    const auto scopes = Scopes::parse("write,read");
    ASSERT_TRUE(scopes);
    EXPECT_EQ(scopes->text(), "read,write");
    EXPECT_EQ(Scopes::parse(Scopes::all().text()), Scopes::all());
}

TEST(Scopes, that_are_none_are_refused_with_those_there_are) {
    for (const char* wrong : {"", "read,", ",read", "Read", "read write", "all", "read,read"}) {
        const auto scopes = Scopes::parse(wrong);
        ASSERT_FALSE(scopes) << wrong;
        EXPECT_EQ(scopes.error().kind, ErrorKind::invalid_input);
    }
    EXPECT_EQ(
        Scopes::parse("all").error().message,
        "there is no scope \"all\"; there are read, write, people, money, audience and admin"
    );
}

TEST(Scopes, allow_what_they_name_and_admin_everything) {
    const Scopes read = *Scopes::parse("read");
    EXPECT_TRUE(read.allow(Scope::read));
    EXPECT_FALSE(read.allow(Scope::write));
    EXPECT_FALSE(read.allow(Scope::people));
    EXPECT_FALSE(read.allow(Scope::money));
    EXPECT_FALSE(read.allow(Scope::audience));
    EXPECT_FALSE(read.allow(Scope::admin));
    EXPECT_FALSE(Scopes::parse("audience")->allow(Scope::read));
    EXPECT_FALSE(Scopes::parse("read,write,money")->allow(Scope::admin));
    for (const Scope scope :
         {Scope::read, Scope::write, Scope::people, Scope::money, Scope::audience, Scope::admin}) {
        EXPECT_TRUE(Scopes::parse("admin")->allow(scope)) << name_of(scope);
    }
}

}  // namespace
}  // namespace footfall::keys
