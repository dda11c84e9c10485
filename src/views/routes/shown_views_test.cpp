#include "views_routes/shown_views.h"

#include "showing/row_text.h"
#include "sketches/sketch.h"
#include "views/counts.h"
#include "views/schema.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::views::routes {
namespace {

using testing::HasSubstr;

std::string some_counts() {
    Reasons reasons;
    Counts counts;
    counts.add(0, 0, 2);
    counts.add(40, 0, 300);
    counts.add(40, reasons.id_of("repeat"));
    return counts.written(reasons);
}

std::string sketch_of(std::uint64_t people) {
    sketches::Sketch sketch;
    for (std::uint64_t person = 1; person <= people; ++person) {
        sketch.add(person * 0x9e3779b97f4a7c15);
    }
    return sketch.written(deployment_sketch_key);
}

std::string json_of_day(std::string_view counts, std::string_view people) {
    storage::Rows rows{view_day_table};
    const std::string writer = writer_of(0xffff'ffff'ffff'fffe, 63);
    rows.append(std::vector<storage::ValueView>{
        "view",
        "page",
        std::int64_t{1},
        first_epoch,
        writer,
        std::int64_t{302},
        std::int64_t{1},
        counts,
        people,
        std::int64_t{9}
    });
    return showing::row_json({.rows = &rows, .at = 0}, shown_views());
}

TEST(ShownViews, a_day_is_told_by_quarter_hours_and_reasons) {
    EXPECT_EQ(
        json_of_day(some_counts(), sketch_of(3)),
        R"({"action":"view","object":"page","day":"1970-01-02","epoch":0,)"
        R"("writer":{"log":-2,"lane":63},"counted":302,"refused":1,)"
        R"("counts":{"counted":{"00:00":2,"10:00":300},"refused":{"repeat":{"10:00":1}}},)"
        R"("people":{"people":3,"exact":true,"error":0,"bytes":15},"through":9})"
    );
}

TEST(ShownViews, a_whole_life_is_told_by_reasons) {
    storage::Rows rows{view_total_table};
    const std::string writer = writer_of(1, 2);
    const std::string counts = some_counts();
    const std::string people = sketch_of(0);
    rows.append(std::vector<storage::ValueView>{
        "view",
        "page",
        first_epoch,
        writer,
        std::int64_t{302},
        std::int64_t{1},
        counts,
        people,
        std::int64_t{9}
    });
    EXPECT_THAT(
        showing::row_json({.rows = &rows, .at = 0}, shown_views()),
        HasSubstr(R"("counts":{"counted":302,"refused":{"repeat":1}},"people":{"people":0,)")
    );
}

TEST(ShownViews, many_people_have_an_error) {
    const std::string json = json_of_day(some_counts(), sketch_of(10'000));
    EXPECT_THAT(json, HasSubstr(R"("exact":false,"error":0.00)"));
}

TEST(ShownViews, damaged_bytes_are_told_as_damaged) {
    const std::string json = json_of_day("\x07", "");
    EXPECT_THAT(
        json, HasSubstr(R"("counts":{"damaged":"counts of views are damaged","bytes":"0x07"})")
    );
    EXPECT_THAT(json, HasSubstr(R"("people":{"damaged":)"));
}

}  // namespace
}  // namespace footfall::views::routes
