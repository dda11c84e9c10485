#pragma once

#include "people/sharers.h"
#include "reading/friend_set.h"
#include "reading/posting.h"
#include "reading/url_readers.h"
#include "runtime/accounted_lanes.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace footfall::reading {

/// Readers of a URL as they were stored, in the ids of this process.
struct KnownReaders {
    std::vector<LatestRead> readers;
    /// Numbers that nobody here has yet: their consent may be on its way.
    std::vector<UrlRead> unknown;
};

/// URLs of one lane that are held in memory, by their hashes. Under the lane's mutex.
class HotLane {
public:
    /// Where a URL is in memory.
    enum class Standing : std::uint8_t { absent, loading, loaded };

    Standing standing(std::uint64_t url) const;

    /// From now on what is read of it is put to it. False: it is there already.
    bool begin(std::uint64_t url);

    /// All that is stored of it, which is loaded then; nothing if it went meanwhile.
    void install(std::uint64_t url, const KnownReaders& known, ReaderId ids_end, QuarterOfTime now);

    /// More of it, if it is there.
    void note(std::uint64_t url, const KnownReaders& more, ReaderId ids_end, QuarterOfTime now);

    /// Appends who of the friends read the loaded URL.
    void match(std::uint64_t url, FriendSet& friends, std::vector<ReaderId>& matched);

    /// The latest reads of these, ascending; absent: it is not there as a whole.
    std::optional<std::vector<LatestRead>> reads_of(
        std::uint64_t url, std::span<const ReaderId> readers
    ) const;

    /// All readers of the loaded URL, each once.
    std::vector<LatestRead> readings(std::uint64_t url);

    /// Its reads by numbers that nobody had.
    std::vector<UrlRead> unknown_reads(std::uint64_t url) const;

    /// Whether a day began since it was tidied.
    bool is_untidy(std::uint64_t url, people::UtcDay today) const;

    /// Keeps what `is_kept(LatestRead)` says.
    template <class IsKept>
    void tidy(std::uint64_t url, people::UtcDay today, ReaderId ids_end, const IsKept& is_kept) {
        const auto found = urls_.find(url);
        if (found == urls_.end()) {
            return;
        }
        Url& own = found->second;
        heap_ -= own.readers.heap_bytes();
        own.readers.keep(ids_end, is_kept);
        heap_ += own.readers.heap_bytes();
        own.tidied = static_cast<std::uint16_t>(today);
    }

    /// Takes out its reads by numbers that nobody had, if somebody may have them by now: where
    /// there are other ids than when they were last looked at. Those who are unknown still are
    /// given back by wait(). After half an hour they are nobody's.
    std::vector<UrlRead> take_unknown(std::uint64_t url, ReaderId ids_end, QuarterOfTime now);
    void wait(std::uint64_t url, std::vector<UrlRead> unknown, ReaderId ids_end);

    void forget(std::uint64_t url);

    /// Lets an eighth go: of those that nobody asked for, and where they are too few, of the
    /// others, which are from then on as if nobody had.
    void evict();

    void clear() { *this = HotLane{}; }

    std::size_t size() const { return urls_.size(); }

    std::size_t bytes() const;
    std::size_t recount() const;

private:
    struct Url {
        Posting readers;
        bool loaded : 1 = false;
        bool asked : 1 = true;
        std::uint16_t tidied = 0;  ///< The last 16 bits of a UTC day.
    };

    static_assert(sizeof(Url) <= 16);

    using Urls = boost::unordered_flat_map<std::uint64_t, Url>;

    /// Reads by numbers that nobody had.
    struct Unknown {
        std::vector<UrlRead> reads = {};
        QuarterOfTime since = 0;  ///< When the last of them came.
        ReaderId looked_at = 0;   ///< All ids were below when they were last looked at.
    };

    void erase(Urls::iterator found);
    void erase_unknown(std::uint64_t url);

