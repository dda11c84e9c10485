#include "intake/questions.h"

#include "intake/known_since.h"
#include "intake/lane_judge.h"
#include "intake/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

using storage::Found;
using storage::Page;
using storage::RangeQuery;
using storage::Value;

EarlierEvent earlier_of(const storage::Rows& rows, std::size_t row) {
    const auto number = [&](std::size_t column) {
        return static_cast<std::uint64_t>(rows.at(row, column).number());
    };
    return {
        .log = number(2),
        .lane = static_cast<std::uint32_t>(number(3)),
        .offset = number(4),
        .content = number(5)
    };
}

RangeQuery times_near(const Arriving& arriving, std::chrono::microseconds reach) {
    const std::int64_t time = arriving.event().time.time_since_epoch().count();
    const std::int64_t apart = std::max<std::int64_t>(reach.count() - 1, 0);
    return {
        .table = &guard_seen_table,
        .partition =
            {arriving.event().action,
             arriving.event().object,
             signed_of(arriving.keys.person.value_or(0))},
        .from = {time - apart},
        .through = {time + apart}
    };
}

void append_times(
    const storage::Rows& rows,
    const StandingRows& standing,
    Instant arrival,
    std::vector<Instant>& times
) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (standing.stands(rows, row, arrival)) {
            times.emplace_back(std::chrono::microseconds{rows.at(row, 3).number()});
        }
    }
}

/// Notes what the first page says, and whatever stands behind it.
Result<void> note_times(
    storage::Store& store,
    const StandingRows& standing,
    Arriving& event,
    std::chrono::microseconds reach,
    const Page& first
) {
    std::vector<Instant> times;
    append_times(first.rows, standing, event.judged.arrival, times);
    if (!first.continuation.empty()) {
        RangeQuery query = times_near(event, reach);
        query.continuation = first.continuation;
        TRY(const storage::Rows rest, read_all(store, std::move(query)));
        append_times(rest, standing, event.judged.arrival, times);
    }
    event.counted = std::move(times);
    return {};
}

/// Looks for the rows by which these events would be known, and tells `take` of those that stand.
template <class IdOf, class Take>
Result<void> find_ids(
    storage::Store& store,
    const StandingRows& standing,
    std::span<Arriving* const> events,
    const IdOf& id_of,
    const Take& take
) {
    std::vector<std::vector<Value>> keys;
    keys.reserve(events.size());
    for (const Arriving* each : events) {
        keys.push_back({signed_of(id_of(*each)), each->event().object});
    }
    if (keys.empty()) {
        return {};
    }
    TRY(const Found found, read_many(store, event_by_id_table, std::move(keys)));
    for (std::size_t at = 0; at < events.size(); ++at) {
        const auto row = found.row_of_key[at];
        if (row && standing.stands(found.rows, *row, events[at]->judged.arrival)) {
            take(*events[at], earlier_of(found.rows, *row));
        }
    }
    return {};
}

}  // namespace

StandingRows::StandingRows(const Context& context)
    : logs_{context.log->is_in(*context.store) ? context.log : nullptr, context.earlier_log} {}

bool StandingRows::stands(const storage::Rows& rows, std::size_t row, Instant arrival) const {
    const std::int64_t expires = rows.at(row, rows.table().expires_index()).number();
    return expires == 0 ? is_in_log(rows, row) : arrival.time_since_epoch().count() < expires;
}

bool StandingRows::is_in_log(const storage::Rows& rows, std::size_t row) const {
    const auto number = [&](std::size_t value) {
        return static_cast<std::uint64_t>(rows.at(row, rows.table().key_width() + value).number());
    };
    const std::uint64_t lane = number(1);
    return std::ranges::none_of(logs_, [&](const journal::LogReader* log) {
        return log != nullptr && log->id() == number(0) && lane < log->lanes() &&
               number(2) < log->begin(static_cast<std::uint32_t>(lane));
    });
}

