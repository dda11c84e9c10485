// Lines of members as they are sent: good ones are taken, each bad one is told what is wrong with
// it, and its number.
#include "segments_routes/member_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace footfall::segments::routes {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

MemberLines read_all(std::string_view body) {
    return MemberLineReader{body}.next(1000);
}

std::string with_fields(const std::string& fields) {
    return R"({"identifier":"www","id_name":"id",)" + fields + "}\n";
}

TEST(MemberLines, are_ids_and_how_long_they_stay) {
    const MemberLines read = read_all(
        with_fields(R"("id_value":"w1")") + "\r\n  \n" +
        R"({ "ttl" : 60 , "id_value":"ü\"/","id_name":"key","identifier":"shop" })"
    );
    EXPECT_THAT(read.rejected, IsEmpty());
    ASSERT_THAT(read.good, SizeIs(2));
    EXPECT_EQ(read.good[0].line, 1);
    EXPECT_EQ(
        read.good[0].id, (identities::Id{.identifier = "www", .id_name = "id", .id_value = "w1"})
    );
    EXPECT_EQ(read.good[0].ttl, std::nullopt);
    EXPECT_EQ(read.good[1].line, 4) << "blank lines are counted, too";
    EXPECT_EQ(
        read.good[1].id,
        (identities::Id{.identifier = "shop", .id_name = "key", .id_value = "ü\"/"})
    );
    EXPECT_EQ(read.good[1].ttl, std::chrono::seconds{60});
}

TEST(MemberLines, are_read_some_at_a_time) {
    std::string body;
    for (int number = 0; number < 5; ++number) {
        body += with_fields(R"("id_value":"w)" + std::to_string(number) + "\"");
    }
    MemberLineReader reader{body};
    EXPECT_THAT(reader.next(2).good, SizeIs(2));
    EXPECT_FALSE(reader.done());
    const MemberLines rest = reader.next(10);
    ASSERT_THAT(rest.good, SizeIs(3));
    EXPECT_EQ(rest.good.front().line, 3);
    EXPECT_TRUE(reader.done());
}

struct NoMember {
    std::string line;
    std::string detail;  ///< Words of what its sender is told.
};

std::vector<NoMember> no_members() {
    const std::string good = R"("id_value":"w1")";
    const std::string long_text(257, 'a');
    const std::string no_object = "not a JSON object";
    const std::string ttl = "ttl is a whole number";
    return {
        {"no JSON", no_object},
        {"[]", no_object},
        {"null", no_object},
        {"7", no_object},
        {R"("www")", no_object},
        {R"({"identifier":"www")", "not"},
        {with_fields(good).substr(0, with_fields(good).size() - 1) + "}", "text behind"},
        {"{}", "identifier is missing"},
        {R"({"identifier":"www","id_name":"id"})", "id_value is missing"},
        {R"({"identifier":"www","id_value":"w1"})", "id_name is missing"},
        {with_fields(R"("id_value":"")"), "1 to 256"},
        {with_fields("\"id_value\":\"" + long_text + "\""), "1 to 256"},
        {with_fields(R"("id_value":7)"), "id_value is a text"},
        {with_fields(R"("id_value":null)"), "id_value is a text"},
        {with_fields(R"("id_value":["w1"])"), "id_value is a text"},
        {with_fields(R"("id_value":"a\u0000b")"), "control characters"},
        {with_fields(R"("id_value":"undefined")"), "stands for nobody"},
        {with_fields("\"id_value\":\"\xff\xfe\""), "JSON"},
        {with_fields(R"("id_value":"w1","id_value":"w2")"), "twice"},
        {with_fields(good + R"(,"ttl":-1)"), ttl},
        {with_fields(good + R"(,"ttl":0)"), ttl},
        {with_fields(good + R"(,"ttl":"60")"), ttl},
        {with_fields(good + R"(,"ttl":1.5)"), ttl},
        {with_fields(good + R"(,"ttl":1e3)"), ttl},
        {with_fields(good + R"(,"ttl":null)"), ttl},
        {with_fields(good + R"(,"ttl":99999999999999999999)"), ttl},
        {with_fields(good + R"(,"ttl":4000000000)"), ttl},
        {with_fields(good + R"(,"tll":60)"), "no field \"tll\""},
        {with_fields(good + R"(,"sid":"x")"), "no field \"sid\""}
    };
}

TEST(MemberLines, are_refused_one_by_one) {
    const std::vector<NoMember> all = no_members();
    std::string body;
    for (const NoMember& each : all) {
        body += each.line + (each.line.ends_with('\n') ? "" : "\n");
        body += with_fields(R"("id_value":"beside")");
    }
    const MemberLines read = read_all(body);
    EXPECT_THAT(read.good, SizeIs(all.size())) << "those beside them are taken";
    ASSERT_THAT(read.rejected, SizeIs(all.size()));
    for (std::size_t at = 0; at < all.size(); ++at) {
        SCOPED_TRACE(all[at].line);
        EXPECT_EQ(read.rejected[at].line, 2 * at + 1);
        EXPECT_THAT(read.rejected[at].detail, HasSubstr(all[at].detail));
    }
}

}  // namespace
}  // namespace footfall::segments::routes
