#pragma once

#include "ads/exact.h"
#include "ads/month.h"
#include "cli/rejects.h"
#include "events/control.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "http_server/client.h"

#include <cstdint>
#include <memory>
#include <string>

namespace footfall::deployment {
class Deployment;
}

namespace footfall::cli {

/// A rate to be recorded, and where it was read. UTF-8, within the bounds of a rate.
struct SourceRate {
    std::uint64_t line = 0;
    events::PartyKind kind = events::PartyKind::reseller;
    std::string party;
    ads::Day effective_since = 0;
    ads::Millionths share = 0;
    std::string reason;
};

/// Where imported rates go, one after the other: of several for a day the last one holds. For one
/// thread.
class RateSink {
public:
    virtual ~RateSink() = default;

    /// Records a rate; it is durable when this returns. An error ends the import.
    virtual Result<void> put(const SourceRate& rate) = 0;

    /// How many rates were recorded so far.
    virtual std::uint64_t recorded() const = 0;

    /// How many said what was in force already.
    virtual std::uint64_t unchanged() const = 0;
};

/// A PUT for each rate. A server that says it is busy is asked again for up to a minute.
std::unique_ptr<RateSink> make_server_rate_sink(http_server::ServerUrl server, RejectLine reject);

/// Records them in an open data directory. Both must outlive it.
std::unique_ptr<RateSink> make_directory_rate_sink(
    deployment::Deployment& directory, const Clock& clock, RejectLine reject
);

}  // namespace footfall::cli
