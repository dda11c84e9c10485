#include "views/recount.h"

#include "events/action.h"
#include "foundation/calendar_day.h"
#include "views/ranks.h"
#include "views/recounted.h"
#include "views/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace footfall::views {
namespace {

std::string text_of(const EventCounts& counts) {
    std::string text = fmt::format("{} events, {} counted", counts.events(), counts.counted);
    for (const auto& [reason, events] : counts.refused) {
        text += fmt::format(", {} {}", events, reason);
    }
    return text;
}

/// A row of which the log says something, too.
void compare_row(
    const std::string& name,
    const RowCell& stored,
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
    const std::uint64_t stored_people = people_of(stored.people, stored.counts.counted);
    const std::uint64_t people = people_of(truth.people, truth.counts.counted);
    if (people != stored_people) {
        differences.push_back(
            fmt::format("{}: {} people stored; the log has {}", name, stored_people, people)
        );
    }
}

class ViewsRecount final : public projecting::Recount {
public:
    explicit ViewsRecount(const projecting::RecountPart& part)
        : part_{part}, ranks_{*part.store, part.lane, part.now} {}

    Result<void> control(std::uint64_t /*offset*/, const events::Control& control) override {
        if (const auto* const rules = std::get_if<events::RulesInForce>(&control)) {
            in_force_ = rules->version;
        }
        return {};
    }

    Result<void> add(const projecting::JudgedRecord& record) override {
        const events::Event& event = record.judged->event;
        if (part_.number == 0) {
            TRY(RecountedObject* const all, object_of(event.action, all_objects));
            all->add(record.offset, *record.judged, record.person);
        }
        if (siphash13(part_.secret, event.object) % part_.of != part_.number) {
            return {};
        }
        compare_rules(record);
        if (event.action != events::identify_action) {
            TRY(RecountedObject* const object, object_of(event.action, event.object));
            object->add(record.offset, *record.judged, record.person);
        }
        ++events_;
        return {};
    }

    Result<std::uint64_t> read_stored(projecting::WrittenRows& rows) override {
        std::uint64_t through = 0;
        for (auto& [name, object] : objects_) {
            TRY_VOID(read_object(rows, name, object));
            through = std::max(through, object.stored_through());
            TRY_VOID(check_ranks(rows.end(), name, object));
        }
        TRY_VOID(ranks_.finish());
        return through;
    }

    void add_behind(const projecting::JudgedRecord& record) override {
        const events::Event& event = record.judged->event;
        for (const std::string_view name : {all_objects, std::string_view{event.object}}) {
            const auto found = objects_.find({event.action, std::string{name}});
            if (found != objects_.end()) {
                found->second.add_if_stored(record.offset, *record.judged, record.person);
            }
        }
    }

    std::vector<std::string> differences() const override {
        std::vector<std::string> differences = other_rules_;
        for (const auto& [name, object] : objects_) {
            compare(name, object, differences);
        }
        const std::vector<std::string>& unranked = ranks_.differences();
        differences.insert(differences.end(), unranked.begin(), unranked.end());
        return differences;
    }

    std::uint64_t events() const override { return events_; }

    std::uint64_t objects() const override {
        return static_cast<std::uint64_t>(std::ranges::count_if(objects_, [](const auto& each) {
            return each.first.second != all_objects;
        }));
    }

private:
    using Name = std::pair<std::string, std::string>;  ///< Action and object.

    Result<RecountedObject*> object_of(const std::string& action, std::string_view name) {
        const auto [found, is_first] = objects_.try_emplace({action, std::string{name}});
        // Who cuts the log stores first what goes.
        if (is_first && part_.begins_later) {
            TRY(RowCells expired, read_cells(expired_tables, action, name));
            found->second = RecountedObject::of_expired(std::move(expired));
        }
        return &found->second;
    }

    Result<RowCells> read_cells(
        const CellTables& tables, std::string_view action, std::string_view object
    ) const {
        const RowMark mark{
            .tables = tables,
            .writer = writer_of(part_.log, part_.lane),
            .sketch_key = deployment_sketch_key,
            .lane = part_.lane
        };
        return read_row_cells(*part_.store, mark, action, object);
    }

    /// What rows say of an object; what of it may not have been written yet is waited for.
    Result<void> read_object(
        projecting::WrittenRows& rows, const Name& name, RecountedObject& object
    ) const {
        for (bool may_come = true; may_come;) {
            const std::uint64_t written = rows.end();
            TRY(object.stored, read_cells(live_tables, name.first, name.second));
            if (!object.is_behind(written)) {
                return {};
            }
            TRY(may_come, rows.wait());
        }
        return {};
    }

    /// Rows of ranks may come a moment later than those of what counts: only where all was written.
    Result<void> check_ranks(
        std::uint64_t written, const Name& name, const RecountedObject& object
    ) {
        for (const auto& [day, row] : object.stored) {
            if (row.through <= written) {
                TRY_VOID(ranks_.add(name.first, name.second, day, row));
            }
        }
        return {};
    }

    /// Each event was judged by the rules that its lane was told of last.
    void compare_rules(const projecting::JudgedRecord& record) {
        const std::uint32_t version = record.judged->verdict.rules_version;
        if (in_force_ != 0 && version != in_force_) {
            other_rules_.push_back(fmt::format(
                "event {} of lane {} was judged by rule set {}, but {} was in force",
                record.offset,
                part_.lane,
                version,
                in_force_
            ));
        }
    }

    void compare(
        const Name& whose, const RecountedObject& recounted, std::vector<std::string>& differences
    ) const {
        const auto& [action, object] = whose;
        const std::string name =
            object == all_objects ? fmt::format("{} of all objects of lane {}", action, part_.lane)
                                  : fmt::format("{} of {}", action, object);
        const auto name_of = [&](Day day) {
            return day == lifetime ? name : fmt::format("{}, {}", name, format_day(day));
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
                compare_row(name_of(day), row->second, truth, differences);
            }
        }
    }

    const projecting::RecountPart part_;
    std::uint32_t in_force_ = 0;  ///< The rule set that the lane was told of last; 0: none.
    std::uint64_t events_ = 0;
    std::map<Name, RecountedObject> objects_;
    RankCheck ranks_;
    std::vector<std::string> other_rules_;
};

}  // namespace

std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part) {
    return std::make_unique<ViewsRecount>(part);
}

}  // namespace footfall::views
