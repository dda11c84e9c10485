#include "cli/record_sink.h"
#include "foundation/clock.h"
#include "reading_routes/person_json.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Keeps what is said as lines of JSON, and refuses of whom it is told to.
class KeptPeople final : public PeopleSink {
public:
    KeptPeople(std::vector<std::string>& lines, std::string refused)
        : lines_{&lines}, refused_{std::move(refused)} {}

    Result<void> say(std::span<const people::Said> said, const RefuseSaid& refuse) override {
        for (std::size_t at = 0; at < said.size(); ++at) {
            if (said[at].actor == refused_) {
                refuse(at, "too many friends");
                continue;
            }
            reading::routes::append_person_line(said[at], lines_->emplace_back());
        }
        return {};
    }

private:
    std::vector<std::string>* lines_;
    std::string refused_;
};

struct PeopleFile {
    std::string map;
    records::InputFormat format = records::InputFormat::csv;
    std::vector<std::string> constants = {};
    std::string refused = {};
};

struct ImportedPeople {
    std::vector<std::string> lines;     ///< What was said, as NDJSON.
    std::vector<std::string> rejected;  ///< "line reason", or the error as a whole.
    std::uint64_t imported = 0;
};

Result<void> import_people(const std::string& text, const PeopleFile& how, ImportedPeople& into) {
    const ManualClock clock{Instant{std::chrono::seconds{1'795'255'200}}};  // 2026-11-21T10:00:00Z
    TRY(const records::FieldMap map,
        records::FieldMap::parse(
            {.kind = records::ImportKind::people,
             .format = how.format,
             .map = how.map,
             .constants = how.constants}
        ));
    const RejectLine reject = [&](std::uint64_t line, std::string_view reason) {
        into.rejected.push_back(fmt::format("{} {}", line, reason));
    };
    TRY(const auto sink,
        make_people_records(
            map, how.format, clock, std::make_unique<KeptPeople>(into.lines, how.refused), reject
        ));
    const auto source = records::bytes_in_memory("x", text, 50);
    TRY(const auto reader, records::open_record_reader(*source, map, {.format = how.format}));
    for (;;) {
        TRY(const auto record, reader->next());
        if (!record) {
            break;
        }
        if (record->rejected.empty()) {
            TRY_VOID(sink->put(*record));
        } else {
            reject(record->line, record->rejected);
        }
    }
    TRY_VOID(sink->finish());
    into.imported = sink->counts().imported;
    return {};
}

ImportedPeople people_of(const std::string& text, const PeopleFile& how) {
    ImportedPeople people;
    if (const auto done = import_people(text, how, people); !done) {
        people.rejected.push_back(done.error().message);
    }
    return people;
}

TEST(PeopleRecords, say_what_their_fields_say_and_nothing_by_those_that_are_empty) {
    const auto people = people_of(
        "who,how,until,sites,to,friends\n"
        "u1,shared,,News.example;b.example,friends,u2;u3\n"
        "u2,private,2026-11-21T12:00:00+01:00,,,\n"
        "u3,off,,,,\n"
        "u4,,,,,u1\n",
        {.map = "actor=who,reading=how,until=until,sites=sites,to=to,friends=friends"}
    );
    EXPECT_THAT(people.rejected, IsEmpty());
    EXPECT_EQ(people.imported, 4);
    EXPECT_THAT(
        people.lines,
        ElementsAre(
            R"({"actor":"u1","reading":"shared","to":"friends","sites":["news.example","b.example"],"friends":["u2","u3"]})",
            R"({"actor":"u2","reading":"private","to":"anyone","until":"2026-11-21T11:00:00Z"})",
            R"({"actor":"u3","reading":"off","to":"anyone"})",
            R"({"actor":"u4","friends":["u1"]})"
        )
    );
}

TEST(PeopleRecords, of_ndjson_have_lists_as_arrays_of_names_or_numbers) {
    const auto people = people_of(
        R"({"id":7,"friends":["a;b",18446744073709551615,-1],"sites":["a.example"],"reading":"shared"})"
        "\n"
        R"({"id":8,"friends":[],"sites":null})"
        "\n"
        R"({"id":9,"friends":"a;b"})"
        "\n"
        R"({"id":9,"friends":[truth]})"
        "\n"
        R"({"id":9,"friends":[1.5]})"
        "\n",
        {.map = "actor=id,friends=friends,sites=sites,reading=reading",
         .format = records::InputFormat::ndjson}
    );
    EXPECT_THAT(
        people.lines,
        ElementsAre(
            R"({"actor":"7","reading":"shared","to":"anyone","sites":["a.example"],"friends":["a;b","18446744073709551615","-1"]})",
            R"({"actor":"8","friends":[]})"
        )
    );
    EXPECT_THAT(
        people.rejected,
        ElementsAre(
            R"(3 the field friends is no list, such as ["a","b"])",
            R"(4 friends is a list of names, such as ["u2","u3"])",
            "5 each of friends is a text"
        )
    );
}

TEST(PeopleRecords, of_friendships_are_gathered_by_person) {
    const auto people = people_of(
        "a,b\nu1,u2\nu2,u1\nu1,u3\nu1,u2\n",
        {.map = "actor=a,friend=b", .constants = {"reading=shared"}}
    );
    EXPECT_EQ(people.imported, 4);
    EXPECT_THAT(
        people.lines,
        ElementsAre(
            R"({"actor":"u1","reading":"shared","to":"anyone","add":["u2","u3","u2"]})",
            R"({"actor":"u2","reading":"shared","to":"anyone","add":["u1"]})"
        )
    );
}

TEST(PeopleRecords, of_one_person_keep_their_order_where_they_say_more_than_friends) {
    const auto people = people_of(
        "a,b,r\nu1,u2,shared\nu1,u3,\nu1,u4,off\nu1,u5,off\nu1,,shared\nu1,u6,\n",
        {.map = "actor=a,friend=b,reading=r"}
    );
    EXPECT_THAT(
        people.lines,
        ElementsAre(
            R"({"actor":"u1","reading":"shared","to":"anyone","add":["u2","u3"]})",
            R"({"actor":"u1","reading":"off","to":"anyone","add":["u4","u5"]})",
            R"({"actor":"u1","reading":"shared","to":"anyone"})",
            R"({"actor":"u1","add":["u6"]})"
        )
    );
}

TEST(PeopleRecords, of_one_person_are_said_by_no_more_friends_than_a_line_has) {
    std::string text = "a,b\n";
    for (int at = 0; at < 5'001; ++at) {
        text += fmt::format("u1,f{}\n", at);
    }
    const auto of_one = people_of(text, {.map = "actor=a,friend=b"});
    EXPECT_THAT(of_one.lines, ElementsAre(testing::_, R"({"actor":"u1","add":["f5000"]})"));
}

TEST(PeopleRecords, are_gathered_no_longer_than_some_and_all_are_said) {
    std::string text = "a,b\nu1,first\n";
    for (int at = 1; at < 100'000; ++at) {
        text += fmt::format("u{},f\n", 2 + at % 2'000);
    }
    const auto people = people_of(text + "u1,last\n", {.map = "actor=a,friend=b"});
    EXPECT_EQ(people.imported, 100'001);
    ASSERT_THAT(people.lines, SizeIs(2'002));
    EXPECT_EQ(people.lines.front(), R"({"actor":"u1","add":["first"]})");
    EXPECT_EQ(people.lines.back(), R"({"actor":"u1","add":["last"]})");
}

TEST(PeopleRecords, that_are_refused_together_are_each_told) {
    const auto people =
        people_of("a,b\nu1,u2\nu2,u1\nu1,u3\n", {.map = "actor=a,friend=b", .refused = "u1"});
    EXPECT_EQ(people.imported, 1);
    EXPECT_THAT(people.rejected, ElementsAre("2 too many friends", "4 too many friends"));
}

TEST(PeopleRecords, that_are_wrong_are_rejected_by_line_and_field) {
    const std::string long_name(1025, 'n');
    const auto people = people_of(
        "a,r,u,s,t,f\n"
        ",shared,,,,\n"                         // 2
        "u1,on,,,,\n"                           // 3
        "u1,shared,,,all,\n"                    // 4
        "u1,shared,,a/b,,\n"                    // 5
        "u1,shared,,a.b;;c.d,,\n"               // 6
        "u1,private,noon,,,\n"                  // 7
        "u1,private,2026-11-21T10:00:00Z,,,\n"  // 8
        "u1,shared,2026-11-22T10:00:00Z,,,\n"   // 9
        "u1,,,,friends,\n"                      // 10
        "u1,,,,,\n"                             // 11
        "u1,,,,,u2;;u3\n"                       // 12
        "u1,,,,,\xff\n"                         // 13
        "u1,,,,," +
            long_name +
            "\n"             // 14
            "u1,,,,,\x01\n"  // 15
            "u1,off\n"       // 16
            "u1,off,,,,\n",
        {.map = "actor=a,reading=r,until=u,sites=s,to=t,friends=f"}
    );
    EXPECT_THAT(people.lines, ElementsAre(R"({"actor":"u1","reading":"off","to":"anyone"})"));
    EXPECT_THAT(
        people.rejected,
        ElementsAre(
            "2 actor is missing: who the line is about",
            R"(3 reading is one of "shared", "private", "off")",
            R"(4 to is one of "anyone", "friends")",
            "5 sites: a site is a host, such as \"news.example\"; those below it are meant, too",
            "6 sites: a site is a host, such as \"news.example\"; those below it are meant, too",
            R"(7 until is an instant such as "2026-11-21T10:00:00Z")",
            "8 until is over: a pause ends in the time to come",
            HasSubstr("9 until says when a pause ends: it goes with"),
            "10 reading is missing: beside to it says shared, private or off",
            "11 the line says nothing of the person: neither reading nor friends",
            "12 friends: the name of a person is empty",
            "13 friends is not UTF-8",
            "14 friends: the name of a person has 1025 bytes, the most is 1024",
            "15 friends: the name of a person has no control characters",
            "16 has 2 columns, the header has 6"
        )
    );
    const auto edge = people_of("a,f\nu1,\x02\n", {.map = "actor=a,friend=f"});
    EXPECT_THAT(
        edge.rejected, ElementsAre("2 friend: the name of a person has no control characters")
    );
}

TEST(PeopleRecords, what_is_the_same_for_all_is_looked_at_before_the_first) {
    const auto wrong = [](std::vector<std::string> constants) {
        const PeopleFile how{.map = "friend=b", .constants = std::move(constants)};
        return people_of("b\nu2\n", how);
    };
    EXPECT_THAT(
        wrong({"actor=a", "reading=on"}).rejected,
        ElementsAre(R"(--set: reading is one of "shared", "private", "off")")
    );
    EXPECT_THAT(
        wrong({"actor=a", "reading=shared", "sites=a b"}).rejected,
        ElementsAre(HasSubstr("--set: "))
    );
    EXPECT_THAT(
        wrong({"actor=a", "reading=shared", "sites=a.example;b.example"}).lines,
        ElementsAre(
            R"({"actor":"a","reading":"shared","to":"anyone","sites":["a.example","b.example"],"add":["u2"]})"
        )
    );
}

}  // namespace
}  // namespace footfall::cli
