#pragma once

#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/siphash.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace footfall::ads {

/// How many clicks came in one second of the clock.
struct ClickSecond {
    std::int64_t second = 0;  ///< Unix time.
    std::uint64_t counted = 0;
    std::uint64_t refused = 0;

    friend bool operator==(const ClickSecond&, const ClickSecond&) = default;
};

/// The last hour of clicks, second by second: of all, of an ad, of a reseller, of both. What a live
/// chart is drawn from. A click is one of the ledger's (is_of_ledger), and stands in the second in
/// which this process took it in; never in one that between() has told, so what was told of a
/// second stays true. One that came more than an hour after it happened is in none: a ledger that
/// is imported is no rush.
///
/// Memory is `bytes`, however many names and clicks there are. Sums of all clicks are always those
/// of the whole hour. For the others a ring keeps a cell for each second, ad and reseller that had
/// clicks: an hour of 47 of them a second, less of more. The oldest cells leave first, and a second
/// of which one has left is not told any more: a sum is whole or absent. A name is known by 64 bits
/// of its keyed hash, so there is no list of names that could be full.
///
/// A clock that was set back by more than clock_slack takes the seconds that it was ahead with it.
///
/// Thread-safe, behind one mutex, which nobody holds for longer than a look at some hundred cells:
/// note() may be called where nobody may wait. It costs 0.1 us.
class LiveClicks {
public:
    static constexpr std::size_t bytes = 4 << 20;
    static constexpr std::int64_t kept_seconds = 3600;

    explicit LiveClicks(SipKey secret);

    /// Takes in an event; passes over what is no click of the ledger.
    void note(const events::JudgedEvent& judged, Instant now);

    /// The same for who is told of some records again, after a start or a loss: passes over what
    /// arrived before the last read_again().
    void note_new(const events::JudgedEvent& judged, Instant now);

    /// What arrived before `now` is read again, and was noted when it came, or never is.
    void read_again(Instant now);

    /// Whose clicks; empty: everybody's.
    struct Asked {
        std::string_view ad = {};
        std::string_view reseller = {};
    };

    /// The seconds of [from, before) that had such clicks, ascending, as far as they are kept.
    /// `before`: the second that runs, or one before it. Cost: of all clicks 15 ns a second, of
    /// some 2 ns a cell of that time, so 0.4 ms at most.
    std::vector<ClickSecond> between(const Asked& asked, std::int64_t from, std::int64_t before);

private:
    struct Cell {
        std::uint64_t ad;
        std::uint64_t reseller;
        std::uint32_t second;
        std::uint16_t counted;
        std::uint16_t refused;
    };

    struct Sum {
        std::uint32_t second = 0;
        std::uint32_t counted = 0;
        std::uint32_t refused = 0;
    };

    /// Which cells are asked for.
    struct Wanted {
        bool any_ad;
        bool any_reseller;
        std::uint64_t ad;
        std::uint64_t reseller;

        bool has(const Cell& cell) const {
            return (any_ad || cell.ad == ad) && (any_reseller || cell.reseller == reseller);
        }
    };

    static constexpr std::size_t places = 1 << 13;
    static constexpr std::size_t capacity =
        (bytes - places * sizeof(std::uint64_t) - kept_seconds * sizeof(Sum)) / sizeof(Cell);

    void take_in(const events::JudgedEvent& judged, Instant now, bool only_new);
    void move_on(std::int64_t second);
    void add(std::uint64_t ad, std::uint64_t reseller, bool counted);
    std::uint64_t append(const Cell& cell);
    std::uint64_t first_of(std::int64_t second) const;
    std::vector<ClickSecond> all_between(std::int64_t from, std::int64_t before) const;
    std::vector<ClickSecond> some_between(
        const Wanted& wanted, std::int64_t from, std::int64_t before
    );

    Cell& cell(std::uint64_t number) const { return cells_[number % capacity]; }

    const SipKey secret_;
    mutable std::mutex mutex_;  ///< Guards all below.
    /// By the number of a cell, modulo capacity; those in [begin_, end_), seconds ascending.
    const std::unique_ptr<Cell[]> cells_ = std::make_unique_for_overwrite<Cell[]>(capacity);
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
    /// By the hash of ad and reseller, the number of their latest cell, or of others'.
    std::vector<std::uint64_t> places_ = std::vector<std::uint64_t>(places);
    std::array<Sum, kept_seconds> sums_{};  ///< Of all clicks; by the second, modulo kept_seconds.
    std::int64_t latest_ = 0;               ///< No click gets a second before this one.
    std::int64_t whole_from_ = 0;           ///< Of seconds before, cells may have left.
    Instant new_from_{};
};

}  // namespace footfall::ads
