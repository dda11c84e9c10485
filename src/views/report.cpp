#include "views/report.h"

#include "storage/blocking.h"
#include "views/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace footfall::views {
namespace {

constexpr std::size_t page_rows = 128;
constexpr std::size_t page_bytes = 1 << 20;
constexpr std::chrono::minutes quarter_hour{15};
constexpr std::size_t writer_before_values = 1;  ///< The last key column.

/// People of several rows. The first is taken as it is, since a union forgets the martingale.
class Union {
public:
    void add(sketches::Sketch sketch) {
        if (const auto tokens = sketch.tokens(); tokens && tokens->empty()) {
            return;
        }
        if (!all_) {
            all_ = std::move(sketch);
            return;
        }
        all_->unite(sketch);
        all_->open();  // the next union does not unpack it again
    }

    sketches::Sketch take() { return std::exchange(all_, {}).value_or(sketches::Sketch{}); }

private:
    std::optional<sketches::Sketch> all_;
};

/// Of a whole number: rounding takes it off by half a person at most.
double error_of(const sketches::Sketch& sketch) {
    if (sketch.tokens()) {
        return 0;
    }
    const sketches::Estimate people = sketch.people();
    constexpr double by_rounding = 0.5;
    return std::hypot(people.error, by_rounding / std::max(people.count, 1.0));
}

/// What the rows of one day, or of all time, of all writers come to.
struct Folded {
    Counts counts;
    Union people;
};

/// The rows of an object in a table, page after page.
class RowCursor {
public:
    RowCursor(storage::Store& store, storage::RangeQuery query)
        : store_{&store}, query_{std::move(query)}, page_{.rows = storage::Rows{*query_.table}} {
        query_.max_rows = page_rows;
        query_.max_bytes = page_bytes;
    }

    /// Goes to the next row; false at the end.
    Result<bool> next() {
        ++row_;
        while (row_ >= page_.rows.size()) {
            if (asked_ && page_.continuation.empty()) {
                return false;
            }
            query_.continuation = std::move(page_.continuation);
            TRY(page_, storage::read_page(*store_, query_));
            asked_ = true;
            row_ = 0;
        }
        return true;
    }

    const storage::Rows& rows() const { return page_.rows; }

    std::size_t row() const { return row_; }

    std::string_view writer() const {
        return rows().at(row_, rows().table().key_width() - writer_before_values).text();
    }

private:
    storage::Store* store_;
    storage::RangeQuery query_;
    storage::Page page_;
    std::size_t row_ = std::numeric_limits<std::size_t>::max();  // before the first
    bool asked_ = false;
};

class Reporter {
public:
    Reporter(const ReportQuery& query, const ReportDays& days, ReportSource source)
        : query_{query}, days_{days}, source_{std::move(source)} {
        if (const auto total = source_.cells.find(lifetime); total != source_.cells.end()) {
            total_ = std::move(total->second);
            source_.cells.erase(total);
        }
    }

    Result<Report> make() {
        if (query_.with_days) {
            TRY_VOID(read_days());
        }
        if (query_.range) {
            for (const auto& [day, report] : by_day_) {
                for (const auto& [reason, events] : report.counts.refused) {
                    report_.counts.add(reason, events);
                }
                report_.counts.counted += report.counts.counted;
            }
        } else {
            TRY_VOID(read_total());
        }
        const sketches::Sketch all = people_.take();
        // In another zone people are those of whole UTC days, in which there may be more views.
        const bool same_days = !query_.range || (query_.zone.is_utc() && !query_.since);
        report_.people = people_of(
            all, same_days ? report_.counts.counted : std::numeric_limits<std::uint64_t>::max()
        );
        report_.exact = all.tokens().has_value();
        report_.error = error_of(all);
        for (auto& [day, report] : by_day_) {
            report_.days.push_back(std::move(report));
        }
        if (query_.with_hours) {
            list_hours();
        }
        return std::move(report_);
    }

private:
    /// The newest first, from the rows and from memory at once.
    Result<void> read_days() {
        RowCursor cursor{
            *source_.store,
            {.table = &view_day_table,
             .partition = {std::string{query_.action}, std::string{query_.object}},
             .from = {std::int64_t{days_.last}},
             .through = {std::int64_t{days_.first}}}
        };
        TRY(bool more, cursor.next());
        for (std::size_t read = 0; more || !source_.cells.empty(); ++read) {
            Day day = lifetime;
            if (more) {
                day = static_cast<Day>(cursor.rows().at(cursor.row(), 2).number());
            }
            if (!source_.cells.empty()) {
                day = std::max(day, source_.cells.rbegin()->first);
            }
            if (read == days_.most) {
                report_.earlier_days = true;
                break;
            }
            Folded folded;
            WriterCells held;
            if (auto cells = source_.cells.extract(day)) {
                held = std::move(cells.mapped());
            }
            while (more && cursor.rows().at(cursor.row(), 2).number() == day) {
                TRY_VOID(fold_row(cursor, held, folded));
                TRY(more, cursor.next());
            }
            TRY_VOID(fold_held(held, folded));
            take_day(day, std::move(folded));
        }
        drop_early_days();
        return {};
    }

