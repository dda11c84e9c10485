#pragma once

#include "jobs/settings.h"
#include "rankings/trend_settings.h"

namespace footfall::views::routes {

/// What views are opened with.
struct ViewsOptions final : jobs::Options {
    rankings::TrendSettings trending;
};

/// trending_fast, trending_slow, trending_floor, trending_people, trending_score,
/// trending_per_site.
extern const jobs::JobSettings views_settings;

}  // namespace footfall::views::routes
