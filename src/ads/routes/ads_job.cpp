#include "ads_routes/ads_job.h"

#include "ads/ad_registry.h"
#include "ads/dropped_clicks.h"
#include "ads/earlier_clicks.h"
#include "ads/line.h"
#include "ads/live_clicks.h"
#include "ads/recount.h"
#include "ads/schema.h"
#include "ads/statement.h"
#include "ads_routes/ad_routes.h"
#include "ads_routes/ads_settings.h"
#include "ads_routes/clicks_routes.h"
#include "ads_routes/income_routes.h"
#include "ads_routes/ledger_routes.h"
#include "ads_routes/live_click_routes.h"
#include "ads_routes/nightly_check.h"
#include "ads_routes/openapi.h"
#include "ads_routes/rate_routes.h"
#include "ads_routes/redirect_routes.h"
#include "ads_routes/said.h"
#include "ads_routes/shown_ads.h"
#include "ads_routes/sources.h"
#include "ads_routes/statement_routes.h"
#include "foundation/check.h"
#include "foundation/seldom_log.h"
#include "runtime/turns.h"
#include "runtime/watch.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace footfall::ads::routes {
namespace {

/// Shows live clicks what others count.
class LiveOnlooker final : public intake::Onlooker {
public:
    explicit LiveOnlooker(LiveClicks& clicks) : clicks_{&clicks} {}

    void see(const events::JudgedEvent& judged, Instant now) override {
        clicks_->note(judged, now);
    }

private:
    LiveClicks* clicks_;
};

/// Tells whoever judges an old event what ad_click has of it.
class KeptClicks final : public intake::KeptEvents {
public:
    explicit KeptClicks(EarlierClicks clicks) : clicks_{std::move(clicks)} {}

    bool keeps(const events::Event& event) const override { return is_of_ledger(event); }

    Result<void> ask(std::span<intake::Arriving* const> events) override {
        std::vector<EarlierClicks::Asked> asked;
        asked.reserve(events.size());
        for (const intake::Arriving* const each : events) {
            asked.push_back({.event = &each->event(), .arrival = each->judged.arrival});
        }
        TRY(const auto known, clicks_.find(asked));
        for (std::size_t at = 0; at < events.size(); ++at) {
            if (const auto& from = known[at].kept_from) {
                events[at]->too_old = {{"known_from", format_day(*from)}};
            } else if (const auto& row = known[at].row) {
                const std::uint64_t content = events[at]->keys.content;
                events[at]->earlier = {
                    .log = row->log,
                    .lane = row->lane,
                    .offset = row->offset,
                    .content = row->is_same ? content : ~content
                };
            }
        }
        return {};
    }

private:
    const EarlierClicks clicks_;
};

/// How long lines wait for their rows. Others than this process see rows alone, or have to ask.
constexpr std::chrono::seconds flush_embedded{30};
constexpr std::chrono::seconds flush_on_cluster{1};

/// So old an answer may be.
constexpr std::chrono::milliseconds hand_over_every{100};

/// How often it is looked whether clicks are to go.
constexpr std::chrono::minutes sweep_every{10};
/// How often it is looked whether a seal was said in some lanes alone.
constexpr std::chrono::minutes complete_every{1};

class AdsJob final : public jobs::Job {
public:
    AdsJob(
        const jobs::Floor& floor,
        const AdsOptions& options,
        std::unique_ptr<LiveClicks> live,
        std::unique_ptr<Ledger> ledger,
        std::unique_ptr<AdRegistry> ads
    )
        : live_{std::move(live)},
          ledger_{std::move(ledger)},
          ads_{std::move(ads)},
          redirects_{*ads_, *floor.store, floor.secret, *floor.clock},
          link_options_{.secret = floor.secret, .currency = options.currency},
          shares_ads_{floor.shared},
          owners_{floor.owners},
          kept_clicks_{EarlierClicks{
              *floor.store,
              {.zone = options.zone,
               .currency = options.currency,
               .log = floor.log,
               .keep = options.keep_clicks}
          }},
          sweep_{*ledger_, options.keep_clicks},
          sealing_{
              "ads sealing",
              runtime::Urgency::background,
              [this](const std::stop_token& stop) { return seal(stop); }
          },
          handing_over_{"ads pages", runtime::Urgency::work, [this](const std::stop_token&) {
                            ledger_->hand_over();
                            return hand_over_every;
                        }} {}

