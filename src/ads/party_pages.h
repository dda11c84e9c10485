#pragma once

#include "ads/entries.h"
#include "ads/gathered.h"
#include "ads/page.h"
#include "foundation/result.h"
#include "runtime/lanes.h"
#include "runtime/memory_shares.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace footfall::ads {

/// Which lines a page has from when it was made: those that waited or were in rows when that began,
/// and of those that were written meanwhile the ones that its rows include.
struct PageHorizon {
    /// Of a row: what its lane wrote of a month.
    struct Row {
        std::uint32_t lane = 0;
        Month booked = 0;
        std::uint64_t through = 0;  ///< It includes the lines before this.

        std::pair<std::uint32_t, Month> place() const { return {lane, booked}; }
    };

    std::array<std::uint64_t, runtime::lane_count> taken_before{};
    std::vector<Row>
        rows;  ///< By lane, then by booked: 16 bytes each, as a page is in memory long.

    bool has(std::uint32_t lane, const Line& line) const;
};

/// A page as it was made from rows and from what waited for them.
struct MadePage {
    Page page;
    PageHorizon horizon;
};

/// What a page answers.
struct PageAnswer {
    IncomeReport report;
    DayRange days;  ///< The first and the last day with events, as Page::days().
    std::optional<Month> sealed;
};

/// The pages of parties that were asked for of late, kept up to date by what comes: a cache, where
/// this process counts all lanes.
///
/// State: a table of pages, guarded by table_, and each page, guarded by its own mutex, which is
/// taken without the other. hand_over() is called by one thread at a time. Thread-safe otherwise.
class PartyPages {
public:
    /// Makes a page; may read and wait.
    using Make = std::function<
        Result<MadePage>(PartyKind kind, const std::string& party, const std::string& currency)>;

    /// `memory`: it takes so many percent of it at most; null: 32 MiB.
    PartyPages(Make make, const runtime::MemoryShare* memory, std::size_t percent)
        : make_{std::move(make)}, memory_{memory}, percent_{percent} {}

    /// What the page of a party answers, if it is here; absent: it is not, or cannot say. Never
    /// waits for the store.
    Result<std::optional<PageAnswer>> find(
        PartyKind kind, std::string_view party, std::string_view currency, DayRange range
    );

    /// The same, making the page if it is not here. May wait.
    Result<std::optional<PageAnswer>> ask(
        PartyKind kind, const std::string& party, const std::string& currency, DayRange range
    );

    /// A record of a lane, in its order, that was not handed over before.
    void hand_over(std::uint32_t lane, const Entry& entry);

    /// Something else than lines changed of a party, or of all: pages are made anew when asked for.
    void forget(PartyKind kind, std::string_view party);
    void forget_all();

    /// Whether there is none, so that nothing needs to be handed over.
    bool empty() const { return bytes_.load(std::memory_order_relaxed) == 0; }

    std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

    std::size_t pages() const;

    std::uint64_t made() const { return made_pages_.load(); }

private:
    struct Held {
        std::mutex mutex;
        std::condition_variable ready;
        bool is_making = true;
        bool is_void = false;  ///< It was forgotten, or cannot be kept up to date.
        std::optional<Error> failure = {};
        std::optional<Page> page = {};
        PageHorizon horizon;
        /// What came while it was made.
        std::vector<WaitingLine> came = {};
        std::size_t bytes = 0;
        std::atomic<bool> used = true;  ///< Since the last round of eviction.
    };

    using Table = std::unordered_map<std::string, std::shared_ptr<Held>>;

    static std::string key_of(PartyKind kind, std::string_view party, std::string_view currency);
    std::shared_ptr<Held> held(const std::string& key) const;
    static Result<std::optional<PageAnswer>> answer(const Page& page, DayRange range);
    static Result<std::optional<PageAnswer>> wait_for(Held& held, DayRange range);
    Result<void> make(
        Held& held, PartyKind kind, const std::string& party, const std::string& currency
    );
    void hand_line(std::uint32_t lane, const Line& line, PartyKind kind);
    static void add(Held& held, std::uint32_t lane, const Line& line);
    void book(Held& held, std::size_t key_bytes);
    void erase(const std::string& key, const std::shared_ptr<Held>& held);
    void evict();
    std::size_t bytes_max() const;

    Make make_;
    const runtime::MemoryShare* memory_;
    const std::size_t percent_;
    mutable std::shared_mutex table_mutex_;
    Table table_;
    std::atomic<std::size_t> bytes_ = 0;
    std::atomic<std::uint64_t> made_pages_ = 0;
};

}  // namespace footfall::ads
