#pragma once

#include "api/answers.h"
#include "api/front_door.h"
#include "api/parameters.h"
#include "audience/terms.h"
#include "foundation/clock.h"
#include "http_server/router.h"
#include "identities/settling.h"
#include "runtime/blocking_pool.h"
#include "segments/segments.h"
#include "segments/size_history.h"
#include "segments_routes/asked_people.h"
#include "webhooks/hook_registry.h"
#include "webhooks/poster.h"

#include <functional>
#include <string>

namespace footfall::segments::routes {

/// What routes of segments are answered with. All of it outlives the router. A plain value.
struct Sources {
    Segments* segments = nullptr;
    AskedPeople* people = nullptr;
    const identities::Settling* settling = nullptr;  ///< By whose guards ids are written.
    const Clock* clock = nullptr;
    runtime::BlockingPool* lookups = nullptr;  ///< For answers that wait for a few reads.
    runtime::BlockingPool* surveys = nullptr;  ///< For those that look through many objects.
    runtime::BlockingPool* batches = nullptr;  ///< For those of many lines.
    api::Doorkeeper keeper;
    webhooks::HookRegistry* hooks = nullptr;  ///< Who is told of changes.
    webhooks::Reach reach = webhooks::Reach::internet;
    audience::Terms audience = {};  ///< Of who may see numbers of people only.
    SizeHistory* sizes = nullptr;   ///< Over time.
};

/// What answers a request on a thread that may wait.
using Answer = std::function<
    http_server::Response(const Sources& sources, const http_server::Request& request)>;

/// A handler that has `answer` called on a thread of the pool.
http_server::Handler on(runtime::BlockingPool* pool, const Sources& sources, Answer answer);

/// The segment that the first placeholder of the path names.
api::Asked<std::string> segment_in_path(const http_server::Request& request);

/// What a failure of a question about the segment of the path is answered with.
http_server::Response answer_failure(const Error& error);

/// The same where there is no segment of that name.
http_server::Response answer_unknown(const std::string& segment);

}  // namespace footfall::segments::routes
