#pragma once

#include "events/event.h"
#include "foundation/clock.h"
#include "foundation/random.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Made-up ads, those who are paid for them, and clicks and sales through three years. All of it is
// a pure function of seeds and days: the same past, however often it is told.

namespace footfall::cli {

inline constexpr std::string_view demo_currency = "EUR";
inline constexpr std::int32_t demo_past_days = 3 * 365;

struct DemoAd {
    std::string name;
    std::string target;  ///< Where its link leads.
    events::Micros price = 0;
    std::string_view publisher;
};

/// All of them, the same each time. Lives as long as the program, as what they name.
std::span<const DemoAd> demo_ads();
std::span<const std::string_view> demo_resellers();
std::span<const std::string_view> demo_publishers();

/// One made-up click or sale.
struct DemoClick {
    std::string id;               ///< Empty: it has none.
    std::optional<Instant> time;  ///< Absent: now.
    bool is_sale = false;
    const DemoAd* ad = nullptr;
    std::string_view reseller;  ///< Empty: nobody's.
    std::string actor;
    events::Micros amount = 0;

    /// As a line of NDJSON, with its end.
    std::string event() const;
};

/// What happened on a UTC day: some hundred clicks, few at night and on Sundays, most before
/// Christmas, more from year to year; a few sales, some of them taken back.
std::vector<DemoClick> demo_clicks_of(std::int32_t day);

/// Clicks of now. A pure function of its seed.
class DemoClicks {
public:
    explicit DemoClicks(std::uint64_t seed) : random_{seed} {}

    DemoClick next();

    /// How many a second there should be, `seconds` after the start: one and a half, in waves.
    static double rate_at(double seconds);

private:
    Random random_;
    std::optional<DemoClick> again_;  ///< Somebody is about to click twice.
};

/// A share of somebody's, from a day on.
struct DemoRate {
    bool is_publisher = false;
    std::string_view party;
    std::int32_t day = 0;
    double percent = 0;
    std::string_view reason;

    std::string target() const;  ///< Where it is put,
    std::string body() const;    ///< and with what.
};

/// What everybody's shares were in the three years before `today`.
std::vector<DemoRate> demo_rates(std::int32_t today);

/// The n-th change that comes after the fact: of one of the last months, from its first day on.
DemoRate demo_backdated_rate(std::uint64_t number, std::int32_t today);

/// First days of the months that are sealed, the earliest first: the month before `today`'s is left
/// open, as people leave it until its late clicks are in.
std::vector<std::int32_t> demo_sealed_months(std::int32_t today);

}  // namespace footfall::cli
