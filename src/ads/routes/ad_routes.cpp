#include "ads_routes/ad_routes.h"

#include "ads_routes/link_signature.h"
#include "api/answers.h"
#include "api/on_pool.h"
#include "api/small_json.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "http_server/client.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <expected>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::ads::routes {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::percent_encode;
using http_server::Request;
using http_server::Response;
using keys::Scope;
using runtime::Task;

constexpr std::size_t limit_default = 100;
constexpr std::size_t limit_max = 1000;
/// Has room for as many targets as there may be, each as long as it may be.
constexpr std::size_t ad_json_bytes_max = (targets_max + 8) * longest_target;

std::unexpected<Response> refusal(std::string_view detail, std::string_view field) {
    return std::unexpected(http_server::problem(400, "invalid-input", detail, field));
}

Response unknown(std::string_view ad) {
    return http_server::problem(
        404, "not-found", fmt::format("there is no ad of the name \"{}\"", ad), "id"
    );
}

/// The ad that a path names.
api::Asked<std::string> id_in_path(const Request& request) {
    return api::part_of_path(request, 0, "id");
}

void append_ad(std::string& json, const RegisteredAd& ad, bool with_money) {
    json += R"({"ad":)";
    append_json_string(json, ad.ad);
    json += R"(,"targets":[)";
    for (const std::string& each : ad.terms.targets) {
        json += &each == ad.terms.targets.data() ? "" : ",";
        append_json_string(json, each);
    }
    json += "]";
    if (with_money) {
        json += fmt::format(
            R"(,"price":"{}","currency":"{}")",
            events::format_money(ad.terms.price),
            ad.terms.currency
        );
    }
    json += R"(,"publisher":)";
    json += ad.terms.publisher.empty() ? "null" : json_string(ad.terms.publisher);
    json += R"(,"author":)";
    append_json_string(json, ad.author);
    json += fmt::format(R"(,"changed_at":"{}"}})", events::format_rfc3339(ad.changed_at));
}

/// A field that is a text; `otherwise` if it is absent or null.
api::Asked<std::string> text_field(
    const boost::json::object& body, std::string_view name, std::string otherwise
) {
    const boost::json::value* const value = body.if_contains({name.data(), name.size()});
    if (value == nullptr || value->is_null()) {
        return otherwise;
    }
    const boost::json::string* const text = value->if_string();
    if (text == nullptr) {
        return refusal(fmt::format("{} must be a text", name), name);
    }
    return std::string{text->data(), text->size()};
}

api::Asked<std::vector<std::string>> targets_field(const boost::json::object& body) {
    const boost::json::value* const value = body.if_contains("targets");
    const boost::json::array* const list = value == nullptr ? nullptr : value->if_array();
    if (list == nullptr) {
        return refusal(
            R"(targets must be a list of URLs, such as ["https://shop.example/"])", "targets"
        );
    }
    std::vector<std::string> targets;
    targets.reserve(list->size());
    for (const boost::json::value& each : *list) {
        const boost::json::string* const text = each.if_string();
        if (text == nullptr) {
            return refusal("a target is a text", "targets");
        }
        targets.emplace_back(text->data(), text->size());
    }
    return targets;
}

/// A number would lose decimals on its way through other programs.
api::Asked<events::Micros> price_field(const boost::json::object& body) {
    const boost::json::value* const value = body.if_contains("price");
    if (value == nullptr) {
        return 0;
    }
    const boost::json::string* const text = value->if_string();
    const auto price = text == nullptr
                           ? std::nullopt
                           : events::parse_money(std::string_view{text->data(), text->size()});
    if (!price) {
        return refusal(
            R"(price is decimal text with at most six decimals, such as "0.25")", "price"
        );
    }
    return *price;
}

class AdRoutes {
public:
    AdRoutes(
        api::Doorkeeper keeper,
        AdRegistry& ads,
        runtime::BlockingPool& pool,
        AdRoutesOptions options
    )
        : keeper_{keeper}, ads_{&ads}, pool_{&pool}, options_{std::move(options)} {}

