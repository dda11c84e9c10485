#include "ads/earlier_clicks.h"

#include "ads/dropped_clicks.h"
#include "ads/line.h"
#include "ads/row_sums.h"
#include "ads/schema.h"
#include "ads/seals.h"
#include "projecting/writer.h"
#include "storage/blocking.h"
#include "storage/decimal.h"

#include <algorithm>
#include <map>
#include <utility>

namespace footfall::ads {
namespace {

std::int64_t stored_time(Instant time) {
    return time.time_since_epoch().count();
}

}  // namespace

Result<std::vector<EarlierClicks::Known>> EarlierClicks::find(std::span<const Asked> asked) const {
    TRY(const DroppedClicks dropped, DroppedClicks::read(*store_));
    TRY(const Seals seals, Seals::read(*store_, options_.log));
    std::vector<Known> known(asked.size());
    std::map<Place, std::vector<std::size_t>> places;
    for (std::size_t at = 0; at < asked.size(); ++at) {
        const events::Event& event = *asked[at].event;
        Month gone = dropped.begun;
        if (options_.keep) {
            const auto sealed = seals.sealed(asked[at].arrival - *options_.keep);
            gone = std::max(gone, sealed.value_or(from_the_beginning));
        }
        if (gone != from_the_beginning && month_of(options_.zone.day_of(event.time)) <= gone) {
            known[at].kept_from = first_day(gone + 1);
        } else if (!event.id.empty()) {
            places[{event.reseller, event.time}].push_back(at);
        }
    }
    std::vector<storage::RangeQuery> queries;
    queries.reserve(places.size());
    for (const auto& [place, events] : places) {
        queries.push_back(rows_at(place));
    }
    TRY(std::vector<storage::Page> pages, storage::read_pages(*store_, queries));
    std::size_t page = 0;
    for (const auto& [place, events] : places) {
        note_rows(pages[page].rows, asked, events, known);
        while (!pages[page].continuation.empty()) {
            queries[page].continuation = pages[page].continuation;
            TRY(pages[page], storage::read_page(*store_, queries[page]));
            note_rows(pages[page].rows, asked, events, known);
        }
        ++page;
    }
    return known;
}

storage::RangeQuery EarlierClicks::rows_at(const Place& place) const {
    const auto& [reseller, time] = place;
    const Day day = options_.zone.day_of(time);
    return {
        .table = &ad_click_table,
        .partition =
            {std::string{reseller},
             std::int64_t{day},
             std::int64_t{options_.zone.quarter_of(time, day)}},
        .from = {stored_time(time)},
        .through = {stored_time(time)}
    };
}

/// Of the events of one place, those that these rows are of.
void EarlierClicks::note_rows(
    const storage::Rows& rows,
    std::span<const Asked> asked,
    std::span<const std::size_t> events,
    std::vector<Known>& known
) const {
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> by_id;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        by_id.try_emplace(
            {column_of(rows, row, "id").text(), column_of(rows, row, "object").text()}, row
        );
    }
    for (const std::size_t at : events) {
        const events::Event& event = *asked[at].event;
        if (const auto found = by_id.find({event.id, event.object}); found != by_id.end()) {
            known[at].row = row_of(rows, found->second, event);
        }
    }
}

EarlierClicks::Known::Row EarlierClicks::row_of(
    const storage::Rows& rows, std::size_t row, const events::Event& event
) const {
    const auto text = [&](std::string_view name) { return column_of(rows, row, name).text(); };
    const auto writer = projecting::writer_in(text("writer")).value_or(projecting::Writer{});
    const storage::DecimalBytes amount{event.amount.value_or(0)};
    const std::string_view currency = event.currency.empty() ? options_.currency : event.currency;
    return {
        .log = writer.log,
        .lane = writer.lane,
        .offset = count_of(rows, row, "offset"),
        .is_same = text("action") == event.action && text("amount") == amount.view() &&
                   text("currency") == currency && text("ad") == ad_of(event) &&
                   text("publisher") == event.publisher
    };
}

}  // namespace footfall::ads
