#include "ads/row_sums.h"

#include "ads/schema.h"
#include "foundation/calendar_day.h"
#include "foundation/check.h"
#include "storage/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace footfall::ads {
namespace {

using storage::ColumnType;
using storage::Table;

bool has_column(const Table& table, std::string_view name) {
    return std::ranges::find(table.values, name, &storage::Column::name) != table.values.end();
}

SumTable shape_of(const Table& table) {
    return {
        .table = &table,
        .has_refused = has_column(table, "refused"),
        .by_quarter = has_column(table, "quarters"),
        .by_day = has_column(table, "days")
    };
}

storage::Value value_of(std::string_view column, const RecountLine& line, std::string_view writer) {
    using Text = std::pair<std::string_view, std::string_view>;
    const std::array<Text, 5> texts{
        {{"reseller", line.reseller},
         {"publisher", line.publisher},
         {"ad", line.ad},
         {"currency", line.currency},
         {"writer", writer}}
    };
    const auto* const text = std::ranges::find(texts, column, &Text::first);
    if (text != texts.end()) {
        return std::string{text->second};
    }
    using Number = std::pair<std::string_view, std::int64_t>;
    const std::array<Number, 5> numbers{
        {{"day", line.day},
         {"arrived", line.arrived},
         {"booked", first_day(line.booked)},
         {"month", first_day(month_of(line.day))},
         {"epoch", first_epoch}}
    };
    const auto* const number = std::ranges::find(numbers, column, &Number::first);
    CHECK(number != numbers.end(), "a column of a row of sums that no line fills", column);
    return number->second;
}

/// Of two maps of amounts the first key with other amounts, and both.
template <class Map>
std::optional<std::string> parts_difference(
    const Map& stored, const Map& truth, const auto& name_of, std::string_view other
) {
    const auto of = [](const Map& map, const auto& key) {
        const auto found = map.find(key);
        return found == map.end() ? Amounts{} : found->second;
    };
    for (const Map* const each : {&stored, &truth}) {
        for (const auto& [key, amounts] : *each) {
            if (of(stored, key) != of(truth, key)) {
                return fmt::format(
                    "{}: {} stored; {} {}",
                    name_of(key),
                    text_of(of(stored, key)),
                    other,
                    text_of(of(truth, key))
                );
            }
        }
    }
    return std::nullopt;
}

std::string quarter_text(unsigned quarter) {
    return fmt::format("quarter-hour {}", quarter);
}

std::string of_day(Day day) {
    return fmt::format("day {}", format_day(day));
}

bool are_at_least(const Amounts& more, const Amounts& less) {
    return more.clicks >= less.clicks && more.sales >= less.sales && more.refunds >= less.refunds;
}

bool are_at_least(const RefusalsByQuarter& more, const RefusalsByQuarter& less) {
    return std::ranges::all_of(less, [&](const auto& reason) {
        const auto same = more.find(reason.first);
        return same != more.end() && std::ranges::all_of(reason.second, [&](const auto& each) {
                   const auto quarter = same->second.find(each.first);
                   return quarter != same->second.end() && quarter->second >= each.second;
               });
    });
}

template <class Map>
bool parts_are_at_least(const Map& more, const Map& less) {
    return std::ranges::all_of(less, [&](const auto& each) {
        const auto same = more.find(each.first);
        return are_at_least(same == more.end() ? Amounts{} : same->second, each.second);
    });
}

/// Up to where a row is counted, and since when there is something in it.
std::optional<std::string> reach_difference(
    const std::string& name, const RowSums& stored, const RowSums& truth, bool is_whole
) {
    if (stored.through != truth.through) {
        return fmt::format(
            "{}: stored as counted before record {}; the log has its last line before record {}",
            name,
            stored.through,
            truth.through
        );
    }
    const bool is_same = is_whole ? stored.first_arrival == truth.first_arrival
                                  : stored.first_arrival <= truth.first_arrival;
    if (is_same) {
        return std::nullopt;
    }
    return fmt::format(
        "{}: its first line arrived at {} as stored; in the log at {}",
        name,
        stored.first_arrival,
        truth.first_arrival
    );
}

}  // namespace

