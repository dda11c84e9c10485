#include "records/json_record.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace footfall::records {
namespace {

namespace ondemand = simdjson::ondemand;

std::unexpected<Error> not_json(simdjson::error_code error) {
    return fail(
        ErrorKind::invalid_input,
        fmt::format("is not valid JSON ({})", simdjson::error_message(error))
    );
}

std::unexpected<Error> wrong_field(std::string_view name, std::string_view what) {
    return fail(ErrorKind::invalid_input, fmt::format("the field {} {}", name, what));
}

std::string_view without_space_behind(std::string_view text) {
    const auto last = text.find_last_not_of(" \t\r\n");
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// Takes digits off the front of `text`; false when there is none.
bool take_digits(std::string_view& text) {
    const auto count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count > 0;
}

bool take_any_of(std::string_view& text, std::string_view bytes) {
    const bool found = !text.empty() && bytes.contains(text.front());
    text.remove_prefix(found ? 1 : 0);
    return found;
}

/// The number grammar of RFC 8259, of any length: ids of twenty digits and more are common, and no
/// arithmetic is done with them here.
bool is_json_number(std::string_view text) {
    take_any_of(text, "-");
    if (!take_any_of(text, "0") && !take_digits(text)) {
        return false;
    }
    if (take_any_of(text, ".") && !take_digits(text)) {
        return false;
    }
    if (take_any_of(text, "eE")) {
        take_any_of(text, "+-");
        if (!take_digits(text)) {
            return false;
        }
    }
    return text.empty();
}

Result<std::string_view> list_of(
    const WantedField& wanted, ondemand::value& value, ondemand::json_type type
) {
    if (type != ondemand::json_type::array) {
        return wrong_field(wanted.name, R"(is no list, such as ["a","b"])");
    }
    const char* const begin = value.raw_json_token().data();
    ondemand::array list;
    if (const auto error = value.get_array().get(list)) {
        return not_json(error);
    }
    for (auto each : list) {
        if (each.error()) {
            return not_json(each.error());
        }
    }
    const char* behind = nullptr;  // the comma or brace that follows
    if (const auto error = value.current_location().get(behind)) {
        return not_json(error);
    }
    return without_space_behind({begin, behind});
}

Result<std::string_view> text_of(const WantedField& wanted, ondemand::value& value) {
    const std::string_view name = wanted.name;
    ondemand::json_type type{};
    if (const auto error = value.type().get(type)) {
        return not_json(error);
    }
    if (wanted.list && type != ondemand::json_type::null) {
        return list_of(wanted, value, type);
    }
    switch (type) {
        case ondemand::json_type::string: {
            std::string_view text;
            if (const auto error = value.get_string().get(text)) {
                return not_json(error);
            }
            return text;
        }
        case ondemand::json_type::number: {
            const auto text = without_space_behind(value.raw_json_token());
            if (!is_json_number(text)) {
                return wrong_field(name, "is not a valid number");
            }
            return text;
        }
        case ondemand::json_type::boolean: {
            const auto text = without_space_behind(value.raw_json_token());
            if (text != "true" && text != "false") {
                return wrong_field(name, "is neither true nor false");
            }
            return text;
        }
        case ondemand::json_type::null:
            return wanted.needed ? wrong_field(name, "is null")
                                 : Result<std::string_view>{std::string_view{}};
        case ondemand::json_type::object:
            return wrong_field(name, "is an object; a text or a number is needed");
        case ondemand::json_type::array:
            return wrong_field(name, "is an array; a text or a number is needed");
    }
    return wrong_field(name, "is of an unknown type");
}

}  // namespace

struct JsonRecordReader::State {
    std::vector<WantedField> wanted;
    std::vector<std::string_view> values;
    std::vector<bool> found;
    std::string padded;
    ondemand::parser parser;

    Result<void> parse_object(std::size_t size);
    Result<void> take(ondemand::field& field);
};

JsonRecordReader::JsonRecordReader(std::vector<WantedField> wanted)
    : state_{std::make_unique<State>()} {
    state_->values.resize(wanted.size());
    state_->wanted = std::move(wanted);
}

JsonRecordReader::JsonRecordReader(JsonRecordReader&&) noexcept = default;
JsonRecordReader& JsonRecordReader::operator=(JsonRecordReader&&) noexcept = default;
JsonRecordReader::~JsonRecordReader() = default;

Result<std::span<const std::string_view>> JsonRecordReader::parse(std::string_view text) {
    // simdjson reads some bytes behind the text, hence the copy; it costs less than a tenth of the
    // parsing. It grows in steps, as the parser's own memory must.
    if (state_->padded.size() < text.size() + simdjson::SIMDJSON_PADDING) {
        const auto capacity = std::max<std::size_t>(text.size() * 2, 4096);
        if (const auto error = state_->parser.allocate(capacity)) {
            return not_json(error);
        }
        state_->padded.resize(capacity + simdjson::SIMDJSON_PADDING);
    }
    std::memcpy(state_->padded.data(), text.data(), text.size());
    state_->found.assign(state_->wanted.size(), false);
    TRY_VOID(state_->parse_object(text.size()));
    for (std::size_t at = 0; at < state_->wanted.size(); ++at) {
        if (state_->found[at]) {
            continue;
        }
        if (state_->wanted[at].needed) {
            return wrong_field(state_->wanted[at].name, "is missing");
        }
        state_->values[at] = {};
    }
    return state_->values;
}

Result<void> JsonRecordReader::State::parse_object(std::size_t size) {
    ondemand::document document;
    if (const auto error = parser.iterate(padded.data(), size, padded.size()).get(document)) {
        return not_json(error);
    }
    ondemand::object object;
    if (const auto error = document.get_object().get(object)) {
        return error == simdjson::INCORRECT_TYPE
                   ? fail(ErrorKind::invalid_input, "is not a JSON object")
                   : not_json(error);
    }
    for (auto entry : object) {
        ondemand::field field;
        if (const auto error = std::move(entry).get(field)) {
            return not_json(error);
        }
        TRY_VOID(take(field));
    }
    const char* behind = nullptr;
    if (document.current_location().get(behind) != simdjson::OUT_OF_BOUNDS) {
        return fail(ErrorKind::invalid_input, "has text behind the JSON object");
    }
    return {};
}

Result<void> JsonRecordReader::State::take(ondemand::field& field) {
    std::string_view key;
    if (const auto error = field.unescaped_key().get(key)) {
        return not_json(error);
    }
    const auto name = std::ranges::find(wanted, key, &WantedField::name);
    if (name == wanted.end()) {
        return {};
    }
    const auto index = static_cast<std::size_t>(name - wanted.begin());
    if (found[index]) {
        return wrong_field(key, "is there twice");
    }
    TRY(values[index], text_of(*name, field.value()));
    found[index] = true;
    return {};
}

}  // namespace footfall::records
