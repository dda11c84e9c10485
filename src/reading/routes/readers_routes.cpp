#include "reading_routes/readers_routes.h"

#include "api/answers.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "events/canonical_url.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "foundation/names.h"
#include "foundation/siphash.h"
#include "reading/all_readers.h"

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace footfall::reading::routes {
namespace {

using api::Asked;
using http_server::Exchange;
using http_server::Request;
using http_server::Response;

/// Of a URL; each is looked up.
constexpr std::size_t readers_by_profile_max = 500'000;

/// ?url=, as it was written.
Asked<std::string> read_url(const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"url", "by"})) {
        return std::unexpected(*std::move(refusal));
    }
    Asked<std::string> url = api::text_parameter(request, "url", "");
    if (!url) {
        return url;
    }
    if (url->empty()) {
        return std::unexpected(api::invalid_input("say whose readers are counted: url", "url"));
    }
    if (const Result<void> checked = check_name("a URL", *url); !checked) {
        return std::unexpected(api::invalid_input(checked.error().message, "url"));
    }
    return url;
}

std::string begin_json(const ReadersSources& sources, const std::string& url, std::size_t readers) {
    const Instant since{std::chrono::days{sources.readership->first_day()}};
    return fmt::format(
        R"({{"url":{},"since":"{}","readers":{})",
        json_string(url),
        events::format_rfc3339(since),
        readers
    );
}

Response readers_now(const ReadersSources& sources, const Request& request) {
    const Asked<std::string> url = read_url(request);
    if (!url) {
        return url.error();
    }
    const Result<AllReaders> all =
        all_readers(*sources.readership, sources.people->sharers(), events::article_named(*url));
    if (!all) {
        return api::answer_error(all.error());
    }
    return api::json_answer(
        begin_json(sources, *url, all->ids.size()) +
        fmt::format(R"(,"by":"actor","provisional":{}}})", all->provisional)
    );
}

/// Counts readers of a URL, some at a time. Of one thread.
class ReadersByProfile {
public:
    explicit ReadersByProfile(const ReadersSources& sources) : sources_{sources} {}

    std::optional<Response> turn(const Request& request) {
        if (!begun_) {
            return begin(request);
        }
        if (next_ < all_.ids.size()) {
            const Result<void> placed = place_some();
            return placed ? std::nullopt : std::optional{api::answer_error(placed.error())};
        }
        return finish();
    }

private:
    const people::Sharers& sharers() const { return sources_.people->sharers(); }

    std::optional<Response> begin(const Request& request) {
        Asked<std::string> url = read_url(request);
        if (!url) {
            return std::move(url).error();
        }
        url_ = *std::move(url);
        Result<AllReaders> all =
            all_readers(*sources_.readership, sharers(), events::article_named(url_));
        if (!all) {
            return api::answer_error(all.error());
        }
        if (all->ids.size() > readers_by_profile_max) {
            return by_profile::not_by_profile(fmt::format(
                "it has {} readers; of more than {} people are not counted by profile",
                all->ids.size(),
                readers_by_profile_max
            ));
        }
        all_ = *std::move(all);
        begun_ = true;
        return std::nullopt;
    }

    Result<void> place_some() {
        std::vector<std::string> actors;
        for (; next_ < all_.ids.size() && actors.size() < by_profile::Profiles::asked_max;
             ++next_) {
            std::string actor = sharers().actor_of(all_.ids[next_]);
            if (!actor.empty()) {  // has not left just now
                actors.push_back(std::move(actor));
            }
        }
        TRY(const std::vector<std::string> profiles, sources_.by_profile->profiles().of(actors));
        readers_ += actors.size();
        for (const std::string& each : profiles) {
            if (each.empty()) {
                ++alone_;
            } else {
                profiles_.insert(siphash13(SipKey{}, each));  // nobody outside can choose one
            }
        }
        return {};
    }

    Response finish() const {
        const auto unsettled = sources_.by_profile->profiles().unsettled();
        if (!unsettled) {
            return api::answer_error(unsettled.error());
        }
        const auto is_reader = [&](const std::string& actor) {
            const auto id = sharers().id_of(actor);
            return id && std::ranges::binary_search(all_.ids, *id);
        };
        const bool provisional = all_.provisional || unsettled->may_be_any ||
                                 std::ranges::any_of(unsettled->actors, is_reader);
        return api::json_answer(
            begin_json(sources_, url_, readers_) +
            fmt::format(
                R"(,"by":"profile","people":{},"exact":true,"error":0,"provisional":{}}})",
                alone_ + profiles_.size(),
                provisional
            )
        );
    }

    const ReadersSources sources_;
    std::string url_;
    bool begun_ = false;
    AllReaders all_;
    std::size_t next_ = 0;
    std::size_t readers_ = 0;
    std::size_t alone_ = 0;  ///< In no profile.
    boost::unordered_flat_set<std::uint64_t> profiles_;
};

runtime::Task<> answer_readers(ReadersSources sources, Exchange* exchange) {
    const Asked<bool> by_profile =
        by_profile::asks_by_profile(exchange->request(), sources.by_profile);
    if (!by_profile) {
        exchange->response() = by_profile.error();
    } else if (*by_profile) {
        ReadersByProfile readers{sources};
        auto turn = [&] { return readers.turn(exchange->request()); };
        co_await sources.by_profile->answer_in_turns(exchange, std::move(turn));
    } else {
        const std::stop_token left = exchange->client_left();
        auto work = [&] { return readers_now(sources, exchange->request()); };
        exchange->response() = co_await api::on_pool(sources.surveys, std::move(work), left);
    }
}

}  // namespace

void add_readers_route(api::FrontDoor& door, const ReadersSources& sources) {
    door.add(
        keys::Scope::people,
        http_server::Method::get,
        "/api/v1/reading/readers",
        [sources](Exchange& exchange) { return std::optional{answer_readers(sources, &exchange)}; }
    );
}

}  // namespace footfall::reading::routes
