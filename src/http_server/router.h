#pragma once

#include "http_server/memory.h"
#include "http_server/request.h"
#include "runtime/task.h"

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
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

    /// What ends a wait in next_second() early, with true. It may be called by any thread, as often
    /// as anybody likes and also when the exchange is over, as long as the server's threads are
    /// there; it only hands on, so a call that is made just before the wait ends that one.
    virtual std::function<void()> waker() = 0;

    /// Asked to stop once the client is gone, or ends its side of the connection: nobody waits for
    /// the answer then. For work that takes long; may be looked at by any thread.
    virtual std::stop_token client_left() = 0;
};

/// Answers one request. A handler that has everything at hand fills response() and answers nothing;
/// one that has to wait answers a task, which the connection awaits before it goes on to the next
/// request.
using Handler = std::function<std::optional<runtime::Task<>>(Exchange&)>;

/// How large the body of a request may be, beside the server's limit for all, and how a larger one
/// is refused: 413. Texts live as long as the program.
struct BodyLimit {
    std::size_t bytes = std::numeric_limits<std::size_t>::max();
    std::string_view problem = "body-too-large";
    std::string_view what = "the body";  ///< Begins the sentence.
    std::string_view field = {};
};

/// What decides whether a request comes in. Asked as soon as its header is there, so that nothing
/// is kept of the body of one that is refused, and again when all of it is.
struct Entrance {
    Door door = Door::open;
    /// The answer that refuses, by anything but the body; absent: come in. Empty: so does
    /// everybody.
    std::function<std::optional<Response>(const Request&)> refuse = {};
    BodyLimit body = {};
};

/// A handler behind its entrance.
struct Endpoint {
    Entrance entrance;
    Handler handler;

    /// The refusal of a request of which the header is there, and perhaps more. Absent: come in.
    std::optional<Response> refuse(const Request& request) const;
    std::optional<Response> refuse_size(const Request& request) const;
};

/// Which endpoint serves a method and path. Filled at start-up, constant afterwards.
///
/// A pattern is a path of which whole segments may be placeholders: "/lists/{list}/days/{day}". One
/// in the middle takes a segment, one at the end takes everything that is left, slashes included;
/// either may be empty, so that the handler can say what is missing. Of several patterns that serve
/// a path, that one does which has a literal where the others have a placeholder, in the first
/// segment that differs.
///
/// Cost: a comparison for each route of the method, no allocation.
class Router {
public:
    /// At most placeholders_max placeholders; each method and pattern once.
    void add(Method method, std::string_view pattern, Handler handler, Entrance entrance = {});

    /// Finds the endpoint and sets `request.placeholders`; null if there is none. HEAD is served by
    /// GET's.
    const Endpoint* find(Request& request) const;

    /// The methods that `path` answers, as the Allow header lists them; empty: it is unknown.
    std::string allowed(std::string_view path) const;

private:
    using Placeholders = std::array<std::string_view, placeholders_max>;

    struct Route {
        Method method;
        std::string shape;  ///< The pattern, with a letter for each placeholder: `precedes()`.
        std::string start;  ///< Up to the first placeholder.
        /// What follows each placeholder, up to the next; empty behind one that ends the pattern.
        std::vector<std::string> literals;
        Endpoint endpoint;

        /// Whether it serves this path; `found` is set to what its placeholders stand for then.
        bool serves(std::string_view path, Placeholders& found) const {
            return literals.empty()
                       ? path == start
                       : path.starts_with(start) && serves_rest(path.substr(start.size()), found);
        }

        /// The same of what stands behind `start`.
        bool serves_rest(std::string_view path, Placeholders& found) const;
    };

    static Route parse(std::string_view pattern);
    static bool precedes(std::string_view left, std::string_view right);

    std::vector<Route> routes_;  ///< Whichever precedes another stands before it.
};

}  // namespace footfall::http_server
