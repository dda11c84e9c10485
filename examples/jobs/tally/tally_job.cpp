#include "tally/tally_job.h"

#include "foundation/check.h"
#include "tally/recount.h"
#include "tally/routes.h"
#include "tally/schema.h"

#include <array>

// #embed is C23; clang 19, our reference compiler, knows it in C++ too.
#pragma clang diagnostic ignored "-Wc23-extensions"

namespace footfall::tally {
namespace {

constexpr std::array<const storage::Table*, 2> tables{&tally_table, &tally_expired_table};

constexpr char description[] = {
#embed "openapi.json"
};

class TallyJob final : public jobs::Job {
public:
    explicit TallyJob(const jobs::Floor& floor)
        : clock_{floor.clock}, tally_{*floor.store, *floor.clock, floor.owners, floor.memory} {}

    projecting::Projection* projection() override { return &tally_; }

    Tally& tally() { return tally_; }

    void add_routes(api::FrontDoor& door, const jobs::Answering& answering) override {
        tally::add_routes(door, tally_, *clock_, answering);
    }

    void tell(metrics::Figures& figures) override {
        figures.set(
            "footfall_tally_waiting",
            "Events of the tally that wait for their rows.",
            tally_.waiting().waiting()
        );
        figures.raise(
            "footfall_tally_rows_written_total",
            "Rows of the tally written.",
            tally_.waiting().rows_written()
        );
    }

    std::vector<runtime::AuditedAccount> accounts() override {
        return {{.of = std::string{Tally::name}, .audit = [this](std::size_t lane) {
                     return tally_.waiting().audit(lane);
                 }}};
    }

private:
    const Clock* clock_;
    Tally tally_;
};

Result<std::unique_ptr<jobs::Job>> open(const jobs::Floor& floor) {
    return std::make_unique<TallyJob>(floor);
}

std::string_view openapi() {
    return {description, sizeof description};
}

}  // namespace

const jobs::Registered job{
    .name = Tally::name, .tables = tables, .open = open, .recount = make_recount, .openapi = openapi
};

Tally& tally_of(jobs::Job& opened) {
    auto* const tally = dynamic_cast<TallyJob*>(&opened);
    CHECK(tally != nullptr, "another job was taken for the tally");
    return tally->tally();
}

}  // namespace footfall::tally
