#include "http_server/problem.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace footfall::http_server {

Response problem(
    int status, std::string_view type, std::string_view detail, std::string_view field
) {
    boost::json::object document;
    document["type"] = "/problems/" + std::string{type};
    document["title"] = reason_phrase(status);
    document["status"] = status;
    document["detail"] = detail;
    if (!field.empty()) {
        document["field"] = field;
    }
    Response response{.status = status, .content_type = "application/problem+json"};
    response.body = boost::json::serialize(document) + "\n";
    if (status == 503 || status == 429) {
        response.headers.emplace_back("Retry-After", "1");
    }
    return response;
}

std::string_view reason_phrase(int status) {
    switch (status) {
        case 100:
            return "Continue";
        case 200:
            return "OK";
        case 201:
            return "Created";
        case 204:
            return "No Content";
        case 302:
            return "Found";
        case 304:
            return "Not Modified";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 409:
            return "Conflict";
        case 412:
            return "Precondition Failed";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 421:
            return "Misdirected Request";
        case 422:
            return "Unprocessable Content";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 503:
            return "Service Unavailable";
        case 504:
            return "Gateway Timeout";
        default:
            return "Unknown";
    }
}

}  // namespace footfall::http_server
