#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

// Rows of money, and how they are rounded, for tests: whole numbers of any size.

namespace footfall::ads::brute {

using Whole = boost::multiprecision::cpp_int;

/// What some priced events come to.
struct Sum {
    int clicks = 0;
    int sales = 0;
    int refunds = 0;
    Whole amount = 0;

    int events() const { return clicks + sales + refunds; }

    Sum& operator+=(const Sum& more) {
        clicks += more.clicks;
        sales += more.sales;
        refunds += more.refunds;
        amount += more.amount;
        return *this;
    }
};

inline std::string counts_text(const Sum& sum) {
    return fmt::format("{} {} {}", sum.clicks, sum.sales, sum.refunds);
}

inline std::string text(const Sum& sum) {
    return counts_text(sum) + " " + sum.amount.str();
}

inline Whole floor_of(const Whole& exact) {
    const Whole micro = 1'000'000;
    Whole floor = exact / micro;
    if (floor * micro > exact) {
        floor -= 1;
    }
    return floor;
}

/// Half to even.
inline Whole micros_of(const Whole& exact) {
    const Whole floor = floor_of(exact);
    const Whole left = exact - floor * 1'000'000;
    if (left == 500'000) {
        return floor % 2 == 0 ? floor : floor + 1;
    }
    return left < 500'000 ? floor : floor + 1;
}

/// What rows show that come to `total`: a micro at a time to the one that is behind most.
inline std::vector<Whole> shown(const std::vector<Whole>& exact, const Whole& total) {
    std::vector<Whole> rows;
    Whole missing = total;
    for (const Whole& each : exact) {
        rows.push_back(floor_of(each));
        missing -= rows.back();
    }
    if (rows.empty()) {
        return rows;
    }
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
        const Whole left = exact[one] - floor_of(exact[one]) * 1'000'000;
        const Whole other_left = exact[other] - floor_of(exact[other]) * 1'000'000;
        return left == other_left ? one < other : left > other_left;
    });
    while (missing < 0) {
        for (Whole& each : rows) {
            each -= 1;
            missing += 1;
        }
    }
    for (std::size_t at = 0; missing > 0; at = (at + 1) % rows.size()) {
        rows[order[at]] += 1;
        missing -= 1;
    }
    return rows;
}

/// Rounded once together.
inline std::vector<Whole> shown(const std::vector<Whole>& exact) {
    return shown(exact, micros_of(std::accumulate(exact.begin(), exact.end(), Whole{0})));
}

}  // namespace footfall::ads::brute
