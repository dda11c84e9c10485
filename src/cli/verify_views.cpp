#include "cli/verify_views.h"

#include "cli/recount.h"
#include "events/verdict.h"
#include "foundation/calendar_day.h"
#include "intake/event_keys.h"
#include "views/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

namespace footfall::cli {
namespace {

using views::Day;
using views::EventCounts;

/// Events of a lane that are counted again in one go.
constexpr std::uint64_t events_a_part = 1'000'000;

/// By action and object.
using RecountedObjects = std::map<std::pair<std::string, std::string>, RecountedObject>;

std::string text_of(const EventCounts& counts) {
    std::string text = fmt::format("{} events, {} counted", counts.events(), counts.counted);
    for (const auto& [reason, events] : counts.refused) {
        text += fmt::format(", {} {}", events, reason);
    }
    return text;
}

/// A part of a lane's objects, and what is found of them.
struct Part {
    std::uint64_t number;
    std::uint64_t of;
    std::uint64_t events = 0;
    std::uint32_t in_force = 0;  ///< The rule set that the lane was told of last.
    RecountedObjects objects = {};
    std::vector<std::string> differences = {};
};

/// How far rows of a lane are stored, and since when no further.
struct StoredEnd {
    std::uint64_t offset = 0;
    std::chrono::steady_clock::time_point since{};
};

class Verifier {
public:
    Verifier(
        const VerifiedParts& parts,
        const std::function<void(const std::string&)>& difference,
        const std::function<void(std::uint64_t)>& progress
    )
        : parts_{&parts},
          difference_{&difference},
          progress_{&progress},
          stored_(parts.log->lanes()) {}

    Result<Verified> run() {
        TRY_VOID(ask_stored());
        for (lane_ = 0; lane_ < parts_->log->lanes(); ++lane_) {
            const std::uint64_t end = parts_->ends[lane_];
            const std::uint64_t records = end - std::min(end, parts_->log->begin(lane_));
            const std::uint64_t parts = 1 + records / events_a_part;
            for (std::uint64_t number = 0; number < parts; ++number) {
                for (bool whole = false; !whole;) {
                    Part part{.number = number, .of = parts};
                    TRY(whole, verify(part));
                    if (whole) {
                        tell(part);
                    }
                }
            }
        }
        return verified_;
    }

private:
    /// Counts the objects of a part and compares them. False: events left the log meanwhile.
    Result<bool> verify(Part& part) {
        LaneWalk walk{.log = parts_->log, .lane = lane_};
        const auto recount = [&](std::uint64_t offset, const events::LogRecord& record) {
            return count(part, offset, record);
        };
        TRY(const bool counted, walk.walk(std::nullopt, parts_->ends[lane_], recount));
        if (!counted) {
            return false;
        }
        std::uint64_t stored_through = 0;
        for (auto& [name, object] : part.objects) {
            TRY_VOID(read_stored(name, object));
            stored_through = std::max(stored_through, object.stored_through());
        }
        TRY(const bool counted_on, count_on(part, walk, stored_through));
        for (const auto& [name, object] : part.objects) {
            compare(name.first, name.second, object, part.differences);
        }
        return counted_on;
    }

    Result<void> count(Part& part, std::uint64_t offset, const events::LogRecord& record) {
        if (const auto* const rules = events::rules_in(record)) {
            part.in_force = rules->version;
            return {};
        }
        const auto& judged = std::get<events::JudgedEvent>(record);
        const auto person = intake::keys_of(judged.event, parts_->secret).person;
        if (part.number == 0) {
            TRY(RecountedObject* const all, object_of(part, judged, views::all_objects));
            all->add(offset, judged, person);
        }
        if (siphash13(parts_->secret, judged.event.object) % part.of != part.number) {
            return {};
        }
        compare_rules(offset, judged, part);
        TRY(RecountedObject* const object, object_of(part, judged, judged.event.object));
        object->add(offset, judged, person);
        constexpr std::uint64_t told_every = 10'000;
        if (++part.events % told_every == 0) {
            (*progress_)(verified_.events + part.events);
        }
        return {};
    }

    Result<RecountedObject*> object_of(
        Part& part, const events::JudgedEvent& judged, std::string_view name
    ) {
        const std::string& action = judged.event.action;
        const auto [found, is_first] = part.objects.try_emplace({action, std::string{name}});
        // Who cuts the log stores first what goes.
        if (is_first && parts_->log->begin(lane_) > 0) {
            TRY(views::RowCells expired, read_cells(views::expired_tables, action, name));
            found->second = RecountedObject::of_expired(std::move(expired));
        }
        return &found->second;
    }

    Result<views::RowCells> read_cells(
        const views::CellTables& tables, std::string_view action, std::string_view object
    ) {
        const views::RowMark mark{
            .tables = tables,
            .writer = views::writer_of(parts_->log->id(), lane_),
            .sketch_key = EventParts::sketch_key,
            .lane = lane_
        };
        return read_row_cells(*parts_->store, mark, action, object);
    }

    /// Each event was judged by the rules that its lane was told of last.
    void compare_rules(std::uint64_t offset, const events::JudgedEvent& judged, Part& part) const {
        const std::uint32_t version = judged.verdict.rules_version;
        if (part.in_force != 0 && version != part.in_force) {
            part.differences.push_back(fmt::format(
                "event {} of lane {} was judged by rule set {}, but {} was in force",
                offset,
                lane_,
                version,
                part.in_force
            ));
        }
    }

