#include "identities/stored_data.h"

#include "foundation/json_string.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <array>
#include <chrono>

namespace footfall::identities {
namespace {

std::unexpected<Error> damaged() {
    return fail(ErrorKind::corrupt, "a row of identities is damaged: its data are none");
}

/// The texts of a list, from `at` on, as many as there are places for. Values are kept as JSON.
bool read_values(const boost::json::array& list, std::size_t at, Datum& datum) {
    const std::array places{&datum.first, &datum.latest, &datum.longest};
    for (std::size_t place = 0; place < places.size(); ++place) {
        const boost::json::value& value = list[at + place];
        if (!value.is_primitive()) {
            return false;
        }
        *places[place] = boost::json::serialize(value);
    }
    return true;
}

Instant instant_at(std::int64_t microseconds) {
    return Instant{std::chrono::microseconds{microseconds}};
}

std::string values_of(const Datum& datum) {
    return fmt::format("{},{},{}", datum.first, datum.latest, datum.longest);
}

std::string_view text_in(const boost::json::string* text) {
    return {text->data(), text->size()};
}

}  // namespace

std::string stored_text(const std::optional<Datum>& datum) {
    return datum ? fmt::format("[{},{}]", json_string(datum->name), values_of(*datum))
                 : std::string{};
}

Result<std::optional<Datum>> read_stored_datum(std::string_view text) {
    if (text.empty()) {
        return std::nullopt;
    }
    boost::system::error_code damage;
    const boost::json::value parsed = boost::json::parse(text, damage);
    const auto* const list = damage ? nullptr : parsed.if_array();
    constexpr std::size_t parts = 4;
    const auto* const name =
        list == nullptr || list->size() != parts ? nullptr : list->front().if_string();
    Datum datum;
    if (name == nullptr || !read_values(*list, 1, datum)) {
        return damaged();
    }
    datum.name = text_in(name);
    return datum;
}

void append_stored_data(std::span<const SaidDatum> data, std::string& json) {
    json += '[';
    for (const SaidDatum& each : data) {
        json += fmt::format(
            "{}[{},{},{},{},{}]",
            json.ends_with('[') ? "" : ",",
            json_string(each.datum.name),
            json_string(each.source),
            each.first.time_since_epoch().count(),
            each.last.time_since_epoch().count(),
            values_of(each.datum)
        );
    }
    json += ']';
}

Result<std::vector<SaidDatum>> read_stored_data(const boost::json::value& value) {
    const auto* const list = value.if_array();
    if (list == nullptr) {
        return damaged();
    }
    std::vector<SaidDatum> data;
    for (const boost::json::value& each : *list) {
        constexpr std::size_t parts = 7;
        constexpr std::size_t values_at = 4;
        const auto* const said = each.if_array();
        if (said == nullptr || said->size() != parts) {
            return damaged();
        }
        const auto* const name = (*said)[0].if_string();
        const auto* const source = (*said)[1].if_string();
        const auto* const first = (*said)[2].if_int64();
        const auto* const last = (*said)[3].if_int64();
        SaidDatum datum;
        if (name == nullptr || source == nullptr || first == nullptr || last == nullptr ||
            !read_values(*said, values_at, datum.datum)) {
            return damaged();
        }
        datum.datum.name = text_in(name);
        datum.source = text_in(source);
        datum.first = instant_at(*first);
        datum.last = instant_at(*last);
        data.push_back(std::move(datum));
    }
    return data;
}

}  // namespace footfall::identities
