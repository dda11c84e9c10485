#include "reading_routes/reading_job.h"

#include "foundation/check.h"
#include "foundation/seldom_log.h"
#include "reading/day_ranks.h"
#include "reading/friends_reads.h"
#include "reading/ranked_reads.h"
#include "reading/readership.h"
#include "reading/reading_projection.h"
#include "reading/recount.h"
#include "reading/schema.h"
#include "reading/telling_again.h"
#include "reading_routes/openapi.h"
#include "reading_routes/people_routes.h"
#include "reading_routes/ranked_routes.h"
#include "reading_routes/readers_routes.h"
#include "reading_routes/reads_routes.h"
#include "reading_routes/shown_reading.h"
#include "reading_routes/who_routes.h"
#include "runtime/turns.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::reading::routes {
namespace {

/// How long reads wait for their rows: others than this process see rows, or have to ask.
constexpr std::chrono::seconds flush_embedded{30};
constexpr std::chrono::seconds flush_on_cluster{1};
/// How long what ranks and trends waits for its rows.
constexpr std::chrono::seconds rank_flush{1};
constexpr std::chrono::seconds state_flush{30};

/// Between looks at what others ask for that is not in memory.
constexpr std::chrono::milliseconds loading_pause{20};

class ReadingJob final : public jobs::Job {
public:
    explicit ReadingJob(const jobs::Floor& floor)
        : people_{floor.people},
          clock_{floor.clock},
          readership_{
              *floor.store,
              *floor.clock,
              floor.people->sharers(),
              {.secret = floor.secret,
               .log = floor.log,
               .ttl = floor.reads.ttl,
               .interval = floor.owners != nullptr ? flush_on_cluster : flush_embedded,
               .memory = floor.memory,
               .owners = floor.owners,
               .seals = floor.seals}
          },
          ranks_{
              *floor.store,
              *floor.clock,
              {.log = floor.log, .interval = rank_flush, .state_interval = state_flush}
          },
          trends_{
              *floor.store,
              *floor.clock,
              {.job = Readership::name,
               .log = floor.log,
               .interval = state_flush,
               .owners = floor.owners}
          },
          projection_{readership_, ranks_, trends_, floor.secret},
          ranked_{
              *floor.store,
              *floor.clock,
              floor.people->sharers(),
              readership_,
              ranks_,
              trends_,
              {.least = floor.reads.least}
          },
          friends_{*floor.store, *floor.clock, readership_, *floor.people},
          seals_{floor.seals},
          owners_{floor.owners},
          secret_{floor.secret} {
        CHECK(people_ != nullptr && seals_ != nullptr, "reading needs to know people");
        if (floor.owners != nullptr) {
            load_for_others();
        }
    }

    projecting::Projection* projection() override { return &projection_; }

    void add_routes(api::FrontDoor& door, const jobs::Answering& answering) override {
        add_people_routes(
            door,
            {.people = people_,
             .clock = clock_,
             .lookups = answering.lookups,
             .surveys = answering.surveys}
        );
        add_reads_routes(
            door,
            {.readership = &readership_,
             .people = people_,
             .clock = clock_,
             .surveys = answering.surveys}
        );
        add_who_route(
            door, {.readership = &readership_, .people = people_, .lookups = answering.lookups}
        );
        add_readers_route(
            door,
            {.readership = &readership_,
             .people = people_,
             .surveys = answering.surveys,
             .by_profile = answering.by_profile}
        );
        if (answering.collector != nullptr) {
            tell_again(*answering.collector);
        }
        add_ranked_routes(
            door, {.ranked = &ranked_, .friends = &friends_, .surveys = answering.surveys}
        );
    }

    void stop_answering() override {
        telling_turns_.reset();
        loading_turns_.reset();
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
        figures.set(
            "footfall_reading_waiting",
            "Shared reads that wait for their rows.",
            readership_.waiting()
        );
        figures.set("footfall_reading_bytes", "Memory that they take.", readership_.bytes());
        figures.set(
            "footfall_reading_urls", "URLs whose readers are in memory.", readership_.hot_urls()
        );
        figures.set(
            "footfall_reading_urls_bytes", "Memory that they take.", readership_.hot_bytes()
        );
        if (readership_.others() != nullptr) {
            tell_of_others(readership_.others()->figures(), figures);
        }
        figures.raise(
            "footfall_reading_rows_written_total",
            "Rows of reading written.",
            readership_.rows_written()
        );
        figures.raise(
            "footfall_reading_rank_rows_written_total",
            "Rows written of URLs by size class of a day's reads.",
            ranks_.rows_written()
        );
        figures.set(
            "footfall_reading_trends_bytes",
            "Memory that candidates of trending take.",
            trends_.bytes()
        );
    }

