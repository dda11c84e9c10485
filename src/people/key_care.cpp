#include "people/key_care.h"

namespace footfall::people {

bool KeyCare::is_due(Instant now) const {
    const bool set_back = shredded_ && now < *shredded_;
    return !shredded_ || set_back || shred_every <= now - *shredded_;
}

Result<void> KeyCare::turn() {
    TRY_VOID(days_->turn());
    const Instant now = clock_->now();
    if (is_due(now)) {
        TRY_VOID(store_->shred());
        shredded_ = now;
    }
    return {};
}

}  // namespace footfall::people
