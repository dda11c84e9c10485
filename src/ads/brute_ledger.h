#pragma once

#include "ads/brute_calendar.h"
#include "ads/brute_rows.h"
#include "ads/clicks_report.h"
#include "ads/rate_changes.h"
#include "ads/reports.h"
#include "events/verdict.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// The ledger as the design defines it, computed for each question from the whole story, with
// numbers of any size. Of the ledger that it judges it takes the types of questions alone.

namespace footfall::ads::brute {

using events::PartyKind;

/// What lanes have, as far as a ledger was told.
struct Story {
    std::vector<std::vector<events::LogRecord>> lanes;
    /// Of each lane so many records are in tables for certain: rates and seals hold from then on.
    std::vector<std::size_t> stored;
    /// To how many changes of its party each version belongs that somebody was given.
    std::map<std::string, std::size_t> versions;
};

class Ledger {
public:
    Ledger(const Story& story, const std::string& zone, std::string currency, Instant now)
        : zone_{zone}, currency_{std::move(currency)}, now_{now}, lanes_{story.lanes.size()} {
        for (std::size_t lane = 0; lane < story.lanes.size(); ++lane) {
            std::optional<int> sealed;
            for (std::size_t at = 0; at < story.lanes[lane].size(); ++at) {
                hear(story, lane, at, sealed);
            }
        }
    }

    const Zone& zone() const { return zone_; }

    /// The last month that every lane has passed the seal of.
    std::optional<int> sealed(std::optional<int> as_of = {}) const {
        std::optional<int> last;
        for (const auto& [month, seal] : seals_) {
            const bool in_time = !as_of || zone_.day(seal.said) <= *as_of;
            if (in_time && seal.lanes.size() == lanes_) {
                last = month;
            }
        }
        return last;
    }

    /// All changes of a party that are in tables.
    std::vector<std::string> changes(PartyKind kind, const std::string& party) const {
        std::vector<std::string> told;
        for (const Change& each : changes_of(kind, party)) {
            told.push_back(fmt::format(
                "{} {} {} {} {}",
                each.since,
                share_text(each.share),
                each.recorded.time_since_epoch().count(),
                each.booked == std::numeric_limits<int>::min() ? "ever"
                                                               : std::to_string(each.booked),
                each.reason
            ));
        }
        return told;
    }

    std::size_t count_changes(PartyKind kind, const std::string& party) const {
        return changes_of(kind, party).size();
    }

    /// Each row of an answer as a text, then sums, then the rows of another grouping.
    std::vector<std::string> income(const IncomeQuestion& question) const;

    /// All that was ever counted of a party, each day at the latest rate, unrounded: in 10^-12.
    Whole at_the_latest_rates(PartyKind kind, const std::string& party, const std::string& currency)
        const {
        const std::vector<Change> changes = changes_of(kind, party);
        Whole all = 0;
        for (const Line& each : lines_) {
            if (party_of(each, kind) == party && each.currency == currency && is_counted(each)) {
                all += each.sum.amount * share_on(changes, each.day, 1'000'000, changes.size());
            }
        }
        return all;
    }

    std::vector<std::string> clicks(const ClicksQuestion& question) const {
        const Zone zone{question.zone ? question.zone->name() : zone_.name()};
        std::map<int, std::pair<Sum, std::map<std::string, int>>> days;
        std::map<std::string, Whole> amounts;
        for (const Line& each : lines_) {
            const std::string& name =
                question.of.kind ? party_of(each, *question.of.kind) : each.ad;
            const int day = zone.day(each.judged->event.time);
            if (name != question.of.name || (!question.of.kind && name.empty()) ||
                (question.range && (day < question.range->from || day > question.range->to))) {
                continue;
            }
            auto& [sum, refused] = days[day];
            if (const auto& refusal = each.judged->verdict.refusal) {
                ++refused[refusal->reason];
            } else {
                sum += each.sum;
                amounts[each.currency] += each.sum.amount;
            }
        }
        std::vector<std::string> told;
        for (const auto& [day, of_day] : days) {
            told.push_back(fmt::format("day {} {}", day, counts_text(of_day.first)));
            for (const auto& [reason, count] : of_day.second) {
                told.push_back(fmt::format("refused {} {}", reason, count));
            }
        }
        for (const auto& [currency, amount] : amounts) {
            told.push_back(fmt::format("amount {} {}", currency, amount.str()));
        }
        return told;
    }

    /// Amount, resellers' and publishers' parts of a range of days.
    std::string split(const std::string& currency, DayRange range) const;

private:
    /// A click or a sale.
    struct Line {
        const events::JudgedEvent* judged;
        int day;
        int arrived;
        int booked;
        std::string currency;
        std::string ad;
        Sum sum;
    };

    /// A change of a rate that was recorded.
    struct Change {
        int since;
        std::optional<std::uint32_t> share;
        std::string reason;
        Instant recorded;
        int booked;
        bool stored;
    };