Result<void> ask_for_ids(
    storage::Store& store,
    const StandingRows& standing,
    std::span<Arriving* const> events,
    SipKey secret
) {
    const auto id_of = [](const Arriving& event) { return event.keys.id; };
    std::vector<Arriving*> conflicts;
    TRY_VOID(find_ids(store, standing, events, id_of, [&](Arriving& event, EarlierEvent found) {
        event.earlier = found;
        if (found.content != event.keys.content) {
            conflicts.push_back(&event);
        }
    }));
    const auto id_of_conflict = [secret](const Arriving& event) {
        return events::conflict_keys(event.keys, event.event().object, secret).id;
    };
    return find_ids(store, standing, conflicts, id_of_conflict, [](Arriving& event, EarlierEvent) {
        event.same_conflict = true;
    });
}

Result<void> ask_for_times(
    storage::Store& store,
    const StandingRows& standing,
    std::span<Arriving* const> events,
    std::chrono::microseconds reach
) {
    std::vector<Arriving*> waiting;
    std::vector<RangeQuery> queries;
    for (Arriving* each : events) {
        RangeQuery query = times_near(*each, reach);
        // Mostly memory has it, and this thread need not wait for another.
        if (std::optional<Result<Page>> page = store.read_range_now(query)) {
            TRY(const Page first, *std::move(page));
            TRY_VOID(note_times(store, standing, *each, reach, first));
        } else {
            waiting.push_back(each);
            queries.push_back(std::move(query));
        }
    }
    TRY(const std::vector<Page> pages, storage::read_pages(store, std::move(queries)));
    for (std::size_t at = 0; at < waiting.size(); ++at) {
        TRY_VOID(note_times(store, standing, *waiting[at], reach, pages[at]));
    }
    return {};
}

Result<void> ask_for_kept(
    std::span<KeptEvents* const> keepers, KnownSince& known_since, const Arrivals& arrivals
) {
    if (keepers.empty()) {
        return {};
    }
    std::vector<Arriving*> old;
    TRY_VOID(arrivals.for_each_lane([&](std::uint32_t lane, auto events) -> Result<void> {
        TRY(const auto since, known_since.of(lane, events.front()->judged.arrival));
        if (since) {
            std::ranges::copy_if(events, std::back_inserter(old), [&](const Arriving* each) {
                return each->event().time < *since && !each->earlier;
            });
        }
        return {};
    }));
    for (KeptEvents* const keeper : keepers) {
        std::vector<Arriving*> kept;
        std::ranges::copy_if(old, std::back_inserter(kept), [&](const Arriving* each) {
            return keeper->keeps(each->event());
        });
        if (!kept.empty()) {
            TRY_VOID(keeper->ask(kept));
        }
    }
    return {};
}

void ask_for_rates(
    guard::SharedRates& shared,
    const guard::RuleSet& rules,
    guard::RateState& own,
    std::span<Arriving* const> events
) {
    std::vector<guard::RateQuestion> questions;
    std::map<std::pair<std::uint64_t, std::int64_t>, std::size_t> question_of;  // by key and part
    std::vector<Arriving*> concerned;
    std::vector<guard::RateKey> keys;
    for (Arriving* const each : events) {
        const Instant time = each->event().time;
        keys.clear();
        rules.append_rate_keys(each->event(), each->judged.door, own, keys);
        // Who is above the limit already stays so, whatever others counted.
        std::erase_if(keys, [&](const guard::RateKey& of) {
            return own.counted(of.key, of.limit, time, {}) >= of.limit.count;
        });
        for (const guard::RateKey& of : keys) {
            const Instant after = time - of.limit.window;
            const auto [known, is_new] = question_of.try_emplace(
                {of.key, guard::rate_part(after, of.limit.window)}, questions.size()
            );
            if (is_new) {
                questions.push_back({.of = of, .after = after});
            }
            Instant& earliest = questions[known->second].after;
            earliest = std::min(earliest, after);
        }
        if (!keys.empty()) {
            concerned.push_back(each);
        }
    }
    if (!shared.ask(questions, own)) {
        for (Arriving* const each : concerned) {
            each->rates_away = true;
        }
    }
}

}  // namespace footfall::intake
