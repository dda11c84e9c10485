#pragma once

#include "events/verdict.h"
#include "people/day_keys.h"
#include "people/reader.h"
#include "people/sharers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::people {

/// Seals what is personal of reads, and opens it, as long as the keys are there. A seal is
/// AES-256-GCM under a key made of the reader's key and the day's, so that it goes with the one or
/// the other; it names its reader only under the day's key, and never twice in the same way.
///
/// Thread-safe; never waits. Sealing takes about a microsecond. Both must outlive it.
class ReadSeals {
public:
    /// `salt`: of events::ReadBy.
    ReadSeals(const Sharers& sharers, const DayKeys& days, std::uint64_t salt)
        : sharers_{&sharers}, days_{&days}, salt_{salt} {}

    /// Puts the seal of a read that is shared in its place; one whose reader or day has no key any
    /// more is stripped: it is nobody's.
    void seal(events::JudgedEvent& judged) const;

    /// Adds to a stored read who read it, and what else was sealed. False: a key is gone, or it was
    /// taken back, or it is not shared, or it is no read; nothing was added.
    bool open(events::JudgedEvent& judged) const;

    /// Puts the number of who read a stored read in its place, if reader_of() knows it: for who
    /// needs to know no more.
    void name_reader(events::JudgedEvent& judged) const {
        if (judged.read && !judged.read->reader) {
            judged.read->reader = reader_of(judged);
        }
    }

    /// The number of who read it, whether anybody has it still or not; absent: the day's key is
    /// gone, or it is not shared.
    std::optional<std::uint64_t> reader_of(const events::JudgedEvent& judged) const;

    /// The same of a text about a reader and one day, in place of a read. Absent: the day has no
    /// key.
    std::optional<std::string> seal_text(const Reader& reader, UtcDay day, std::string_view text)
        const;

    struct Text {
        std::uint64_t reader = 0;  ///< Reader::number.
        std::string text;
    };

    /// Absent: a key is gone, or nobody has the reader's number any more, or it is no such seal.
    std::optional<Text> open_text(std::string_view seal) const;

    /// Whether facts of the day have not ended.
    bool is_live(UtcDay day) const { return days_->is_live(day); }

    /// Whether the number is a reader's still, a former one's maybe.
    bool is_somebodys(std::uint64_t number) const {
        return sharers_->id_of_reader(number).has_value();
    }

private:
    bool is_taken_back(Sharers::Id id, const events::Event& event) const;

    const Sharers* sharers_;
    const DayKeys* days_;
    const std::uint64_t salt_;
};

}  // namespace footfall::people
