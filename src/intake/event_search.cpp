#include "intake/event_search.h"

#include "events/erased.h"
#include "events/event_keys.h"
#include "foundation/parse_number.h"
#include "intake/questions.h"
#include "intake/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace footfall::intake {
namespace {

constexpr std::uint64_t records_looked_through = 10'000;
/// Objects that one id is used for; more are not told.
constexpr std::size_t objects_max = 100;

/// The place that position_id() names; absent: it is none of this log.
std::optional<journal::Position> position_of(std::string_view id, const journal::LogReader& log) {
    const std::size_t lane_at = id.find('-');
    const std::size_t offset_at = id.find('-', lane_at + 1);
    if (lane_at == std::string_view::npos || offset_at == std::string_view::npos) {
        return std::nullopt;
    }
    const auto lane = parse_unsigned(id.substr(lane_at + 1, offset_at - lane_at - 1));
    const auto offset = parse_unsigned(id.substr(offset_at + 1));
    if (!lane || !offset || *lane >= log.lanes()) {
        return std::nullopt;
    }
    const journal::Position position{static_cast<std::uint32_t>(*lane), *offset};
    return position_id(log.id(), position.lane, position.offset) == id ? std::optional{position}
                                                                       : std::nullopt;
}

/// All logs that hold events of this deployment.
std::vector<journal::LogReader*> logs_of(const Context& context) {
    std::vector<journal::LogReader*> logs{context.log};
    if (context.earlier_log != nullptr) {
        logs.push_back(context.earlier_log);
    }
    return logs;
}

Result<std::optional<FoundEvent>> read_at(journal::LogReader& log, journal::Position position) {
    TRY(const journal::Records records, log.read(position.lane, position.offset, {.records = 1}));
    if (records.empty() || records.first() != position.offset) {
        return std::nullopt;  // it is kept no more, or has not been
    }
    TRY(events::LogRecord record, events::read_record(records[0]));
    auto* const judged = std::get_if<events::JudgedEvent>(&record);
    if (judged == nullptr) {
        return std::nullopt;
    }
    return FoundEvent{
        .log = log.id(),
        .lane = position.lane,
        .offset = position.offset,
        .judged = std::move(*judged)
    };
}

/// The id of a read is told by its hash alone.
bool has_id(const events::JudgedEvent& judged, std::string_view id, SipKey secret) {
    return judged.read && judged.event.id.empty()
               ? judged.read->id_hash == events::id_hash(id, secret)
               : judged.event.id == id ||
                     events::hash_in_place(judged.event.id) == events::id_hash(id, secret);
}

std::unexpected<Error> several_objects(
    const storage::Rows& table, std::span<const std::size_t> rows
) {
    std::string objects;
    for (const std::size_t row : rows.first(std::min<std::size_t>(rows.size(), 3))) {
        objects += fmt::format("{}{}", objects.empty() ? "" : ", ", table.at(row, 1).text());
    }
    return fail(
        ErrorKind::conflict,
        fmt::format(
            "the id is used for {} objects ({}{}); say which by ?object=",
            rows.size(),
            objects,
            rows.size() > 3 ? ", ..." : ""
        )
    );
}

/// Gives `take` the events of a lane from `from` on, in order, that are about `object` or anything;
/// answers where they end.
template <class Take>
Result<std::uint64_t> take_from(
    const Context& context,
    std::uint32_t lane,
    std::uint64_t from,
    std::optional<std::string_view> object,
    const Take& take
) {
    for (;;) {
        TRY(const journal::Records records, context.log->read(lane, from, {}));
        if (records.empty()) {
            return from;
        }
        for (std::size_t at = 0; at < records.size(); ++at) {
            TRY(events::LogRecord record, events::read_record(records[at]));
            auto* const judged = std::get_if<events::JudgedEvent>(&record);
            if (judged != nullptr && (!object || judged->event.object == *object)) {
                take(FoundEvent{
                    .log = context.log->id(),
                    .lane = lane,
                    .offset = records.first() + at,
                    .judged = std::move(*judged)
                });
            }
        }
        from = records.next();
    }
}

/// Keeps the latest of many events: never more than twice as many as are wanted, for all lanes have
/// so many each.
class LatestEvents {
public:
    explicit LatestEvents(std::size_t events_max) : events_max_{events_max} {
        found_.reserve(2 * events_max);
    }

