#include "identities_routes/identities_job.h"

#include "audit/acts.h"
#include "foundation/json_string.h"
#include "foundation/log.h"
#include "identities/identities.h"
#include "identities/moved_profiles.h"
#include "identities/normalised.h"
#include "identities/recount.h"
#include "identities/schema.h"
#include "identities/sid.h"
#include "identities_routes/actor_profiles.h"
#include "identities_routes/doubling_turns.h"
#include "identities_routes/erase_routes.h"
#include "identities_routes/fact_roots.h"
#include "identities_routes/guard_turns.h"
#include "identities_routes/identities_settings.h"
#include "identities_routes/later_turns.h"
#include "identities_routes/match_routes.h"
#include "identities_routes/openapi.h"
#include "identities_routes/profile_routes.h"
#include "identities_routes/region_turns.h"
#include "jobs/shown_writer.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::identities::routes {
namespace {

class IdentitiesJob final : public jobs::Job {
public:
    explicit IdentitiesJob(const jobs::Floor& floor)
        : identities_{
              *floor.store,
              *floor.clock,
              {.secret = floor.secret,
               .ledger = floor.ledger,
               .log = floor.log,
               .memory = floor.memory,
               .shared = floor.shared,
               .data = rules_in(floor.options),
               .region = std::string{floor.region},
               .replay = replay_in(floor.options),
               .on_written = told_to(roots_, floor)}
          },
          acts_{floor.acts},
          configured_{guards_in(floor.options)},
          rules_{rules_in(floor.options)},
          doubling_turns_{identities_, index_partition_bytes_in(floor.options), floor.shared} {
        if (!floor.region.empty()) {
            region_turns_.emplace(identities_, std::string{floor.region});
        }
    }

    /// Has those guards hold that are recorded, and begins to settle what is noted.
    Result<void> start() {
        const Result<RecordedGuards> read = identities_.refresh_guards();
        return read ? later_turns_.start() : std::unexpected(read.error());
    }

    projecting::Projection* projection() override { return &identities_; }

    by_profile::Profiles* profiles() override { return &profiles_; }

    events::Identifier known_as(events::Identifier id) const override {
        return normalised(*identities_.settling().guards(), std::move(id));
    }

    Result<std::vector<std::string>> persons_of(std::span<const events::Identifier> ids) override {
        TRY(const Identities::SaidOf said, identities_.said_of(ids));
        std::vector<std::string> persons;
        persons.reserve(said.sids.size() + said.facts.size());
        for (const std::string& each : said.sids) {
            persons.push_back(audit::person_of_sid(each));
        }
        for (const FactId& each : said.facts) {
            persons.push_back(audit::person_of_fact(text_of(each)));
        }
        return persons;
    }

    Result<void> erase(std::span<const events::Identifier> ids) override {
        const Result<std::size_t> left = identities_.erase(ids);
        return left ? Result<void>{} : std::unexpected(left.error());
    }

    /// By whoever has the first lane.
    Result<erasure::Swept> sweep_erased(const std::stop_token& stop) override {
        if (!identities_.lanes().contains(0)) {
            return erasure::Swept::elsewhere;
        }
        TRY_VOID(identities_.sweep(stop));
        return erasure::Swept::done;
    }

    const Settling* settling() override { return &identities_.settling(); }

    void add_routes(api::FrontDoor& door, const jobs::Answering& answering) override {
        if (roots_) {
            roots_->start();
        }
        guard_turns_.emplace(identities_, *answering.collector, configured_, acts_);
        guard_turns_->start();
        const Sources sources{
            .identities = &identities_,
            .rules = &rules_,
            .guard_turns = &*guard_turns_,
            .later_turns = &later_turns_,
            .collector = answering.collector,
            .lookups = answering.lookups,
            .saying = &saying_,
            .batches = &batches_,
            .keeper = door.keeper(),
            .eraser = answering.eraser
        };
        add_match_routes(door, sources);
        add_profile_routes(door, sources);
        add_erase_route(door, sources);
    }

    void tell(metrics::Figures& figures) override {
        figures.set(
            "footfall_identities_waiting",
            "Statements about identities that wait for their rows.",
            identities_.waiting()
        );
        figures.set("footfall_identities_bytes", "Memory that they take.", identities_.bytes());
        figures.raise(
            "footfall_identities_facts_written_total",
            "Statements about identities that were written to rows, new or again.",
            identities_.facts_written()
        );
        figures.raise(
            "footfall_identities_settled_later_total",
            "How often an id was left to be settled behind the answers, since much hangs together "
            "with it.",
            identities_.ids_left()
        );
        figures.set(
            "footfall_identities_settling",
            "Ids whose profiles are being settled behind the answers.",
            later_turns_.later().waiting() + identities_.settling().noted().fresh()
        );
        figures.set(
            "footfall_identities_too_large",
            "Ids whose profiles stay as they are, since too much hangs together with them.",
            later_turns_.later().too_large()
        );
        figures.set(
            "footfall_identities_guards_version",
            "Version of the guards that hold; 0: none were recorded.",
            static_cast<std::size_t>(identities_.guards().version.version)
        );
        figures.set(
            "footfall_identities_settling_anew_parts",
            "Parts of the index whose profiles are still to be settled under these guards.",
            guard_turns_ ? guard_turns_->parts_left() : 0
        );
        figures.raise(
            "footfall_identities_ended_total",
            "Statements about identities whose time was over when this server looked; some twice.",
            guard_turns_ ? guard_turns_->ended() : 0
        );
        figures.set(
            "footfall_identities_index_doubling",
            "Networks that double the partitions of their index here now.",
            doubling_turns_.doubling().under_way()
        );
        figures.raise(
            "footfall_identities_index_doublings_total",
            "How often a network has doubled the partitions of its index here.",
            doubling_turns_.doubling().doublings()
        );
        if (region_turns_) {
            tell_of_regions(region_turns_->following(), figures);
        }
    }

