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
#include "reading/reads_desk.h"
#include "reading/reads_of_others.h"
#include "reading/shown_friends.h"
#include "reading/told_reads.h"
#include "reading/url_readers.h"
#include "runtime/accounted_lanes.h"
#include "runtime/lanes.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
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

    /// What somebody loaded as the lane went is of before it went.
    Result<void> begin(std::span<const projecting::LaneStart> lanes) override;

    Result<void> wait_for_room() override;

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override;

    void control(std::uint32_t lane, std::uint64_t offset, const events::Control& control)
        override {
        take_told_again(lane, offset, control);
    }

    /// As control(); answers the reads that the record told again.
    std::vector<ToldRead> take_told_again(
        std::uint32_t lane, std::uint64_t offset, const events::Control& control
    );

    Result<void> flush(bool all) override;
    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override;
    Instant stored_until(std::uint32_t lane) override;
    Result<std::vector<std::string>> answer_all(
        std::span<const projecting::AskedLane> asked, std::string_view of_all
    ) override;
    void drop() override;
    void drop_lane(std::uint32_t lane) override;

    /// Facts end long before events leave the log.
    Result<void> expire(std::uint32_t, std::span<const projecting::JudgedRecord>) override {
        return {};
    }

    /// Which of the friends read each of these URLs within the last days, each once, in no order.
    /// Canonical forms. `friends` is the same afterwards; of those who have taken something back
    /// the present ids are answered. Waits where a URL is not in memory; then it is. Who counts the
    /// others is asked, once; where he did not answer `is_provisional` is set, and what he had in
    /// memory alone is missing; null: `unavailable`.
    Result<std::vector<std::vector<ReaderId>>> who(
        std::span<const std::string> urls, AskedFriends& friends, bool* is_provisional = nullptr
    );

    /// A reader with the quarter-hour of their latest read of a URL.
    struct ReaderAt {
        ReaderId reader = 0;
        QuarterOfTime latest = 0;
    };

    using TakeReaders = std::function<void(std::size_t at, std::span<const ReaderAt> readers)>;

    /// Of whom latest_reads() is to tell.
    struct Readers {
        const Pasts* pasts = nullptr;         ///< Of all of them.
        const FriendList* friends = nullptr;  ///< Others may be told, too; null: everybody.
    };

    /// Tells `take` of each of these URLs, in no order, who read it within the last days: whoever
    /// shares by now, once, in no order. Else as who().
    Result<void> latest_reads(
        std::span<const std::string> urls,
        const Readers& of,
        const TakeReaders& take,
        bool* is_provisional = nullptr
    );

    /// Loads some of the URLs that others asked for in vain, if any. Waits.
    Result<void> load_wanted();

    /// When the latest mark (events::ReadsMark) was said that the lane has come past: all that
    /// stands before it is in rows. Absent: none that is known here; also, of a lane that was just
    /// handed over. Thread-safe.
    std::optional<Instant> passed(std::uint32_t lane);

    /// The same of all lanes, of those of other processes by asking them: what was read before is
    /// in rows. Absent: of some lane it is not known. Where all lanes are counted here nothing is
    /// on its way: it is now, but for what flush_facts() writes. Waits, but never long.
    std::optional<Instant> passed_by_all();

    /// Facts of days before have ended.
    people::UtcDay first_day() const;

    /// The first instant at which reads of the day have ended.
    Instant end_of(people::UtcDay day) const;

    /// Writes what waits of read_fact and read_page. Waits.
    Result<void> flush_facts() { return facts_.flush(true); }

    /// As projecting::RowsBehind::look(): rows of read_fact and read_page.
    template <class Show>
    void look_at_waiting_facts(const Show& show) {
        facts_.look(show);
    }

    storage::Store& store() const { return *store_; }

    std::size_t waiting() { return urls_.waiting(); }

    std::size_t bytes() const { return urls_.bytes() + facts_.bytes(); }

    std::size_t hot_urls() { return hot_.size(); }

    std::size_t hot_bytes() const { return hot_.bytes(); }

    /// Null: all lanes are counted here.
    const ReadsOfOthers* others() const { return others_.get(); }

    ReadsDesk& desk() { return desk_; }

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

    /// The latest mark of a lane.
    struct Mark {
        std::uint64_t offset = 0;
        std::optional<Instant> said;
    };

    /// Borrows the URL.
    struct Fact {
        std::string_view url;
        ReadOfUrl read;
    };

    Fact fact(
        std::uint64_t offset, std::uint64_t reader, std::string_view url, QuarterOfTime quarter
    ) const;
    void take_in(std::uint32_t lane, std::span<const Fact> facts);
    void append_rows(
        const Fact& fact, PagesOfDay& pages, people::UtcDay today, storage::Batch& rows
    ) const;
    std::uint64_t hash_of(std::string_view url) const;
    Result<void> merge(std::uint32_t lane, const Urls::Waiting& some, storage::Batch& batch);

    /// A URL of a question that is not in memory.
    struct Cold {
        std::size_t at = 0;  ///< Its place in the question.
        std::uint32_t lane = 0;
        std::uint64_t url = 0;
        bool here = true;    ///< Its lane is counted here.
        bool asked = false;  ///< Its owner was.
        bool told = false;   ///< Its owner answered the question.
        bool whole = false;  ///< All of it is known: no row is read.
        bool ours = false;   ///< To install: nobody else loads it.
        KnownReaders known = {};
    };

    /// So many are asked for together: of each a page is in memory meanwhile.
    static constexpr std::size_t loaded_at_once = 64;
    static constexpr std::size_t page_bytes = 512 << 10;

    /// Told of a URL when all its readers are known, who are forgotten behind that.
    using TakeLoaded = std::function<void(Cold& url)>;

    /// Some of the question's URLs; the store is asked for them together.
    Result<void> load_some(
        std::span<Cold> cold, QuarterOfTime now, const TakeLoaded& take, bool* is_provisional
    );
    using TakeTold = std::function<void(const Cold& url, const ReadersTold& told)>;

    Result<void> ask_others(
        std::span<Cold> cold,
        const FriendList* list,
        std::size_t untimed,
        const TakeTold& take,
        bool* is_provisional
    );
    void take_answer(const UrlTold& answer, const TakeTold& take, Cold& url) const;
    Result<void> ask_about_friends(
        std::vector<Cold>& cold,
        const FriendList& list,
        std::size_t untimed,
        const TakeTold& take,
        bool* is_provisional
    );
    void take_told(
        std::string_view url,
        const ReadersTold& told,
        const AskedFriends& friends,
        std::vector<ReaderId>& matched
    ) const;
    std::vector<LatestRead> timed_reads(const ReadersTold& told, const FriendList& list) const;
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
    Result<void> load(std::span<Cold> cold, const TakeLoaded& take, bool* is_provisional);
    Result<storage::Rows> read_at_once(storage::RangeQuery query) const;
    Result<void> take(std::string_view bytes, Cold& cold) const;
    std::size_t half_of_memory() const;
    void keep_within_memory();

    storage::Store* store_;
    const Clock* clock_;
    const Options options_;
    projecting::RowsBehind facts_;
    FragmentCounts fragments_;  ///< Of who writes urls_.
    Urls urls_;
    HotUrls hot_;
    ReadsDesk desk_;
    const std::unique_ptr<ReadsOfOthers> others_;  ///< Null: all lanes are counted here.
    runtime::AccountedLanes<PagesOfDay> pages_;
    runtime::Lanes<Mark> marks_;
};

}  // namespace footfall::reading
