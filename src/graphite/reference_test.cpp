// What graphite-web answers to the same series, time and target: tests/graphite/reference.py.

#include "graphite/expression.h"
#include "graphite/functions.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::graphite {
namespace {

namespace json = boost::json;

std::string cases_file() {
    const char* const given = std::getenv("FOOTFALL_GRAPHITE_CASES");
    return given != nullptr ? given : GRAPHITE_CASES;
}

std::optional<double> value_in(const json::value& value) {
    return value.is_null() ? std::nullopt : std::optional{value.to_number<double>()};
}

std::string text_in(const json::value& value) {
    return std::string{std::string_view{value.as_string()}};
}

/// A case of the file: what it fetches.
class Case {
public:
    explicit Case(const json::object& given) : given_{given} {}

    Result<Lines> fetch(std::string_view pattern, const Asked& asked) const {
        Lines lines;
        const json::value* const names = given_.at("patterns").as_object().if_contains(pattern);
        if (names == nullptr) {
            return lines;
        }
        for (const json::value& name : names->as_array()) {
            lines.push_back(line_of(text_in(name), pattern, asked.from, asked.until));
        }
        return lines;
    }

    Result<Lines> answer(const std::string& target) const {
        TRY(const Expression expression, parse_target(target));
        return evaluate(
            expression,
            {.from = given_.at("from").to_number<std::int64_t>(),
             .until = given_.at("until").to_number<std::int64_t>(),
             .fetch = [this](
                          std::string_view pattern, const Asked& asked
                      ) { return fetch(pattern, asked); },
             .fetch_tagged = {},
             .left = {}}
        );
    }

private:
    Drawn line_of(
        const std::string& name, std::string_view pattern, std::int64_t from, std::int64_t until
    ) const {
        const json::object& series = given_.at("series").as_object().at(name).as_object();
        const json::array& values = series.at("values").as_array();
        const auto step = series.at("step").to_number<std::int64_t>();
        const auto begin = series.at("start").to_number<std::int64_t>();
        Drawn line{
            .name = name, .path = std::string{pattern}, .tags = {{"name", name}}, .values = {}
        };
        line.step = step;
        line.start = from - from % step + step;
        line.end = until - until % step + step;
        for (std::int64_t time = line.start; time < line.end; time += step) {
            const std::int64_t at = (time - begin) / step;
            const bool is_there = time >= begin && at < static_cast<std::int64_t>(values.size());
            line.values.push_back(
                is_there ? value_in(values[static_cast<std::size_t>(at)]) : std::nullopt
            );
        }
        return line;
    }

    const json::object& given_;
};

bool are_equal(const std::optional<double>& one, const std::optional<double>& other) {
    constexpr double tolerance = 1e-9;
    if (!one || !other) {
        return one.has_value() == other.has_value();
    }
    return std::abs(*one - *other) <= tolerance * std::max({1.0, std::abs(*one), std::abs(*other)});
}

void expect_line(const Drawn& line, const json::object& wanted) {
    EXPECT_EQ(line.name, text_in(wanted.at("name")));
    EXPECT_EQ(line.start, wanted.at("start").to_number<std::int64_t>());
    EXPECT_EQ(line.step, wanted.at("step").to_number<std::int64_t>());
    const json::array& values = wanted.at("values").as_array();
    ASSERT_EQ(shown(line), values.size());
    for (std::size_t at = 0; at < values.size(); ++at) {
        ASSERT_TRUE(are_equal(line.values[at], value_in(values[at])))
            << at << ": " << line.values[at].value_or(NAN) << " where " << values[at];
    }
    for (const auto& [name, value] : wanted.at("tags").as_object()) {
        const auto tag = line.tags.find(std::string{name});
        EXPECT_EQ(tag == line.tags.end() ? "none" : tag->second, text_in(value)) << name;
    }
}

TEST(Reference, answers_the_same) {
    std::ifstream file{cases_file()};
    ASSERT_TRUE(file) << cases_file();
    std::size_t compared = 0;
    for (std::string text; std::getline(file, text);) {
        const json::object given = json::parse(text).as_object();
        const Case one{given};
        for (const json::value& each : given.at("targets").as_array()) {
            const std::string target = text_in(each.at("target"));
            SCOPED_TRACE(target);
            const auto lines = one.answer(target);
            if (each.as_object().contains("error")) {
                EXPECT_FALSE(lines) << each.at("error");
                continue;
            }
            ASSERT_TRUE(lines) << lines.error().message;
            const json::array& wanted = each.at("lines").as_array();
            EXPECT_EQ(lines->size(), wanted.size());
            for (std::size_t at = 0; at < std::min(lines->size(), wanted.size()); ++at) {
                SCOPED_TRACE(at);
                expect_line((*lines)[at], wanted[at].as_object());
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 100U);
}

}  // namespace
}  // namespace footfall::graphite
