#pragma once

#include "foundation/result.h"
#include "load/traffic.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::load {

/// What a server said to one request.
struct Answer {
    int status = 0;           ///< As HTTP has it; an error of a server without statuses is 500.
    bool has_number = false;  ///< A count; of a batch, how many tokens were taken.
    bool at_least = false;    ///< The count has reached the counter's limit.
    std::uint64_t number = 0;
};

/// The first answer in a buffer.
struct ReadAnswer {
    enum class State { complete, incomplete, broken };

    State state = State::incomplete;
    std::size_t bytes = 0;  ///< Of the answer, when complete.
    Answer answer{};
};

/// How requests and answers look on the wire. Requests are appended to a connection's buffer, so
/// several can leave in one write. No state between calls: shared by all connections of a thread.
class Protocol {
public:
    Protocol() = default;
    Protocol(const Protocol&) = delete;
    Protocol& operator=(const Protocol&) = delete;
    virtual ~Protocol() = default;

    /// Put a token, answered by a number above 0.
    virtual void append_put(std::string& out, const Operation& operation) const = 0;
    /// Put many in one request.
    virtual void append_batch(std::string& out, std::span<const Operation> operations) const = 0;
    /// Ask for the number of an object.
    virtual void append_get(std::string& out, std::uint64_t object) const = 0;
    /// The same for the check at the end; says also whether the number is a lower bound.
    virtual void append_check(std::string& out, std::uint64_t object) const = 0;

    virtual ReadAnswer read(std::string_view bytes) const = 0;
};

/// Footfall's own: PUT, GET and POST below /api/v1/counter. `host` is the Host header; `counter`
/// the counter's name as it stands in a query; `authorization` the header of that name, or empty.
std::unique_ptr<Protocol> http_protocol(
    const std::string& host, const std::string& counter, const std::string& authorization = {}
);

/// Views as events, NDJSON in a POST to /api/v1/events: object and id of the operation, the actor
/// one of `people`, the time that of writing; `full`: with address and agent. The number of an
/// object is how many events of it were judged, whatever the verdict.
std::unique_ptr<Protocol> event_protocol(
    const std::string& host, std::uint64_t people, bool full, const std::string& authorization = {}
);

/// GETs of any targets, a path with its query each: the n-th object is asked for by the n-th of
/// them. Every answer is good whose status is; nothing is put, so traffic has to be of GETs alone.
std::unique_ptr<Protocol> target_protocol(
    const std::string& host, std::vector<std::string> targets, const std::string& authorization = {}
);

/// Redis: a set an object (SADD, SCARD), or a string (SET, GET).
enum class RedisType { set, string };

std::unique_ptr<Protocol> resp_protocol(RedisType type);

}  // namespace footfall::load
