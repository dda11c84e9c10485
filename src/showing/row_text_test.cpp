#include "showing/row_text.h"

#include "showing/test_table.h"
#include "storage/decimal.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::showing {
namespace {

Result<std::string> first_letter(const RowInPage& /*row*/, std::string_view bytes) {
    if (bytes.empty()) {
        return fail(ErrorKind::corrupt, "nobody was there");
    }
    return std::string{"{\"first\":\""} + bytes.front() + "\"}";
}

constexpr std::array<ShownColumn, 1> columns{{{.column = "who", .json = first_letter}}};

storage::Rows row_of(std::string_view who) {
    storage::Rows rows{visit_table};
    rows.append(std::vector<storage::ValueView>{
        "a page",
        std::int64_t{7},
        std::int64_t{1},
        std::int64_t{2},
        who,
        "n",
        std::int64_t{0},
        storage::decimal_bytes(5'000)
    });
    return rows;
}

TEST(RowText, is_an_object_with_all_columns_in_order) {
    const storage::Rows rows = row_of("will");
    EXPECT_EQ(
        row_json({.rows = &rows, .at = 0}, columns),
        R"({"page":"a page","room":7,"day":"1970-01-02","time":"1970-01-01T00:00:00.000002Z",)"
        R"("who":{"first":"w"},"note":"n","until":null,"paid":"0.005000"})"
    );
    EXPECT_NE(row_json({.rows = &rows, .at = 0}, {}).find(R"("who":"will")"), std::string::npos);
}

TEST(RowText, is_a_line_for_each_column) {
    const storage::Rows rows = row_of("will");
    EXPECT_EQ(
        row_text({.rows = &rows, .at = 0}, columns),
        "page   \"a page\"\n"
        "room   7\n"
        "day    1970-01-02\n"
        "time   1970-01-01T00:00:00.000002Z\n"
        "who    {\"first\":\"w\"}\n"
        "note   n\n"
        "until  null\n"
        "paid   0.005000\n"
    );
}

TEST(RowText, shows_damaged_bytes_as_they_are) {
    const storage::Rows rows = row_of("");
    EXPECT_NE(
        row_json({.rows = &rows, .at = 0}, columns)
            .find(R"("who":{"damaged":"nobody was there","bytes":"0x"})"),
        std::string::npos
    );
}

}  // namespace
}  // namespace footfall::showing
