#include "timeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::cluster_test {
namespace {

/// What was counted is written once a second, and read once a second.
constexpr std::chrono::milliseconds behind_max{5000};

}  // namespace

bool Stretch::is_well() const {
    return refused == 0 && unanswered == 0 && behind <= behind_max &&
           std::ranges::all_of(good, [](std::uint64_t count) { return count > 0; });
}

void Stretch::add(const Stretch& other) {
    for (std::size_t deed = 0; deed < deeds; ++deed) {
        good.at(deed) += other.good.at(deed);
    }
    refused += other.refused;
    unanswered += other.unanswered;
    slowest = std::max(slowest, other.slowest);
    behind = std::max(behind, other.behind);
}

std::size_t Timeline::second_of(Clock::time_point when) const {
    return static_cast<std::size_t>(
        std::chrono::duration_cast<std::chrono::seconds>(when - start_).count()
    );
}

Stretch& Timeline::now() {
    const std::size_t second = second_of(Clock::now());
    seconds_.resize(std::max(seconds_.size(), second + 1));
    return seconds_[second];
}

void Timeline::add(Deed deed, Ending ending, Clock::time_point began) {
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began);
    const std::lock_guard lock{mutex_};
    Stretch& second = now();
    second.good.at(static_cast<std::size_t>(deed)) += ending == Ending::good ? 1 : 0;
    second.refused += ending == Ending::refused ? 1 : 0;
    second.unanswered += ending == Ending::unanswered ? 1 : 0;
    second.slowest = std::max(second.slowest, took);
}

void Timeline::add_behind(std::chrono::milliseconds behind) {
    const std::lock_guard lock{mutex_};
    Stretch& second = now();
    second.behind = std::max(second.behind, behind);
}

Stretch Timeline::since(Clock::time_point from) const {
    const std::lock_guard lock{mutex_};
    Stretch sum;
    for (std::size_t second = second_of(from); second < seconds_.size(); ++second) {
        sum.add(seconds_[second]);
    }
    return sum;
}

bool Timeline::is_well(std::size_t seconds, Clock::time_point from) const {
    const std::size_t end = second_of(Clock::now());
    if (end < second_of(from) + seconds + 1) {
        return false;
    }
    const std::lock_guard lock{mutex_};
    for (std::size_t second = end - seconds; second < end; ++second) {
        if (second >= seconds_.size() || !seconds_[second].is_well()) {
            return false;
        }
    }
    return true;
}

std::string Timeline::last(std::size_t seconds) const {
    const std::size_t end = second_of(Clock::now());
    std::string lines = "second events tokens reads 5xx unanswered slowest-ms late-ms\n";
    const std::lock_guard lock{mutex_};
    for (std::size_t second = end - std::min(seconds, end); second < end; ++second) {
        const Stretch what = second < seconds_.size() ? seconds_[second] : Stretch{};
        lines += fmt::format(
            "{:>6} {:>6} {:>6} {:>5} {:>3} {:>10} {:>10} {:>7}{}\n",
            second,
            what.good[0],
            what.good[1],
            what.good[2],
            what.refused,
            what.unanswered,
            what.slowest.count(),
            what.behind.count(),
            what.is_well() ? "" : "  not well"
        );
    }
    return lines;
}

std::chrono::milliseconds Timeline::last_trouble(Clock::time_point from) const {
    const std::size_t end = second_of(Clock::now());
    const std::lock_guard lock{mutex_};
    for (std::size_t second = end; second > second_of(from); --second) {
        if (second - 1 >= seconds_.size() || !seconds_[second - 1].is_well()) {
            return std::chrono::duration_cast<std::chrono::milliseconds>(
                start_ + std::chrono::seconds{second} - from
            );
        }
    }
    return std::chrono::milliseconds{0};
}

}  // namespace footfall::cluster_test
