#include "deployment/verify.h"

#include "foundation/check.h"
#include "storage/room.h"

#include <cstdint>
#include <vector>

namespace footfall::deployment {

Result<projecting::Verified> verify(
    EventParts& parts, const jobs::Registered& job, const projecting::VerifyListeners& listeners
) {
    projecting::Projection* const projection = parts.job(job.name).projection();
    CHECK(projection != nullptr, "what follows from the log has a projection", job.name);
    TRY_VOID(storage::write_when_there_is_room([&] { return projection->flush(true); }));
    const intake::Context& context = parts.intake().context();
    projecting::VerifiedParts verified{
        .store = context.store,
        .log = context.log,
        .secret = context.secret,
        .seals = context.reads != nullptr ? &context.reads->seals() : nullptr,
        .now = context.clock->now(),
        .clock = context.clock,
        .ends = {},
        .stored = {},
        .alone = true
    };
    for (std::uint32_t lane = 0; lane < context.log->lanes(); ++lane) {
        verified.ends.push_back(parts.intake().end_of(lane));
    }
    verified.stored = [&] { return Result<std::vector<std::uint64_t>>{verified.ends}; };
    return projecting::verify(verified, job.recount, listeners);
}

}  // namespace footfall::deployment