    /// What rows say of an object; what of it may not have been written yet is waited for.
    Result<void> read_stored(
        const std::pair<std::string, std::string>& name, RecountedObject& object
    ) {
        for (bool may_come = true; may_come;) {
            const std::uint64_t written = stored_[lane_].offset;
            TRY(object.stored, read_cells(views::live_tables, name.first, name.second));
            if (!object.is_behind(written)) {
                return {};
            }
            TRY(may_come, wait_for_rows());
        }
        return {};
    }

    /// False: none came of this lane for too long.
    Result<bool> wait_for_rows() {
        const auto is_late = [&] {
            return std::chrono::steady_clock::now() > stored_[lane_].since + parts_->patience;
        };
        if (!is_late()) {
            constexpr std::chrono::milliseconds pause{100};
            std::this_thread::sleep_for(pause);  // tidy-allow(sleep): others write, and tell nobody
        }
        TRY_VOID(ask_stored());
        return !is_late();
    }

    Result<void> ask_stored() {
        TRY(const std::vector<std::uint64_t> offsets, parts_->stored());
        const auto now = std::chrono::steady_clock::now();
        for (std::size_t lane = 0; lane < offsets.size(); ++lane) {
            if (offsets[lane] > stored_[lane].offset || stored_[lane].since == StoredEnd{}.since) {
                stored_[lane] = {.offset = offsets[lane], .since = now};
            }
        }
        return {};
    }

    /// Takes in what rows tell of behind the end. False: it left the log.
    Result<bool> count_on(Part& part, LaneWalk& walk, std::uint64_t through) {
        const auto recount = [&](std::uint64_t offset, const events::LogRecord& record) {
            const auto* const judged = std::get_if<events::JudgedEvent>(&record);
            if (judged == nullptr) {
                return Result<void>{};
            }
            const auto person = intake::keys_of(judged->event, parts_->secret).person;
            for (const std::string_view name :
                 {views::all_objects, std::string_view{judged->event.object}}) {
                const auto found = part.objects.find({judged->event.action, std::string{name}});
                if (found != part.objects.end()) {
                    found->second.add_if_stored(offset, *judged, person);
                }
            }
            return Result<void>{};
        };
        return walk.walk(parts_->ends[lane_], through, recount);
    }

    void compare(
        const std::string& action,
        const std::string& object,
        const RecountedObject& recounted,
        std::vector<std::string>& differences
    ) const {
        const std::string name = object == views::all_objects
                                     ? fmt::format("{} of all objects of lane {}", action, lane_)
                                     : fmt::format("{} of {}", action, object);
        const auto name_of = [&](Day day) {
            return day == views::lifetime ? name : fmt::format("{}, {}", name, format_day(day));
        };
        for (const auto& [day, row] : recounted.stored) {
            if (!recounted.days.contains(day)) {
                differences.push_back(fmt::format(
                    "{}: {} stored, but none are in the log", name_of(day), text_of(row.counts)
                ));
            }
        }
        for (const auto& [day, truth] : recounted.days) {
            const auto row = recounted.stored.find(day);
            if (row == recounted.stored.end()) {
                differences.push_back(fmt::format(
                    "{}: none stored; the log has {}", name_of(day), text_of(truth.counts)
                ));
            } else {
                compare_one(name_of(day), row->second, truth, differences);
            }
        }
    }

    static void compare_one(
        const std::string& name,
        const views::RowCell& stored,
        const Recounted& truth,
        std::vector<std::string>& differences
    ) {
        if (stored.counts.counted != truth.counts.counted ||
            stored.counts.refused != truth.counts.refused) {
            differences.push_back(fmt::format(
                "{}: {} stored; the log has {}", name, text_of(stored.counts), text_of(truth.counts)
            ));
        } else if (stored.through != truth.through) {
            differences.push_back(fmt::format(
                "{}: stored as counted before record {}; the log has its last event before {}",
                name,
                stored.through,
                truth.through
            ));
        }
        const std::uint64_t stored_people = views::people_of(stored.people, stored.counts.counted);
        const std::uint64_t people = views::people_of(truth.people, truth.counts.counted);
        if (people != stored_people) {
            differences.push_back(
                fmt::format("{}: {} people stored; the log has {}", name, stored_people, people)
            );
        }
    }

    void tell(const Part& part) {
        verified_.events += part.events;
        verified_.objects +=
            static_cast<std::uint64_t>(std::ranges::count_if(part.objects, [](const auto& each) {
                return each.first.second != views::all_objects;
            }));
        verified_.differences += part.differences.size();
        std::ranges::for_each(part.differences, *difference_);
        (*progress_)(verified_.events);
    }

    const VerifiedParts* parts_;
    const std::function<void(const std::string&)>* difference_;
    const std::function<void(std::uint64_t)>* progress_;
    std::vector<StoredEnd> stored_;  ///< By lane.
    std::uint32_t lane_ = 0;         ///< That is looked at.
    Verified verified_;
};

}  // namespace

Result<Verified> verify_views(
    const VerifiedParts& parts,
    const std::function<void(const std::string&)>& difference,
    const std::function<void(std::uint64_t)>& progress
) {
    return Verifier{parts, difference, progress}.run();
}

Result<Verified> verify_views(
    EventParts& parts,
    const std::function<void(const std::string&)>& difference,
    const std::function<void(std::uint64_t)>& progress
) {
    TRY_VOID(parts.views().flush_all());
    const intake::Bench& bench = parts.intake().bench();
    VerifiedParts verified{
        .store = bench.store, .log = bench.log, .secret = bench.secret, .ends = {}, .stored = {}
    };
    for (std::uint32_t lane = 0; lane < bench.log->lanes(); ++lane) {
        verified.ends.push_back(parts.intake().end_of(lane));
    }
    verified.stored = [&] { return Result<std::vector<std::uint64_t>>{verified.ends}; };
    return verify_views(verified, difference, progress);
}

}  // namespace footfall::cli
