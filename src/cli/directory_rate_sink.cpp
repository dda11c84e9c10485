#include "ads/ledger.h"
#include "ads/rate_changes.h"
#include "ads_routes/ads_job.h"
#include "ads_routes/said.h"
#include "cli/rate_sink.h"
#include "deployment/deployment.h"
#include "foundation/check.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::cli {
namespace {

using ads::RateOutcome;

class DirectoryRateSink final : public RateSink {
public:
    DirectoryRateSink(deployment::Deployment& directory, const Clock& clock, RejectLine reject)
        : collector_{&directory.events().collector()},
          ledger_{&ads::routes::ledger_of(directory.events().job(ads::routes::job.name))},
          clock_{&clock},
          reject_{std::move(reject)} {}

    Result<void> put(const SourceRate& rate) override {
        TRY(const auto answer,
            ads::routes::say_and_wait(
                *ledger_,
                *collector_,
                {.kind = rate.kind,
                 .party = rate.party,
                 .effective = rate.effective_since,
                 .share = rate.share,
                 .reason = rate.reason,
                 .author = "this machine",
                 .if_match = {},
                 .said = clock_->now(),
                 .id = {}}
            ));
        switch (answer.outcome) {
            case RateOutcome::recorded:
                ++recorded_;
                break;
            case RateOutcome::unchanged:
                ++unchanged_;
                break;
            case RateOutcome::too_many:
                reject_(
                    rate.line,
                    fmt::format("a party's rate can be changed {} times", ads::most_changes)
                );
                break;
            case RateOutcome::other_version:
                CHECK(false, "no version of the rates was named");
        }
        return {};
    }

    std::uint64_t recorded() const override { return recorded_; }

    std::uint64_t unchanged() const override { return unchanged_; }

private:
    intake::Collector* collector_;
    ads::Ledger* ledger_;
    const Clock* clock_;
    RejectLine reject_;
    std::uint64_t recorded_ = 0;
    std::uint64_t unchanged_ = 0;
};

}  // namespace

std::unique_ptr<RateSink> make_directory_rate_sink(
    deployment::Deployment& directory, const Clock& clock, RejectLine reject
) {
    return std::make_unique<DirectoryRateSink>(directory, clock, std::move(reject));
}

}  // namespace footfall::cli
