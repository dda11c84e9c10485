#include "segments_routes/segments_job.h"

#include "audience/schema.h"
#include "events/rfc3339.h"
#include "foundation/check.h"
#include "foundation/json_string.h"
#include "foundation/varint.h"
#include "identities/settling.h"
#include "identities/sid.h"
#include "projecting/writer.h"
#include "segment_events/schema.h"
#include "segment_reports/schema.h"
#include "segment_rules/latest_events.h"
#include "segment_rules/rule.h"
#include "segments/derived_rows.h"
#include "segments/erasing.h"
#include "segments/schema.h"
#include "segments/segments.h"
#include "segments_routes/algebra_routes.h"
#include "segments_routes/asked_people.h"
#include "segments_routes/deriving.h"
#include "segments_routes/hook_routes.h"
#include "segments_routes/hook_turns.h"
#include "segments_routes/live_changes.h"
#include "segments_routes/members_routes.h"
#include "segments_routes/openapi.h"
#include "segments_routes/recount.h"
#include "segments_routes/report_routes.h"
#include "segments_routes/report_turns.h"
#include "segments_routes/rule_routes.h"
#include "segments_routes/segment_routes.h"
#include "segments_routes/segments_settings.h"
#include "segments_routes/topic_turns.h"
#include "webhooks/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::segments::routes {
namespace {

constexpr std::string_view name = "segments";

/// A batch takes some megabytes; one is written while another one is read.
constexpr std::size_t batch_threads = 2;
constexpr std::size_t batch_queue = 100;

class SegmentsJob final : public jobs::Job {
public:
    explicit SegmentsJob(const jobs::Floor& floor)
        : clock_{floor.clock},
          settling_{floor.settling},
          segments_{
              *floor.store,
              *floor.settling,
              *floor.clock,
              {.memory = floor.memory, .shared = floor.shared, .has_log = true}
          },
          audience_{
              segments_, *floor.store, *floor.clock, floor.secret, audience_in(floor.options)
          },
          people_{segments_, *floor.clock, floor.owners, name, audience_},
          reach_{webhooks_in(floor.options)},
          hooks_{*floor.store, *floor.clock, reach_},
          sizes_{segments_, *floor.store, *floor.clock},
          deriving_{segments_, sizes_, people_, *floor.store, *floor.clock, floor.log},
          hook_turns_{segments_, *floor.store, *floor.clock, reach_},
          report_turns_{segments_, people_, *floor.store, *floor.clock} {
        if (floor.ledger != nullptr) {
            erasing_.emplace(
                *floor.store,
                *floor.ledger,
                segments_,
                *floor.clock,
                [this, store = floor.store, has_topic = topic_in(floor.options)] {
                    return hearers_in(*store, has_topic);
                }
            );
        }
        if (topic_in(floor.options)) {
            topic_turns_.emplace(segments_, *floor.store, *floor.topics);
        }
        deriving_.start();
        hook_turns_.start();
        report_turns_.start();
        if (topic_turns_) {
            topic_turns_->start();
        }
    }

    projecting::Projection* projection() override { return &deriving_; }

    void add_routes(api::FrontDoor& door, const jobs::Answering& answering) override {
        const Sources sources{
            .segments = &segments_,
            .people = &people_,
            .settling = settling_,
            .clock = clock_,
            .lookups = answering.lookups,
            .surveys = answering.surveys,
            .batches = &batches_,
            .keeper = door.keeper(),
            .hooks = &hooks_,
            .reach = reach_,
            .audience = audience_.terms(),
            .sizes = &sizes_
        };
        if (answering.intake != nullptr) {
            segments_.follow_log(*answering.intake);
        }
        add_segment_routes(door, sources);
        add_rule_routes(door, sources);
        add_hook_routes(door, sources);
        add_members_routes(door, sources);
        add_algebra_routes(door, sources);
        add_report_routes(door, sources);
        add_live_changes_route(door, sources, *answering.facts);
    }

    Result<void> erase(std::span<const events::Identifier> ids) override {
        return segments_.remove_from_all(ids);
    }

