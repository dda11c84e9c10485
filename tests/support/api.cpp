#include "test_support/api.h"

#include "foundation/parse_number.h"
#include "test_support/eventually.h"
#include "test_support/must.h"
#include "test_support/tested_store.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <chrono>
#include <utility>
#include <vector>

namespace footfall::test_support {
namespace {

using http_server::ClientResponse;
using http_server::Method;

/// Half a million events onto a cluster that shares two cores with everybody else.
constexpr std::chrono::minutes counting_patience{3};

ClientResponse must_be_ok(ClientResponse response, const std::string& target) {
    if (response.status != 200) {
        give_up(fmt::format("{} answered {}: {}", target, response.status, response.body));
    }
    return response;
}

std::uint64_t number_in(const ClientResponse& response) {
    std::string_view text = response.body;
    const bool ended = text.ends_with('\n');
    text.remove_suffix(ended ? 1 : 0);
    const auto number = parse_unsigned(text);
    if (!ended || !number) {
        give_up("not a number and a line end: \"" + response.body + "\"");
    }
    return *number;
}

}  // namespace

ClientResponse Api::send(
    Method method, const std::string& target, std::string_view body, bool json
) {
    std::vector<std::pair<std::string, std::string>> headers;
    if (json) {
        headers.emplace_back("Accept", "application/json");
    }
    return must(client_.send(method, target, body, headers));
}

std::uint64_t Api::put(std::string_view object, std::string_view token, const std::string& query) {
    const std::string target = counter_path(object) + query;
    return number_in(must_be_ok(send(Method::put, target, token), target));
}

std::uint64_t Api::count(std::string_view object, const std::string& query) {
    const std::string target = counter_path(object) + query;
    return number_in(must_be_ok(send(Method::get, target), target));
}

boost::json::object Api::get_json(const std::string& target) {
    return parse_object(must_be_ok(send(Method::get, target, {}, true), target).body);
}

boost::json::object Api::counter_json(std::string_view object, const std::string& query) {
    return get_json(counter_path(object) + query);
}

boost::json::object Api::post_lines(std::string_view lines, const std::string& query) {
    const std::string target = "/api/v1/counter" + query;
    return parse_object(must_be_ok(send(Method::post, target, lines), target).body);
}

boost::json::object Api::post_events(
    std::string_view body, const std::string& content_type, const std::string& idempotency_key
) {
    const std::string target = "/api/v1/events";
    std::vector<std::pair<std::string, std::string>> headers{{"Content-Type", content_type}};
    if (!idempotency_key.empty()) {
        headers.emplace_back("Idempotency-Key", idempotency_key);
    }
    ClientResponse answer = must(client_.send(Method::post, target, body, headers));
    boost::json::object outcome = parse_object(must_be_ok(std::move(answer), target).body);
    accepted_ += outcome.at("accepted").to_number<std::uint64_t>();
    wait_until_counted(accepted_);
    return outcome;
}

void Api::wait_until_counted(std::uint64_t accepted) {
    if (!log_is_kafka()) {
        return;
    }
    const std::string judged = "footfall_events_judged_total{";
    const bool counted = eventually(
        [&] {
            const std::string text = send(Method::get, "/metrics").body;
            std::uint64_t sum = 0;
            for (std::size_t at = text.find("\n" + judged); at != std::string::npos;
                 at = text.find("\n" + judged, at + 1)) {
                const std::size_t value = text.find(' ', at) + 1;
                sum += parse_unsigned(
                           std::string_view{text}.substr(value, text.find('\n', value) - value)
                )
                           .value_or(0);
            }
            return sum + metric("footfall_events_duplicate_total") >= accepted &&
                   metric("footfall_events_projected_total") >= sum &&
                   metric("footfall_events_unstored") == 0;
        },
        counting_patience
    );
    if (!counted) {
        give_up("events were not counted in time");
    }
}

boost::json::object Api::views(std::string_view object, const std::string& query) {
    return get_json("/api/v1/views/" + http_server::percent_encode(object) + query);
}

std::uint64_t Api::metric(const std::string& name) {
    const std::string text = "\n" + send(Method::get, "/metrics").body;
    const std::string start = "\n" + name + " ";
    const std::size_t found = text.find(start);
    if (found == std::string::npos) {
        return 0;
    }
    const std::size_t digits = found + start.size();
    const auto value = std::string_view{text}.substr(digits, text.find('\n', digits) - digits);
    const auto number = parse_unsigned(value);
    if (!number) {
        give_up(fmt::format("the metric {} is \"{}\"", name, value));
    }
    return *number;
}

bool Api::has_metric(const std::string& name) {
    return ("\n" + send(Method::get, "/metrics").body).find("\n" + name + " ") != std::string::npos;
}

std::string counter_path(std::string_view object) {
    return "/api/v1/counter/" + http_server::percent_encode(object);
}

boost::json::object parse_object(std::string_view text) {
    boost::json::error_code error;
    boost::json::value document = boost::json::parse({text.data(), text.size()}, error);
    if (error || !document.is_object()) {
        give_up(fmt::format("not a JSON object: \"{}\"", text));
    }
    return std::move(document.as_object());
}

}  // namespace footfall::test_support