    Result<void> read_total() {
        RowCursor cursor{
            *source_.store,
            {.table = &view_total_table,
             .partition = {std::string{query_.action}, std::string{query_.object}}}
        };
        Folded folded;
        TRY(bool more, cursor.next());
        while (more) {
            TRY_VOID(fold_row(cursor, total_, folded));
            TRY(more, cursor.next());
        }
        TRY_VOID(fold_held(total_, folded));
        for (std::size_t at = 0; at < folded.counts.size(); ++at) {
            const Counts::Entry entry = folded.counts.at(at);
            report_.counts.add(reasons_.text_of(entry.reason), entry.events);
        }
        people_ = std::move(folded.people);
        return {};
    }

    Result<void> fold_row(const RowCursor& cursor, WriterCells& held, Folded& folded) {
        const storage::Rows& rows = cursor.rows();
        const std::size_t first = rows.table().key_width();
        const std::int64_t epoch = rows.at(cursor.row(), first - 2).number();
        if (epoch != first_epoch) {
            return {};
        }
        const auto cell = held.find(cursor.writer());
        const auto through = static_cast<std::uint64_t>(rows.at(cursor.row(), first + 4).number());
        if (cell != held.end() && cell->second.whole && cell->second.through >= through) {
            return {};  // memory says it
        }
        TRY(StoredCell stored,
            read_row(
                rows,
                cursor.row(),
                reasons_,
                source_.sketch_key,
                sketches::Sketch::Kept::open  // they are united at once
            ));
        if (cell != held.end()) {
            TRY_VOID(count(cell->second.changes, stored));
            held.erase(cell);
        }
        fold(stored.counts, std::move(stored.people), folded);
        return {};
    }

    /// Of writers who have no row, or an older one.
    Result<void> fold_held(WriterCells& held, Folded& folded) {
        for (auto& [writer, cell] : held) {
            StoredCell stored;
            if (cell.whole) {
                TRY(stored.counts, Counts::of(cell.counts, reasons_));
                stored.people = std::move(cell.people);
                stored.through = cell.through;
            }
            TRY_VOID(count(cell.changes, stored));
            fold(stored.counts, std::move(stored.people), folded);
        }
        return {};
    }

    Result<void> count(const std::vector<CellChange>& changes, StoredCell& stored) {
        for (const CellChange& change : changes) {
            if (change.offset < stored.through) {
                continue;
            }
            const auto reason = reasons_.find_id(change.reason);
            if (!reason) {
                return fail(ErrorKind::corrupt, "events were refused for too many reasons");
            }
            stored.counts.add(change.quarter, *reason);
            if (change.person) {
                stored.people.add(sketches::hash_of(*change.person));
            }
            stored.through = change.offset + 1;
        }
        return {};
    }

    static void fold(const Counts& counts, sketches::Sketch people, Folded& folded) {
        for (std::size_t at = 0; at < counts.size(); ++at) {
            const Counts::Entry entry = counts.at(at);
            folded.counts.add(entry.quarter, entry.reason, entry.events);
        }
        folded.people.add(std::move(people));
    }

    bool is_asked_for(Day day) const {
        return !query_.range || (day >= query_.range->from && day <= query_.range->to);
    }

