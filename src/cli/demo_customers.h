#pragma once

#include "events/event.h"
#include "foundation/clock.h"
#include "foundation/random.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Made-up customers, what five networks call them, and what is said of it. All of it is a pure
// function of numbers and seeds.

namespace footfall::cli {

inline constexpr std::size_t demo_customers = 2'000;
inline constexpr std::size_t demo_networks = 5;
inline constexpr std::size_t demo_kiosk_guests = 20;
/// Customers who were seen on the pages twice over, as two visitors of DemoVisits; from this one
/// on.
inline constexpr std::size_t demo_first_visitor = 100;
inline constexpr std::size_t demo_visitors = 400;
/// Pairs of customers who are taken for one another.
inline constexpr std::size_t demo_mix_ups = 10;

/// What a network calls a customer; both below their numbers.
events::Identifier demo_id(std::size_t customer, std::size_t network);

/// The device on which the first demo_kiosk_guests customers have signed in: each with four ids, so
/// that it is linked with more than a device of anybody's own would be.
events::Identifier demo_kiosk();

/// That these ids are one person.
struct DemoMatch {
    std::vector<events::Identifier> ids;
    std::string_view source;
    std::string data = {};  ///< Of the id that is named first, as a JSON object; "": none.

    /// As the body of a match.
    std::string body() const;
    /// As a line of NDJSON, with its end: an event of that time.
    std::string event(std::string_view id, Instant time) const;
};

struct DemoSaid {
    std::string id;  ///< Of the event.
    Instant time;
    DemoMatch match;

    std::string event() const { return match.event(id, time); }
};

/// What was said in the thirty days before `now`: of each customer that two to all of their ids are
/// one person's, what the kiosk said, and which visitors signed in as which customers. The last is
/// of the last customer.
std::vector<DemoSaid> demo_said_before(Instant now);

/// What is said now: another id of a customer, most of them known before. Now and then the kiosk.
class DemoMatches {
public:
    explicit DemoMatches(std::uint64_t seed) : random_{seed} {}

    DemoMatch next();

private:
    Random random_;
};

/// Two customers, of whom somebody says that they are one.
struct DemoMixUp {
    std::size_t one = 0;
    std::size_t other = 0;

    DemoMatch match() const;
    /// All ids of the other, to be taken out again.
    std::string detach_body() const;
};

/// Below demo_mix_ups. All ids of these customers were said before.
DemoMixUp demo_mix_up(std::size_t number);

}  // namespace footfall::cli
