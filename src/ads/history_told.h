#pragma once

#include "ads/brute_rows.h"
#include "ads/clicks_report.h"
#include "ads/rate_changes.h"
#include "ads/reports.h"
#include "ads/split.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

// Answers of the ledger in the words of brute::Ledger, so that they can be compared.

namespace footfall::ads {

inline std::string told(const Amounts& amounts) {
    return fmt::format("{} {} {} ", amounts.clicks, amounts.sales, amounts.refunds) +
           brute::Whole{amounts.amount}.str();
}

inline std::string told(const IncomeQuestion& question, const Group& group) {
    std::string name = group.name;
    if (question.group_by == Grouping::month) {
        name = std::to_string(group.day);
    } else if (question.group_by == Grouping::hour) {
        name = std::to_string(group.begin.time_since_epoch().count());
    }
    return "group " + name + " " + told(group.amounts) + " " + brute::Whole{group.income}.str();
}

inline std::vector<std::string> told(
    const IncomeQuestion& question, const IncomeAnswer& answer, bool in_ledger_zone
) {
    const auto state = [&](bool sealed) {
        return in_ledger_zone ? (sealed ? " sealed " : " open ") : " ";
    };
    std::vector<std::string> rows;
    rows.reserve(answer.report.days.size());
    for (const ShownDay& each : answer.report.days) {
        rows.push_back(
            fmt::format(
                "day {} {} at {}{}",
                each.day,
                told(each.amounts),
                each.share ? std::to_string(*each.share) : "two",
                state(each.sealed)
            ) +
            brute::Whole{each.income}.str()
        );
    }
    for (const ShownAdjustment& each : answer.report.adjustments) {
        const Adjustment& what = each.what;
        if (what.posted) {
            rows.push_back(
                fmt::format(
                    "posted {} of {} {} {} ",
                    *what.posted,
                    what.day,
                    what.cause == Cause::late ? "late" : fmt::format("rate {}", what.recorded),
                    told(what.amounts)
                ) +
                brute::Whole{what.was}.str() + " " + brute::Whole{what.is}.str() +
                state(each.sealed) + brute::Whole{each.difference}.str()
            );
        }
    }
    const std::string sums = fmt::format(
        "{} to {}: {} ", answer.range.from, answer.range.to, told(answer.report.amounts)
    );
    if (question.group_by == Grouping::none) {
        return {sums + brute::Whole{answer.report.income()}.str()};
    }
    rows.push_back(
        sums + brute::Whole{answer.report.earned}.str() + " " +
        brute::Whole{answer.report.corrected}.str()
    );
    for (const Group& each : answer.groups) {
        rows.push_back(told(question, each));
    }
    return rows;
}

inline std::vector<std::string> told(const ClicksAnswer& answer) {
    std::vector<std::string> rows;
    for (const ClicksDay& each : answer.days) {
        rows.push_back(fmt::format(
            "day {} {} {} {}",
            each.day,
            each.amounts.clicks,
            each.amounts.sales,
            each.amounts.refunds
        ));
        for (const auto& [reason, count] : each.refused) {
            rows.push_back(fmt::format("refused {} {}", reason, count));
        }
    }
    for (const auto& [currency, amount] : answer.amounts) {
        rows.push_back(fmt::format("amount {} {}", currency, brute::Whole{amount}.str()));
    }
    return rows;
}

/// In the order in which they were recorded.
inline std::vector<std::string> told(const RateHistory& history) {
    std::vector<RecordedRate> changes = history.changes();
    std::ranges::sort(changes, {}, &RecordedRate::recorded);
    std::vector<std::string> rows;
    rows.reserve(changes.size());
    for (const RecordedRate& each : changes) {
        rows.push_back(fmt::format(
            "{} {} {} {} {}",
            each.effective,
            each.share ? std::to_string(*each.share) : "none",
            each.recorded.time_since_epoch().count(),
            each.booked == from_the_beginning ? "ever" : std::to_string(each.booked),
            each.reason
        ));
    }
    return rows;
}

inline std::string told(const Split& split) {
    return brute::Whole{split.amount}.str() + " " + brute::Whole{split.resellers}.str() + " " +
           brute::Whole{split.publishers}.str();
}

}  // namespace footfall::ads
