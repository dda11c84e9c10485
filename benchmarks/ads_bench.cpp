// The ledger of resellers alone, without HTTP: ten years of clicks in an embedded store, and what
// income of any range of their days takes. One JSON document to stdout; answers are in it, so that
// they can be compared with those of others.
//
//   ads_bench fill FOLDER RESELLERS        a store in FOLDER, with clicks.csv and rates.csv beside
//   ads_bench ranges FOLDER RANGES ROUNDS  of the first reseller, whose page is in memory
//   ads_bench cold FOLDER RESELLERS        after a start: a year of each other reseller, once
//   ads_bench backdated FOLDER RANGES      after a start: the first reseller, and a rate of the
//   past
//
// Money is in millionths, days are counted since 1970-01-01, times of questions are in nanoseconds.

#include "ads/page_source.h"
#include "ads_world.h"
#include "foundation/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace footfall;
using benchmarks::AdsWorld;
using std::chrono::steady_clock;

/// A question and what was answered.
struct Answered {
    std::string reseller;
    ads::DayRange range;
    std::int64_t income = 0;
    std::int64_t nanoseconds = 0;
};

std::int64_t income_in(const ads::IncomeAnswer& answer) {
    const ads::WideMicros income = answer.report.earned + answer.report.corrected;
    CHECK(income == static_cast<std::int64_t>(income), "an income beyond 64 bits");
    return static_cast<std::int64_t>(income);
}

ads::IncomeQuestion question(const std::string& reseller, ads::DayRange range) {
    return {
        .party = reseller,
        .currency = std::string{AdsWorld::currency},
        .range = range,
        .group_by = ads::Grouping::none
    };
}

std::int64_t nanoseconds_since(steady_clock::time_point start) {
    return (steady_clock::now() - start) / std::chrono::nanoseconds{1};
}

/// As a route asks that may wait.
Answered ask(AdsWorld& world, const std::string& reseller, ads::DayRange range) {
    const ads::IncomeQuestion asked = question(reseller, range);
    const auto start = steady_clock::now();
    const auto answer = ads::income_of(world.ledger(), asked);
    const std::int64_t taken = nanoseconds_since(start);
    CHECK(answer.has_value(), "income", answer.error().message);
    return {reseller, range, income_in(*answer), taken};
}

std::vector<ads::DayRange> draw_ranges(std::size_t count) {
    Random random{count};
    const ads::DayRange days = AdsWorld::days();
    const auto all = static_cast<std::uint64_t>(AdsWorld::day_count);
    std::vector<ads::DayRange> ranges;
    ranges.reserve(count);
    while (ranges.size() < count) {
        const auto one = days.from + static_cast<ads::Day>(random.below(all));
        const auto other = days.from + static_cast<ads::Day>(random.below(all));
        ranges.push_back({.from = std::min(one, other), .to = std::max(one, other)});
    }
    return ranges;
}

std::string json(const std::vector<Answered>& answers) {
    std::string text;
    for (const Answered& each : answers) {
        text += fmt::format(
            R"({}["{}",{},{},{},{}])",
            text.empty() ? "" : ",",
            each.reseller,
            each.range.from,
            each.range.to,
            each.income,
            each.nanoseconds
        );
    }
    return "[" + text + "]";
}

/// Of all pages as they are accounted, with what is noted beside each; and of one page by itself,
/// which is that of ten years.
std::string page_bytes(AdsWorld& world, std::uint64_t days, const std::string& one) {
    const ads::PartyPages& pages = *world.ledger().pages();
    const auto made = ads::make_party_page(
        world.ledger(), ads::PartyKind::reseller, one, std::string{AdsWorld::currency}
    );
    CHECK(made.has_value(), "page", made.error().message);
    return fmt::format(
        R"({{"pages":{},"bytes":{},"days":{},"page":{}}})",
        pages.pages(),
        pages.bytes(),
        days,
        made->page.bytes()
    );
}

std::string fill(const std::string& folder, std::size_t resellers) {
    return AdsWorld::fill(folder, resellers);
}

