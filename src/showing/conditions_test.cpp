#include "showing/conditions.h"

#include "showing/test_table.h"
#include "storage/decimal.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

namespace footfall::showing {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<std::vector<Condition>> parse(const std::vector<std::string>& words) {
    return parse_conditions(visit_table, words);
}

std::string why_not(const std::vector<std::string>& words) {
    const auto parsed = parse(words);
    if (parsed) {
        return "parsed";
    }
    EXPECT_EQ(parsed.error().kind, ErrorKind::invalid_input);
    return parsed.error().message;
}

TEST(Conditions, are_columns_with_their_values) {
    const auto parsed = parse({"room=7", "page=a=b"});
    ASSERT_TRUE(parsed);
    ASSERT_EQ(parsed->size(), 2U);
    EXPECT_EQ((*parsed)[0].column, 1U);
    EXPECT_EQ((*parsed)[0].value, storage::Value{std::int64_t{7}});
    EXPECT_EQ((*parsed)[1].column, 0U);
    EXPECT_EQ((*parsed)[1].value, storage::Value{std::string{"a=b"}});
}

TEST(Conditions, say_what_is_wrong_with_them) {
    EXPECT_EQ(why_not({"page"}), "--where takes COLUMN=VALUE, not 'page'");
    EXPECT_EQ(
        why_not({"pgae=a"}),
        "table visit has no column 'pgae', did you mean 'page'?; its columns are page, room, day, "
        "time, who, note, until, paid"
    );
    EXPECT_THAT(why_not({"qqqqqq=a"}), HasSubstr("has no column 'qqqqqq'; its columns"));
    EXPECT_EQ(why_not({"page=a", "page=a"}), "column page is given twice");
    EXPECT_THAT(why_not({"room=x"}), HasSubstr("a whole number"));
}

TEST(Conditions, tell_which_columns_of_the_partition_are_open) {
    EXPECT_THAT(open_partition(visit_table, {}), ElementsAre("page", "room"));
    EXPECT_THAT(open_partition(visit_table, *parse({"room=7", "day=1"})), ElementsAre("page"));
    EXPECT_THAT(open_partition(visit_table, *parse({"room=7", "page=a"})), ElementsAre());
}

TEST(Conditions, are_all_to_be_met) {
    storage::Rows rows{visit_table};
    rows.append(std::vector<storage::ValueView>{
        "a",
        std::int64_t{7},
        std::int64_t{1},
        std::int64_t{2},
        "w",
        "n",
        std::int64_t{0},
        storage::decimal_bytes(0)
    });
    EXPECT_TRUE(meets(rows, 0, {}));
    EXPECT_TRUE(meets(rows, 0, *parse({"page=a", "until=null"})));
    EXPECT_FALSE(meets(rows, 0, *parse({"page=a", "until=1"})));
}

}  // namespace
}  // namespace footfall::showing
