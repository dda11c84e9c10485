#pragma once

#include "audit/acts.h"
#include "http_server/router.h"

#include <functional>
#include <string>
#include <string_view>

namespace footfall::runtime {
class BlockingPool;
}  // namespace footfall::runtime

namespace footfall::api {

class Doorkeeper;

/// What an act is about, which decides how much of its request everybody may read for ever.
enum class ActAbout {
    /// Keys, rates, months: the entry has the path and the body as they are.
    things,
    /// Persons: the entry has a commitment to them, and what it commits to is erased with any of
    /// the persons that are named in the path or the body.
    persons,
};

/// How a route says that what it does is an administrative act. A plain value; texts live as long
/// as the program.
struct ActKind {
    std::string_view kind;  ///< audit::Act::kind.
    ActAbout about = ActAbout::things;
    /// Whether ?dry_run= asks what would follow: that is no act.
    bool has_trial = false;
    /// How the first placeholder calls a person, of acts about persons; null: it does not.
    std::string (*person_in_path)(std::string_view) = nullptr;
};

/// Where acts of requests are recorded. All of it outlives the routes.
struct ActDesk {
    audit::Acts* acts = nullptr;
    runtime::BlockingPool* pool = nullptr;  ///< Threads that wait for the store: they share blocks.
};

/// The same handler behind its entry: the act is recorded, and only then carried out; if it cannot
/// be recorded the answer says so and nothing was done. One that the handler refused, with a status
/// of 400 or more, has a second entry of the kind `refused`, which names the first.
http_server::Handler recorded(
    const ActDesk& desk,
    const Doorkeeper& keeper,
    const ActKind& kind,
    std::string_view pattern,
    http_server::Handler handler
);

/// The act that a request asks for. Pure.
audit::Act act_of(
    const ActKind& kind,
    std::string_view pattern,
    const http_server::Request& request,
    std::string author,
    const std::function<std::string(std::string_view)>& digest
);

}  // namespace footfall::api
