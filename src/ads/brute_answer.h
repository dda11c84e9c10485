#pragma once

#include "ads/brute_ledger.h"

namespace footfall::ads::brute {

/// One question of income.
class Ledger::Answer {
public:
    Answer(const Ledger& ledger, const IncomeQuestion& question)
        : ledger_{&ledger},
          question_{&question},
          zone_{question.zone ? question.zone->name() : ledger.zone_.name()},
          changes_{ledger.changes_of(question.kind, question.party, question.as_of)},
          sealed_{ledger.sealed(question.as_of)} {
        for (const Line& each : ledger.lines_) {
            const bool in_time = !question.as_of || each.arrived <= *question.as_of;
            if (party_of(each, question.kind) == question.party && is_counted(each) &&
                each.currency == question.currency && in_time) {
                lines_.push_back(&each);
                days_.insert(each.day);
            }
        }
        choose_range();
        if (in_ledger_zone()) {
            collect_rows();
        } else {
            collect_rows_of_zone();
        }
    }

    Whole income() const { return sum_of(true) + sum_of(false); }

    Whole amount() const {
        Whole amount = 0;
        for (const Row& each : rows_) {
            amount += each.sum.amount;
        }
        return amount;
    }

    /// Days, what was posted, sums, and the rows of another grouping. Without rows, the total
    /// alone: how a micro of rounding is shared among days and adjustments depends on rows.
    std::vector<std::string> told() const {
        std::vector<std::string> told;
        Sum all;
        for (const bool days : {true, false}) {
            for (const Row& each : rows_) {
                if (each.is_day == days) {
                    all += each.sum;
                    told.push_back(
                        each.head + " " + text(each.sum) + each.tail + " " + each.shown.str()
                    );
                }
            }
        }
        const std::string sums = fmt::format("{} to {}: {} ", from_, to_, text(all));
        if (question_->group_by == Grouping::none) {
            return {sums + income().str()};
        }
        told.push_back(sums + sum_of(true).str() + " " + sum_of(false).str());
        tell_groups(told);
        return told;
    }

private:
    struct Row {
        bool is_day;
        int day;  ///< Of events, or on which it is posted.
        Sum sum = {};
        Whole exact = 0;
        std::string head = {};
        std::string tail = {};
        Whole shown = 0;
    };

    bool in_ledger_zone() const { return zone_.name() == ledger_->zone_.name(); }

    bool is_asked(int day) const { return day >= from_ && day <= to_; }

    int zone_day(const Line& line) const { return zone_.day(line.judged->event.time); }

    static bool is_own(const Line& line) { return line.booked == month_with(line.day); }

    Whole value(const Line& line) const {
        const int month = month_with(line.day);
        return line.sum.amount * share_on(changes_, line.day, month, changes_.size());
    }

    void choose_range() {
        if (question_->range) {
            from_ = question_->range->from;
            to_ = question_->range->to;
            return;
        }
        from_ = to_ = zone_.day(ledger_->now_);
        if (!days_.empty()) {
            from_ = std::min(from_, zone_.day(ledger_->zone_.midnight(*days_.begin())));
        }
    }

    Whole sum_of(bool days) const {
        Whole sum = 0;
        for (const Row& each : rows_) {
            sum += each.is_day == days ? each.shown : Whole{0};
        }
        return sum;
    }

    /// Sealed months each for itself, then the open rows together.
    void collect_rows() {
        int open = from_;
        if (sealed_) {
            const int first = days_.empty() ? to_ : std::min(to_, *days_.begin());
            for (int month = month_with(std::max(from_, first));
                 month <= std::min(*sealed_, month_with(to_));
                 ++month) {
                add_rows(begin_of(month), begin_of(month + 1) - 1, true);
            }
            open = std::max(from_, begin_of(*sealed_ + 1));
        }
        add_rows(open, to_, false);
    }

    void add_rows(int from, int to, bool sealed) {
        std::vector<Row> rows = days_between(from, to);
        for (int month = month_with(from); month <= month_with(to); ++month) {
            if (begin_of(month) >= from) {
                add_adjustments(month, rows);
            }
        }
        round(rows);
        for (Row& each : rows) {
            if (is_asked(each.day)) {
                each.tail += sealed ? " sealed" : " open";
                rows_.push_back(std::move(each));
            }
        }
    }

    static void round(std::vector<Row>& rows) {
        std::vector<Whole> exact;
        exact.reserve(rows.size());
        for (const Row& each : rows) {
            exact.push_back(each.exact);
        }
        const std::vector<Whole> micros = shown(exact);
        for (std::size_t at = 0; at < rows.size(); ++at) {
            rows[at].shown = micros[at];
        }
    }

    std::vector<Row> days_between(int from, int to) const {
        std::vector<Row> rows;
        for (auto day = days_.lower_bound(from); day != days_.end() && *day <= to; ++day) {
            const Sum sum = booked(*day, [](const Line& each) { return is_own(each); });
            const long share = share_on(changes_, *day, month_with(*day), changes_.size());
            if (sum.events() > 0) {
                rows.push_back(
                    {.is_day = true,
                     .day = *day,
                     .sum = sum,
                     .exact = sum.amount * share,
                     .head = fmt::format("day {}", *day),
                     .tail = fmt::format(" at {}", share)}
                );
            }
        }
        return rows;
    }

    template <class Wanted>
    Sum booked(int day, const Wanted& wanted) const {
        Sum sum;
        for (const Line* const each : lines_) {
            if (each->day == day && wanted(*each)) {
                sum += each->sum;
            }
        }
        return sum;
    }

