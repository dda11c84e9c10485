#pragma once

#include "ads/ad_registry.h"
#include "api/front_door.h"
#include "foundation/siphash.h"
#include "runtime/blocking_pool.h"

#include <string>

namespace footfall::ads::routes {

struct AdRoutesOptions {
    SipKey secret;         ///< The deployment's, for links.
    std::string currency;  ///< Of ads that name none.
};

/// PUT /api/v1/ads/{id}: registers an ad, or changes it. GET the same, and /api/v1/ads: what is
/// registered; prices are told to who may see money. GET /api/v1/ads/{id}/link?reseller=&to=: a
/// link through it, signed for a reseller. All must outlive the routes.
void add_ad_routes(
    api::FrontDoor& door, AdRegistry& ads, runtime::BlockingPool& lookups, AdRoutesOptions options
);

}  // namespace footfall::ads::routes
