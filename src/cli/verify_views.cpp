#include "cli/verify_views.h"

#include "foundation/calendar_day.h"
#include "guard/verdict.h"
#include "intake/event_keys.h"
#include "sketches/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

using views::Day;
using views::EventCounts;

/// Events of a lane that are counted again in one go.
constexpr std::uint64_t events_a_part = 1'000'000;

/// Empty: it is counted.
std::string_view reason_of(const guard::JudgedEvent& judged) {
    const auto& refusal = judged.verdict.refusal;
    return refusal ? std::string_view{refusal->reason} : std::string_view{};
}

/// What the log says of a day, or of all time, and before it what has left it.
struct Recounted {
    EventCounts counts;
    sketches::Sketch people;
    std::uint64_t through = 0;  ///< Events before are in it already: they are about to leave.

    void add(
        std::uint64_t offset, const guard::JudgedEvent& judged, std::optional<std::uint64_t> person
    ) {
        if (offset < through) {
            return;
        }
        counts.add(reason_of(judged), 1);
        if (judged.verdict.counted() && person) {
            people.add(*person);
        }
    }
};

struct RecountedObject {
    Recounted whole;
    std::map<Day, Recounted> days;
};

/// Of events that were counted before the first that is left.
Result<RecountedObject> expired_part(
    views::Views& views, std::uint32_t lane, const std::string& action, const std::string& object
) {
    TRY(views::ExpiredCells cells, views.expired(lane, action, object));
    RecountedObject part;
    for (auto& [day, cell] : cells) {
        Recounted& recounted = day == views::lifetime ? part.whole : part.days[day];
        recounted = {
            .counts = std::move(cell.counts),
            .people = std::move(cell.people),
            .through = cell.through
        };
    }
    return part;
}

/// By action and object.
using RecountedObjects = std::map<std::pair<std::string, std::string>, RecountedObject>;

std::string text_of(const EventCounts& counts) {
    std::string text = fmt::format("{} events, {} counted", counts.events(), counts.counted);
    for (const auto& [reason, events] : counts.refused) {
        text += fmt::format(", {} {}", events, reason);
    }
    return text;
}

class Verifier {
public:
    Verifier(
        EventParts& parts,
        const std::function<void(const std::string&)>& difference,
        const std::function<void(std::uint64_t)>& progress
    )
        : parts_{&parts}, difference_{&difference}, progress_{&progress} {}

    Result<Verified> run() {
        const intake::Bench& bench = parts_->intake().bench();
        for (std::uint32_t lane = 0; lane < bench.log->lanes(); ++lane) {
            const std::uint64_t records = parts_->intake().end_of(lane);
            const std::uint64_t parts = 1 + records / events_a_part;
            for (std::uint64_t part = 0; part < parts; ++part) {
                RecountedObjects objects;
                TRY_VOID(recount(lane, part, parts, objects));
                for (const auto& [name, object] : objects) {
                    TRY_VOID(compare(lane, name.first, name.second, object));
                }
            }
        }
        for (const auto& [action, lanes] : all_) {
            TRY_VOID(compare_all(action));
        }
        return verified_;
    }

private:
    /// Counts the objects of a lane that belong to a part of it.
    Result<void> recount(
        std::uint32_t lane, std::uint64_t part, std::uint64_t parts, RecountedObjects& objects
    ) {
        const intake::Bench& bench = parts_->intake().bench();
        std::uint32_t in_force = 0;
        for (std::uint64_t next = 0;;) {
            TRY(const journal::Records records, bench.log->read(lane, next, {}));
            if (records.empty()) {
                return {};
            }
            for (std::size_t at = 0; at < records.size(); ++at) {
                TRY(const guard::LogRecord record, guard::read_record(records[at]));
                if (const auto* const rules = std::get_if<guard::RulesInForce>(&record)) {
                    in_force = rules->version;
                    continue;
                }
                const auto& judged = std::get<guard::JudgedEvent>(record);
                const events::Event& event = judged.event;
                if (siphash13(bench.secret, event.object) % parts != part) {
                    continue;
                }
                compare_rules({lane, records.first() + at}, judged, in_force);
                const auto person = intake::keys_of(event, bench.secret).person;
                const std::uint64_t offset = records.first() + at;
                const auto [found, is_first] = objects.try_emplace({event.action, event.object});
                RecountedObject& object = found->second;
                if (is_first) {
                    TRY(object, expired_part(parts_->views(), lane, event.action, event.object));
                }
                object.whole.add(offset, judged, person);
                object.days[views::day_of(event.time)].add(offset, judged, person);
                ++verified_.events;
                TRY(Recounted* const all, all_of(lane, event.action));
                all->add(offset, judged, std::nullopt);
            }
            next = records.next();
            (*progress_)(verified_.events);
        }
    }