    /// Writes, and waits for it; on the pool.
    Task<> put(Exchange* exchange) const {
        auto work = [&] { return put_now(exchange->request()); };
        exchange->response() = co_await api::on_pool(pool_, std::move(work));
    }

    Task<> list(Exchange* exchange) const {
        auto work = [&] { return list_now(exchange->request()); };
        exchange->response() = co_await api::on_pool(pool_, std::move(work));
    }

    Response show(const Request& request) const {
        if (auto refused = api::refuse_unknown_parameter(request, {})) {
            return *std::move(refused);
        }
        const api::Asked<std::string> id = id_in_path(request);
        if (!id) {
            return id.error();
        }
        const AdRegistry::Ad ad = ads_->find(*id);
        if (!ad) {
            return unknown(*id);
        }
        std::string body;
        append_ad(body, *ad, sees_money(request));
        return api::json_answer(std::move(body));
    }

    Response link(const Request& request) const {
        if (auto refused = api::refuse_unknown_parameter(request, {"reseller", "to"})) {
            return *std::move(refused);
        }
        const api::Asked<std::string> id = id_in_path(request);
        const api::Asked<std::string> reseller = api::text_parameter(request, "reseller", "");
        const api::Asked<std::string> to = api::text_parameter(request, "to", "");
        for (const api::Asked<std::string>* each : {&id, &reseller, &to}) {
            if (!*each) {
                return each->error();
            }
        }
        const AdRegistry::Ad ad = ads_->find(*id);
        if (!ad) {
            return unknown(*id);
        }
        if (target_of(ad->terms, *to) == nullptr) {
            return refusal("the ad does not lead there: to must be one of its targets", "to")
                .error();
        }
        events::Event click{.reseller = *reseller};
        click_on(*ad, click);
        if (const auto fault = events::tidy_event(click)) {
            return refusal(fault->detail, fault->field).error();
        }
        const std::string base = base_of(request);
        if (const auto fault = fault_of_target(base)) {
            return refusal("no link can lead to a server of this name", "Host").error();
        }
        const Link link{.ad = *id, .reseller = *reseller, .to = *to};
        return api::json_answer(fmt::format(R"({{"url":{}}})", json_string(base + path_of(link))));
    }

private:
    bool sees_money(const Request& request) const { return !keeper_.refuse(request, Scope::money); }

    api::Asked<RegisteredAd> read(const Request& request) const {
        RegisteredAd ad;
        if (auto refused = api::refuse_unknown_parameter(request, {})) {
            return std::unexpected(*std::move(refused));
        }
        api::Asked<std::string> id = id_in_path(request);
        api::Asked<std::string> author = keeper_.author(request);
        const auto body =
            api::small_json_body(request, {"targets", "price", "currency", "publisher"});
        if (!id || !author || !body) {
            return std::unexpected(!id ? id.error() : !author ? author.error() : body.error());
        }
        auto targets = targets_field(*body);
        const auto price = price_field(*body);
        auto currency = text_field(*body, "currency", options_.currency);
        auto publisher = text_field(*body, "publisher", "");
        if (!targets || !price) {
            return std::unexpected(!targets ? targets.error() : price.error());
        }
        if (!currency || !publisher) {
            return std::unexpected(!currency ? currency.error() : publisher.error());
        }
        ad.ad = *std::move(id);
        ad.terms = {
            .targets = *std::move(targets),
            .price = *price,
            .currency = *std::move(currency),
            .publisher = *std::move(publisher)
        };
        ad.author = *std::move(author);
        if (const auto fault = fault_of_ad(ad)) {
            return refusal(fault->detail, fault->field);
        }
        return ad;
    }