    /// By whoever derives.
    Result<erasure::Swept> sweep_erased(const std::stop_token& stop) override {
        return erasing_ ? erasing_->sweep(stop) : erasure::Swept::done;
    }

    void tell(metrics::Figures& figures) override {
        const Segments::Figures now = segments_.figures();
        figures.raise(
            "footfall_segments_members_written_total",
            "Members that were put into segments here, new or again.",
            now.members
        );
        if (!segments_.is_derived_here()) {
            return;
        }
        figures.set("footfall_segments_people", "People who are in a segment.", now.people);
        figures.set("footfall_segments_bytes", "Memory of sets of people.", now.bytes);
        figures.set(
            "footfall_segments_one_of",
            "Of so many people one is in the sets: above 1 numbers are estimates.",
            now.one_of
        );
        figures.set(
            "footfall_segments_waiting",
            "Ids and profiles whose segments are still to be derived.",
            now.waiting
        );
        figures.raise(
            "footfall_segments_profiles_looked_at_total",
            "Profiles whose segments were derived.",
            now.looked
        );
        figures.raise(
            "footfall_segments_changes_total",
            "How often an id joined a segment or left it.",
            now.changes
        );
        hook_turns_.tell(figures);
        if (topic_turns_) {
            topic_turns_->tell(figures);
        }
        const auto behind = std::max(Instant::duration{0}, clock_->now() - now.as_of);
        figures.set(
            "footfall_segments_behind_seconds",
            "How long ago what numbers of people are made of was durable.",
            static_cast<std::size_t>(std::chrono::floor<std::chrono::seconds>(behind).count())
        );
    }

    std::vector<runtime::AuditedAccount> accounts() override {
        // Sets belong to whoever has the lane, and are audited with it.
        return {
            {.of = "segments",
             .audit =
                 [this](std::size_t lane) {
                     const auto [booked, counted] = segments_.memory();
                     return lane == deriving_lane
                                ? runtime::AccountAudit{.booked = booked, .counted = counted}
                                : runtime::AccountAudit{};
                 }},
            {.of = "segment_events",
             .audit = [this](std::size_t lane) { return deriving_.audit(lane); }}
        };
    }

    void refuse_waiting() override {
        batches_.refuse_waiting();
        people_.refuse_waiting();
    }

    void stop_answering() override {
        batches_.stop();
        people_.stop();
        report_turns_.stop();
        hook_turns_.stop();
        if (topic_turns_) {
            topic_turns_->stop();
        }
        deriving_.stop();
    }

private:
    Result<Erasing::Hearers> hearers_in(storage::Store& store, bool has_topic) {
        TRY(Erasing::Hearers hearers, read_hearers(store));
        if (has_topic) {
            TRY_VOID(add_topic(segments_, store, hearers));
        }
        return hearers;
    }

