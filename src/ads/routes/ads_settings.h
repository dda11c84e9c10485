#pragma once

#include "ads/ledger_zone.h"
#include "jobs/settings.h"

#include <chrono>
#include <optional>
#include <string>

namespace footfall::ads::routes {

/// What the ledger is begun with: zone and currency are fixed in the store with its first line.
struct AdsOptions final : jobs::Options {
    LedgerZone zone;
    std::string currency = "XXX";
    /// Rows of ad_click stand for so long after the seal of their month; absent: for ever.
    std::optional<std::chrono::seconds> keep_clicks = {};
};

/// ledger_zone, ledger_currency, keep_clicks.
extern const jobs::JobSettings ads_settings;

}  // namespace footfall::ads::routes
