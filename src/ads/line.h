#pragma once

#include "ads/account.h"
#include "ads/ledger_zone.h"
#include "ads/month.h"
#include "events/control.h"
#include "events/money.h"
#include "events/verdict.h"
#include "foundation/clock.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

namespace footfall::ads {

using events::PartyKind;

/// Whether an event is one of the ledger: a click or a sale that names an amount, a reseller, a
/// publisher or an ad. Refused ones are, too: they are shown beside those that count. Pure.
bool is_of_ledger(const events::Event& event);

/// The ad that an event of the ledger is of: its object, where it names none.
inline std::string_view ad_of(const events::Event& event) {
    return event.ad.empty() ? event.object : event.ad;
}

/// What many lines have in common: who earns by them, in which currency, of which ad, and why they
/// are refused. Constant.
class LineNames {
public:
    /// currency, reseller, publisher, ad, refusal; each of at most 64 KiB.
    using Texts = std::array<std::string_view, 5>;

    explicit LineNames(const Texts& texts);

    std::string_view currency() const { return text(0); }

    std::string_view reseller() const { return text(1); }

    std::string_view publisher() const { return text(2); }

    std::string_view ad() const { return text(3); }

    /// Empty: the lines count.
    std::string_view refusal() const { return text(4); }

    Texts texts() const { return {currency(), reseller(), publisher(), ad(), refusal()}; }

    /// Bytes of the heap, with what they take in a table.
    std::size_t heap_bytes() const { return sizeof(LineNames) + bytes_.capacity() + 128; }

private:
    std::string_view text(std::size_t at) const;

    std::string bytes_;  ///< Where each text ends, two bytes each, and behind that the texts.
};

/// Names that lines of one lane share. Not thread-safe.
class SharedNames {
public:
    struct Found {
        std::shared_ptr<const LineNames> names;
        bool is_new = false;  ///< They were made for this line.
    };

    Found find_or_make(const LineNames::Texts& texts);

    /// From now on all are made anew; lines keep those that they have.
    void clear() { names_.clear(); }

private:
    using Shared = std::shared_ptr<const LineNames>;

    /// By texts, whether they stand together yet or not.
    struct Hash {
        using is_transparent = void;

        std::size_t operator()(const LineNames::Texts& texts) const;

        std::size_t operator()(const Shared& names) const { return (*this)(names->texts()); }
    };

    struct Equal {
        using is_transparent = void;

        bool operator()(const LineNames::Texts& texts, const Shared& names) const {
            return texts == names->texts();
        }

        bool operator()(const Shared& names, const LineNames::Texts& texts) const {
            return texts == names->texts();
        }

        bool operator()(const Shared& one, const Shared& other) const {
            return one->texts() == other->texts();
        }
    };

    std::unordered_set<Shared, Hash, Equal> names_;
};

/// A click or a sale as the ledger takes it in: 80 bytes beside names that it shares with others. A
/// plain value.
struct Line {
    /// What it counts as.
    enum class Kind : std::uint8_t { refused, click, sale, refund };

    std::uint64_t offset = 0;  ///< In its lane.
    Instant arrival{};
    events::Micros amount = 0;
    Day day = 0;                ///< Ledger day of its time,
    Day arrived = 0;            ///< and of its arrival.
    Month booked = 0;           ///< As LaneSeals says.
    std::uint16_t quarter = 0;  ///< Quarter-hours since its day began.
    Kind kind = Kind::refused;
    bool made_names = false;  ///< It is the first of its names, which are booked with it.
    std::shared_ptr<const LineNames> names;

    /// What it adds; nothing if it was refused.
    Amounts amounts() const;

    std::string_view currency() const { return names->currency(); }

    std::string_view reseller() const { return names->reseller(); }

    std::string_view publisher() const { return names->publisher(); }

    std::string_view ad() const { return names->ad(); }

    /// Why it does not count; empty: it does.
    std::string_view refusal() const { return names->refusal(); }

    std::string_view party(PartyKind of) const {
        return of == PartyKind::reseller ? reseller() : publisher();
    }

    /// Bytes of the heap.
    std::size_t heap_bytes() const { return made_names ? names->heap_bytes() : 0; }
};

/// What some lines come to that differ in nothing but offset, arrival within a day, and amount: a
/// row of any table counts all of them, or none. Refers to one of them.
struct LineSum {
    const Line* like = nullptr;  ///< One of them.
    Amounts amounts;
    std::uint64_t count = 0;
    std::uint64_t through = 0;  ///< Behind the last of them.
    Instant first_arrival{};

    LineSum() = default;

    explicit LineSum(const Line& line) { add(line); }

    void add(const Line& line);
};

/// The line of an event of the ledger, booked in the month of its day. `currency`: of an event that
/// names none.
Line line_of(
    std::uint64_t offset,
    const events::JudgedEvent& judged,
    const LedgerZone& zone,
    std::string_view currency,
    SharedNames& names
);

}  // namespace footfall::ads
