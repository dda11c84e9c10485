#include "deployment/embedded_events.h"

#include "journal_rocksdb/store_log.h"

#include <utility>

namespace footfall::deployment {

Result<std::unique_ptr<EventParts>> EmbeddedEvents::open(
    storage::Store& store, const Clock& clock, const EventOptions& options
) {
    std::unique_ptr<EmbeddedEvents> parts{new EmbeddedEvents};
    TRY(parts->log_, journal_rocksdb::StoreLog::open(store));
    TRY(intake::Context context, parts->open_shared(store, clock, options));
    context.id_filter_bytes = options.id_filter_bytes;
    TRY(parts->intake_, intake::Intake::open(context));
    if (options.keep) {
        parts->retention_ = std::make_unique<intake::Retention>(context, *options.keep, nullptr);
        parts->retention_->start();
    }
    return parts;
}

void EmbeddedEvents::close() {
    if (retention_) {
        retention_->stop();
    }
    intake_->close();
}

}  // namespace footfall::deployment
