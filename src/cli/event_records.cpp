#include "cli/record_sink.h"
#include "events/money.h"
#include "foundation/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace footfall::cli {
namespace {

using events::Event;
using records::TargetField;

struct TextField {
    TargetField target;
    std::string Event::* text;
};

constexpr std::array text_fields = {
    TextField{TargetField::object, &Event::object},
    TextField{TargetField::action, &Event::action},
    TextField{TargetField::id, &Event::id},
    TextField{TargetField::actor, &Event::actor},
    TextField{TargetField::address, &Event::address},
    TextField{TargetField::agent, &Event::agent},
    TextField{TargetField::referrer, &Event::referrer},
    TextField{TargetField::currency, &Event::currency},
    TextField{TargetField::reseller, &Event::reseller},
    TextField{TargetField::ad, &Event::ad},
    TextField{TargetField::publisher, &Event::publisher},
};

std::unexpected<Error> bad_field(TargetField target, std::string_view what) {
    return fail(ErrorKind::invalid_input, fmt::format("{} {}", records::name_of(target), what));
}

class EventRecords final : public RecordSink {
public:
    EventRecords(
        const records::FieldMap& map,
        records::InputFormat format,
        EventTimeFormat time_format,
        std::unique_ptr<EventSink> sink,
        RejectLine reject
    )
        : map_{&map},
          dash_is_absent_{
              format == records::InputFormat::common || format == records::InputFormat::combined
          },
          time_format_{std::move(time_format)},
          sink_{std::move(sink)},
          reject_{std::move(reject)} {
        constant_.time_given = false;
    }

    Result<void> set_constants() {
        for (const records::FieldMap::Constant& each : map_->constants()) {
            TRY_VOID(set(constant_, each.target, each.value));
        }
        // What the columns give stands in for what they may.
        Event whole = constant_;
        whole.object = whole.object.empty() ? "-" : whole.object;
        whole.action = whole.action.empty() ? "-" : whole.action;
        const auto fault = events::tidy_event(whole);
        return fault ? fail(ErrorKind::invalid_input, "--set: " + fault->detail) : Result<void>{};
    }

    Result<void> put(const records::Record& record) override {
        Result<Event> event = event_of(record);
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
    Result<Event> event_of(const records::Record& record) const {
        Event event = constant_;
        for (std::size_t at = 0; at < map_->mappings().size(); ++at) {
            const std::string_view value = record.fields[at];
            const bool is_absent = dash_is_absent_ && value == "-";
            TRY_VOID(set(event, map_->mappings()[at].target, is_absent ? "" : value));
        }
        if (event.id.empty()) {
            event.id = event_id_of(record, event.action);
        }
        if (const auto fault = events::tidy_event(event)) {
            return fail(
                ErrorKind::invalid_input,
                fault->field == "address"
                    ? fault->detail + "; a column of host names can be mapped to actor"
                    : fault->detail
            );
        }
        return event;
    }

    Result<void> set(Event& event, TargetField target, std::string_view value) const {
        if (!is_utf8(value)) {
            return bad_field(target, "is not UTF-8");
        }
        const auto text = std::ranges::find(text_fields, target, &TextField::target);
        if (text != text_fields.end()) {
            event.*(text->text) = value;
            return {};
        }
        if (target == TargetField::time) {
            const auto time = time_format_.read(value);
            if (!time) {
                return bad_field(target, time_format_.wanted(value));
            }
            event.time = *time;
            event.time_given = true;
        } else if (target == TargetField::amount && !value.empty()) {
            event.amount = events::parse_money(value);
            if (!event.amount) {
                return bad_field(
                    target, "must be a decimal with at most six decimals, such as 0.005"
                );
            }
        }
        return {};
    }

    const records::FieldMap* map_;
    const bool dash_is_absent_;
    const EventTimeFormat time_format_;
    Event constant_;
    std::unique_ptr<EventSink> sink_;
    RejectLine reject_;
};

}  // namespace

std::string event_id_of(const records::Record& record, std::string_view action) {
    return fmt::format("import:{:016x}:{}:{}", record.prefix, record.line, action);
}

Result<std::unique_ptr<RecordSink>> make_event_records(
    const records::FieldMap& map,
    records::InputFormat format,
    EventTimeFormat time_format,
    std::unique_ptr<EventSink> sink,
    RejectLine reject
) {
    auto records = std::make_unique<EventRecords>(
        map, format, std::move(time_format), std::move(sink), std::move(reject)
    );
    TRY_VOID(records->set_constants());
    return records;
}

}  // namespace footfall::cli
