#include "identities/guards_text.h"

#include "foundation/json_string.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace footfall::identities {
namespace {

/// In the order of Keeps and of Normalise.
constexpr std::array<std::string_view, 2> words_of_keeps{"first", "latest"};
constexpr std::array<std::string_view, 4> words_of_normalise{"none", "lower", "email", "phone"};

template <class Value, std::size_t count>
std::optional<Value> value_named(
    const std::array<std::string_view, count>& words, std::string_view word
) {
    const auto found = std::ranges::find(words, word);
    return found == words.end() ? std::nullopt
                                : std::optional{static_cast<Value>(found - words.begin())};
}

void append_identifier(const std::string& name, const IdentifierGuards& guards, std::string& json) {
    json += fmt::format(R"({}{{"name":{})", json.ends_with('[') ? "" : ",", json_string(name));
    if (guards.per_profile) {
        json += fmt::format(R"(,"per_profile":{})", *guards.per_profile);
    }
    if (guards.shared_above) {
        json += fmt::format(R"(,"shared_above":{})", *guards.shared_above);
    }
    if (!guards.never.empty()) {
        json += R"(,"never":[)";
        for (const std::string& each : guards.never) {
            json += fmt::format("{}{}", json.ends_with('[') ? "" : ",", json_string(each));
        }
        json += ']';
    }
    if (guards.keeps != Keeps::first) {
        json += fmt::format(
            R"(,"keeps":"{}")", words_of_keeps.at(static_cast<std::size_t>(guards.keeps))
        );
    }
    if (guards.normalise != Normalise::none) {
        json += fmt::format(
            R"(,"normalise":"{}")",
            words_of_normalise.at(static_cast<std::size_t>(guards.normalise))
        );
    }
    if (guards.ttl) {
        json += fmt::format(R"(,"ttl":{})", guards.ttl->count());
    }
    json += '}';
}

/// Of values of an object. Where one is missing or wrong the whole text is.
class Reader {
public:
    explicit Reader(const boost::json::object& object) : object_{&object} {}

    std::optional<std::size_t> number(std::string_view name) {
        const auto* const value = take(name);
        if (value == nullptr) {
            return std::nullopt;
        }
        const auto* const number = value->if_int64();
        is_sound_ = is_sound_ && number != nullptr && *number >= 0;
        return number == nullptr ? std::nullopt : std::optional{static_cast<std::size_t>(*number)};
    }

    std::optional<std::string_view> text(std::string_view name) {
        const auto* const value = take(name);
        if (value == nullptr) {
            return std::nullopt;
        }
        return text_in(*value);
    }

    const boost::json::array* list(std::string_view name) {
        const auto* const value = take(name);
        const auto* const list = value == nullptr ? nullptr : value->if_array();
        is_sound_ = is_sound_ && (value == nullptr || list != nullptr);
        return list;
    }

    std::string_view text_in(const boost::json::value& value) {
        const auto* const text = value.if_string();
        is_sound_ = is_sound_ && text != nullptr;
        return text == nullptr ? std::string_view{} : std::string_view{text->data(), text->size()};
    }

    void hold(bool condition) { is_sound_ = is_sound_ && condition; }

    /// And whether nothing is there that nobody asked for.
    bool is_sound() const { return is_sound_ && taken_ == object_->size(); }

private:
    const boost::json::value* take(std::string_view name) {
        const auto* const found = object_->if_contains({name.data(), name.size()});
        taken_ += found == nullptr ? 0 : 1;
        return found;
    }

    const boost::json::object* object_;
    std::size_t taken_ = 0;
    bool is_sound_ = true;
};

bool read_identifier(const boost::json::value& value, Guards& guards) {
    const auto* const object = value.if_object();
    if (object == nullptr) {
        return false;
    }
    Reader reader{*object};
    IdentifierGuards own;
    const auto name = reader.text("name");
    own.per_profile = reader.number("per_profile");
    own.shared_above = reader.number("shared_above");
    if (const auto* const never = reader.list("never")) {
        for (const boost::json::value& each : *never) {
            own.never.emplace(reader.text_in(each));
        }
    }
    if (const auto word = reader.text("keeps")) {
        const auto keeps = keeps_named(*word);
        reader.hold(keeps.has_value());
        own.keeps = keeps.value_or(Keeps::first);
    }
    if (const auto word = reader.text("normalise")) {
        const auto normalise = normalise_named(*word);
        reader.hold(normalise.has_value());
        own.normalise = normalise.value_or(Normalise::none);
    }
    if (const auto seconds = reader.number("ttl")) {
        reader.hold(std::cmp_less_equal(*seconds, std::chrono::seconds{ttl_max}.count()));
        own.ttl = std::chrono::seconds{static_cast<std::int64_t>(*seconds)};
    }
    return reader.is_sound() && name &&
           guards.identifiers.try_emplace(std::string{*name}, std::move(own)).second;
}

}  // namespace

std::string text_of(const Guards& guards) {
    std::string json = fmt::format(
        R"({{"profile_ids":{},"shared_above":{},"identifiers":[)",
        guards.profile_ids,
        guards.shared_above
    );
    for (const auto& [name, own] : guards.identifiers) {
        if (own != IdentifierGuards{}) {
            append_identifier(name, own, json);
        }
    }
    return json + "]}";
}

Result<Guards> read_guards(std::string_view text) {
    boost::system::error_code damage;
    const boost::json::value parsed = boost::json::parse(text, damage);
    const auto* const object = damage ? nullptr : parsed.if_object();
    if (object != nullptr) {
        Reader reader{*object};
        const auto profile_ids = reader.number("profile_ids");
        const auto shared_above = reader.number("shared_above");
        const auto* const identifiers = reader.list("identifiers");
        if (reader.is_sound() && profile_ids && shared_above && identifiers != nullptr) {
            Guards guards{.profile_ids = *profile_ids, .shared_above = *shared_above};
            const auto read = [&](const boost::json::value& each) {
                return read_identifier(each, guards);
            };
            if (std::ranges::all_of(*identifiers, read)) {
                return guards;
            }
        }
    }
    return fail(
        ErrorKind::corrupt, "guards of identities are damaged, or of a newer version of the program"
    );
}

std::optional<Keeps> keeps_named(std::string_view word) {
    return value_named<Keeps>(words_of_keeps, word);
}

std::optional<Normalise> normalise_named(std::string_view word) {
    return value_named<Normalise>(words_of_normalise, word);
}

}  // namespace footfall::identities