    void add(FoundEvent event) {
        found_.push_back(std::move(event));
        if (found_.size() == 2 * events_max_) {
            std::ranges::nth_element(
                found_, found_.begin() + offset(events_max_), std::greater{}, place_in_time
            );
            found_.resize(events_max_);
        }
    }

    /// The latest first.
    std::vector<FoundEvent> take() {
        std::ranges::sort(found_, std::greater{}, place_in_time);
        found_.resize(std::min(found_.size(), events_max_));
        return std::move(found_);
    }

private:
    static std::ptrdiff_t offset(std::size_t number) { return static_cast<std::ptrdiff_t>(number); }

    static std::tuple<Instant, std::uint32_t, std::uint64_t> place_in_time(const FoundEvent& each) {
        return {each.judged.arrival, each.lane, each.offset};
    }

    const std::size_t events_max_;
    std::vector<FoundEvent> found_;
};

}  // namespace

Result<std::optional<FoundEvent>> find_event(
    const Context& context, std::string_view id, std::optional<std::string_view> object
) {
    storage::RangeQuery query{
        .table = &event_by_id_table,
        .partition = {static_cast<std::int64_t>(events::id_hash(id, context.secret))},
        .max_rows = objects_max
    };
    if (object) {
        query.from = {std::string{*object}};
        query.through = query.from;
    }
    const StandingRows standing{context};
    std::vector<std::size_t> rows;
    storage::Page page{.rows = storage::Rows{event_by_id_table}};
    do {
        query.continuation = page.continuation;
        TRY(page, read_page(*context.store, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            if (standing.is_in_log(page.rows, row)) {
                rows.push_back(row);
            }
        }
    } while (rows.empty() && !page.continuation.empty());
    if (rows.size() > 1) {
        return several_objects(page.rows, rows);
    }
    if (!rows.empty()) {
        const auto number = [&](std::size_t column) {
            return static_cast<std::uint64_t>(page.rows.at(rows.front(), column).number());
        };
        const journal::Position position{static_cast<std::uint32_t>(number(3)), number(4)};
        for (journal::LogReader* const log : logs_of(context)) {
            if (log->id() != number(2) || position.lane >= log->lanes()) {
                continue;
            }
            TRY(auto found, read_at(*log, position));
            if (found && has_id(found->judged, id, context.secret)) {
                return found;
            }
        }
    }
    for (journal::LogReader* const log : logs_of(context)) {
        if (const auto position = position_of(id, *log)) {
            return read_at(*log, *position);
        }
    }
    return std::nullopt;
}

Result<std::vector<FoundEvent>> latest_events(
    const Context& context,
    const std::function<std::uint64_t(std::uint32_t)>& end_of,
    std::optional<std::string_view> object,
    std::size_t events_max
) {
    LatestEvents latest{events_max};
    const auto take = [&latest](FoundEvent&& event) { latest.add(std::move(event)); };
    if (object) {
        const std::uint32_t lane = events::lane_of(*object, context.secret);
        const std::uint64_t end = end_of(lane);
        const std::uint64_t from = end - std::min(end, records_looked_through);
        TRY_VOID(take_from(context, lane, from, object, take));
    } else {
        for (std::uint32_t lane = 0; lane < context.log->lanes(); ++lane) {
            const std::uint64_t end = end_of(lane);
            const std::uint64_t from = end - std::min<std::uint64_t>(end, events_max);
            TRY_VOID(take_from(context, lane, from, std::nullopt, take));
        }
    }
    return latest.take();
}

Result<EventsSince> events_since(
    const Context& context,
    std::uint32_t lane,
    std::uint64_t from,
    std::uint64_t end,
    std::string_view object
) {
    EventsSince since;
    from = std::max(from, end - std::min(end, records_looked_through));
    const auto take = [&since](FoundEvent&& event) { since.events.push_back(std::move(event)); };
    TRY(since.next, take_from(context, lane, from, object, take));
    return since;
}

}  // namespace footfall::intake
