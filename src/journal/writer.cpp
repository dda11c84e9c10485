#include "journal/writer.h"

#include "storage/wait_for.h"

#include <utility>

namespace footfall::journal {

Result<void> wait_durable(
    Writer& writer, storage::CommitPosition position, std::chrono::milliseconds patience
) {
    auto answer = storage::wait_for<void>(patience, [&](storage::DurableDone done) {
        writer.when_durable(position, std::move(done));
    });
    if (!answer) {
        return storage::too_late(ErrorKind::outcome_unknown, "log", patience);
    }
    return *std::move(answer);
}

}  // namespace footfall::journal
