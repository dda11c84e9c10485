// Any bytes as a JSON record, compared with simdjson's other parser, which checks the whole
// document before it answers: what that one accepts must be accepted with the same values. (The
// other way round is not asked for: values that are not wanted are only skipped.)
#include "foundation/check.h"
#include "records/json_record.h"

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace footfall;
using namespace footfall::records;

const std::vector<std::string>& names() {
    static const std::vector<std::string> names = {"object", "token"};
    return names;
}

/// The values of `name` in `object`: several where the name is there twice.
std::vector<simdjson::dom::element> values_of(simdjson::dom::object object, std::string_view name) {
    std::vector<simdjson::dom::element> values;
    for (const auto field : object) {
        if (field.key == name) {
            values.push_back(field.value);
        }
    }
    return values;
}

bool is_usable(const std::vector<simdjson::dom::element>& values) {
    return values.size() == 1 && !values[0].is_null() && !values[0].is_object() &&
           !values[0].is_array();
}

void check_value(const std::vector<simdjson::dom::element>& values, std::string_view text) {
    CHECK(is_usable(values), "a value that is none was taken", text);
    if (std::string_view expected; values[0].get(expected) == simdjson::SUCCESS) {
        CHECK(text == expected, "a string differs", text, expected);
    } else if (bool expected_bool = false; values[0].get(expected_bool) == simdjson::SUCCESS) {
        CHECK(text == (expected_bool ? "true" : "false"), "a truth value differs", text);
    } else {
        simdjson::dom::parser parser;
        const auto number = parser.parse(simdjson::padded_string{text});
        CHECK(number.error() == simdjson::SUCCESS, "a number is no number", text);
        CHECK(
            simdjson::minify(number.value_unsafe()) == simdjson::minify(values[0]),
            "it differs",
            text
        );
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static JsonRecordReader reader{{{.name = names()[0]}, {.name = names()[1]}}};
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const auto fields = reader.parse(text);
    if (!fields) {
        CHECK(!fields.error().message.empty(), "a refusal has a reason");
    }
    simdjson::dom::parser parser;
    const auto document = parser.parse(simdjson::padded_string{text});
    if (document.error() != simdjson::SUCCESS) {
        return 0;
    }
    simdjson::dom::object object;
    if (document.get(object) != simdjson::SUCCESS) {
        CHECK(!fields.has_value(), "only an object is a record");
        return 0;
    }
    bool wanted = true;
    for (std::size_t at = 0; at < names().size(); ++at) {
        const auto values = values_of(object, names()[at]);
        wanted = wanted && is_usable(values);
        if (fields) {
            check_value(values, (*fields)[at]);
        }
    }
    CHECK(wanted == fields.has_value(), "one parser accepts what the other refuses", text);
    return 0;
}
