#include "ads/recounted_clicks.h"

#include "ads/row_sums.h"
#include "ads/schema.h"
#include "foundation/calendar_day.h"
#include "projecting/writer.h"
#include "storage/blocking.h"
#include "storage/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace footfall::ads {
namespace {

std::string place_text(const std::string& reseller, Day day, unsigned quarter) {
    return fmt::format(
        "ad_click: reseller \"{}\", day {}, quarter-hour {}", reseller, format_day(day), quarter
    );
}

}  // namespace

RecountedClicks::RecountedClicks(const projecting::RecountPart& part)
    : part_{part}, writer_{projecting::writer_of(part.log, part.lane)} {}

void RecountedClicks::add(const RecountLine& line) {
    if (!is_of_part(part_, line.reseller)) {
        return;
    }
    ++lines_;
    if (line.refusal.empty()) {
        truth_[{std::string{line.reseller}, line.day, line.quarter}].emplace(
            line.offset, click_of(line)
        );
    }
}

RecountedClicks::Click RecountedClicks::click_of(const RecountLine& line) const {
    const std::string rest = fmt::format(
        "{}\n{}\n{}\n{}\n{}\n{}\n{}",
        line.is_sale ? "sale" : "click",
        line.object,
        line.ad,
        line.publisher,
        line.currency,
        line.arrival.time_since_epoch().count(),
        first_day(line.booked)
    );
    return {
        .time = line.time.time_since_epoch().count(),
        .id = siphash13(part_.secret, line.id),
        .amount = line.amount,
        .rest = siphash13(part_.secret, rest)
    };
}

Result<RecountedClicks::Click> RecountedClicks::read_click(
    const storage::Rows& rows, std::size_t row
) const {
    const auto text = [&](std::string_view column) { return column_of(rows, row, column).text(); };
    const auto number = [&](std::string_view column) {
        return column_of(rows, row, column).number();
    };
    const std::string rest = fmt::format(
        "{}\n{}\n{}\n{}\n{}\n{}\n{}",
        text("action"),
        text("object"),
        text("ad"),
        text("publisher"),
        text("currency"),
        number("arrival"),
        number("booked")
    );
    TRY(const storage::Wide amount, storage::decimal_of(text("amount")));
    return Click{
        .time = number("time"),
        .id = siphash13(part_.secret, text("id")),
        .amount = amount,
        .rest = siphash13(part_.secret, rest)
    };
}

Result<RecountedClicks::Stored> RecountedClicks::read_partition(const Place& place) const {
    const auto& [reseller, day, quarter] = place;
    TRY(const storage::Rows rows,
        storage::read_all(
            *part_.store,
            {.table = &ad_click_table,
             .partition = {reseller, std::int64_t{day}, std::int64_t{quarter}}}
        ));
    Stored stored;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (column_of(rows, row, "writer").text() != writer_) {
            continue;
        }
        const auto offset = count_of(rows, row, "offset");
        TRY(const Click click, read_click(rows, row));
        if (!stored.clicks.emplace(offset, click).second) {
            stored.twice.push_back(fmt::format(
                "{}, event {}: record {} of lane {} has another row there",
                place_text(reseller, day, quarter),
                column_of(rows, row, "id").text(),
                offset,
                part_.lane
            ));
        }
    }
    return stored;
}

Result<void> RecountedClicks::compare_stored(
    projecting::WrittenRows& rows,
    const Reach& reach,
    const ClicksKept& kept,
    std::vector<std::string>& differences
) {
    for (const auto& [place, truth] : truth_) {
        if (!kept(std::get<Day>(place))) {
            continue;
        }
        Stored stored;
        for (bool may_come = true; may_come;) {
            const std::uint64_t written = rows.end();
            TRY(stored, read_partition(place));
            const bool is_behind =
                std::any_of(truth.lower_bound(written), truth.end(), [&](const auto& each) {
                    return !stored.clicks.contains(each.first);
                });
            if (!is_behind) {
                break;
            }
            TRY(may_come, rows.wait());
        }
        compare(place, truth, stored, reach, differences);
    }
    return {};
}

void RecountedClicks::compare(
    const Place& place,
    const Clicks& truth,
    const Stored& stored,
    const Reach& reach,
    std::vector<std::string>& differences
) const {
    const auto& [reseller, day, quarter] = place;
    const std::string name = place_text(reseller, day, quarter);
    std::ranges::copy(stored.twice, std::back_inserter(differences));
    for (const auto& [offset, click] : truth) {
        const auto row = stored.clicks.find(offset);
        const std::string record =
            fmt::format("{}, record {} of lane {}", name, offset, part_.lane);
        const std::string amount = storage::decimal_text(click.amount);
        if (row == stored.clicks.end()) {
            differences.push_back(
                fmt::format("{}: none stored; the log has the amount {}", record, amount)
            );
        } else if (row->second.amount != click.amount) {
            differences.push_back(fmt::format(
                "{}: the amount {} stored; the log has {}",
                record,
                storage::decimal_text(row->second.amount),
                amount
            ));
        } else if (row->second.time != click.time || row->second.id != click.id ||
                   row->second.rest != click.rest) {
            differences.push_back(fmt::format(
                "{}: time, id, action, object, ad, publisher, currency, arrival or booked month is "
                "stored otherwise than the log has it",
                record
            ));
        }
    }
    for (const auto& [offset, click] : stored.clicks) {
        if (reach.has(offset) && !truth.contains(offset)) {
            differences.push_back(fmt::format(
                "{}, record {} of lane {}: the amount {} stored; the log has no such line",
                name,
                offset,
                part_.lane,
                storage::decimal_text(click.amount)
            ));
        }
    }
}

}  // namespace footfall::ads
