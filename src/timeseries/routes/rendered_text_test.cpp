#include "timeseries_routes/rendered_text.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

namespace footfall::timeseries::routes {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

graphite::Drawn line_of(std::string name, graphite::Values values) {
    graphite::Drawn line{.name = std::move(name), .path = {}, .tags = {}, .values = {}};
    line.start = 1'796'040'000;
    line.end = 1'796'040'030;
    line.step = 10;
    line.values = std::move(values);
    return line;
}

std::string csv_of(const graphite::Drawn& line) {
    std::string text;
    append_csv(line, text);
    return text;
}

/// As graphite-web 1.1.10 wrote them of the same lines.
TEST(RenderedText, csv_has_a_row_for_each_value_and_none_for_no_value) {
    EXPECT_EQ(
        csv_of(line_of("a.b", {1, std::nullopt, 0.1})),
        "a.b,2026-11-30 12:00:00,1.0\r\na.b,2026-11-30 12:00:10,\r\na.b,2026-11-30 12:00:20,0.1\r\n"
    );
    EXPECT_EQ(csv_of(line_of("a.b", {})), "");
}

TEST(RenderedText, csv_quotes_names_that_need_it) {
    EXPECT_EQ(csv_of(line_of("f(a,b)", {1})), "\"f(a,b)\",2026-11-30 12:00:00,1.0\r\n");
    EXPECT_EQ(csv_of(line_of("f(\"a\")", {1})), "\"f(\"\"a\"\")\",2026-11-30 12:00:00,1.0\r\n");
    EXPECT_EQ(csv_of(line_of("a b;c=d", {1})), "a b;c=d,2026-11-30 12:00:00,1.0\r\n");
}

TEST(RenderedText, raw_has_a_line_for_each_line_with_all_its_numbers) {
    std::string text;
    append_raw(line_of("f(a,\"b\")", {1, std::nullopt, 0.1}), text);
    append_raw(line_of("b", {}), text);
    EXPECT_EQ(
        text, "f(a,\"b\"),1796040000,1796040030,10|1.0,None,0.1\nb,1796040000,1796040030,10|\n"
    );
}

TEST(RenderedText, numbers_are_as_python_writes_them) {
    std::string text;
    append_raw(
        line_of(
            "a",
            {-0.0,
             1e15,
             1e16,
             123456789012345680.0,
             1e-4,
             1e-5,
             1.5e300,
             1.0 / 3,
             infinity,
             -infinity,
             std::numeric_limits<double>::quiet_NaN()}
        ),
        text
    );
    EXPECT_EQ(
        text.substr(text.find('|')),
        "|-0.0,1000000000000000.0,1e+16,1.2345678901234568e+17,0.0001,1e-05,1.5e+300,"
        "0.3333333333333333,inf,-inf,nan\n"
    );
}

}  // namespace
}  // namespace footfall::timeseries::routes