    Urls urls_;
    std::size_t heap_ = 0;                                ///< Of all lists.
    std::unordered_map<std::uint64_t, Unknown> unknown_;  ///< Seldom any.
    std::size_t unknowns_ = 0;
};

/// The URLs that are asked for, in memory: a question to them waits for no store. What is read of
/// them is put to them as it comes; a URL that is not there is loaded by who asks (begin, install).
/// Evicted where memory is short: all of it is in rows, or waits for them.
///
/// Thread-safe: lanes behind their mutexes. `sharers` must outlive it.
class HotUrls {
public:
    /// `from`: no earlier quarter-hour is ever of use. Those of the next 680 days can be told.
    HotUrls(const people::Sharers& sharers, QuarterOfTime from) : sharers_{&sharers}, from_{from} {}

    /// Reads came.
    void note(std::uint32_t lane, std::span<const ReadOfUrl> reads, QuarterOfTime now);

    /// Appends who of the friends read the URL from `first` on, each once. False: it is not in
    /// memory as a whole, and nothing was appended.
    bool match(
        std::uint32_t lane,
        std::uint64_t url,
        people::UtcDay first,
        QuarterOfTime now,
        FriendSet& friends,
        std::vector<ReaderId>& matched
    );

    /// The latest reads of these; absent: it is not in memory as a whole.
    std::optional<std::vector<LatestRead>> reads_of(
        std::uint32_t lane, std::uint64_t url, std::vector<ReaderId> readers
    );

    /// Who of those who share read it from `first` on, each once. Absent: it is not in memory as a
    /// whole.
    std::optional<std::vector<LatestRead>> readings(
        std::uint32_t lane, std::uint64_t url, people::UtcDay first, QuarterOfTime now
    );

    /// Whether it is in memory as a whole.
    bool is_loaded(std::uint32_t lane, std::uint64_t url);

    /// All reads from `first` on, of every reader who is not known to be off, by their numbers.
    /// Absent: it is not in memory as a whole, or they are more than `most`.
    std::optional<std::vector<UrlRead>> all_reads(
        std::uint32_t lane,
        std::uint64_t url,
        people::UtcDay first,
        QuarterOfTime now,
        std::size_t most
    );

    /// To be called before what waits, and then what is stored, is read for install(). False:
    /// somebody loads it, or has.
    bool begin(std::uint32_t lane, std::uint64_t url) {
        return lanes_.change(lane, [&](HotLane& own) { return own.begin(url); });
    }

    void install(
        std::uint32_t lane, std::uint64_t url, const KnownReaders& known, QuarterOfTime now
    );

    /// Whether quarter-hours of now can be told from later ones: else it is of no use any more.
    bool covers(QuarterOfTime now) const;

    void forget(std::uint32_t lane, std::uint64_t url) {
        lanes_.change(lane, [&](HotLane& own) { own.forget(url); });
    }

    /// Evicts until all take at most so much.
    void keep_within(std::size_t bytes_max);

    void drop_lane(std::uint32_t lane) {
        lanes_.change(lane, [](HotLane& own) { own.clear(); });
    }

    /// The first quarter-hour of a day, as LatestRead has it.
    Quarter quarter_of_day(people::UtcDay day) const;

    /// As LatestRead has it.
    Quarter quarter(QuarterOfTime quarter) const;

    Instant begin_of(Quarter quarter) const { return reading::begin_of(from_ + quarter); }

    /// Adds a stored read to those of its URL.
    void add(const UrlRead& read, KnownReaders& known) const;

    std::size_t bytes() const { return lanes_.bytes(); }

    std::size_t size();

    runtime::AccountAudit audit(std::size_t lane) { return lanes_.audit(lane); }

private:
    bool bring_up_to_date(HotLane& own, std::uint64_t url, people::UtcDay first, QuarterOfTime now)
        const;

    const people::Sharers* sharers_;
    const QuarterOfTime from_;
    runtime::AccountedLanes<HotLane> lanes_;
    std::atomic<std::size_t> evicting_ = 0;  ///< The lane that is next.
};

}  // namespace footfall::reading