std::int64_t at_share(const std::vector<std::int64_t>& sorted, double share) {
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

/// Each call alone, with the two looks at the clock around it; and what these take by themselves.
std::string ranges(const std::string& folder, std::size_t count, std::size_t rounds) {
    const auto world = AdsWorld::open(folder);
    const std::string first = AdsWorld::reseller(0);
    std::vector<Answered> answers;
    std::vector<ads::IncomeQuestion> questions;
    answers.reserve(count);
    questions.reserve(count);
    for (const ads::DayRange& range : draw_ranges(count)) {
        answers.push_back(ask(*world, first, range));
        questions.push_back(question(first, range));
    }
    std::vector<std::int64_t> taken;
    std::vector<std::int64_t> clock;
    taken.reserve(count * rounds);
    clock.reserve(count * rounds);
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t at = 0; at < count; ++at) {
            const auto start = steady_clock::now();
            const auto answer = ads::income_from_page(world->ledger(), questions[at], false);
            taken.push_back(nanoseconds_since(start));
            CHECK(answer && *answer, "the page cannot say");
            CHECK(income_in(**answer) == answers[at].income, "a page answers now so, now so");
            const auto empty = steady_clock::now();
            clock.push_back(nanoseconds_since(empty));
        }
    }
    std::ranges::sort(taken);
    std::ranges::sort(clock);
    return fmt::format(
        R"({{"calls":{},"p50_ns":{},"p99_ns":{},"clock_ns":{},"memory":{},"answers":{}}})",
        taken.size(),
        at_share(taken, 0.5),
        at_share(taken, 0.99),
        at_share(clock, 0.5),
        page_bytes(*world, AdsWorld::day_count, first),
        json(answers)
    );
}

std::string cold(const std::string& folder, std::size_t resellers) {
    constexpr ads::Day year = 365;
    AdsWorld::forget_files(folder);
    const auto start = steady_clock::now();
    const auto world = AdsWorld::open(folder);
    const std::int64_t opened = nanoseconds_since(start);
    std::vector<std::size_t> order;
    order.reserve(resellers);
    for (std::size_t number = 1; number < resellers; ++number) {
        order.push_back(number);
    }
    Random random{resellers};
    std::ranges::shuffle(order, random);
    std::vector<Answered> answers;
    answers.reserve(order.size());
    for (const std::size_t number : order) {
        const auto from = AdsWorld::days().from +
                          static_cast<ads::Day>(random.below(AdsWorld::day_count - year + 1));
        answers.push_back(
            ask(*world, AdsWorld::reseller(number), {.from = from, .to = from + year - 1})
        );
    }
    return fmt::format(
        R"({{"opened_ns":{},"memory":{},"answers":{}}})",
        opened,
        page_bytes(*world, order.size() * AdsWorld::day_count, AdsWorld::reseller(1)),
        json(answers)
    );
}

std::string backdated(const std::string& folder, std::size_t count) {
    constexpr ads::Day years_ago = 1'826;
    constexpr ads::Millionths share = 654'321;
    AdsWorld::forget_files(folder);
    const auto world = AdsWorld::open(folder);
    const std::string first = AdsWorld::reseller(0);
    const Answered before = ask(*world, first, AdsWorld::days());
    const Answered again = ask(*world, first, AdsWorld::days());
    const ads::Day effective = AdsWorld::days().to - years_ago;
    const auto start = steady_clock::now();
    world->record_rate(first, effective, share);
    const std::int64_t recorded = nanoseconds_since(start);
    std::vector<Answered> answers{ask(*world, first, AdsWorld::days())};
    answers.reserve(count + 1);
    for (const ads::DayRange& range : draw_ranges(count)) {
        answers.push_back(ask(*world, first, range));
    }
    return fmt::format(
        R"({{"effective":{},"share":{},"recorded_ns":{},"before":{},"answers":{}}})",
        effective,
        share,
        recorded,
        json({before, again}),
        json(answers)
    );
}

std::optional<std::size_t> number_in(std::string_view text) {
    std::size_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
    return whole && number > 0 ? std::optional{number} : std::nullopt;
}

/// Empty: that is no way to call it.
std::string run(const std::vector<std::string>& words) {
    std::vector<std::size_t> numbers;
    for (std::size_t at = 2; at < words.size(); ++at) {
        const auto number = number_in(words[at]);
        if (!number) {
            return {};
        }
        numbers.push_back(*number);
    }
    if (numbers.size() == 2 && words[0] == "ranges") {
        return ranges(words[1], numbers[0], numbers[1]);
    }
    if (numbers.size() != 1) {
        return {};
    }
    return words[0] == "fill"        ? fill(words[1], numbers[0])
           : words[0] == "cold"      ? cold(words[1], numbers[0])
           : words[0] == "backdated" ? backdated(words[1], numbers[0])
                                     : std::string{};
}

}  // namespace

int main(int argc, char** argv) {
    const std::string said = run({argv + 1, argv + argc});
    if (said.empty()) {
        std::fputs(
            "usage: ads_bench fill FOLDER RESELLERS | ranges FOLDER RANGES ROUNDS | "
            "cold FOLDER RESELLERS | backdated FOLDER RANGES\n",
            stderr
        );
        return 2;
    }
    std::puts(said.c_str());
    return 0;
}
