#include "timeseries_routes/timeseries_job.h"

#include "foundation/check.h"
#include "foundation/log.h"
#include "foundation/secret_random.h"
#include "runtime/turns.h"
#include "timeseries/schema.h"
#include "timeseries/sealing.h"
#include "timeseries/time_series.h"
#include "timeseries/verify.h"
#include "timeseries_routes/carbon_server.h"
#include "timeseries_routes/find_routes.h"
#include "timeseries_routes/function_routes.h"
#include "timeseries_routes/graphite_sources.h"
#include "timeseries_routes/kairos_routes.h"
#include "timeseries_routes/openapi.h"
#include "timeseries_routes/own_metrics.h"
#include "timeseries_routes/render_routes.h"
#include "timeseries_routes/shown_timeseries.h"
#include "timeseries_routes/tag_routes.h"
#include "timeseries_routes/timeseries_settings.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

constexpr std::array<const storage::Table*, 4> timeseries_tables{
    &point_block_table, &point_cells_table, &series_table, &unsealed_hour_table
};

/// Between looks for series that have no points any more; where others write, for theirs, too.
constexpr std::chrono::minutes care_embedded{10};
constexpr std::chrono::minutes care_shared{1};

class TimeSeriesJob final : public jobs::Job {
public:
    TimeSeriesJob(const jobs::Floor& floor, const TimeSeriesSettings& settings, std::int64_t writer)
        : store_{floor.store},
          clock_{floor.clock},
          carbon_address_{settings.carbon},
          own_{settings.own_name(floor.shared)},
          shared_{floor.shared},
          series_{
              *floor.store,
              *floor.clock,
              {.secret = floor.secret,
               .writer = writer,
               .retention = settings.retention(),
               .series_max = settings.series_max,
               .memory = floor.memory}
          },
          sealing_{*floor.store, *floor.clock, [this](SeriesId id) {
                       return series_.resolutions_of(id);
                   }} {}

    Result<void> load() {
        TRY_VOID(series_.load());
        care_.emplace(
            "metrics care",
            runtime::Urgency::background,
            [this](const std::stop_token& stop) { return care(stop); }
        );
        return {};
    }

    void add_routes(api::FrontDoor& door, const jobs::Answering& answering) override {
        const GraphiteSources sources{
            .series = &series_,
            .clock = clock_,
            .lookups = answering.lookups,
            .surveys = answering.surveys
        };
        add_render_routes(door, sources);
        add_find_routes(door, sources);
        add_tag_routes(door, sources);
        add_function_routes(door, sources);
        CHECK(!posted_, "routes are added once");
        if (!own_.empty()) {
            own_metrics_ =
                std::make_unique<OwnMetrics>(series_, *clock_, *store_, own_, answering.samples);
        }
        posted_.emplace(series_, *store_, answering.batch_threads);
        add_kairos_routes(
            door,
            {.series = &series_,
             .intake = &*posted_,
             .clock = clock_,
             .lookups = answering.lookups,
             .surveys = answering.surveys}
        );
        door.add(
            keys::Scope::write,
            http_server::Method::post,
            "/api/v1/write",
            [this](http_server::Exchange& exchange) {
                return std::optional{posted_->take_remote_write(&exchange)};
            },
            {.bytes = remote_write_bytes_max}
        );
    }

    Result<void> start_listening() override {
        if (own_metrics_) {
            own_metrics_->start();
        }
        if (!carbon_address_) {
            return {};
        }
        auto carbon = std::make_unique<CarbonServer>(series_, *clock_, *store_);
        TRY(const std::uint16_t port, carbon->start(*carbon_address_));
        log(LogLevel::info, "metrics are taken at {}:{}, as Carbon", carbon_address_->address, port
        );
        carbon_ = std::move(carbon);
        return {};
    }

    void refuse_waiting() override {
        if (posted_) {
            posted_->refuse_waiting();
        }
    }

    void stop_answering() override {
        care_.reset();
        if (own_metrics_) {
            own_metrics_->stop();
        }
        if (posted_) {
            posted_->stop();
        }
        if (carbon_) {
            carbon_->stop();
        }
    }