    void refuse_waiting() override {
        saying_.refuse_waiting();
        batches_.refuse_waiting();
    }

    void stop_answering() override {
        saying_.stop();
        batches_.stop();
        if (guard_turns_) {
            guard_turns_->stop();
        }
        if (region_turns_) {
            region_turns_->stop();
        }
        later_turns_.stop();
        doubling_turns_.stop();
        if (roots_) {
            // What waits is written now, so that its root is entered with the last.
            if (const auto written = identities_.flush(true); !written) {
                log(LogLevel::warning, "identities: {}", written.error().message);
            }
            roots_->stop();
        }
    }

    std::vector<runtime::AuditedAccount> accounts() override { return identities_.accounts(); }

private:
    /// Has the audit log hold what is written, where there is one.
    static std::function<void(std::uint32_t, std::uint64_t, const FactId&)> told_to(
        std::optional<FactRoots>& roots, const jobs::Floor& floor
    ) {
        if (floor.acts == nullptr) {
            return {};
        }
        roots.emplace(*floor.acts, floor.log);
        return [&roots](std::uint32_t lane, std::uint64_t offset, const FactId& fact) {
            roots->add(lane, offset, fact);
        };
    }

    static void tell_of_regions(const Following& following, metrics::Figures& figures) {
        figures.set(
            "footfall_identities_region_lanes_behind",
            "Lanes of other regions of which more was said than is followed here.",
            following.lanes_behind()
        );
        figures.raise(
            "footfall_identities_facts_followed_total",
            "Statements about identities of other regions that profiles here follow.",
            following.facts_followed()
        );
    }

    /// Who says something waits for another process, and longer than who looks something up.
    static constexpr std::size_t saying_threads = 16;
    static constexpr std::size_t saying_queue = 200;
    /// A batch takes some tens of megabytes; one is said while the other one is waited for.
    static constexpr std::size_t batch_threads = 2;
    static constexpr std::size_t batch_queue = 100;

    std::optional<FactRoots> roots_;  ///< Absent: there is no audit log. Before who tells it.
    Identities identities_;
    audit::Acts* acts_;
    const Guards configured_;
    const DatumRules rules_;
    std::optional<GuardTurns> guard_turns_;  ///< Absent: nobody asks here.
    ActorProfiles profiles_{identities_, [this] {
                                return guard_turns_ && guard_turns_->parts_left() > 0;
                            }};
    std::optional<RegionTurns> region_turns_;  ///< Absent: there is one region.
    DoublingTurns doubling_turns_;
    LaterTurns later_turns_{identities_};
    // Last: they end first.
    runtime::BlockingPool saying_{saying_threads, saying_queue};
    runtime::BlockingPool batches_{batch_threads, batch_queue};
};

Result<std::string> sid_json(const showing::RowInPage& /*row*/, std::string_view bytes) {
    const std::string sid = read_sid(bytes);
    if (!looks_like_sid(sid)) {
        return fail(ErrorKind::corrupt, "a sid has 16 bytes");
    }
    return json_string(sid);
}

Result<std::string> sids_json(const showing::RowInPage& /*row*/, std::string_view bytes) {
    std::string json = "[";
    for (const std::string& each : read_moved_note(bytes)) {
        json += json.size() > 1 ? "," : "";
        json += json_string(each);
    }
    return json + "]";
}

/// The columns that are more than a text or a number.
std::span<const showing::ShownColumn> shown() {
    static const std::array columns{
        jobs::shown_writer,
        showing::ShownColumn{.column = "sid", .json = sid_json},
        showing::ShownColumn{.column = "sids", .json = sids_json}
    };
    return columns;
}

Result<std::unique_ptr<jobs::Job>> open(const jobs::Floor& floor) {
    auto opened = std::make_unique<IdentitiesJob>(floor);
    TRY_VOID(opened->start());
    return opened;
}

}  // namespace

const jobs::Registered job{
    .name = Identities::name,
    .tables = all_tables,
    .settings = &identities_settings,
    .open = open,
    .recount = make_recount,
    .openapi = openapi,
    .shown = shown
};

}  // namespace footfall::identities::routes
