#include "ads_routes/redirect_routes.h"

#include "ads_routes/link_signature.h"
#include "api/parameters.h"
#include "foundation/utf8.h"
#include "http_server/problem.h"
#include "runtime/await_callback.h"

#include <fmt/format.h>

#include <expected>
#include <optional>
#include <string_view>
#include <utility>

namespace footfall::ads::routes {
namespace {

using http_server::Exchange;
using http_server::Request;
using http_server::Response;
using runtime::Task;

/// An answer from some cache would be a click that nobody counts. The target learns the site that
/// showed the ad, not the page.
Response lead_to(const std::string& target) {
    return {
        .status = 302,
        .headers =
            {{"Location", target},
             {"Cache-Control", "no-store"},
             {"Referrer-Policy", "strict-origin"}}
    };
}

/// Whether what an answer is held for is durable.
Task<bool> is_durable(storage::Store* store, storage::CommitPosition position) {
    if (position == 0 || store->durable(position)) {
        co_return true;
    }
    auto wait = [&](std::move_only_function<void(Result<void>)> done) {
        store->when_durable(position, std::move(done));
    };
    const Result<void> durable = co_await runtime::await_callback<Result<void>>(std::move(wait));
    co_return durable.has_value();
}

}  // namespace

void Redirects::add_route(api::FrontDoor& door, api::CollectOptions collecting) {
    collecting_ = std::move(collecting);
    door.add_open(
        http_server::Method::get,
        "/r/{ad}",
        [this](Exchange& exchange) { return follow(exchange); },
        api::no_body,
        collecting_.refuse
    );
}

/// Parameters that are none of ours are passed over: whoever shares a link adds his own.
api::Asked<Redirects::Click> Redirects::read(const Request& request) const {
    const api::Asked<std::string> id = api::text_in_path(request, 0, "ad");
    api::Asked<std::string> reseller = api::text_parameter(request, "reseller", "");
    const api::Asked<std::string> to = api::text_parameter(request, "to", "");
    const api::Asked<std::string> signature = api::text_parameter(request, "sig", "");
    for (const api::Asked<std::string>* each : {&id, &std::as_const(reseller), &to, &signature}) {
        if (!*each) {
            return std::unexpected(each->error());
        }
    }
    AdRegistry::Ad ad = ads_->find(*id);
    if (!ad) {
        return std::unexpected(http_server::problem(
            404, "not-found", fmt::format("there is no ad of the name \"{}\"", *id), "ad"
        ));
    }
    const std::string* const target = target_of(ad->terms, *to);
    if (target == nullptr) {
        return std::unexpected(http_server::problem(
            400, "invalid-input", "the ad does not lead there: to must be one of its targets", "to"
        ));
    }
    if (!is_signature(*signature, secret_, {.ad = *id, .reseller = *reseller, .to = *to})) {
        reseller->clear();
    }
    return Click{.ad = std::move(ad), .target = target, .reseller = *std::move(reseller)};
}

api::CollectedEvent Redirects::event_of(const Request& request, const Click& click) const {
    api::CollectedEvent collected =
        api::seen_in(request, collecting_.trusted_proxies, clock_->now());
    events::Event& event = collected.event;
    click_on(*click.ad, event);
    event.reseller = click.reseller;
    const std::string_view referrer = request.header("referer");
    event.referrer = is_utf8(referrer) ? referrer : "";
    if (const auto fault = events::tidy_event(event)) {
        event.referrer.clear();  // all else was looked at when the ad was registered or signed for
    }
    return collected;
}

std::optional<Task<>> Redirects::follow(Exchange& exchange) {
    api::Asked<Click> click = read(exchange.request());
    if (!click) {
        exchange.response() = std::move(click).error();
        return std::nullopt;
    }
    api::CollectedEvent event = event_of(exchange.request(), *click);
    return take(&exchange, *std::move(click), std::move(event));
}

Task<> Redirects::take(Exchange* exchange, Click click, api::CollectedEvent event) {
    exchange->response() = lead_to(*click.target);
    if (auto taking = collecting_.take(*exchange, std::move(event))) {
        co_await *std::move(taking);
    }
    Response& answer = exchange->response();
    const bool was_taken =
        answer.status == 302 && co_await is_durable(store_, std::exchange(answer.hold_until, 0));
    if (!was_taken) {
        lost_clicks_.fetch_add(1, std::memory_order_relaxed);
        answer = lead_to(*click.target);
    }
}

}  // namespace footfall::ads::routes