    /// Each event was judged by the rules that its lane was told of last.
    void compare_rules(
        journal::Position place, const guard::JudgedEvent& judged, std::uint32_t in_force
    ) {
        const std::uint32_t version = judged.verdict.rules_version;
        if (in_force != 0 && version != in_force) {
            tell(fmt::format(
                "event {} of lane {} was judged by rule set {}, but {} was in force",
                place.offset,
                place.lane,
                version,
                in_force
            ));
        }
    }

    Result<void> compare(
        std::uint32_t lane,
        const std::string& action,
        const std::string& object,
        const RecountedObject& recounted
    ) {
        ++verified_.objects;
        views::Views& stored = parts_->views();
        TRY(const views::Report whole, stored.report(lane, {.action = action, .object = object}));
        const std::string name = fmt::format("{} of {}", action, object);
        compare_one(name, whole.counts, whole.people, recounted.whole);
        const Day last = recounted.days.rbegin()->first;
        for (Day from = recounted.days.begin()->first; from <= last;
             from += views::ReportQuery::longest_range) {
            const Day to = std::min(last, from + views::ReportQuery::longest_range - 1);
            TRY(const views::Report part,
                stored.report(
                    lane,
                    {.action = action,
                     .object = object,
                     .range = views::DayRange{.from = from, .to = to}}
                ));
            compare_days(name, part, recounted, {.from = from, .to = to});
        }
        return {};
    }

    void compare_days(
        const std::string& name,
        const views::Report& stored,
        const RecountedObject& recounted,
        const views::DayRange& range
    ) {
        std::map<Day, const views::DayReport*> by_day;
        for (const views::DayReport& day : stored.days) {
            by_day.emplace(day.day, &day);
            if (!recounted.days.contains(day.day)) {
                tell(fmt::format(
                    "{}, {}: {} stored, but none are in the log",
                    name,
                    format_day(day.day),
                    text_of(day.counts)
                ));
            }
        }
        const auto first = recounted.days.lower_bound(range.from);
        const auto behind = recounted.days.upper_bound(range.to);
        for (auto day = first; day != behind; ++day) {
            const auto found = by_day.find(day->first);
            const std::string of_day = fmt::format("{}, {}", name, format_day(day->first));
            if (found == by_day.end()) {
                tell(fmt::format(
                    "{}: none stored; the log has {}", of_day, text_of(day->second.counts)
                ));
                continue;
            }
            compare_one(
                of_day, found->second->counts, found->second->people.value_or(0), day->second
            );
        }
    }

    void compare_one(
        const std::string& name,
        const EventCounts& stored,
        std::uint64_t stored_people,
        const Recounted& recounted
    ) {
        if (stored.counted != recounted.counts.counted ||
            stored.refused != recounted.counts.refused) {
            tell(fmt::format(
                "{}: {} stored; the log has {}", name, text_of(stored), text_of(recounted.counts)
            ));
        }
        const std::uint64_t people = views::people_of(recounted.people, recounted.counts.counted);
        if (people != stored_people) {
            tell(fmt::format("{}: {} people stored; the log has {}", name, stored_people, people));
        }
    }

    /// All objects of a lane together; their people are not counted.
    Result<Recounted*> all_of(std::uint32_t lane, const std::string& action) {
        const auto [found, is_first] = all_[action].try_emplace(lane);
        if (is_first) {
            TRY(RecountedObject part,
                expired_part(parts_->views(), lane, action, std::string{views::all_objects}));
            found->second = std::move(part.whole);
        }
        return &found->second;
    }

    /// All objects together. Their people come from as many sketches as there are lanes, which are
    /// not united in the order of events: only numbers are compared.
    Result<void> compare_all(const std::string& action) {
        EventCounts counts;
        for (std::uint32_t lane = 0; lane < parts_->intake().bench().log->lanes(); ++lane) {
            TRY(const Recounted* const of_lane, all_of(lane, action));
            counts.counted += of_lane->counts.counted;
            for (const auto& [reason, events] : of_lane->counts.refused) {
                counts.add(reason, events);
            }
        }
        TRY(const views::Report all, parts_->views().report_of_all({.action = action}));
        if (all.counts.counted != counts.counted || all.counts.refused != counts.refused) {
            tell(fmt::format(
                "{} of all objects: {} stored; the log has {}",
                action,
                text_of(all.counts),
                text_of(counts)
            ));
        }
        return {};
    }

    void tell(const std::string& difference) {
        ++verified_.differences;
        (*difference_)(difference);
    }

    EventParts* parts_;
    const std::function<void(const std::string&)>* difference_;
    const std::function<void(std::uint64_t)>* progress_;
    Verified verified_;
    std::map<std::string, std::map<std::uint32_t, Recounted>> all_;  ///< By action and lane.
};

}  // namespace

Result<Verified> verify_views(
    EventParts& parts,
    const std::function<void(const std::string&)>& difference,
    const std::function<void(std::uint64_t)>& progress
) {
    return Verifier{parts, difference, progress}.run();
}

}  // namespace footfall::cli
