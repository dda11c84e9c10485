#pragma once

#include "api/parameters.h"
#include "foundation/clock.h"
#include "http_server/request.h"
#include "http_server/router.h"
#include "runtime/blocking_pool.h"
#include "timeseries/time_series.h"

#include <cstddef>
#include <initializer_list>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// What the routes that answer as Graphite share.
namespace footfall::timeseries::routes {

/// What answers need. All of it outlives the routes.
struct GraphiteSources {
    const TimeSeries* series = nullptr;
    const Clock* clock = nullptr;
    runtime::BlockingPool* lookups = nullptr;
    runtime::BlockingPool* surveys = nullptr;
};

/// Names that an answer has at most, of those that patterns or tags stand for.
inline constexpr std::size_t names_max = 10'000;

/// The largest form.
inline constexpr http_server::BodyLimit form_limit{.bytes = 256 << 10, .what = "the form"};

/// Works out an answer on a thread that may wait. The request has all its parameters in the query.
using Answer = http_server::Response (*)(
    const GraphiteSources& sources, const http_server::Request& request, const std::stop_token& left
);

/// A handler that has `answer` called on a thread of `pool`.
http_server::Handler answering(
    runtime::BlockingPool* pool, const GraphiteSources& sources, Answer answer
);

/// The request with the fields of the form that is its body, if it has one, before its query: what
/// the form says holds. Of a form, plus signs are spaces. `text` has both, and outlives the answer.
/// Refused: a body that is no form.
api::Asked<http_server::Request> with_form(const http_server::Request& request, std::string& text);

/// Every value of a parameter, decoded; refused: more than `most`, or no UTF-8.
api::Asked<std::vector<std::string>> all_of_parameter(
    const http_server::Request& request, std::string_view name, std::size_t most
);

/// The format that is asked for; the first of these if none is. Refused: none of them.
api::Asked<std::string> format_parameter(
    const http_server::Request& request, std::initializer_list<std::string_view> formats
);

/// JSON of these texts, in their order.
std::string json_list(const std::vector<std::string>& texts);

}  // namespace footfall::timeseries::routes
