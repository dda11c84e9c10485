#pragma once

#include "audience/terms.h"
#include "jobs/settings.h"
#include "webhooks/poster.h"

namespace footfall::segments::routes {

/// What segments are opened with.
class SegmentsOptions final : public jobs::Options {
public:
    webhooks::Reach webhooks = webhooks::Reach::internet;
    audience::Terms audience;
    bool topic = false;
};

/// Where changes may be sent.
webhooks::Reach webhooks_in(const jobs::Options* options);

/// What holds of the scope `audience`.
audience::Terms audience_in(const jobs::Options* options);

/// Whether changes are written to a topic, too.
bool topic_in(const jobs::Options* options);

/// `segments_webhooks`, `segments_topic`, `segments_least`, `segments_numbers`. docs/segments.md.
extern const jobs::JobSettings segments_settings;

}  // namespace footfall::segments::routes
