#include "identities_clients.h"

#include "events/rfc3339.h"
#include "foundation/clock.h"
#include "test_support/api.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::cluster_test {
namespace {

using namespace std::chrono_literals;
using http_server::Client;
using http_server::Method;
using test_support::Api;

/// A server that was killed tells nobody when it is back.
constexpr std::chrono::milliseconds retry_pause{50};
constexpr std::chrono::seconds answered_within{60};
constexpr std::size_t links_at_once = 4;

}  // namespace

IdentitiesClient::IdentitiesClient(
    std::size_t number, std::uint64_t seed, std::vector<std::uint16_t> servers
)
    : number_{number},
      servers_{std::move(servers)},
      random_{seed},
      load_{number, random_()},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

IdentitiesClient::~IdentitiesClient() {
    stop();
}

void IdentitiesClient::stop() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

std::vector<std::string> IdentitiesClient::complaints() const {
    std::vector<std::string> all = complaints_;
    all.insert(all.end(), load_.complaints().begin(), load_.complaints().end());
    return all;
}

void IdentitiesClient::run(const std::stop_token& stop) {
    bool is_settled = true;
    auto last_answer = std::chrono::steady_clock::now();
    // Where servers are slow, a few steps may part nobody: the first client goes on until it did.
    const auto is_enough = [&] { return is_settled && (number_ > 0 || load_.partings() > 0); };
    while (complaints().empty() && (!stop.stop_requested() || !is_enough())) {
        const std::uint16_t port = servers_[random_.below(servers_.size())];
        Client client{{.host = "127.0.0.1", .port = port}, 20s};
        is_settled = is_settled ? load_.step(client) : load_.settle(client);
        if (is_settled) {
            lengthen(client);
            last_answer = std::chrono::steady_clock::now();
        } else if (std::chrono::steady_clock::now() > last_answer + answered_within) {
            complaints_.emplace_back("nobody answers any more");
        } else {
            std::this_thread::sleep_for(retry_pause);  // tidy-allow(sleep): it may be killed
        }
    }
}

std::string IdentitiesClient::chain_id(std::size_t at) const {
    return fmt::format("{}-{}", number_, at);
}

/// The next links, each said to be later than the one before.
bool IdentitiesClient::lengthen(Client& client) {
    constexpr Instant begin{std::chrono::sys_days{std::chrono::year{2026} / 2 / 1}};
    std::string lines;
    for (std::size_t at = chained_; at < chained_ + links_at_once; ++at) {
        lines += fmt::format(
            R"({{"ids":[{{"identifier":"{0}","id_name":"id","id_value":"{1}"}},{{"identifier":"{0}","id_name":"id","id_value":"{2}"}}],"time":"{3}"}})"
            "\n",
            chain,
            chain_id(at),
            chain_id(at + 1),
            events::format_rfc3339(begin + std::chrono::seconds{at})
        );
    }
    const auto answer = client.send(
        Method::post, "/api/v1/identities/match", lines, {{"Content-Type", "application/x-ndjson"}}
    );
    if (!answer || answer->status >= 500 || answer->body.contains(R"("status":5)")) {
        return false;
    }
    if (answer->status != 200 || answer->body.contains(R"("status":)")) {
        complaints_.push_back(fmt::format("links of a chain are answered {}", answer->body));
        return false;
    }
    chained_ += links_at_once;
    return true;
}

/// The first ids are one, as many as may be, the next ones are one, and so on. What was begun of
/// the next links may have been said.
std::string IdentitiesClient::difference(Api& api, std::size_t per_profile) const {
    for (std::size_t at = 0; at <= chained_; at += per_profile) {
        const std::size_t end = std::min(at + per_profile, chained_ + 1);
        const auto found =
            api.get_json(fmt::format("/api/v1/identities/{}/id/{}", chain, chain_id(at)));
        const std::string sid{found.at("sid").as_string()};
        for (std::size_t each = at; each < end; ++each) {
            const auto other =
                api.get_json(fmt::format("/api/v1/identities/{}/id/{}", chain, chain_id(each)));
            if (other.at("sid").as_string() != sid) {
                return fmt::format(
                    "{} and {} of the chain should be one", chain_id(at), chain_id(each)
                );
            }
        }
        const auto profile = api.get_json("/api/v1/profiles/" + sid);
        const std::size_t ids = profile.at("ids").as_array().size();
        const std::size_t more = end == chained_ + 1 ? per_profile - (end - at) : 0;
        if (ids < end - at || ids > end - at + more) {
            return fmt::format("{} is one of {} ids of the chain", chain_id(at), ids);
        }
    }
    return load_.difference(api, true);
}

}  // namespace footfall::cluster_test
