#pragma once

#include "ads/ad_registry.h"
#include "api/collect_routes.h"
#include "api/front_door.h"
#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "storage/store.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace footfall::ads::routes {

/// GET /r/{ad}?reseller=&to=&sig=: leads whoever clicks on a registered ad to where it leads, and
/// tells of the click. Price, currency and publisher are the ad's; the reseller is whom the link
/// names, if it is signed for him (link_signature.h), and else nobody. Where the click does not
/// count (HEAD, a prefetch, a preview, a repeat) the answer is the same.
///
/// The answer leaves once the click is durable. Where it cannot be taken, or nobody knows whether
/// it was, he who clicked is led on all the same, and lost_clicks() is one more.
///
/// Thread-safe. All must outlive the route, and so must this.
class Redirects {
public:
    /// `store`: the one whose positions answers are held for.
    Redirects(const AdRegistry& ads, storage::Store& store, SipKey secret, const Clock& clock)
        : ads_{&ads}, store_{&store}, secret_{secret}, clock_{&clock} {}

    /// Called once at most.
    void add_route(api::FrontDoor& door, api::CollectOptions collecting);

    std::uint64_t lost_clicks() const { return lost_clicks_.load(std::memory_order_relaxed); }

private:
    struct Click {
        AdRegistry::Ad ad;
        const std::string* target;  ///< Of the ad.
        std::string reseller;       ///< Empty: none with a good signature.
    };

    api::Asked<Click> read(const http_server::Request& request) const;
    api::CollectedEvent event_of(const http_server::Request& request, const Click& click) const;
    std::optional<runtime::Task<>> follow(http_server::Exchange& exchange);
    runtime::Task<> take(http_server::Exchange* exchange, Click click, api::CollectedEvent event);

    const AdRegistry* ads_;
    storage::Store* store_;
    const SipKey secret_;
    const Clock* clock_;
    api::CollectOptions collecting_;
    std::atomic<std::uint64_t> lost_clicks_ = 0;
};

}  // namespace footfall::ads::routes
