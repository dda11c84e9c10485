#include "projecting/lane_walk.h"

namespace footfall::projecting {

Result<bool> LaneWalk::walk(std::uint64_t from, std::uint64_t end, const Each& each) {
    for (std::uint64_t next = from; next < end;) {
        TRY(const journal::Records records, log->read(lane, next, {}));
        if (records.empty()) {
            return true;
        }
        if (records.first() != next) {
            return false;
        }
        for (std::size_t at = 0; at < records.size() && records.first() + at < end; ++at) {
            TRY(const events::LogRecord record, events::read_record(records[at]));
            if (!sources.repeats(record)) {
                TRY_VOID(each(records.first() + at, record));
            }
        }
        next = records.next();
    }
    return true;
}

}  // namespace footfall::projecting
