#include "storage_cassandra/schema.h"

#include <gmock/gmock.h>

#include <array>

namespace footfall::storage_cassandra {
namespace {

using storage::ColumnType;
using storage::Order;
using storage::Table;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Table dated{
    .name = "visit",
    .purpose = "Visits.",
    .partition = {{"object", ColumnType::text}},
    .clustering = {{"day", ColumnType::day, Order::descending}},
    .values =
        {{"hits", ColumnType::integer}, {"note", ColumnType::text}, {"paid", ColumnType::decimal}}
};
const std::array<const Table*, 1> tables{&dated};

std::vector<ExistingColumn> as_declared() {
    return {
        {"visit", "object", "text", "partition_key", "none", 0},
        {"visit", "day", "date", "clustering", "desc", 0},
        {"visit", "hits", "bigint", "regular", "none", -1},
        {"visit", "note", "text", "regular", "none", -1},
        {"visit", "paid", "decimal", "regular", "none", -1}
    };
}

TEST(Schema, nothing_is_missing_where_all_is_as_declared) {
    EXPECT_TRUE(compare_schema(tables, "f", as_declared()).none());
}

TEST(Schema, a_missing_table_is_made) {
    EXPECT_THAT(
        compare_schema(tables, "f", {}).missing,
        ElementsAre(HasSubstr("CREATE TABLE IF NOT EXISTS"))
    );
}

TEST(Schema, a_new_value_column_is_added) {
    auto columns = as_declared();
    columns.pop_back();
    EXPECT_THAT(
        compare_schema(tables, "f", columns).missing,
        ElementsAre("ALTER TABLE \"f\".\"visit\" ADD \"paid\" decimal")
    );
}

TEST(Schema, columns_that_nobody_declared_are_left_alone) {
    auto columns = as_declared();
    columns.push_back({"visit", "newer", "text", "regular", "none", -1});
    columns.push_back({"other", "name", "text", "partition_key", "none", 0});
    EXPECT_TRUE(compare_schema(tables, "f", columns).none());
}

TEST(Schema, another_type_order_place_or_key_is_a_conflict_that_names_the_column) {
    for (const ExistingColumn& wrong : std::vector<ExistingColumn>{
             {"visit", "day", "bigint", "clustering", "desc", 0},
             {"visit", "day", "date", "clustering", "asc", 0},
             {"visit", "day", "date", "clustering", "desc", 1},
             {"visit", "day", "date", "regular", "none", -1}
         }) {
        auto columns = as_declared();
        columns[1] = wrong;
        const SchemaDifferences differences = compare_schema(tables, "f", columns);
        EXPECT_THAT(differences.conflicts, ElementsAre(HasSubstr("f.visit.day")));
        EXPECT_THAT(differences.missing, IsEmpty());
    }
    auto columns = as_declared();
    columns.back().type = "double";
    EXPECT_THAT(
        compare_schema(tables, "f", columns).conflicts,
        ElementsAre(AllOf(HasSubstr("f.visit.paid"), HasSubstr("double"), HasSubstr("decimal")))
    );
    columns = as_declared();
    columns.erase(columns.begin() + 1);
    columns.pop_back();
    const SchemaDifferences several = compare_schema(tables, "f", columns);
    EXPECT_THAT(
        several.conflicts,
        ElementsAre(AllOf(HasSubstr("no key column day"), HasSubstr("an earlier version")))
    );
    EXPECT_THAT(several.missing, ElementsAre(HasSubstr("ADD \"paid\"")));
}

TEST(Schema, a_key_column_too_many_is_a_conflict) {
    auto columns = as_declared();
    columns.push_back({"visit", "tenant", "text", "partition_key", "none", 1});
    EXPECT_THAT(
        compare_schema(tables, "f", columns).conflicts,
        ElementsAre("f.visit has a key column tenant that nobody declared")
    );
}

TEST(Schema, the_tables_of_the_store_itself_belong_to_it) {
    const auto all = with_own_tables({&dated});
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all.back()->name, "write_time");
}

TEST(Schema, copies_by_datacenter_are_what_is_needed) {
    const KeyspaceReplication good{
        {"class", "org.apache.cassandra.locator.NetworkTopologyStrategy"},
        {"dc1", "3"},
        {"dc2", "1"}
    };
    EXPECT_THAT(compare_replication("f", "dc1", good), IsEmpty());
    EXPECT_THAT(compare_replication("f", "dc2", good), IsEmpty());
    EXPECT_THAT(
        compare_replication("f", "dc3", good),
        ElementsAre(HasSubstr("no copy in datacenter dc3 (dc1: 3, dc2: 1)"))
    );
}

TEST(Schema, the_keyspace_of_a_region_has_its_copies_there_alone) {
    const KeyspaceUse use{.keyspaces = {.all = "f", .of_region = "f_dc2"}, .datacenter = "dc2"};
    const auto made = create_keyspaces(use, {{"dc1", 3}, {"dc2", 2}});
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_THAT(
        *made,
        ElementsAre(
            AllOf(HasSubstr("\"f\""), HasSubstr("'dc1': 3, 'dc2': 2}")),
            AllOf(HasSubstr("\"f_dc2\""), HasSubstr("Strategy', 'dc2': 2}"))
        )
    );
    const auto refused = create_keyspaces(use, {{"dc1", 3}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::invalid_input);
    EXPECT_THAT(
        refused.error().message,
        AllOf(HasSubstr("f_dc2"), HasSubstr("--cassandra-replication dc2:3"))
    );
}

TEST(Schema, copies_of_a_region_elsewhere_are_a_conflict_with_its_remedy) {
    const std::string strategy = "org.apache.cassandra.locator.NetworkTopologyStrategy";
    EXPECT_THAT(
        compare_region_replication("f_dc1", "dc1", {{"class", strategy}, {"dc1", "3"}}), IsEmpty()
    );
    EXPECT_THAT(
        compare_region_replication(
            "f_dc1", "dc1", {{"class", strategy}, {"dc1", "3"}, {"dc2", "1"}}
        ),
        ElementsAre(AllOf(
            HasSubstr("several datacenters (dc1: 3, dc2: 1)"),
            HasSubstr("ALTER KEYSPACE \"f_dc1\" WITH"),
            HasSubstr("'dc1': 3}")
        ))
    );
    EXPECT_THAT(
        compare_region_replication("f_dc1", "dc1", {{"class", strategy}, {"dc2", "1"}}),
        ElementsAre(
            AllOf(HasSubstr("no copy in datacenter dc1 (dc2: 1)"), HasSubstr("another region"))
        )
    );
    EXPECT_THAT(
        compare_region_replication(
            "f_dc1",
            "dc1",
            {{"class", "org.apache.cassandra.locator.SimpleStrategy"}, {"replication_factor", "1"}}
        ),
        ElementsAre(HasSubstr("by SimpleStrategy"))
    );
}

TEST(Schema, a_strategy_that_knows_no_datacenters_is_a_conflict_with_its_remedy) {
    EXPECT_THAT(
        compare_replication(
            "f",
            "dc1",
            {{"class", "org.apache.cassandra.locator.SimpleStrategy"}, {"replication_factor", "3"}}
        ),
        ElementsAre(testing::AllOf(
            HasSubstr("keeps its copies by SimpleStrategy"), HasSubstr("ALTER KEYSPACE \"f\" WITH")
        ))
    );
}

}  // namespace
}  // namespace footfall::storage_cassandra