    std::vector<runtime::AuditedAccount> accounts() override {
        std::vector<runtime::AuditedAccount> all = readership_.accounts();
        std::ranges::move(ranks_.accounts(), std::back_inserter(all));
        all.push_back({.of = "reading trends", .audit = [this](std::size_t lane) {
                           return trends_.audit(lane);
                       }});
        return all;
    }

private:
    void tell_of_others(const ReadsOfOthers::Figures& of, metrics::Figures& figures) {
        const auto raise_urls = [&](std::uint64_t urls, std::string_view outcome) {
            figures.raise(
                "footfall_reading_owner_urls_total",
                "URLs asked of the owners of their lanes: told from memory, left to rows, or "
                "unanswered.",
                urls,
                "outcome",
                outcome
            );
        };
        raise_urls(of.told, "told");
        raise_urls(of.left, "left");
        raise_urls(of.unanswered, "unanswered");
        const auto raise_lists = [&](std::uint64_t questions, std::string_view list) {
            figures.raise(
                "footfall_reading_owner_questions_total",
                "Questions to owners about friends: whose list all of them knew, was sent for the "
                "first time, or had to be sent again.",
                questions,
                "list",
                list
            );
        };
        raise_lists(of.by_key - of.sent_again, "known");
        raise_lists(of.sent, "sent");
        raise_lists(of.sent_again, "sent_again");
        figures.raise(
            "footfall_reading_owner_wait_seconds_total",
            "For how long owners were waited for.",
            of.microseconds / 1'000'000
        );
        figures.set(
            "footfall_reading_lists",
            "Lists of friends that other processes sent and that are kept.",
            readership_.desk().lists()
        );
        figures.set(
            "footfall_reading_lists_bytes",
            "Memory that they take.",
            readership_.desk().lists_bytes()
        );
    }

    /// What other processes asked for in vain is in memory when they ask again.
    void load_for_others() {
        loading_turns_
            .emplace("reading loads", runtime::Urgency::work, [this](const std::stop_token&) {
                if (const Result<void> done = readership_.load_wanted(); !done) {
                    troubles_.say(
                        LogLevel::warning,
                        "URLs that others asked for are loaded later: " + done.error().message
                    );
                }
                return loading_pause;
            });
    }

    void tell_again(intake::Collector& collector) {
        telling_.emplace(TellingAgain::Sources{
            .readership = &readership_,
            .people = people_,
            .seals = seals_,
            .clock = clock_,
            .secret = secret_,
            .say = [&collector](std::span<const events::ControlInLane> controls
                   ) { return collector.say_each(controls); },
            .owners = owners_
        });
        telling_turns_.emplace(
            "reading again",
            runtime::Urgency::background,
            [this](const std::stop_token& stop) {
                if (const Result<void> done = telling_->turn(stop); !done) {
                    troubles_.say(
                        LogLevel::warning,
                        "what was left where something was taken back is told again later: " +
                            done.error().message
                    );
                }
                return telling_->pause();
            }
        );
    }

    people::People* const people_;
    const Clock* const clock_;
    Readership readership_;
    DayRanks ranks_;
    rankings::Trends trends_;
    ReadingProjection projection_;
    RankedReads ranked_;
    FriendsReads friends_;
    const people::ReadSeals* const seals_;
    projecting::Owners* const owners_;
    const SipKey secret_;
    SeldomLog troubles_{std::chrono::minutes{1}};
    std::optional<TellingAgain> telling_;
    std::optional<runtime::Turns> telling_turns_;
    std::optional<runtime::Turns> loading_turns_;  // last: they end before what they use
};

Result<std::unique_ptr<jobs::Job>> open(const jobs::Floor& floor) {
    return std::make_unique<ReadingJob>(floor);
}

}  // namespace

const jobs::Registered job{
    .name = Readership::name,
    .tables = all_tables,
    .open = open,
    .recount = make_recount,
    .openapi = openapi,
    .shown = shown_reading
};

}  // namespace footfall::reading::routes
