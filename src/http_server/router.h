#pragma once

#include "http_server/request.h"
#include "runtime/task.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::http_server {

/// What a handler works with. Owned by the connection, valid until the handler has ended.
class Exchange {
public:
    Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    virtual ~Exchange() = default;

    virtual const Request& request() const = 0;

    virtual Response& response() = 0;

    /// A text the handler may use as it likes; what it holds at first is left over. Its memory is
    /// kept from one request to the next.
    virtual std::string& scratch() = 0;

    /// Sends a part of an answer whose length is not known (server-sent events), with the status,
    /// type and headers of response() before the first. Waits until the system took it. False: the
    /// client is gone or wants the header only, or the server stops; the handler should end.
    virtual runtime::Task<bool> send_part(std::string part) = 0;

    /// Waits for the next full second of the wall clock. False: the server stops (which ends the
    /// wait at once) or the connection was cut; the handler should end.
    virtual runtime::Task<bool> next_second() = 0;
};

/// Answers one request. A handler that has everything at hand fills response() and answers nothing;
/// one that has to wait answers a task, which the connection awaits before it goes on to the next
/// request.
using Handler = std::function<std::optional<runtime::Task<>>(Exchange&)>;

/// Which handler serves a method and path. Filled at start-up, constant afterwards.
class Router {
public:
    /// `pattern` is a path, of which the end may be a placeholder: "/api/v1/counter/{object}" takes
    /// everything behind the last slash, further slashes included, as request().rest.
    void add(Method method, std::string_view pattern, Handler handler);

    /// Finds the handler and sets `request.rest`; null if there is none. HEAD is served by GET's
    /// handler.
    const Handler* find(Request& request) const;

    /// The methods that `path` answers, as the Allow header lists them; empty: it is unknown.
    std::string allowed(std::string_view path) const;

private:
    struct Route {
        Method method;
        std::string path;  ///< Without the placeholder.
        bool open_ended;
        Handler handler;

        bool serves(std::string_view asked) const {
            return open_ended ? asked.starts_with(path) : asked == path;
        }
    };

    std::vector<Route> routes_;
};

}  // namespace footfall::http_server