    const Clock* clock_;
    const identities::Settling* settling_;
    Segments segments_;
    AudienceNumbers audience_;
    AskedPeople people_;
    const webhooks::Reach reach_;
    webhooks::HookRegistry hooks_;
    SizeHistory sizes_;
    Deriving deriving_;
    HookTurns hook_turns_;
    ReportTurns report_turns_;
    std::optional<Erasing> erasing_;
    std::optional<TopicTurns> topic_turns_;  ///< Absent: changes go to no topic.
    // Last: it ends first.
    runtime::BlockingPool batches_{batch_threads, batch_queue};
};

Result<std::string> shown_sid(const showing::RowInPage& /*row*/, std::string_view bytes) {
    const std::string sid = identities::read_sid(bytes);
    if (!identities::looks_like_sid(sid)) {
        return fail(ErrorKind::corrupt, "a sid has 16 bytes");
    }
    return json_string(sid);
}

/// The segments that a person is in.
Result<std::string> shown_segments(const showing::RowInPage& /*row*/, std::string_view bytes) {
    TRY(const std::vector<std::int64_t> numbers, numbers_in(bytes));
    return fmt::format("[{}]", fmt::join(numbers, ","));
}

/// Sizes and overlaps of a report, one behind the other.
Result<std::string> shown_numbers(const showing::RowInPage& /*row*/, std::string_view bytes) {
    std::vector<std::uint64_t> numbers;
    while (!bytes.empty()) {
        if (!take_varint(bytes, numbers.emplace_back())) {
            return fail(ErrorKind::corrupt, "the numbers of a report are damaged");
        }
    }
    return fmt::format("[{}]", fmt::join(numbers, ","));
}

/// Of what was found in the log, for a new rule, too.
Result<std::string> shown_did_writer(const showing::RowInPage& /*row*/, std::string_view bytes) {
    const bool is_filled = bytes.ends_with('f') && !projecting::writer_in(bytes);
    const auto writer = projecting::writer_in(bytes.substr(0, bytes.size() - (is_filled ? 1 : 0)));
    if (!writer) {
        return fail(ErrorKind::corrupt, "a writer has 10 bytes, or 11 where it read the log");
    }
    return fmt::format(
        R"({{"log":{},"lane":{}{}}})",
        static_cast<std::int64_t>(writer->log),
        writer->lane,
        is_filled ? R"(,"filled":true)" : ""
    );
}

/// When somebody did what a term counts, newest first.
Result<std::string> shown_did_events(const showing::RowInPage& /*row*/, std::string_view bytes) {
    TRY(const segment_rules::LatestEvents events,
        segment_rules::LatestEvents::read(bytes, segment_rules::times_max));
    std::string json = "[";
    for (const segment_rules::EventMark& each : events.marks()) {
        json += json.size() == 1 ? "" : ",";
        json += fmt::format(
            R"({{"time":"{}","lane":{},"offset":{}}})",
            events::format_rfc3339(each.time),
            each.lane,
            each.offset
        );
    }
    return json + "]";
}

/// Of what signs for a webhook only that it is there.
Result<std::string> shown_secret(const showing::RowInPage& /*row*/, std::string_view bytes) {
    return json_string(fmt::format("{} bytes that are kept secret", bytes.size()));
}

/// The columns that are more than a text or a number, or must not be shown.
std::span<const showing::ShownColumn> shown() {
    static const std::array columns{
        showing::ShownColumn{.column = "sid", .json = shown_sid},
        showing::ShownColumn{.column = "segments", .json = shown_segments},
        showing::ShownColumn{.column = "writer", .json = shown_did_writer},
        showing::ShownColumn{.column = "events", .json = shown_did_events},
        showing::ShownColumn{.column = "signed_by", .json = shown_secret},
        showing::ShownColumn{.column = "numbers", .json = shown_numbers}
    };
    return columns;
}

/// Beside those of segments, whom changes are sent to, what rules count, what who sees numbers only
/// was shown, and what is counted each day.
const auto tables = [] {
    std::array<const storage::Table*, all_tables.size() + 7> all{};
    std::ranges::copy(all_tables, all.begin());
    all[all_tables.size()] = &webhooks::webhook_table;
    all[all_tables.size() + 1] = &webhooks::webhook_progress_table;
    all[all_tables.size() + 2] = &audience::audience_number_table;
    all[all_tables.size() + 3] = &audience::audience_asked_table;
    all[all_tables.size() + 4] = &segment_reports::segment_report_table;
    all[all_tables.size() + 5] = &segment_reports::segment_report_day_table;
    all[all_tables.size() + 6] = &segment_events::segment_did_table;
    return all;
}();

Result<std::unique_ptr<jobs::Job>> open(const jobs::Floor& floor) {
    CHECK(
        floor.settling != nullptr, "segments are listed behind the job whose profiles they count"
    );
    if (topic_in(floor.options) && floor.topics == nullptr) {
        return fail(
            ErrorKind::invalid_input,
            "segments_topic: changes go to a topic of Kafka, and this deployment has no Kafka: "
            "leave it off, or name its brokers (kafka)"
        );
    }
    return std::make_unique<SegmentsJob>(floor);
}

}  // namespace

const jobs::Registered job{
    .name = name,
    .tables = tables,
    .settings = &segments_settings,
    .open = open,
    .recount = make_recount,
    .openapi = openapi,
    .shown = shown
};

}  // namespace footfall::segments::routes
