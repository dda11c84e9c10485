#include "reading_routes/reading_job.h"

#include "foundation/check.h"
#include "reading_routes/openapi.h"
#include "reading_routes/people_routes.h"

#include <memory>

namespace footfall::reading::routes {
namespace {

class ReadingJob final : public jobs::Job {
public:
    explicit ReadingJob(const jobs::Floor& floor) : people_{floor.people}, clock_{floor.clock} {
        CHECK(people_ != nullptr, "reading needs to know people");
    }

    void add_routes(api::FrontDoor& door, const jobs::Answering& answering) override {
        add_people_routes(
            door,
            {.people = people_,
             .clock = clock_,
             .lookups = answering.lookups,
             .surveys = answering.surveys}
        );
    }

    void tell(metrics::Figures& figures) override {
        figures.set(
            "footfall_reading_sharers",
            "People who share what they read, or have paused.",
            people_->sharers().size()
        );
        figures.set(
            "footfall_reading_sharers_bytes", "Memory that they take.", people_->sharers().bytes()
        );
    }

private:
    people::People* const people_;
    const Clock* const clock_;
};

Result<std::unique_ptr<jobs::Job>> open(const jobs::Floor& floor) {
    return std::make_unique<ReadingJob>(floor);
}

}  // namespace

const jobs::Registered job{.name = "reading", .of_events = false, .open = open, .openapi = openapi};

}  // namespace footfall::reading::routes