    projecting::Projection* projection() override { return ledger_.get(); }

    intake::Onlooker* onlooker() override { return &onlooker_; }

    intake::KeptEvents* kept_events() override { return &kept_clicks_; }

    Ledger& ledger() { return *ledger_; }

    void add_routes(api::FrontDoor& door, const jobs::Answering& answering) override {
        const Sources sources{
            .ledger = ledger_.get(),
            .collector = answering.collector,
            .lookups = answering.lookups,
            .surveys = answering.surveys,
            .keeper = door.keeper(),
            .by_profile = answering.by_profile
        };
        collector_ = answering.collector;
        add_income_routes(door, sources);
        add_clicks_routes(door, sources);
        add_rate_routes(door, sources);
        add_ledger_routes(door, sources);
        add_statement_routes(door, sources);
        add_live_click_route(door, *live_, ledger_->clock(), *answering.facts);
        add_ad_routes(door, *ads_, *answering.lookups, link_options_);
        if (shares_ads_) {
            ad_watch_.emplace(
                runtime::Watch::Options{.what = "ads", .period = AdRegistry::read_every},
                [this] { return ads_->read_changes(); }
            );
        }
        if (answering.intake != nullptr) {
            check_ = std::make_unique<NightlyCheck>(*ledger_, *answering.intake);
            check_->start();
        }
    }

    void add_collecting_routes(api::FrontDoor& door, const api::CollectOptions& collecting)
        override {
        redirects_.add_route(door, collecting);
    }

    void stop_answering() override {
        ad_watch_.reset();
        sealing_.stop();
        handing_over_.stop();
        if (check_) {
            check_->stop();
        }
    }

    void tell(metrics::Figures& figures) override {
        figures.set(
            "footfall_ads_waiting",
            "Clicks, sales and changes of the ledger that wait for their rows.",
            ledger_->waiting().waiting()
        );
        figures.set(
            "footfall_ads_bytes",
            "Memory that they take, with rows of clicks.",
            ledger_->waiting().bytes() + ledger_->clicks().bytes()
        );
        if (const PartyPages* const pages = ledger_->pages()) {
            figures.set("footfall_ads_pages", "Parties whose income is in memory.", pages->pages());
            figures.set("footfall_ads_page_bytes", "Memory that it takes.", pages->bytes());
            figures.raise(
                "footfall_ads_pages_made_total",
                "Parties whose income was read from rows into memory.",
                pages->made()
            );
        }
        figures.raise(
            "footfall_ads_rows_written_total",
            "Rows of the ledger written.",
            ledger_->waiting().rows_written() + ledger_->clicks().rows_written()
        );
        figures.raise(
            "footfall_ads_clicks_dropped_total",
            "Rows of clicks and sales that went because they were kept long enough.",
            sweep_.dropped()
        );
        figures.raise(
            "footfall_ads_lost_clicks_total",
            "Clicks on links that were led on, but could not be taken.",
            redirects_.lost_clicks()
        );
        figures.set("footfall_ads_registered", "Ads that are registered.", ads_->size());
        const LedgerCheck check = check_ ? check_->last() : LedgerCheck{};
        if (check.checked_at) {
            figures.set(
                "footfall_ads_check_differences",
                "Rows of the ledger that differed when it was last held to its log.",
                check.differences
            );
            figures.set(
                "footfall_ads_checked_timestamp_seconds",
                "When that was, in seconds since 1970.",
                static_cast<std::size_t>(
                    check.checked_at->time_since_epoch() / std::chrono::seconds{1}
                )
            );
        }
    }

