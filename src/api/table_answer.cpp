#include "api/table_answer.h"

#include "foundation/check.h"
#include "http_server/client.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace footfall::api {
namespace {

using boost::json::object;
using http_server::Request;
using http_server::Response;

constexpr std::string_view csv = "text/csv";
constexpr std::string_view csv_as_sent = "text/csv; charset=utf-8";
constexpr std::string_view ndjson = "application/x-ndjson";

/// Calls `use` with what a row is called and the row.
template <class Use>
void for_each_row(const object& document, const TableForm& form, const Use& use) {
    for (const TableList& list : form.lists) {
        const auto* const rows = document.if_contains(list.name);
        CHECK(rows != nullptr && rows->is_array(), "a table of a list that the answer has not got");
        for (const auto& row : rows->get_array()) {
            use(list.row, row.get_object());
        }
    }
}

std::string as_lines(const object& document, const TableForm& form) {
    std::string text;
    for_each_row(document, form, [&](std::string_view name, const object& row) {
        object shown;
        if (!name.empty()) {
            shown["row"] = name;
        }
        for (const auto& member : row) {
            shown.insert(member);
        }
        text += boost::json::serialize(shown) + "\n";
    });
    return text;
}

bool is_number(std::string_view text) {
    text.remove_prefix(text.starts_with('-') ? 1 : 0);
    return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool looks_like_a_formula(std::string_view text) {
    constexpr std::string_view beginnings = "=+-@\t\r";
    return !text.empty() && beginnings.contains(text.front()) && !is_number(text);
}

std::string cell_of(const boost::json::value* value) {
    if (value == nullptr || value->is_null()) {
        return {};
    }
    return value->is_string() ? csv_cell(value->get_string()) : boost::json::serialize(*value);
}

/// A column, and which member of an object in it; empty: the column itself.
using Place = std::pair<std::string_view, std::string>;

const boost::json::value* found(const object& row, const Place& place) {
    const auto* const value = row.if_contains(place.first);
    const bool is_inner = !place.second.empty();
    return value != nullptr && is_inner ? value->get_object().if_contains(place.second) : value;
}

std::vector<Place> places(const object& document, const TableForm& form) {
    std::vector<Place> all;
    all.reserve(form.columns.size());
    for (const std::string_view column : form.columns) {
        std::set<std::string> inner;
        bool is_object = false;
        for_each_row(document, form, [&](std::string_view, const object& row) {
            const auto* const value = row.if_contains(column);
            if (value != nullptr && value->is_object()) {
                is_object = true;
                for (const auto& member : value->get_object()) {
                    inner.emplace(member.key());
                }
            }
        });
        if (!is_object) {
            all.emplace_back(column, "");
        }
        for (const std::string& each : inner) {
            all.emplace_back(column, each);
        }
    }
    return all;
}

std::string as_csv(const object& document, const TableForm& form) {
    const bool is_named = !form.lists.front().row.empty();
    const std::vector<Place> columns = places(document, form);
    std::string text = is_named ? "row," : "";
    for (const auto& [column, inner] : columns) {
        text += inner.empty() ? csv_cell(column) : csv_cell(fmt::format("{}.{}", column, inner));
        text += ',';
    }
    text.pop_back();
    text += "\r\n";
    for_each_row(document, form, [&](std::string_view name, const object& row) {
        text += is_named ? fmt::format("{},", name) : "";
        for (const Place& each : columns) {
            text += cell_of(found(row, each));
            text += ',';
        }
        text.pop_back();
        text += "\r\n";
    });
    return text;
}

/// The path of the request with this cursor in place of its own.
std::string next_page(const Request& request, std::string_view cursor) {
    std::string query;
    std::string_view rest = request.query;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('&'), rest.size());
        if (!rest.starts_with("cursor=")) {
            query += fmt::format("{}&", rest.substr(0, end));
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return fmt::format(
        "<{}?{}cursor={}>; rel=\"next\"", request.path, query, http_server::percent_encode(cursor)
    );
}

}  // namespace

bool asks_for_rows(const Request& request) {
    const std::string_view accept = request.known.accept;
    return http_server::accepts(accept, csv) || http_server::accepts(accept, ndjson);
}

Response as_asked(const Request& request, Response answer, const TableForm& form) {
    if (answer.status != 200 || !asks_for_rows(request)) {
        return answer;
    }
    const bool as_rows = http_server::accepts(request.known.accept, csv);
    const auto parsed = boost::json::parse(answer.body);
    const object& document = parsed.get_object();
    if (const auto* const next = document.if_contains("next");
        next != nullptr && next->is_string()) {
        answer.headers.emplace_back("Link", next_page(request, next->get_string()));
    }
    answer.content_type = as_rows ? csv_as_sent : ndjson;
    answer.body = as_rows ? as_csv(document, form) : as_lines(document, form);
    return answer;
}

std::string csv_cell(std::string_view text) {
    std::string shown = looks_like_a_formula(text) ? "'" : "";
    shown += text;
    if (shown.find_first_of(",\"\r\n") == std::string::npos) {
        return shown;
    }
    std::string quoted = "\"";
    for (const char each : shown) {
        quoted += each;
        if (each == '"') {
            quoted += each;
        }
    }
    return quoted + "\"";
}

}  // namespace footfall::api
