#pragma once

#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "journal/log.h"
#include "people/day_keys.h"
#include "people/read_seals.h"
#include "people/sharers.h"
#include "projecting/owners.h"
#include "projecting/projection.h"
#include "projecting/rows_behind.h"
#include "projecting/write_behind.h"
#include "reading/fragments.h"
#include "reading/friend_set.h"
#include "reading/hot_urls.h"
#include "reading/pasts.h"
#include "reading/told_reads.h"
#include "reading/url_readers.h"
#include "runtime/accounted_lanes.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::reading {

/// Who read what: of each shared read that counts the reader's number, the URL and the
/// quarter-hour. A projection: nothing is read when a read comes. Thread-safe as Projection says.
class Readership final : public projecting::Projection {
public:
    static constexpr std::string_view name = "reading";

    struct Options {
        SipKey secret;
        journal::LogId log{};
        std::chrono::days ttl{30};  ///< A read lives through the end of its UTC day and so many.
        std::chrono::microseconds interval = std::chrono::seconds{1};
        runtime::MemoryShare* memory = nullptr;    ///< Half for what waits; null: 64 MiB.
        projecting::Owners* owners = nullptr;      ///< Null: all lanes are counted here.
        const people::ReadSeals* seals = nullptr;  ///< Null: nothing is told again.
    };

    /// All must outlive it.
    Readership(
        storage::Store& store, const Clock& clock, const people::Sharers& sharers, Options options
    );

    Result<void> wait_for_room() override;

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override;

    void control(std::uint32_t lane, std::uint64_t offset, const events::Control& control)
        override {
        take_told(lane, offset, control);
    }

    /// As control(); answers the reads that the record told again.
    std::vector<ToldRead> take_told(
        std::uint32_t lane, std::uint64_t offset, const events::Control& control
    );

    Result<void> flush(bool all) override;
    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override;
    Instant stored_until(std::uint32_t lane) override;
    Result<std::string> answer(std::uint32_t lane, std::string_view question) override;
    void drop() override;
    void drop_lane(std::uint32_t lane) override;

    /// Facts end long before events leave the log.
    Result<void> expire(std::uint32_t, std::span<const projecting::JudgedRecord>) override {
        return {};
    }

    /// Which of the friends read each of these URLs within the last days, each once, in no order.
    /// Canonical forms. `friends` is the same afterwards; with those of them who have taken
    /// something back all their ids are in it, and their present ones are answered. Waits where a
    /// URL is not in memory; then it is. `unavailable`: whoever counts some of them did not answer;
    /// a part is never told.
    Result<std::vector<std::vector<ReaderId>>> who(
        std::span<const std::string> urls, FriendSet& friends, const Pasts& pasts = {}
    );

    /// A reader with the quarter-hour of their latest read of a URL.
    struct ReaderAt {
        ReaderId reader = 0;
        QuarterOfTime latest = 0;
    };

    using TakeReaders = std::function<void(std::size_t at, std::span<const ReaderAt> readers)>;

    /// Tells `take` of each of these URLs, in no order, who read it within the last days: whoever
    /// shares by now, once, in no order. As who(), but where `is_provisional` is given it is set,
    /// and what waits elsewhere is missing, if whoever counts it did not answer.
    Result<void> latest_reads(
        std::span<const std::string> urls,
        const Pasts& pasts,
        const TakeReaders& take,
        bool* is_provisional = nullptr
    );

    /// Facts of days before have ended.
    people::UtcDay first_day() const;

    /// The first instant at which reads of the day have ended.
    Instant end_of(people::UtcDay day) const;

    /// Writes what waits of read_fact and read_page. Waits.
    Result<void> flush_facts() { return facts_.flush(true); }

    storage::Store& store() const { return *store_; }

    std::size_t waiting() { return urls_.waiting(); }

    std::size_t bytes() const { return urls_.bytes() + facts_.bytes(); }

    std::size_t hot_urls() { return hot_.size(); }

    std::size_t hot_bytes() const { return hot_.bytes(); }

    std::uint64_t rows_written() const { return urls_.rows_written() + facts_.rows_written(); }

    std::vector<runtime::AuditedAccount> accounts();

private:
    using Urls = projecting::WriteBehind<UrlCell>;

    /// URLs of a lane whose page row was made of reads of the latest day: it is not made again.
    class PagesOfDay {
    public:
        /// Until when the page has to be kept; absent: it is as long already.
        std::optional<people::UtcDay> keep(std::uint64_t url, people::UtcDay day);

        std::size_t bytes() const { return urls_.bucket_count() * (sizeof(std::uint64_t) + 1); }

        std::size_t recount() const { return bytes(); }

    private:
        static constexpr std::size_t urls_max = 16'384;

        people::UtcDay day_ = std::numeric_limits<people::UtcDay>::min();
        boost::unordered_flat_set<std::uint64_t> urls_;
    };

    void take_in(
        std::uint32_t lane,
        std::uint64_t offset,
        std::uint64_t reader,
        std::string_view url,
        QuarterOfTime quarter
    );
    std::uint64_t hash_of(std::string_view url) const;
    Result<void> merge(std::uint32_t lane, const Urls::Waiting& some, storage::Batch& batch);

    /// A URL of a question that is not in memory.
    struct Cold {
        std::size_t at = 0;  ///< Its place in the question.
        std::uint32_t lane = 0;
        std::uint64_t url = 0;
        bool here = true;   ///< Its lane is counted here.
        bool ours = false;  ///< To install: nobody else loads it.
        KnownReaders known = {};
    };

    /// So many are loaded together: of each all readers are in memory meanwhile.
    static constexpr std::size_t loaded_at_once = 16;

    /// Some of the question's URLs; their lists of readers are loaded together.
    Result<void> load_some(std::span<Cold> cold, QuarterOfTime now, bool* is_provisional = nullptr);
    bool match_hot(
        std::uint32_t lane,
        std::string_view url,
        FriendSet& friends,
        const Pasts& pasts,
        std::vector<ReaderId>& matched
    );
    void settle(
        std::string_view url,
        std::span<const LatestRead> reads,
        Quarter first,
        const Pasts& pasts,
        std::vector<ReaderId>& matched
    ) const;
    std::vector<ReaderAt> settled(
        std::string_view url, const std::vector<LatestRead>& reads, const Pasts& pasts
    ) const;
    std::vector<UrlRead> waiting_of(std::uint32_t lane, std::uint64_t url);
    Result<void> load(std::span<Cold> cold, bool* is_provisional);
    Result<void> ask_owners(std::span<Cold> cold, bool* is_provisional);
    Result<void> take(std::string_view bytes, Cold& cold) const;
    std::size_t half_of_memory() const;

    storage::Store* store_;
    const Clock* clock_;
    const Options options_;
    projecting::RowsBehind facts_;
    FragmentCounts fragments_;  ///< Of who writes urls_.
    Urls urls_;
    HotUrls hot_;
    runtime::AccountedLanes<PagesOfDay> pages_;
};

}  // namespace footfall::reading