    /// V_q(d) - V_(q-1)(d), first by late events, then by one change of the rate after the other.
    void add_adjustments(int month, std::vector<Row>& rows) const {
        for (const int day : days_) {
            if (day >= begin_of(month)) {
                return;
            }
            const Sum before = booked(day, [&](const Line& each) { return each.booked < month; });
            const Sum late = booked(day, [&](const Line& each) { return each.booked == month; });
            long share = share_on(changes_, day, month - 1, changes_.size());
            const Whole all = before.amount + late.amount;
            if (late.events() > 0) {
                add_adjustment(month, day, "late", late, before.amount * share, all * share, rows);
            }
            for (std::size_t at = 0; at < changes_.size(); ++at) {
                if (changes_[at].booked != month) {
                    continue;
                }
                const long next = share_on(changes_, day, month, at + 1);
                if (next != share && before.events() + late.events() > 0) {
                    const auto cause =
                        fmt::format("rate {}", changes_[at].recorded.time_since_epoch().count());
                    add_adjustment(month, day, cause, {}, all * share, all * next, rows);
                }
                share = next;
            }
        }
    }

    static void add_adjustment(
        int month,
        int day,
        const std::string& cause,
        const Sum& sum,
        const Whole& was,
        const Whole& is,
        std::vector<Row>& rows
    ) {
        rows.push_back(
            {.is_day = false,
             .day = begin_of(month),
             .sum = sum,
             .exact = is - was,
             .head = fmt::format("posted {} of {} {}", begin_of(month), day, cause),
             .tail = " " + was.str() + " " + is.str()}
        );
    }

    /// Days of another zone: each event valued as its ledger day is; all rounded together.
    void collect_rows_of_zone() {
        std::map<int, Row> days;
        std::map<int, std::set<long>> shares;
        for (const Line* const each : lines_) {
            const int day = zone_day(*each);
            if (!is_own(*each) || !is_asked(day)) {
                continue;
            }
            Row& row = days.try_emplace(day, Row{.is_day = true, .day = day}).first->second;
            row.sum += each->sum;
            row.exact += value(*each);
            shares[day].insert(share_on(changes_, each->day, month_with(each->day), changes_.size())
            );
        }
        for (auto& [day, row] : days) {
            const std::set<long>& of_day = shares[day];
            row.head = fmt::format("day {}", day);
            row.tail = of_day.size() == 1 ? fmt::format(" at {}", *of_day.begin())
                                          : std::string{" at two"};
            rows_.push_back(std::move(row));
        }
        for (int month = month_with(from_); month <= month_with(to_); ++month) {
            if (begin_of(month) >= from_) {
                add_adjustments(month, rows_);
            }
        }
        round(rows_);
    }

    void tell_groups(std::vector<std::string>& told) const {
        if (question_->group_by == Grouping::month) {
            std::map<int, std::pair<Sum, Whole>> months;
            for (const Row& each : rows_) {
                if (each.is_day) {
                    auto& [sum, micros] = months[begin_of(month_with(each.day))];
                    sum += each.sum;
                    micros += each.shown;
                }
            }
            for (const auto& [day, of_month] : months) {
                told.push_back(
                    fmt::format("group {} ", day) + text(of_month.first) + " " +
                    of_month.second.str()
                );
            }
            return;
        }
        tell_named_groups(told);
    }

    /// The same total, shared out by what is exact.
    void tell_named_groups(std::vector<std::string>& told) const {
        std::map<std::string, std::pair<Sum, Whole>> groups;
        for (const Line* const each : lines_) {
            if (is_own(*each) && is_asked(zone_day(*each))) {
                if (const auto name = group_of(*each)) {
                    groups[*name].first += each->sum;
                    groups[*name].second += value(*each);
                }
            }
        }
        std::vector<Whole> exact;
        exact.reserve(groups.size());
        for (const auto& [name, group] : groups) {
            exact.push_back(group.second);
        }
        const std::vector<Whole> micros = shown(exact, sum_of(true));
        std::size_t at = 0;
        for (const auto& [name, group] : groups) {
            told.push_back("group " + name + " " + text(group.first) + " " + micros[at++].str());
        }
    }

    std::optional<std::string> group_of(const Line& line) const {
        const events::Event& event = line.judged->event;
        switch (question_->group_by) {
            case Grouping::hour:
                return std::to_string(zone_.begin_of_hour(event.time).time_since_epoch().count());
            case Grouping::ad:
                return line.ad;
            case Grouping::other_party:
                return question_->kind == PartyKind::reseller ? event.publisher : event.reseller;
            case Grouping::none:
            case Grouping::day:
            case Grouping::month:
                return std::nullopt;
        }
        return std::nullopt;
    }

    const Ledger* ledger_;
    const IncomeQuestion* question_;
    Zone zone_;
    std::vector<Change> changes_;
    std::optional<int> sealed_;
    std::vector<const Line*> lines_;
    std::set<int> days_;  ///< Ledger days with events.
    int from_ = 0;
    int to_ = 0;
    std::vector<Row> rows_;
};

inline std::vector<std::string> Ledger::income(const IncomeQuestion& question) const {
    return Answer{*this, question}.told();
}

inline std::string Ledger::split(const std::string& currency, DayRange range) const {
    Whole amount = 0;
    std::map<PartyKind, Whole> parts;
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        std::set<std::string> names;
        for (const Line& each : lines_) {
            names.insert(party_of(each, kind));
        }
        for (const std::string& name : names) {
            if (kind == PartyKind::publisher && name.empty()) {
                continue;
            }
            const IncomeQuestion question{
                .kind = kind, .party = name, .currency = currency, .range = range
            };
            const Answer answer{*this, question};
            parts[kind] += answer.income();
            amount += kind == PartyKind::reseller ? answer.amount() : Whole{0};
        }
    }
    return amount.str() + " " + parts[PartyKind::reseller].str() + " " +
           parts[PartyKind::publisher].str();
}

}  // namespace footfall::ads::brute
