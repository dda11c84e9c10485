#pragma once

#include "foundation/error.h"
#include "foundation/result.h"
#include "http_server/client.h"

#include <CLI/App.hpp>
#include <CLI/Option.hpp>

#include <string>

namespace footfall::cli {

/// A running server and the API key for it: `--server URL`, and `--key KEY` or FOOTFALL_KEY.
struct ServerOptions {
    std::string url = "http://127.0.0.1:8080";
    std::string key;

    /// Adds the options to a verb and answers `--server`; this must outlive the parsing.
    CLI::Option* add_to(CLI::App& verb);

    /// Where to send requests, with the key to be sent with each. `invalid_input`: no URL, or what
    /// cannot be a key.
    Result<http_server::ServerUrl> address() const;

    /// The value of an Authorization header for the key; empty without one.
    Result<std::string> authorization() const;
};

/// What a server says of why it did not do what it was asked.
std::string detail_of(const http_server::ClientResponse& response);

/// Why a server did not do what it was asked, in its own words, and what to do about it where it
/// wants another key. Of a status that is no success.
Error refusal_of(const http_server::ClientResponse& response);

}  // namespace footfall::cli
