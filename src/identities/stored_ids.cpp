#include "identities/stored_ids.h"

#include "foundation/json_string.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace footfall::identities {
namespace {

constexpr std::size_t texts_of_id = 3;

/// Absent: it is no id.
std::optional<Id> read_id(const boost::json::value& value) {
    const boost::json::array* const texts = value.if_array();
    if (texts == nullptr || texts->size() != texts_of_id) {
        return std::nullopt;
    }
    std::array<std::string, texts_of_id> read;
    for (std::size_t at = 0; at < texts_of_id; ++at) {
        const boost::json::string* const text = (*texts)[at].if_string();
        if (text == nullptr) {
            return std::nullopt;
        }
        read[at].assign(text->data(), text->size());
    }
    return Id{std::move(read[0]), std::move(read[1]), std::move(read[2])};
}

}  // namespace

std::string stored_text(const std::vector<Id>& ids) {
    std::string text = "[";
    for (const Id& each : ids) {
        text += &each == ids.data() ? "[" : ",[";
        append_json_string(text, each.identifier);
        text += ',';
        append_json_string(text, each.id_name);
        text += ',';
        append_json_string(text, each.id_value);
        text += ']';
    }
    return text + ']';
}

Result<std::vector<Id>> read_stored_ids(std::string_view text) {
    boost::system::error_code damage;
    const boost::json::value parsed = boost::json::parse(text, damage);
    std::vector<Id> ids;
    if (const boost::json::array* const list = damage ? nullptr : parsed.if_array()) {
        for (const boost::json::value& each : *list) {
            auto id = read_id(each);
            if (!id) {
                break;
            }
            ids.push_back(*std::move(id));
        }
        if (ids.size() == list->size()) {
            return ids;
        }
    }
    return fail(ErrorKind::corrupt, "a row of identities is damaged: its ids are none");
}

}  // namespace footfall::identities
