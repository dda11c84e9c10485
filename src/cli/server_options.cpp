#include "cli/server_options.h"

#include "keys/key_text.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include <string_view>

namespace footfall::cli {
namespace {

std::string_view remedy_for(int status) {
    if (status == 401) {
        return "\nGive a key by --key KEY, or FOOTFALL_KEY in the environment.";
    }
    return status == 403 ? "\nGive another key by --key KEY, or FOOTFALL_KEY in the environment."
                         : "";
}

}  // namespace

CLI::Option* ServerOptions::add_to(CLI::App& verb) {
    CLI::Option* const server = verb.add_option("--server", url, "A running server")
                                    ->type_name("URL")
                                    ->capture_default_str();
    verb.add_option("--key", key, "An API key of that server, where it asks for one")
        ->type_name("KEY")
        ->envname("FOOTFALL_KEY");
    return server;
}

Result<http_server::ServerUrl> ServerOptions::address() const {
    TRY(http_server::ServerUrl server, http_server::parse_server_url(url));
    TRY(server.authorization, authorization());
    return server;
}

Result<std::string> ServerOptions::authorization() const {
    if (key.empty()) {
        return std::string{};
    }
    const bool plain = key.find_first_not_of(
                           "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                           "0123456789-_"
                       ) == std::string::npos;
    if (!plain || !keys::looks_like_key(key)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "what --key or FOOTFALL_KEY says is no API key: one begins with {} and has {} "
                "letters",
                keys::key_prefix,
                keys::key_length
            )
        );
    }
    return "Bearer " + key;
}

/// "detail" of a problem+json body, or the body itself.
std::string detail_of(const http_server::ClientResponse& response) {
    boost::json::error_code error;
    const boost::json::value document = boost::json::parse(response.body, error);
    const boost::json::object* object = error ? nullptr : document.if_object();
    const boost::json::value* detail = object == nullptr ? nullptr : object->if_contains("detail");
    return detail != nullptr && detail->is_string() ? std::string{detail->as_string()}
                                                    : response.body;
}

Error refusal_of(const http_server::ClientResponse& response) {
    const int status = response.status;
    const bool wrong_use = status >= 400 && status < 500 && status != 401 && status != 403;
    return {
        .kind = wrong_use ? ErrorKind::invalid_input : ErrorKind::unavailable,
        .message = fmt::format(
            "the server answered {}: {}{}", status, detail_of(response), remedy_for(status)
        )
    };
}

}  // namespace footfall::cli
