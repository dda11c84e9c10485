#include "deployment/whole_rows.h"

#include "projecting/checkpoints.h"

#include <fmt/format.h>

#include <cstdint>

namespace footfall::deployment {

Result<void> check_rows_are_whole(storage::Store& store, journal::LogReader& log, jobs::List jobs) {
    for (const jobs::Registered* const job : jobs) {
        if (job->recount == nullptr) {
            continue;  // it follows from no log
        }
        TRY(const auto marks, projecting::read_checkpoints(store, log, job->name));
        for (std::uint32_t lane = 0; lane < log.lanes(); ++lane) {
            const std::uint64_t end = marks.at(lane).value_or(projecting::Mark{}).offset;
            TRY(const journal::Records behind, log.read(lane, end, {.records = 1}));
            if (!behind.empty()) {
                return fail(
                    ErrorKind::conflict,
                    fmt::format(
                        "the rows of {} do not have what lane {} of the log has from record {} on, "
                        "as after a kill: start the server with its settings, stop it, and do this "
                        "again",
                        job->name,
                        lane,
                        behind.first()
                    )
                );
            }
        }
    }
    return {};
}

}  // namespace footfall::deployment
