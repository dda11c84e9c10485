#include "identities/fact_rows.h"

#include "identities/schema.h"
#include "identities/test_facts.h"
#include "projecting/writer.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::identities {
namespace {

const std::string one_writer = projecting::writer_of(1, 2);
const std::string other_writer = projecting::writer_of(7, 2);

class FactRowsTest : public testing::Test {
protected:
    void write(const Fact& fact, const std::string& writer = one_writer) {
        storage::Batch batch;
        add_rows({.writer = writer, .fact = fact}, batch);
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    Component component_of(const std::vector<std::string>& ids) {
        auto component = read_component(store_, ids_named(ids), 100);
        EXPECT_TRUE(component) << component.error().message;
        return component.value_or(Component{});
    }

    /// A row of a fact under "web:a", all right but for what the test puts into it.
    void write_row(const std::string& kind, const std::string& ids, const std::string& about) {
        storage::Batch batch;
        const std::int64_t no_time = 0;
        const std::string fact(16, 'f');
        batch.upsert(
            identity_fact_table,
            {"web",
             "user",
             "a",
             fact,
             one_writer,
             kind,
             ids,
             "[]",
             about,
             no_time,
             no_time,
             no_time,
             "",
             "",
             "",
             ""}
        );
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    ManualClock clock_{at_second(1'790'000'000)};
    storage::MemoryStore store_{all_tables, clock_};
};

/// One of each kind, with something in every field.
std::vector<Fact> facts_of_all_kinds() {
    std::vector<Fact> facts;
    for (const FactKind kind :
         {FactKind::link, FactKind::parting, FactKind::accept, FactKind::reject, FactKind::revoke
         }) {
        Fact fact{
            .kind = kind,
            .ids = ids_named({"web:\"a\"", "mail:größe"}),
            .first = at_second(-5),
            .last = at_second(2'000'000'000),
            .recorded = at_second(3) + std::chrono::microseconds{1},
            .source = "a source",
            .author = "an author",
            .reason = "a \"reason\"\n"
        };
        if (kind != FactKind::link) {
            fact.others = ids_named({"app:c", "web:z"});
        }
        if (kind != FactKind::link && kind != FactKind::parting) {
            fact.about = link(1, {"web:a", "web:b"}).id;
        }
        seal(fact);
        facts.push_back(fact);
    }
    return facts;
}

TEST_F(FactRowsTest, a_fact_of_each_kind_comes_back_by_each_id_that_it_stands_under) {
    std::vector<Id> every;
    for (const Fact& fact : facts_of_all_kinds()) {
        write(fact);
        for (const Id& id : ids_of(fact)) {
            every.push_back(id);
        }
        for (const Id& id : holders_of(fact)) {
            const auto read = read_fact(store_, id, fact.id);
            ASSERT_TRUE(read && *read);
            EXPECT_EQ(**read, fact);
        }
        const auto found = find_fact(store_, fact.id);
        ASSERT_TRUE(found && *found);
        EXPECT_EQ(**found, fact);
    }
    const auto all = read_component(store_, every, 100);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->facts.size(), 5);
    for (const Fact& fact : facts_of_all_kinds()) {
        EXPECT_EQ(all->facts.at(fact.id), fact);
    }
}

TEST_F(FactRowsTest, what_was_said_once_has_no_last_time_in_its_row) {
    const auto stored_last = [&] {
        const auto rows = storage::read_all(
            store_, {.table = &identity_fact_table, .partition = {"web", "user", "a"}}
        );
        return rows && rows->size() == 1 ? rows->at(0, 10).number() : -1;
    };
    Fact fact = link(1, {"web:a", "mail:b"});
    write(fact);
    EXPECT_EQ(stored_last(), 0);
    EXPECT_EQ(*read_fact(store_, id_of("web:a"), fact.id), fact);
    fact.last = fact.first + std::chrono::microseconds{1};
    write(fact);
    EXPECT_EQ(stored_last(), fact.last.time_since_epoch().count());
    EXPECT_EQ(*read_fact(store_, id_of("web:a"), fact.id), fact);
}

TEST_F(FactRowsTest, what_nobody_said_is_absent) {
    write(link(1, {"web:a", "web:b"}));
    const FactId other = link(1, {"web:a", "web:c"}).id;
    EXPECT_EQ(*read_fact(store_, id_of("web:a"), other), std::nullopt);
    EXPECT_EQ(*find_fact(store_, other), std::nullopt);
    const Component nothing = component_of({"web:x"});
    EXPECT_TRUE(nothing.facts.empty());
    EXPECT_EQ(nothing.ids, std::set{id_of("web:x")});
}

TEST_F(FactRowsTest, a_component_is_all_that_hangs_together_and_no_more) {
    const Fact chained = link(2, {"web:b", "web:c"});
    const Fact parted = parting(3, {"web:c"}, {"app:d"});
    const Fact decided = decision(FactKind::reject, 4, parted);
    write(link(1, {"web:a", "web:b"}));
    write(chained);
    write(parted);
    write(decided);
    write(link(5, {"app:e", "app:f"}));
    EXPECT_EQ(component_of({"web:a"}).facts.size(), 2) << "who is parted is not linked with it";
    const Component all = component_of({"app:d"});
    EXPECT_EQ(all.facts.size(), 4);
    EXPECT_EQ(all.ids.size(), 4);
    EXPECT_EQ(component_of({"web:a", "app:d"}).facts, all.facts);
    EXPECT_EQ(component_of({"app:d", "app:e"}).facts.size(), 5);
}

TEST_F(FactRowsTest, what_two_lanes_were_told_of_a_fact_is_one_fact) {
    Fact early = link(10, {"web:a", "web:b"});
    early.author = "early";
    Fact late = link(30, {"web:a", "web:b"});
    late.author = "late";
    write(late, one_writer);
    write(early, other_writer);
    Fact merged = early;
    merge(merged, late);
    EXPECT_EQ(merged.first, at_second(10));
    EXPECT_EQ(merged.last, at_second(30));
    EXPECT_EQ(component_of({"web:b"}).facts, (std::map<FactId, Fact>{{merged.id, merged}}));
    EXPECT_EQ(**read_fact(store_, id_of("web:b"), merged.id), merged);
    EXPECT_EQ(**find_fact(store_, merged.id), merged);
}

TEST_F(FactRowsTest, a_lane_merges_with_what_it_was_told_before_alone) {
    write(link(20, {"web:a", "web:b"}), one_writer);
    write(link(1, {"web:a", "web:b"}), other_writer);
    const Fact other = link(5, {"web:c", "web:d"});
    std::vector<ToldFact> told{
        {.writer = one_writer, .fact = link(30, {"web:a", "web:b"})},
        {.writer = one_writer, .fact = other}
    };
    ASSERT_TRUE(merge_with_rows(store_, told));
    EXPECT_EQ(told[0].fact.first, at_second(20));
    EXPECT_EQ(told[0].fact.last, at_second(30));
    EXPECT_EQ(told[0].fact.recorded, at_second(20));
    EXPECT_EQ(told[1].fact, other);
}

TEST_F(FactRowsTest, more_facts_than_the_bound_are_refused) {
    for (int number = 0; number < 10; ++number) {
        write(link(number, {"web:a", fmt::format("mail:{}", number)}));
    }
    for (const char* from : {"web:a", "mail:3"}) {
        const std::vector<Id> ids{id_of(from)};
        const auto all = read_component(store_, ids, 10);
        ASSERT_TRUE(all);
        EXPECT_EQ(all->facts.size(), 10);
        const auto more = read_component(store_, ids, 9);
        ASSERT_FALSE(more);
        EXPECT_EQ(more.error().kind, ErrorKind::conflict);
    }
}

/// Of more than a page.
TEST_F(FactRowsTest, all_facts_of_an_id_hang_together_with_it_however_many) {
    for (int number = 0; number < 1000; ++number) {
        write(link(number, {"web:a", fmt::format("mail:{}", number)}));
    }
    const auto all = read_component(store_, ids_named({"web:a"}), 1000);
    ASSERT_TRUE(all);
    EXPECT_EQ(all->facts.size(), 1000);
}

TEST_F(FactRowsTest, a_damaged_row_is_corrupt) {
    const std::string ids = R"([["web","user","a"]])";
    const std::string fact_bytes(16, 'e');
    write_row("accept", ids, fact_bytes);
    EXPECT_EQ(component_of({"web:a"}).facts.size(), 1);
    const std::vector<std::array<std::string, 3>> damaged{
        {"Link", ids, ""},
        {"", ids, ""},
        {"forget", ids, ""},
        {"link", "", ""},
        {"link", "[[]]", ""},
        {"reject", ids, "short"},
        {"reject", ids, fact_bytes + "e"}
    };
    for (const auto& [kind, some, about] : damaged) {
        write_row(kind, some, about);
        const auto component = read_component(store_, ids_named({"web:a"}), 100);
        ASSERT_FALSE(component) << kind << some << about;
        EXPECT_EQ(component.error().kind, ErrorKind::corrupt);
    }
}

}  // namespace
}  // namespace footfall::identities