    void tell(metrics::Figures& figures) override {
        figures.set("footfall_timeseries_series", "Series of the metrics store.", series_.series());
        figures.set(
            "footfall_timeseries_series_bytes", "Memory that their names take.", series_.bytes()
        );
        figures.raise(
            "footfall_timeseries_points_total",
            "Points stored.",
            series_.durable_points() + (posted_ ? posted_->durable_points() : 0)
        );
        figures.raise(
            "footfall_timeseries_sealed_total",
            "Hours of series whose points became one block.",
            sealing_.sealed()
        );
        figures.raise(
            "footfall_timeseries_cells_total",
            "Cells of coarser steps that were made of points and written.",
            sealing_.cells()
        );
        const auto refused = [&figures](std::string_view why, std::uint64_t total) {
            figures.raise(
                "footfall_timeseries_refused_total",
                "Points refused, or lines that are none: of before what is kept, of more than a "
                "day from now, of a series too many, of a name that clashes, of labels that make "
                "no name; malformed, too long, "
                "or lost as the store took nothing; and datagrams that the system dropped.",
                total,
                "why",
                why
            );
        };
        if (posted_) {
            refused("unnamed", posted_->unnamed());
            const auto skipped = [&figures](std::string_view what, std::uint64_t total) {
                figures.raise(
                    "footfall_timeseries_skipped_total",
                    "What Prometheus sent and is not kept: samples that are no value, as it says "
                    "that a series has ended, and native histograms and exemplars.",
                    total,
                    "what",
                    what
                );
            };
            skipped("nan", posted_->nans());
            skipped("histogram", posted_->histograms());
        }
        for (std::size_t why = 0; why < refusals; ++why) {
            const auto refusal = static_cast<Refusal>(why);
            refused(name_of(refusal), series_.refused(refusal));
        }
        for (std::size_t why = 0; why < line_troubles && carbon_; ++why) {
            const auto trouble = static_cast<LineTrouble>(why);
            refused(name_of(trouble), carbon_->refused(trouble));
        }
    }

    std::vector<runtime::AuditedAccount> accounts() override {
        return {{.of = "series of metrics", .audit = [this](std::size_t lane) {
                     return series_.audit(lane);
                 }}};
    }

private:
    runtime::Turns::Pause care(const std::stop_token& stop) {
        series_.forget_expired();
        // Before their hours are sealed: by its name it is known which cells a series has.
        const Result<void> loaded =
            shared_ && std::exchange(loaded_, true) ? series_.load() : Result<void>{};
        if (!loaded) {
            troubles_.say(
                LogLevel::warning,
                "series that others write are found later: " + loaded.error().message
            );
        } else if (const Result<void> sealed = sealing_.seal(stop); !sealed) {
            troubles_.say(
                LogLevel::warning, "hours of metrics are sealed later: " + sealed.error().message
            );
        }
        return shared_ ? care_shared : care_embedded;
    }

    storage::Store* const store_;
    const Clock* const clock_;
    const std::optional<AddressAndPort> carbon_address_;
    const std::string own_;
    const bool shared_;
    TimeSeries series_;
    Sealing sealing_;      ///< Of the thread that cares.
    bool loaded_ = false;  ///< Of the thread that cares.
    SeldomLog troubles_{std::chrono::minutes{1}};
    std::unique_ptr<OwnMetrics> own_metrics_;  ///< Null: they are not kept.
    std::unique_ptr<CarbonServer> carbon_;     ///< Null: nothing is listened for.
    std::optional<PointIntake> posted_;        ///< Absent: nobody asks here.
    std::optional<runtime::Turns> care_;       // last: it ends before what it uses
};

/// Null: the defaults.
const TimeSeriesSettings& settings_of(const jobs::Options* options) {
    static const TimeSeriesSettings defaults;
    const auto* const settings =
        options == nullptr ? &defaults : dynamic_cast<const TimeSeriesSettings*>(options);
    CHECK(settings != nullptr, "the options of another job were taken for those of metrics");
    return *settings;
}

Result<std::unique_ptr<jobs::Job>> open_timeseries(const jobs::Floor& floor) {
    TRY(const auto writer, draw_secret<std::int64_t>());
    auto opened = std::make_unique<TimeSeriesJob>(floor, settings_of(floor.options), writer);
    TRY_VOID(opened->load());
    return opened;
}

Result<projecting::Verified> verify_timeseries(
    const jobs::StoredParts& parts, const projecting::VerifyListeners& listeners
) {
    TRY(const Verified verified,
        verify(
            *parts.store,
            {.secret = parts.secret,
             .retention = settings_of(parts.options).retention(),
             .now = parts.now},
            {.difference = listeners.difference,
             .progress = listeners.progress,
             .remark = listeners.remark}
        ));
    return projecting::Verified{
        .events = verified.points, .objects = verified.series, .differences = verified.differences
    };
}

}  // namespace

const jobs::Registered job{
    .name = "timeseries",
    .tables = timeseries_tables,
    .of_events = false,
    .settings = &timeseries_settings,
    .open = open_timeseries,
    .verify = verify_timeseries,
    .verified = {"points", "series"},
    .openapi = openapi,
    .shown = shown_timeseries
};

}  // namespace footfall::timeseries::routes