std::span<const SumTable> sum_tables() {
    static const std::array<SumTable, 7> tables{
        shape_of(reseller_tables.day),
        shape_of(reseller_tables.month),
        shape_of(reseller_tables.ad),
        shape_of(publisher_tables.day),
        shape_of(publisher_tables.month),
        shape_of(publisher_tables.ad),
        shape_of(clicks_per_ad_table)
    };
    return tables;
}

std::size_t sum_table_index(const Table& table) {
    const auto found = std::ranges::find(sum_tables(), &table, &SumTable::table);
    CHECK(found != sum_tables().end(), "no table of sums", table.name);
    return static_cast<std::size_t>(found - sum_tables().begin());
}

/// What has no reseller is the network's own, by day and month. What has no publisher is nobody's.
std::optional<std::string_view> owner_in(const SumTable& table, const RecountLine& line) {
    if (!line.refusal.empty() && !table.has_refused) {
        return std::nullopt;
    }
    const std::string_view column = table.table->partition.front().name;
    if (column == "ad") {
        return line.ad;
    }
    const std::string_view party = column == "reseller" ? line.reseller : line.publisher;
    const bool may_be_nobody = column == "reseller" && table.table != &reseller_tables.ad;
    return party.empty() && !may_be_nobody ? std::nullopt : std::optional{party};
}

std::vector<storage::Value> sum_key(
    const SumTable& table, const RecountLine& line, std::string_view writer
) {
    std::vector<storage::Value> key;
    key.reserve(table.table->width());
    for (std::size_t at = 0; at < table.table->key_width(); ++at) {
        key.push_back(value_of(table.table->column(at).name, line, writer));
    }
    return key;
}

void add_counted(const RecountLine& line, Amounts& amounts) {
    if (line.amount < 0) {
        ++amounts.refunds;
    } else if (line.is_sale) {
        ++amounts.sales;
    } else {
        ++amounts.clicks;
    }
    amounts.amount += line.amount;
}

void add_line(const SumTable& table, const RecountLine& line, RowSums& sums) {
    const std::int64_t arrival = line.arrival.time_since_epoch().count();
    if (table.has_refused) {
        sums.first_arrival = sums.through == 0 ? arrival : std::min(sums.first_arrival, arrival);
    }
    sums.through = std::max(sums.through, line.offset + 1);
    if (!line.refusal.empty()) {
        ++sums.refused[std::string{line.refusal}][line.quarter];
        return;
    }
    add_counted(line, sums.amounts);
    if (table.by_quarter) {
        add_counted(line, sums.quarters[line.quarter]);
    }
    if (table.by_day) {
        add_counted(line, sums.days[line.day]);
    }
}

storage::ValueView column_of(const storage::Rows& rows, std::size_t row, std::string_view name) {
    const Table& table = rows.table();
    std::size_t at = 0;
    while (at < table.width() && table.column(at).name != name) {
        ++at;
    }
    CHECK(at < table.width(), "a column that its table has not", name);
    return rows.at(row, at);
}

std::vector<storage::Value> key_of(const storage::Rows& rows, std::size_t row) {
    std::vector<storage::Value> key;
    key.reserve(rows.table().key_width());
    for (std::size_t at = 0; at < rows.table().key_width(); ++at) {
        key.push_back(rows.at(row, at).owned());
    }
    return key;
}

