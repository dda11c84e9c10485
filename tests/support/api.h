#pragma once

#include "http_server/client.h"
#include "test_support/footfall_process.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::test_support {

/// The counter calls of the API in short form, on one keep-alive connection. An answer that is not
/// what the name promises ends the test with what was answered.
class Api {
public:
    explicit Api(const FootfallProcess& server) : client_{server.client()} {}

    explicit Api(http_server::Client client) : client_{std::move(client)} {}

    /// Any request, with JSON asked for where `json`.
    http_server::ClientResponse send(
        http_server::Method method,
        const std::string& target,
        std::string_view body = {},
        bool json = false
    );

    /// PUT of a token; the count answered. `query` as "?ttl=1".
    std::uint64_t put(
        std::string_view object, std::string_view token, const std::string& query = {}
    );

    /// GET; the count answered as text.
    std::uint64_t count(std::string_view object, const std::string& query = {});

    /// GET as JSON, of any path that answers 200 with an object.
    boost::json::object get_json(const std::string& target);

    /// GET of one object as JSON.
    boost::json::object counter_json(std::string_view object, const std::string& query = {});

    /// POST of lines; the answer as JSON.
    boost::json::object post_lines(std::string_view lines, const std::string& query = {});

    /// POST of a batch of events; the answer as JSON. On a cluster waits until they are counted,
    /// which embedded they are when they are answered.
    boost::json::object post_events(
        std::string_view body,
        const std::string& content_type = "application/x-ndjson",
        const std::string& idempotency_key = {}
    );

    /// On a cluster waits until so many events that came since the server's start are counted and
    /// stored: post_events() does so by itself, for events of others it has to be asked.
    void wait_until_counted(std::uint64_t accepted);

    /// GET of an object's views as JSON. `query` as "?from=2026-11-21".
    boost::json::object views(std::string_view object, const std::string& query = {});

    /// The value of a metric, 0 where it is not there yet.
    std::uint64_t metric(const std::string& name);

    bool has_metric(const std::string& name);

private:
    http_server::Client client_;
    std::uint64_t accepted_ = 0;  ///< Events, so far.
};

/// The path of one object's counter.
std::string counter_path(std::string_view object);

/// A body as a JSON object, or the end of the test.
boost::json::object parse_object(std::string_view text);

}  // namespace footfall::test_support