    /// Deals the quarter-hours of a UTC day out to days of the zone, and to hours if these are
    /// asked for.
    void take_day(Day utc_day, Folded folded) {
        earliest_ = utc_day;
        for (std::size_t at = 0; at < folded.counts.size(); ++at) {
            const Counts::Entry entry = folded.counts.at(at);
            const Instant begin = Instant{std::chrono::days{utc_day}} +
                                  quarter_hour * static_cast<int>(entry.quarter);
            const Day day = static_cast<Day>(query_.zone.day_of(begin));
            if (!is_asked_for(day) || begin < query_.since.value_or(begin)) {
                continue;
            }
            DayReport& report = by_day_.try_emplace(day, DayReport{.day = day}).first->second;
            report.counts.add(reasons_.text_of(entry.reason), entry.events);
            if (query_.with_hours) {
                by_hour_[query_.zone.hour_of(begin)].add(
                    reasons_.text_of(entry.reason), entry.events
                );
            }
        }
        const bool utc = query_.zone.is_utc();
        if (!query_.range && !utc) {
            return;
        }
        sketches::Sketch people = folded.people.take();
        if (const auto day = by_day_.find(utc_day); utc && day != by_day_.end()) {
            day->second.people = people_of(people, day->second.counts.counted);
        }
        if (query_.range) {
            people_.add(std::move(people));
        }
    }

    /// Goes through the range by quarter-hours, for an hour may be shorter than others.
    void list_hours() {
        const Instant end{std::chrono::days{days_.last} + std::chrono::days{1}};
        for (Instant time{std::chrono::days{days_.first}}; time < end; time += quarter_hour) {
            if (is_asked_for(static_cast<Day>(query_.zone.day_of(time)))) {
                by_hour_.try_emplace(query_.zone.hour_of(time));
            }
        }
        for (auto& [begin, counts] : by_hour_) {
            report_.hours.push_back({.begin = begin, .counts = std::move(counts)});
        }
    }

    /// Of those that were not read to their start, and all above the number.
    void drop_early_days() {
        if (query_.range) {
            return;
        }
        if (report_.earlier_days && !query_.zone.is_utc()) {
            const Instant read_from{std::chrono::days{earliest_}};
            std::erase_if(by_day_, [&](const auto& day) {
                return query_.zone.start_of(day.first) < read_from;
            });
        }
        while (by_day_.size() > ReportQuery::newest_days) {
            by_day_.erase(by_day_.begin());
            report_.earlier_days = true;
        }
    }

    const ReportQuery& query_;
    const ReportDays days_;
    ReportSource source_;
    WriterCells total_;
    Reasons reasons_;
    std::map<Day, DayReport> by_day_;
    std::map<Instant, EventCounts> by_hour_;
    Day earliest_ = 0;  ///< Of those that were read.
    Union people_;
    Report report_;
};

}  // namespace

std::uint64_t people_of(const sketches::Sketch& sketch, std::uint64_t counted) {
    return std::min(static_cast<std::uint64_t>(std::llround(sketch.people().count)), counted);
}

std::uint64_t EventCounts::events() const {
    std::uint64_t sum = counted;
    for (const auto& [reason, events] : refused) {
        sum += events;
    }
    return sum;
}

void EventCounts::add(std::string_view reason, std::uint64_t events) {
    if (reason.empty()) {
        counted += events;
    } else {
        refused.try_emplace(std::string{reason}, 0).first->second += events;
    }
}

Result<ReportDays> days_of(const ReportQuery& query) {
    if (query.with_hours && !query.range) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "hours are told of a range of at most {} days: give its first day",
                ReportQuery::longest_range_by_hour
            )
        );
    }
    if (!query.range) {
        // A UTC day more on either side makes the days of a zone whole.
        return ReportDays{
            .first = lifetime + 1,
            .last = std::numeric_limits<Day>::max(),
            .most = query.with_days ? ReportQuery::newest_days + (query.zone.is_utc() ? 0 : 2) : 0
        };
    }
    const auto [from, to] = *query.range;
    const std::int64_t days = std::int64_t{to} - from + 1;
    if (days < 1 || days > ReportQuery::longest_range) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "a range is of 1 to {} days, the last not before the first",
                ReportQuery::longest_range
            )
        );
    }
    if (query.with_hours && days > ReportQuery::longest_range_by_hour) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "hours are told of a range of at most {} days; this one has {}",
                ReportQuery::longest_range_by_hour,
                days
            )
        );
    }
    // A day that the zone does not have ends before its first moment.
    const Instant last = query.zone.end_of(to) - std::chrono::microseconds{1};
    const Day first_day = day_of(query.zone.start_of(from));
    return ReportDays{
        .first = first_day,
        .last = std::max(first_day, day_of(last)),
        .most = ReportQuery::longest_range + 2
    };
}

Result<Report> make_report(const ReportQuery& query, const ReportDays& days, ReportSource source) {
    return Reporter{query, days, std::move(source)}.make();
}

}  // namespace footfall::views