Result<RowSums> read_sums(const storage::Rows& rows, std::size_t row) {
    const Table& table = rows.table();
    RowSums sums;
    for (std::size_t at = table.key_width(); at < table.width(); ++at) {
        const std::string_view name = table.column(at).name;
        const storage::ValueView value = rows.at(row, at);
        if (name == "amount") {
            TRY(sums.amounts.amount, storage::decimal_of(value.text()));
        } else if (name == "refused") {
            TRY(sums.refused, read_refusals(value.text()));
        } else if (name == "quarters") {
            TRY(sums.quarters, read_quarters(value.text()));
        } else if (name == "days") {
            TRY(sums.days, read_days(value.text()));
        } else if (name == "first_arrival") {
            sums.first_arrival = value.number();
        } else {
            const std::array<std::pair<std::string_view, std::uint64_t*>, 4> numbers{
                {{"clicks", &sums.amounts.clicks},
                 {"sales", &sums.amounts.sales},
                 {"refunds", &sums.amounts.refunds},
                 {"through", &sums.through}}
            };
            const auto* const number =
                std::ranges::find(numbers, name, [](const auto& each) { return each.first; });
            CHECK(number != numbers.end(), "a column of sums that nobody counts again", name);
            *number->second = static_cast<std::uint64_t>(value.number());
        }
    }
    return sums;
}

std::optional<storage::ValueView> key_column(
    const Table& table, std::span<const storage::Value> key, std::string_view name
) {
    for (std::size_t at = 0; at < key.size(); ++at) {
        if (table.column(at).name == name) {
            return key[at];
        }
    }
    return std::nullopt;
}

std::string row_name(const Table& table, std::span<const storage::Value> key) {
    std::string name{table.name};
    for (std::size_t at = 0; at < key.size(); ++at) {
        const storage::Column& column = table.column(at);
        const storage::ValueView value = key[at];
        if (column.name == "epoch") {
            continue;
        }
        name += fmt::format("{} {} ", at == 0 ? ":" : ",", column.name);
        if (column.type == ColumnType::bytes) {  // the writer: its lane stands last
            const std::string_view writer = value.text();
            const auto byte = [&](std::size_t from_end) {
                return static_cast<unsigned char>(writer[writer.size() - from_end]);
            };
            name += writer.size() < 2 ? "?" : fmt::format("of lane {}", byte(2) * 256 + byte(1));
        } else if (column.type == ColumnType::day) {
            name += format_day(static_cast<Day>(value.number()));
        } else if (value.is_text()) {
            name += fmt::format("\"{}\"", value.text());
        } else {
            name += fmt::format("{}", value.number());
        }
    }
    return name;
}

std::string text_of(const Amounts& amounts) {
    return fmt::format(
        "{} clicks, {} sales, {} refunds, amount {}",
        amounts.clicks,
        amounts.sales,
        amounts.refunds,
        storage::decimal_text(amounts.amount)
    );
}

std::string text_of(const RowSums& sums) {
    std::string text = text_of(sums.amounts);
    for (const auto& [reason, quarters] : sums.refused) {
        std::uint64_t events = 0;
        for (const auto& [quarter, of_quarter] : quarters) {
            events += of_quarter;
        }
        text += fmt::format(", {} {}", events, reason);
    }
    return text;
}

std::optional<std::string> sums_difference(
    const std::string& name, const RowSums& stored, const RowSums& truth, std::string_view other
) {
    if (stored.amounts != truth.amounts || text_of(stored) != text_of(truth)) {
        return fmt::format("{}: {} stored; {} {}", name, text_of(stored), other, text_of(truth));
    }
    auto part = parts_difference(stored.quarters, truth.quarters, quarter_text, other);
    if (!part) {
        part = parts_difference(stored.days, truth.days, of_day, other);
    }
    if (part) {
        return fmt::format("{}, {}", name, *part);
    }
    if (stored.refused != truth.refused) {
        return fmt::format(
            "{}: what was refused stands in other quarter-hours than {} it", name, other
        );
    }
    return reach_difference(name, stored, truth, true);
}

std::optional<std::string> sums_lack(
    const std::string& name, const RowSums& stored, const RowSums& truth
) {
    if (!are_at_least(stored.amounts, truth.amounts) ||
        !are_at_least(stored.refused, truth.refused) ||
        !parts_are_at_least(stored.quarters, truth.quarters) ||
        !parts_are_at_least(stored.days, truth.days)) {
        return fmt::format(
            "{}: {} stored; what is left of the log alone has {}",
            name,
            text_of(stored),
            text_of(truth)
        );
    }
    return reach_difference(name, stored, truth, false);
}

}  // namespace footfall::ads
