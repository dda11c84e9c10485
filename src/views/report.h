#pragma once

#include "foundation/clock.h"
#include "foundation/time_zone.h"
#include "storage/store.h"
#include "views/cell.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::views {

/// Both included.
struct DayRange {
    Day from;
    Day to;
};

/// What is asked of an object.
struct ReportQuery {
    static constexpr int longest_range = 3700;        ///< Days.
    static constexpr int longest_range_by_hour = 31;  ///< Days.
    static constexpr std::size_t newest_days = 366;

    std::string_view action;
    std::string_view object;
    std::optional<DayRange> range = {};  ///< In days of `zone`; absent: its whole life.
    /// Counts of a range only from this quarter-hour on; people of its whole days.
    std::optional<Instant> since = {};
    TimeZone zone = {};
    bool with_days = true;    ///< False: only what all comes to.
    bool with_hours = false;  ///< Of a range; its days are told as well.
};

/// Numbers of events.
struct EventCounts {
    std::uint64_t counted = 0;
    std::map<std::string, std::uint64_t, std::less<>> refused;  ///< By reason, none is 0.

    /// counted, and all refused.
    std::uint64_t events() const;

    void add(std::string_view reason, std::uint64_t events);
};

struct DayReport {
    Day day;
    EventCounts counts;
    std::optional<std::uint64_t> people;  ///< Absent in zones other than UTC.
};

/// People are not known by hours.
struct HourReport {
    Instant begin;  ///< As TimeZone::hour_of() of the zone asked for.
    EventCounts counts;
};

/// How far what is told reaches.
struct Standing {
    /// Whoever counts some of it did not answer: that part is what rows say, and newer events may
    /// be missing.
    bool provisional = false;
    /// Where it is provisional: all that happened before this is in; absent: nobody knows.
    std::optional<Instant> stored = {};
    /// The records of its lane before this are in. Whoever counts while he appends says the
    /// highest; of several lanes the lowest.
    std::uint64_t counted = std::numeric_limits<std::uint64_t>::max();
};

/// What happened to an object.
struct Report {
    EventCounts counts;
    /// Of all days, each once; never more than were counted. Of a range in a zone other than UTC
    /// those of the UTC days that the range touches.
    std::uint64_t people = 0;
    double error = 0;   ///< Relative standard error of `people`; 0 when exact.
    bool exact = true;  ///< They were few enough to be kept one by one.
    /// Those on which something happened, in order; of a whole life at most the newest_days.
    std::vector<DayReport> days;
    bool earlier_days = false;  ///< There are more than the newest_days.
    /// If asked for, every hour of the range in order, also without events: whoever reads them need
    /// not know which hours a day of the zone has.
    std::vector<HourReport> hours;
    Standing standing = {};
};

/// An event that waits to be counted in a cell.
struct CellChange {
    std::uint64_t offset = 0;
    unsigned quarter = 0;  ///< 0 in a cell of all days.
    std::string reason;    ///< Empty: it was counted.
    std::optional<sketches::HashToken> person;
};

/// What memory has of a cell, copied, so that no mutex is held while it is looked at.
struct CellCopy {
    bool whole = false;  ///< The cell is here: the next three say it all.
    std::vector<CountOfReason> counts;
    sketches::Sketch people;
    std::uint64_t through = 0;
    /// To be counted in that cell, or in the row's, each that is not included; in their order.
    std::vector<CellChange> changes;
};

/// Of one day, or of all time, by writer.
using WriterCells = std::map<std::string, CellCopy, std::less<>>;

/// By day, lifetime among them.
using CellCopies = std::map<Day, WriterCells>;

/// UTC days that a report reads.
struct ReportDays {
    Day first;
    Day last;
    std::size_t most;  ///< So many at most, the last ones.

    friend bool operator==(const ReportDays&, const ReportDays&) = default;
};

/// `invalid_input` if the range is none, or too long, or hours are asked for without one.
Result<ReportDays> days_of(const ReportQuery& query);

/// Where the rows and the cells in memory come together.
struct ReportSource {
    storage::Store* store;
    std::uint16_t sketch_key;
    CellCopies cells;
};

/// What a report says of a sketch: as estimated, but never more than the views that count, for each
/// is one person's.
std::uint64_t people_of(const sketches::Sketch& sketch, std::uint64_t counted);

/// Reads the rows of the object; a cell in memory stands for the row of its writer, unless that is
/// ahead; counts what waits; adds numbers and unites people over writers and days. Memory has to be
/// copied before: what leaves it meanwhile is durable, and read. Blocks.
Result<Report> make_report(const ReportQuery& query, const ReportDays& days, ReportSource source);

}  // namespace footfall::views
