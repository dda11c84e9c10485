#include "graphite/expression.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall::graphite {
namespace {

/// In one form, so that two ways to write the same are compared.
std::string text_of(const Expression& expression) {
    switch (expression.kind) {
        case Expression::Kind::pattern:
            return "<" + expression.text + ">";
        case Expression::Kind::number:
            return fmt::format("{}", expression.number);
        case Expression::Kind::text:
            return "'" + expression.text + "'";
        case Expression::Kind::truth:
            return expression.number != 0 ? "true" : "false";
        case Expression::Kind::endless:
            return "inf";
        case Expression::Kind::nothing:
            return "none";
        case Expression::Kind::call:
            break;
    }
    std::string text = expression.text + "(";
    for (const Expression& each : expression.arguments) {
        text += (text.back() == '(' ? "" : ",") + text_of(each);
    }
    for (const auto& [name, each] : expression.named) {
        text += (text.back() == '(' ? "" : ",") + name + "=" + text_of(each);
    }
    return text + ")";
}

TEST(Expression, is_read) {
    const std::vector<std::pair<std::string, std::string>> read{
        {"a.b.c", "<a.b.c>"},
        {"a.{b,c}*.[0-9]?", "<a.{b,c}*.[0-9]?>"},
        {"a;host=b;x=1", "<a;host=b;x=1>"},
        {" sumSeries( a.* , b ) ", "sumSeries(<a.*>,<b>)"},
        {"scale(a, -1.5e3)", "scale(<a>,-1500)"},
        {"movingAverage(a,'5min')", "movingAverage(<a>,'5min')"},
        {"f(a,\"it's\",true,FALSE,None,inf)", "f(<a>,'it's',true,false,none,inf)"},
        {"f(10.servers.load)", "f(<10.servers.load>)"},
        {"f(1e3,5)", "f(1000,5)"},
        {"f(true.story,none.b)", "f(<true.story>,<none.b>)"},
        {"f(a, n=3, by='sum')", "f(<a>,n=3,by='sum')"},
        {"a.*|sumSeries()|alias('x')", "alias(sumSeries(<a.*>),'x')"},
        {"f(a|g(1))", "f(g(<a>,1))"},
        {"f()", "f()"},
        {"a\\,b", "<a,b>"},
    };
    for (const auto& [target, wanted] : read) {
        const auto expression = parse_target(target);
        ASSERT_TRUE(expression) << target << ": " << expression.error().message;
        EXPECT_EQ(text_of(*expression), wanted);
    }
}

TEST(Expression, says_where_it_is_wrong) {
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"", "character 1: a series, a pattern or a function is expected"},
        {"f(", "character 3: a series"},
        {"f(a", "character 4: a comma or )"},
        {"f(a,)", "character 5: a series"},
        {"f(a))", "character 5: nothing more"},
        {"f('a)", "a text that ends"},
        {"a.{b", "} is expected"},
        {"a|", "a function is expected"},
        {"a|b", "a function is expected"},
        {"f(n=3,a)", "name=value"},
        {"a b", "nothing more"},
        {std::string(16'001, 'a'), "more than 16000 bytes"},
    };
    for (const auto& [target, says] : wrong) {
        const auto expression = parse_target(target);
        ASSERT_FALSE(expression) << target;
        EXPECT_EQ(expression.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(expression.error().message, testing::HasSubstr(says)) << target;
    }
}

TEST(Expression, is_bounded_in_depth) {
    std::string deep = "a";
    std::string piped = "a";
    for (int depth = 0; depth < 1000; ++depth) {
        deep = fmt::format("f({})", deep);
        piped += "|f()";
    }
    EXPECT_FALSE(parse_target(deep));
    EXPECT_FALSE(parse_target(std::string(15'000, '(')));
    EXPECT_FALSE(parse_target(piped));
}

}  // namespace
}  // namespace footfall::graphite