    std::vector<runtime::AuditedAccount> accounts() override {
        return {
            {.of = std::string{Ledger::name},
             .audit = [this](std::size_t lane) { return ledger_->waiting().audit(lane); }},
            {.of = std::string{Ledger::name} + " clicks",
             .audit = [this](std::size_t lane) { return ledger_->clicks().audit(lane); }}
        };
    }

private:
    /// Writes what follows from seals, and lets old clicks go, where no other process does: the one
    /// that counts the first lane has it to do. What fails is tried again.
    std::chrono::milliseconds seal(const std::stop_token& stop) {
        if (owners_ == nullptr || owners_->counted_here(0)) {
            tell(sealer_.turn(stop), "sealing a month of the ledger: ");
            const auto now = std::chrono::steady_clock::now();
            if (now >= next_sweep_) {
                next_sweep_ = now + sweep_every;
                tell(sweep_.turn(stop), "letting old clicks go: ");
            }
            if (intake::Collector* const collector = collector_.load();
                collector != nullptr && now >= next_completion_) {
                next_completion_ = now + complete_every;
                tell(complete_seal(*ledger_, *collector), "completing a seal of the ledger: ");
            }
        }
        return std::chrono::seconds{1};
    }

    /// Of a store that is closed the store tells.
    void tell(const Result<void>& done, std::string_view what) {
        if (!done && done.error().kind != ErrorKind::cancelled &&
            done.error().kind != ErrorKind::unavailable) {
            troubles_.say(LogLevel::warning, std::string{what} + done.error().message);
        }
    }

    const std::unique_ptr<LiveClicks> live_;
    LiveOnlooker onlooker_{*live_};
    const std::unique_ptr<Ledger> ledger_;
    const std::unique_ptr<AdRegistry> ads_;
    Redirects redirects_;
    const AdRoutesOptions link_options_;
    const bool shares_ads_;  ///< With other processes, which change them, too.
    std::optional<runtime::Watch> ad_watch_;
    projecting::Owners* const owners_;  ///< Null: all lanes are counted here.
    KeptClicks kept_clicks_;
    Sealer sealer_{*ledger_};
    ClickSweep sweep_;
    std::chrono::steady_clock::time_point next_sweep_{};
    std::chrono::steady_clock::time_point next_completion_{};
    std::atomic<intake::Collector*> collector_ = nullptr;  ///< Null: nothing is answered here.
    SeldomLog troubles_{std::chrono::seconds{60}};
    std::unique_ptr<NightlyCheck> check_;  ///< Null: no questions are answered here.
    // Last: they end before what they use.
    runtime::Turns sealing_;
    runtime::Turns handing_over_;
};

Result<std::unique_ptr<jobs::Job>> open(const jobs::Floor& floor) {
    static const AdsOptions untold;
    const AdsOptions* options = &untold;
    if (floor.options != nullptr) {
        options = dynamic_cast<const AdsOptions*>(floor.options);
        CHECK(options != nullptr, "another job's options were given to ads");
    }
    auto live = std::make_unique<LiveClicks>(floor.secret);
    TRY(auto ledger,
        Ledger::open(
            *floor.store,
            *floor.clock,
            floor.log,
            {.zone = options->zone,
             .currency = options->currency,
             .secret = floor.secret,
             .memory = floor.memory,
             .interval = floor.owners != nullptr ? flush_on_cluster : flush_embedded,
             .owners = floor.owners,
             .live = floor.shared ? nullptr : live.get()}
        ));
    TRY(auto ads, AdRegistry::open(*floor.store, *floor.clock));
    return std::make_unique<AdsJob>(
        floor, *options, std::move(live), std::move(ledger), std::move(ads)
    );
}

}  // namespace

const jobs::Registered job{
    .name = Ledger::name,
    .tables = all_tables(),
    .settings = &ads_settings,
    .open = open,
    .recount = make_recount,
    .openapi = openapi,
    .shown = shown_ads
};

Ledger& ledger_of(jobs::Job& opened) {
    auto* const ads = dynamic_cast<AdsJob*>(&opened);
    CHECK(ads != nullptr, "another job was taken for ads");
    return ads->ledger();
}

}  // namespace footfall::ads::routes
