#include "views_routes/views_job.h"

#include "foundation/check.h"
#include "rankings/schema.h"
#include "rankings/trends.h"
#include "views/asked_owners.h"
#include "views/projection.h"
#include "views/recount.h"
#include "views/schema.h"
#include "views_routes/live_views.h"
#include "views_routes/openapi.h"
#include "views_routes/shown_views.h"
#include "views_routes/trend_routes.h"
#include "views_routes/view_routes.h"
#include "views_routes/views_settings.h"

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace footfall::views::routes {
namespace {

constexpr std::string_view name = "views";

/// How long what was counted is in memory alone. Other processes do not see it there.
constexpr std::chrono::seconds flush_embedded{10};
constexpr std::chrono::seconds flush_on_cluster{1};
/// Where many objects are seen a row is written for more events, the longer they wait; a start
/// reads them again.
constexpr std::chrono::seconds flush_many_embedded{120};
constexpr std::chrono::seconds flush_many_on_cluster{6};
/// There the thread that writes is the one that reads the log, which others wait for.
constexpr std::chrono::seconds flush_at_most_on_cluster{1};
/// And reading a row is a way over the network: whoever has events in a round keeps his cells.
constexpr std::size_t busy_embedded = 128;
constexpr std::size_t busy_on_cluster = 1;

/// How long what trends is in memory alone: a start reads events of about so long again.
constexpr std::chrono::seconds trends_embedded{60};
constexpr std::chrono::seconds trends_on_cluster{10};

constexpr std::array<const storage::Table*, 7> tables{
    &view_day_table,
    &view_total_table,
    &view_expired_day_table,
    &view_expired_total_table,
    &view_rank_table,
    &rankings::rank_day_table,
    &rankings::trend_state_table
};

Views::Options options_on(const jobs::Floor& floor, CellOwners* owners) {
    const bool on_cluster = owners != nullptr;
    return {
        .memory = floor.memory,
        .flush_interval = on_cluster ? flush_on_cluster : flush_embedded,
        .flush_interval_of_many = on_cluster ? flush_many_on_cluster : flush_many_embedded,
        .flush_at_most = on_cluster ? flush_at_most_on_cluster : flush_embedded,
        .busy_at_least = on_cluster ? busy_on_cluster : busy_embedded,
        .secret = floor.secret,
        .owners = owners
    };
}

rankings::Trends::Options trends_on(const jobs::Floor& floor) {
    const auto* const options = dynamic_cast<const ViewsOptions*>(floor.options);
    return {
        .job = ranked_job,
        .log = floor.log,
        .settings = options != nullptr ? options->trending : rankings::TrendSettings{},
        .interval = floor.owners != nullptr ? trends_on_cluster : trends_embedded,
        .owners = floor.owners
    };
}

class ViewsJob final : public jobs::Job {
public:
    explicit ViewsJob(const jobs::Floor& floor)
        : clock_{floor.clock},
          secret_{floor.secret},
          owners_{
              floor.owners == nullptr
                  ? nullptr
                  : std::make_unique<AskedOwners>(*floor.owners, name, deployment_sketch_key)
          },
          views_{
              *floor.store,
              floor.log,
              deployment_sketch_key,
              *floor.clock,
              options_on(floor, owners_.get())
          },
          trends_{*floor.store, *floor.clock, trends_on(floor)} {}

    projecting::Projection* projection() override { return &projection_; }

    Views& views() { return views_; }

    void add_routes(api::FrontDoor& door, const jobs::Answering& answering) override {
        add_view_routes(
            door,
            views_,
            *clock_,
            secret_,
            *answering.lookups,
            *answering.surveys,
            answering.by_profile
        );
        add_trend_routes(
            door,
            {.views = &views_,
             .trends = &trends_,
             .clock = clock_,
             .secret = secret_,
             .surveys = answering.surveys}
        );
        add_live_views_route(door, *answering.intake, views_, *answering.lookups, *answering.facts);
    }

    void tell(metrics::Figures& figures) override {
        const Views::Figures views = views_.figures();
        figures.raise(
            "footfall_view_rows_written_total", "Rows of views written.", views.rows_written
        );
        figures.raise(
            "footfall_view_rows_asked_total",
            "Rows of views looked for in the store, to be counted on.",
            views.rows_asked
        );
        figures.raise(
            "footfall_view_rows_read_total", "Of those, rows that were there.", views.rows_read
        );
        figures.raise(
            "footfall_view_evictions_total",
            "Objects whose counts left memory to make room.",
            views.evicted
        );
        figures.set("footfall_view_objects", "Objects of views in memory.", views.objects);
        figures.set(
            "footfall_view_waiting", "Events of views that wait for their rows.", views.waiting
        );
        figures.set("footfall_view_bytes", "Memory that views take.", views.bytes);
        figures.set(
            "footfall_view_unsaved",
            "Objects of views with changes that are not durable.",
            views.unsaved
        );
        figures.set(
            "footfall_view_trends_bytes",
            "Memory that what trends and what is hot take.",
            trends_.bytes()
        );
        figures.raise(
            "footfall_view_trends_written_total",
            "Rows of what trends written, one a lane.",
            trends_.rows_written()
        );
    }

    std::vector<runtime::AuditedAccount> accounts() override {
        return {
            {.of = std::string{name},
             .audit = [this](std::size_t lane) { return views_.audit(lane); }},
            {.of = "trending", .audit = [this](std::size_t lane) { return trends_.audit(lane); }}
        };
    }

private:
    const Clock* clock_;
    const SipKey secret_;
    const std::unique_ptr<AskedOwners> owners_;  ///< Null: all lanes are counted here.
    Views views_;
    rankings::Trends trends_;
    ViewsProjection projection_{views_, trends_, secret_};
};

Result<std::unique_ptr<jobs::Job>> open(const jobs::Floor& floor) {
    return std::make_unique<ViewsJob>(floor);
}

}  // namespace

const jobs::Registered job{
    .name = name,
    .tables = tables,
    .settings = &views_settings,
    .open = open,
    .recount = make_recount,
    .openapi = openapi,
    .shown = shown_views
};

Views& views_of(jobs::Job& opened) {
    auto* const views = dynamic_cast<ViewsJob*>(&opened);
    CHECK(views != nullptr, "another job was taken for the views");
    return views->views();
}

}  // namespace footfall::views::routes
