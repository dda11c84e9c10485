#include "cli/record_sink.h"
#include "foundation/utf8.h"
#include "identities/said_facts.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

using identities::Id;
using records::TargetField;

std::unexpected<Error> bad_record(std::string message) {
    return fail(ErrorKind::invalid_input, std::move(message));
}

/// Without its directories, and so short that it can be a source.
std::string_view file_name(std::string_view path) {
    return events::cut_text(path.substr(path.rfind('/') + 1), events::longest_id);
}

class IdentityRecords final : public RecordSink {
public:
    IdentityRecords(
        const records::FieldMap& map,
        EventTimeFormat time_format,
        const Clock& clock,
        std::unique_ptr<EventSink> sink,
        RejectLine reject
    )
        : map_{&map},
          time_format_{std::move(time_format)},
          clock_{&clock},
          sink_{std::move(sink)},
          reject_{std::move(reject)} {}

    /// Takes apart what is the same for all records.
    Result<void> prepare() {
        for (const records::FieldMap::Constant& each : map_->constants()) {
            if (const auto set = set_text(constant_, each.target, each.value); !set) {
                return bad_record("--set: " + set.error().message);
            }
        }
        for (const records::FieldMap::Mapping& each : map_->mappings()) {
            if (each.target != TargetField::network_id) {
                names_.emplace_back();
                continue;
            }
            const std::size_t slash = each.name.find('/');
            Id id{each.name.substr(0, slash), each.name.substr(slash + 1), {}};
            for (const auto& [name, text] :
                 {std::pair{"the network", &id.identifier}, std::pair{"the name", &id.id_name}}) {
                if (const auto fault = identities::fault_of_part(name, *text)) {
                    return bad_record(fmt::format("--map {}: {}", each.name, *fault));
                }
            }
            names_.push_back(std::move(id));
        }
        return {};
    }

    void start_file(std::string_view name) override { file_ = file_name(name); }

    Result<void> put(const records::Record& record) override {
        Result<events::Event> event = event_of(record);
        if (!event) {
            reject_(record.line, event.error().message);
            return {};
        }
        return sink_->put({.line = record.line, .event = *std::move(event)});
    }

    Result<void> finish() override { return sink_->finish(); }

    ImportCounts counts() const override {
        return {.imported = sink_->imported(), .duplicates = sink_->duplicates()};
    }

private:
    /// What a record says beside its ids.
    struct Said {
        std::string source = {};
        std::optional<Instant> time = {};
    };

    Result<events::Event> event_of(const records::Record& record) const {
        Said said = constant_;
        std::vector<Id> ids;
        for (std::size_t at = 0; at < record.fields.size(); ++at) {
            const TargetField target = map_->mappings()[at].target;
            if (target == TargetField::network_id) {
                TRY_VOID(add_id(names_[at], record.fields[at], ids));
            } else {
                TRY_VOID(set_text(said, target, record.fields[at]));
            }
        }
        if (ids.empty()) {
            return bad_record("it has no id: each mapped field is empty, or stands for nobody");
        }
        identities::arrange(ids);
        events::Event event = identities::identify_event(
            std::move(ids), said.source.empty() ? std::string_view{file_} : said.source
        );
        event.id = event_id_of(record, event.action);
        event.time_given = said.time.has_value();
        event.time = said.time.value_or(Instant{});
        if (const auto fault = events::tidy_event(event)) {
            return bad_record(fault->detail);
        }
        return event;
    }

    static Result<void> add_id(Id name, std::string_view value, std::vector<Id>& ids) {
        if (value.empty()) {
            return {};
        }
        name.id_value = value;
        if (const auto fault = identities::fault_of_part("an id", value)) {
            return bad_record(fmt::format("{}/{}: {}", name.identifier, name.id_name, *fault));
        }
        if (!identities::fault_of(name)) {
            ids.push_back(std::move(name));
        }
        return {};
    }

    /// An empty text says nothing.
    Result<void> set_text(Said& said, TargetField target, std::string_view value) const {
        if (value.empty()) {
            return {};
        }
        if (target == TargetField::time) {
            said.time = time_format_.read(value);
            if (!said.time) {
                return bad_record("time " + time_format_.wanted(value));
            }
            if (*said.time > clock_->now() + identities::said_ahead_max) {
                return bad_record("time is still to come");
            }
            return {};
        }
        if (const auto fault = identities::fault_of_part("source", value)) {
            return bad_record(*fault);
        }
        said.source = value;
        return {};
    }

    const records::FieldMap* map_;
    const EventTimeFormat time_format_;
    const Clock* clock_;
    std::unique_ptr<EventSink> sink_;
    RejectLine reject_;
    Said constant_;
    std::vector<Id> names_;  ///< Of each mapping that is an id: all but its value.
    std::string file_;
};

}  // namespace

Result<std::unique_ptr<RecordSink>> make_identity_records(
    const records::FieldMap& map,
    EventTimeFormat time_format,
    const Clock& clock,
    std::unique_ptr<EventSink> sink,
    RejectLine reject
) {
    auto records = std::make_unique<IdentityRecords>(
        map, std::move(time_format), clock, std::move(sink), std::move(reject)
    );
    TRY_VOID(records->prepare());
    return records;
}

}  // namespace footfall::cli
