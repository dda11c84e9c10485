#pragma once

#include "ads/ledger.h"
#include "api/front_door.h"
#include "api/parameters.h"
#include "api/range_parameters.h"
#include "by_profile/report_desk.h"
#include "http_server/router.h"
#include "intake/collector.h"
#include "runtime/blocking_pool.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace footfall::ads::routes {

/// What routes of ads are answered with. All of it outlives the router. A plain value.
struct Sources {
    Ledger* ledger = nullptr;
    intake::Collector* collector = nullptr;
    runtime::BlockingPool* lookups = nullptr;  ///< For answers that wait for a few reads.
    runtime::BlockingPool* surveys = nullptr;  ///< For those that look at many parties.
    api::Doorkeeper keeper;
    by_profile::ReportDesk* by_profile = nullptr;  ///< Null: nobody knows who is one person.
};

/// What answers a request on a thread that may wait.
using Answer = std::function<
    http_server::Response(const Sources& sources, const http_server::Request& request)>;

/// A handler that has `answer` called on a thread of the lookups.
http_server::Handler on_lookups(const Sources& sources, Answer answer);

/// What answers one that takes long: `left` is asked to stop once nobody waits any more.
using Survey = std::function<http_server::Response(
    const Sources& sources, const http_server::Request& request, const std::stop_token& left
)>;

/// A handler that has `survey` called on a thread of the surveys; not once the client is gone.
http_server::Handler on_surveys(const Sources& sources, Survey survey);

/// "/api/v1/resellers" or "/api/v1/publishers", and behind it `rest`.
std::string party_path(PartyKind kind, std::string_view rest);

/// The party that the first placeholder names.
api::Asked<std::string> party_in_path(const http_server::Request& request, PartyKind kind);

/// A range as the ledger means it.
std::optional<DayRange> days_of(const std::optional<api::AskedRange>& asked);

}  // namespace footfall::ads::routes