    struct Seal {
        Instant said;
        std::set<std::size_t> lanes;
    };

    class Answer;

    static bool is_counted(const Line& line) { return !line.judged->verdict.refusal; }

    static const std::string& party_of(const Line& line, PartyKind kind) {
        const events::Event& event = line.judged->event;
        return kind == PartyKind::reseller ? event.reseller : event.publisher;
    }

    static std::string share_text(const std::optional<std::uint32_t>& share) {
        return share ? std::to_string(*share) : "none";
    }

    void hear(const Story& story, std::size_t lane, std::size_t at, std::optional<int>& sealed) {
        const events::LogRecord& record = story.lanes[lane][at];
        const bool stored = at < story.stored[lane];
        if (const auto* const judged = std::get_if<events::JudgedEvent>(&record)) {
            hear(*judged, sealed);
            return;
        }
        const auto& control = std::get<events::Control>(record);
        if (const auto* const rate = std::get_if<events::RateSaid>(&control)) {
            hear(story, *rate, sealed, stored);
        } else if (const auto* const seal = std::get_if<events::MonthSealed>(&control)) {
            sealed = std::max(sealed.value_or(seal->month), seal->month);
            if (stored) {
                Seal& known = seals_.try_emplace(seal->month, Seal{seal->said, {}}).first->second;
                if (known.lanes.insert(lane).second) {
                    known.said = std::min(known.said, seal->said);
                }
            }
        }
    }

    void hear(const events::JudgedEvent& judged, std::optional<int> sealed) {
        const events::Event& event = judged.event;
        const bool names = event.amount || !event.reseller.empty() || !event.publisher.empty() ||
                           !event.ad.empty();
        if ((event.action != "click" && event.action != "sale") || !names) {
            return;
        }
        const int day = zone_.day(event.time);
        const int month = month_with(day);
        Line line{
            .judged = &judged,
            .day = day,
            .arrived = zone_.day(judged.arrival),
            .booked = sealed && *sealed >= month ? *sealed + 1 : month,
            .currency = event.currency.empty() ? currency_ : event.currency,
            .ad = event.ad.empty() ? event.object : event.ad,
            .sum = {}
        };
        if (is_counted(line)) {
            line.sum.amount = event.amount.value_or(0);
            (line.sum.amount < 0      ? line.sum.refunds
             : event.action == "sale" ? line.sum.sales
                                      : line.sum.clicks) = 1;
        }
        lines_.push_back(std::move(line));
    }

    void hear(
        const Story& story, const events::RateSaid& said, std::optional<int> sealed, bool stored
    ) {
        std::vector<Change>& changes = changes_[{said.kind, said.party}];
        if (said.if_match) {
            const auto version = story.versions.find(*said.if_match);
            if (version == story.versions.end() || version->second != changes.size()) {
                return;
            }
        }
        const Change* in_force = nullptr;
        Instant recorded = said.said;
        for (const Change& each : changes) {
            in_force = each.since == said.effective ? &each : in_force;
            recorded = std::max(recorded, each.recorded + std::chrono::microseconds{1});
        }
        if (in_force == nullptr
                ? !said.share
                : in_force->share == said.share && in_force->reason == said.reason) {
            return;
        }
        changes.push_back(
            {.since = said.effective,
             .share = said.share,
             .reason = said.reason,
             .recorded = recorded,
             .booked = sealed ? *sealed + 1 : std::numeric_limits<int>::min(),
             .stored = stored}
        );
    }

    std::vector<Change> changes_of(
        PartyKind kind, const std::string& party, std::optional<int> as_of = {}
    ) const {
        std::vector<Change> found;
        const auto all = changes_.find({kind, party});
        if (all == changes_.end()) {
            return found;
        }
        for (const Change& each : all->second) {
            if (each.stored && (!as_of || zone_.day(each.recorded) <= *as_of)) {
                found.push_back(each);
            }
        }
        return found;
    }

    /// On a day, by the first `count` changes, of those booked up to a month.
    static long share_on(
        const std::vector<Change>& changes, int day, int month, std::size_t count
    ) {
        std::map<int, std::optional<std::uint32_t>> said;
        for (std::size_t at = 0; at < count; ++at) {
            if (changes[at].booked <= month && changes[at].since <= day) {
                said[changes[at].since] = changes[at].share;
            }
        }
        long share = 0;
        for (const auto& [since, given] : said) {
            share = given ? static_cast<long>(*given) : share;
        }
        return share;
    }

    Zone zone_;
    std::string currency_;
    Instant now_;
    std::size_t lanes_;
    std::vector<Line> lines_;
    std::map<std::pair<PartyKind, std::string>, std::vector<Change>> changes_;
    std::map<int, Seal> seals_;
};

}  // namespace footfall::ads::brute
