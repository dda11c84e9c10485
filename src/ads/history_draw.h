#pragma once

#include "ads/brute_calendar.h"
#include "ads/history_world.h"
#include "foundation/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::ads {

/// Zones of asked days: with 23 and 25 hours, ahead and behind, and by halves and quarters of an
/// hour.
inline constexpr std::array<std::string_view, 6> asked_zones{
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Australia/Lord_Howe"
};

/// Draws a history from 20 September 2025 on, some seven months long, and questions about it.
class HistoryDraw {
public:
    static constexpr Instant start{std::chrono::seconds{1'758'326'400}};

    HistoryDraw(HistoryWorld& world, Random& random)
        : world_{&world}, random_{&random}, zone_{world.zone()} {}

    /// Time goes on, and something happens.
    void step() {
        world_->clock().advance(std::chrono::seconds{random_->below(7) * random_->below(86'400)});
        pass_seals();
        const std::uint64_t what = random_->below(100);
        if (what < 22) {
            append_rate();
        } else if (what < 32) {
            begin_seal();
        } else {
            for (std::uint64_t count = 1 + random_->below(5); count > 0; --count) {
                append_event();
            }
        }
    }

    /// Seals that were begun stand in every lane.
    void end_seals() {
        while (!sealing_.empty()) {
            append_seal(0);
        }
    }

    IncomeQuestion question() {
        IncomeQuestion question{
            .kind = kind(), .currency = std::string{pick({"XXX", "XXX", "EUR", "USD"})}
        };
        question.party = question.kind == PartyKind::reseller
                             ? pick({"", "r1", "r1", "r2", "nobody"})
                             : pick({"p1", "p1", "r1"});
        constexpr std::array groupings{
            Grouping::none,
            Grouping::day,
            Grouping::month,
            Grouping::hour,
            Grouping::ad,
            Grouping::other_party
        };
        // Of what has no reseller nobody can ask by ad: it is there for sums.
        question.group_by =
            groupings.at(random_->below(question.party.empty() ? 4 : groupings.size()));
        question.range = range(question.group_by == Grouping::hour);
        if (random_->below(3) == 0) {
            question.as_of = today() - static_cast<int>(random_->below(120));
        }
        if (random_->below(2) == 0) {
            question.zone = asked_zone();
        }
        return question;
    }

    ClicksQuestion clicks_question() {
        ClicksQuestion question;
        if (random_->below(3) == 0) {
            question.of.name = pick({"a1", "a2", "o1", "o3"});
        } else {
            question.of.kind = kind();
            question.of.name = question.of.kind == PartyKind::reseller ? pick({"", "r1", "r2"})
                                                                       : pick({"p1", "r1"});
        }
        question.range = range(false);
        if (random_->below(2) == 0) {
            question.zone = asked_zone();
        }
        return question;
    }

    /// Of some days, a month or a year; absent: of all time.
    std::optional<DayRange> range(bool short_one) {
        const std::uint64_t what = random_->below(10);
        if (what == 0 && !short_one) {
            return std::nullopt;
        }
        const int day = today() - static_cast<int>(random_->below(220));
        if (what < 5) {
            const int month = brute::month_with(day);
            return DayRange{.from = brute::begin_of(month), .to = brute::begin_of(month + 1) - 1};
        }
        if (what == 5 && !short_one) {
            return DayRange{.from = today() - 365, .to = today()};
        }
        return DayRange{
            .from = day, .to = day + static_cast<int>(random_->below(short_one ? 31 : 90))
        };
    }

    int today() const { return zone_.day(world_->clock().now()); }

private:
    struct Sealing {
        events::MonthSealed said;
        std::vector<std::uint32_t> lanes;  ///< That have yet to pass it.
    };

    std::string pick(std::initializer_list<std::string_view> some) {
        return std::string{*(some.begin() + random_->below(some.size()))};
    }

    PartyKind kind() { return random_->below(2) == 0 ? PartyKind::reseller : PartyKind::publisher; }

    TimeZone asked_zone() {
        return TimeZone::find(asked_zones.at(random_->below(asked_zones.size()))).value();
    }

    std::uint32_t lane_of(std::string_view object) const {
        // Some objects share the lane of a party's rates.
        return world_->ledger().lane_of(object == "o1" ? "r1" : object == "o2" ? "p1" : object);
    }

    void append_event() {
        events::JudgedEvent judged;
        judged.arrival = world_->clock().now();
        events::Event& event = judged.event;
        event.id = fmt::format("e{}", ++ids_);
        event.time = event_time();
        event.action = pick({"click", "click", "click", "sale", "view"});
        event.object = pick({"o1", "o2", "o3", "o4"});
        event.amount = amount();
        event.currency = pick({"", "", "XXX", "EUR", "USD"});
        event.reseller = pick({"", "r1", "r1", "r2"});
        event.publisher = pick({"", "p1", "r1"});
        event.ad = pick({"", "a1", "a2"});
        if (random_->below(8) == 0) {
            judged.verdict.refusal = events::Objection{
                .reason = pick({"repeat", "not_human"}), .rule = "rule", .evidence = {}
            };
        }
        world_->append(lane_of(event.object), std::move(judged));
    }

    /// Mostly of these days; else late, or where days, hours and months begin.
    Instant event_time() {
        const Instant now = world_->clock().now();
        const std::uint64_t what = random_->below(10);
        if (what < 4) {
            return now -
                   std::chrono::microseconds{random_->below(std::uint64_t{2} * 86'400'000'000)};
        }
        if (what < 7) {
            return now - std::chrono::seconds{random_->below(std::uint64_t{80} * 86'400)};
        }
        constexpr std::array<std::int64_t, 9> offsets{
            -1,
            0,
            1,
            899'999'999,
            -900'000'000,
            1'800'000'000,
            -3'600'000'000,
            3'600'000'000,
            7'199'999'999
        };
        const std::chrono::microseconds offset{offsets.at(random_->below(offsets.size()))};
        return std::min(now, (what < 9 ? midnight() : change_of_clocks()) + offset);
    }

    Instant midnight() {
        const brute::Zone zone{
            random_->below(2) == 0 ? world_->zone()
                                   : std::string{asked_zones.at(random_->below(asked_zones.size()))}
        };
        const int day = today() - static_cast<int>(random_->below(70));
        return zone.midnight(
            random_->below(3) == 0 ? brute::begin_of(brute::month_with(day)) : day
        );
    }

    Instant change_of_clocks() {
        constexpr std::array<std::int64_t, 6> changes{
            1'759'591'800,  // Lord Howe, 5 October, half an hour on
            1'761'440'400,  // Berlin, 26 October
            1'762'063'200,  // New York, 2 November
            1'772'953'200,  // New York, 8 March
            1'774'746'000,  // Berlin, 29 March
            1'775'314'800   // Lord Howe, 5 April
        };
        return Instant{std::chrono::seconds{changes.at(random_->below(changes.size()))}};
    }

    std::optional<events::Micros> amount() {
        switch (random_->below(12)) {
            case 0:
                return std::nullopt;
            case 1:
                return 1'000'000'000'000'000'000;
            case 2:
            case 3:
            case 4:
                return -static_cast<events::Micros>(random_->below(9'000));
            case 5:
            case 6:
            case 7:
                return static_cast<events::Micros>(random_->below(10));
            default:
                return static_cast<events::Micros>(random_->below(20'000));
        }
    }

    void append_rate() {
        constexpr std::array<std::uint32_t, 9> shares{
            0, 1, 200'000, 250'000, 300'000, 333'333, 500'000, 999'999, 1'000'000
        };
        events::RateSaid said;
        said.kind = kind();
        said.party =
            said.kind == PartyKind::reseller ? pick({"r1", "r1", "r2"}) : pick({"p1", "p1", "r1"});
        // Few days, so that many are said of twice; some lie ahead.
        said.effective = (today() - 100 + static_cast<int>(random_->below(120))) / 12 * 12;
        if (random_->below(6) != 0) {
            said.share = shares.at(random_->below(shares.size()));
        }
        said.reason = pick({"", "", "agreed"});
        said.author = "somebody";
        said.said = world_->clock().now() - std::chrono::seconds{random_->below(3)};
        said.id = fmt::format("r{}", ++ids_);
        if (random_->below(4) == 0) {
            said.if_match = if_match(said.kind, said.party);
        }
        const std::uint32_t lane = world_->ledger().lane_of(said.party);
        world_->append(lane, events::Control{std::move(said)});
    }

    /// A version that was read now, or before.
    std::string if_match(PartyKind kind, const std::string& party) {
        auto& of_party = versions_[{kind, party}];
        if (of_party.empty() || random_->below(2) == 0) {
            return of_party.emplace_back("no version");
        }
        return of_party.at(random_->below(of_party.size()));
    }

public:
    /// Reads the versions of all rates, for If-Match. All that was told has to be in tables.
    void read_versions() {
        for (const auto& [kind, party] : std::initializer_list<std::pair<PartyKind, std::string>>{
                 {PartyKind::reseller, "r1"},
                 {PartyKind::reseller, "r2"},
                 {PartyKind::publisher, "p1"},
                 {PartyKind::publisher, "r1"}
             }) {
            versions_[{kind, party}] = {world_->version(kind, party)};
        }
    }

private:
    /// Of a month that is over. Lanes pass it now and later.
    void begin_seal() {
        events::MonthSealed said;
        said.month = brute::month_with(today()) - 1 - static_cast<int>(random_->below(3));
        said.author = "somebody";
        said.said = world_->clock().now();
        said.id = fmt::format("s{}", ++ids_);
        Sealing sealing{.said = said, .lanes = {}};
        for (std::uint32_t lane = 0; lane < HistoryWorld::lanes; ++lane) {
            sealing.lanes.push_back(lane);
        }
        sealing_.push_back(std::move(sealing));
        pass_seals();
    }

    void pass_seals() {
        while (!sealing_.empty()) {
            append_seal(random_->below(3));
            if (!sealing_.empty() && !sealing_.front().lanes.empty()) {
                return;
            }
        }
    }

    /// Into the lanes but those that are so slow: of three.
    void append_seal(std::uint64_t slow) {
        Sealing& sealing = sealing_.front();
        std::erase_if(sealing.lanes, [&](std::uint32_t lane) {
            const bool passes = random_->below(3) >= slow;
            if (passes) {
                world_->append(lane, events::Control{sealing.said});
            }
            return passes;
        });
        if (sealing.lanes.empty()) {
            sealing_.pop_front();
        }
    }

    HistoryWorld* world_;
    Random* random_;
    brute::Zone zone_;
    std::uint64_t ids_ = 0;
    std::deque<Sealing> sealing_;
    std::map<std::pair<PartyKind, std::string>, std::vector<std::string>> versions_;
};

}  // namespace footfall::ads
