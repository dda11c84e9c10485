#pragma once

#include "cli/rejects.h"
#include "foundation/result.h"
#include "http_server/client.h"
#include "people/person.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace footfall::people {
class People;
}

namespace footfall::cli {

/// Told of who was refused, by their place among those who spoke together, and why.
using RefuseSaid = std::function<void(std::size_t at, std::string_view reason)>;

/// Where imported people go. For one thread.
class PeopleSink {
public:
    virtual ~PeopleSink() = default;

    /// Has all of it said, in its order, and is durable when it returns. An error ends the import;
    /// a beginning may have been said by then.
    virtual Result<void> say(std::span<const people::Said> said, const RefuseSaid& refuse) = 0;
};

/// Sends batches to POST /api/v1/people. A server that says it is busy is asked again for up to a
/// minute.
std::unique_ptr<PeopleSink> make_server_people_sink(http_server::ServerUrl server);

/// Tells those of an open data directory, who must outlive the sink.
std::unique_ptr<PeopleSink> make_directory_people_sink(people::People& people);

}  // namespace footfall::cli