    Response put_now(const Request& request) const {
        api::Asked<RegisteredAd> ad = read(request);
        if (!ad) {
            return std::move(ad).error();
        }
        const auto change =
            ads_->put(std::move(ad->ad), std::move(ad->terms), std::move(ad->author));
        if (!change) {
            return api::answer_error(change.error());
        }
        std::string body;
        append_ad(body, *change->ad, true);
        return api::json_answer(std::move(body), change->is_new ? 201 : 200);
    }

    Response list_now(const Request& request) const {
        if (auto refused = api::refuse_unknown_parameter(request, {"prefix", "limit", "cursor"})) {
            return *std::move(refused);
        }
        const auto prefix = api::text_parameter(request, "prefix", "");
        const auto limit = api::number_parameter(request, "limit", limit_default, 1, limit_max);
        const auto after = api::text_parameter(request, "cursor", "");
        if (!prefix || !after) {
            return !prefix ? prefix.error() : after.error();
        }
        if (!limit) {
            return limit.error();
        }
        const std::vector<AdRegistry::Ad> listed = ads_->list(*prefix, *after, *limit + 1);
        const std::size_t shown = std::min<std::size_t>(listed.size(), *limit);
        const bool with_money = sees_money(request);
        std::string body = R"({"ads":[)";
        for (std::size_t at = 0; at < shown; ++at) {
            body += at == 0 ? "" : ",";
            append_ad(body, *listed[at], with_money);
        }
        body += R"(],"next":)";
        body += shown < listed.size() ? json_string(listed[shown - 1]->ad) : "null";
        return api::json_answer(body + "}");
    }

    /// As the request names this server: whoever makes links asks for them where links lead to.
    /// Only a proxy knows of TLS, and says so in a header; who forges it has wrong links himself.
    static std::string base_of(const Request& request) {
        const std::string base =
            request.header("x-forwarded-proto") == "https" ? "https://" : "http://";
        return base + std::string{request.known.host};
    }

    std::string path_of(const Link& link) const {
        std::string path = "/r/" + percent_encode(link.ad);
        char separator = '?';
        const auto add = [&](std::string_view name, std::string_view value) {
            path +=
                fmt::format("{}{}={}", std::exchange(separator, '&'), name, percent_encode(value));
        };
        if (!link.reseller.empty()) {
            add("reseller", link.reseller);
        }
        if (!link.to.empty()) {
            add("to", link.to);
        }
        if (!link.reseller.empty()) {
            add("sig", make_signature(options_.secret, link));
        }
        return path;
    }

    const api::Doorkeeper keeper_;
    AdRegistry* ads_;
    runtime::BlockingPool* pool_;
    const AdRoutesOptions options_;
};

}  // namespace

void add_ad_routes(
    api::FrontDoor& door, AdRegistry& ads, runtime::BlockingPool& lookups, AdRoutesOptions options
) {
    const auto routes =
        std::make_shared<const AdRoutes>(door.keeper(), ads, lookups, std::move(options));
    const auto at_once = [&](Scope scope,
                             std::string_view path,
                             Response (AdRoutes::*answer)(const Request&) const) {
        door.add(
            scope,
            Method::get,
            path,
            [routes, answer](Exchange& exchange) -> std::optional<Task<>> {
                exchange.response() = ((*routes).*answer)(exchange.request());
                return std::nullopt;
            }
        );
    };
    door.add(Scope::read, Method::get, "/api/v1/ads", [routes](Exchange& exchange) {
        return std::optional{routes->list(&exchange)};
    });
    door.acting({.kind = "ad_set"})
        .add(
            Scope::money,
            Method::put,
            "/api/v1/ads/{id}",
            [routes](Exchange& exchange) { return std::optional{routes->put(&exchange)}; },
            {.bytes = ad_json_bytes_max}
        );
    at_once(Scope::read, "/api/v1/ads/{id}", &AdRoutes::show);
    at_once(Scope::money, "/api/v1/ads/{id}/link", &AdRoutes::link);
}

}  // namespace footfall::ads::routes
