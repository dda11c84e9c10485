#include "timeseries_routes/graphite_sources.h"

#include "api/answers.h"
#include "api/gzip_body.h"
#include "api/on_pool.h"
#include "foundation/json_string.h"
#include "foundation/utf8.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

using http_server::Exchange;
using http_server::Request;
using http_server::Response;

/// Whether the body is a form, as far as is said; `curl --data` says so, and those who say nothing
/// have none else.
bool is_form(std::string_view type) {
    type = type.substr(0, type.find(';'));
    type = type.substr(0, type.find_last_not_of(' ') + 1);
    constexpr std::string_view form = "application/x-www-form-urlencoded";
    return type.empty() || std::ranges::equal(form, type, [](char known, char sent) {
               return known == (sent >= 'A' && sent <= 'Z' ? sent - 'A' + 'a' : sent);
           });
}

runtime::Task<> answer_on(
    runtime::BlockingPool* pool, GraphiteSources sources, Answer answer, Exchange* exchange
) {
    const std::stop_token left = exchange->client_left();
    auto work = [&] {
        std::string text;
        const auto request = with_form(exchange->request(), text);
        return request ? answer(sources, *request, left) : request.error();
    };
    exchange->response() = co_await api::on_pool(pool, std::move(work), left);
}

}  // namespace

http_server::Handler answering(
    runtime::BlockingPool* pool, const GraphiteSources& sources, Answer answer
) {
    return [=](Exchange& exchange) {
        return std::optional{answer_on(pool, sources, answer, &exchange)};
    };
}

api::Asked<Request> with_form(const Request& request, std::string& text) {
    Request whole = request;
    if (request.method != http_server::Method::post || request.body.empty()) {
        return whole;
    }
    if (!is_form(request.header("Content-Type"))) {
        return std::unexpected(http_server::problem(
            415,
            "unsupported-type",
            "send parameters in the path, or as application/x-www-form-urlencoded",
            "Content-Type"
        ));
    }
    std::string unpacked;
    const auto form = api::decoded_body(request, form_limit.bytes, unpacked);
    if (!form) {
        return std::unexpected(form.error());
    }
    text.clear();
    for (const char each : *form) {
        if (each == '+') {
            text += "%20";
        } else {
            text += each;
        }
    }
    // A line's end behind the form is no part of its last field.
    text.erase(text.find_last_not_of("\r\n") + 1);
    if (!request.query.empty()) {
        text.append("&").append(request.query);
    }
    whole.query = text;
    return whole;
}

api::Asked<std::vector<std::string>> all_of_parameter(
    const Request& request, std::string_view name, std::size_t most
) {
    std::vector<std::string> all;
    std::string_view query = request.query;
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
        std::string_view value;
        if (!http_server::query_value(pair, name, value)) {
            continue;
        }
        std::string text;
        if (!http_server::percent_decode(value, text) || !is_utf8(text)) {
            return std::unexpected(
                api::invalid_input(fmt::format("{} is not percent-encoded UTF-8", name), name)
            );
        }
        if (all.size() == most) {
            return std::unexpected(
                api::invalid_input(fmt::format("there are more than {} of {}", most, name), name)
            );
        }
        all.push_back(std::move(text));
    }
    return all;
}

api::Asked<std::string> format_parameter(
    const Request& request, std::initializer_list<std::string_view> formats
) {
    auto asked = api::text_parameter(request, "format", std::string{*formats.begin()});
    if (asked && std::ranges::find(formats, *asked) == formats.end()) {
        std::string names;
        for (const std::string_view each : formats) {
            names.append(names.empty() ? "" : ", ").append(each);
        }
        return std::unexpected(
            api::invalid_input(fmt::format("format is one of {}", names), "format")
        );
    }
    return asked;
}

std::string json_list(const std::vector<std::string>& texts) {
    std::string json = "[";
    for (const std::string& each : texts) {
        json += json.size() == 1 ? "" : ",";
        append_json_string(json, each);
    }
    return json + "]";
}

}  // namespace footfall::timeseries::routes
