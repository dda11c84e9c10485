#pragma once

#include "events/money.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::events {

/// A name of the actor in some network.
struct Identifier {
    std::string identifier;  ///< The network: "www".
    std::string id_name;     ///< What it calls the id: "customer".
    std::string id_value;

    friend auto operator<=>(const Identifier&, const Identifier&) = default;
};

/// One action: who did what to which object, as its sender says. Texts are UTF-8; empty: not given.
/// A plain value.
struct Event {
    std::string id;          ///< The sender's own, for this object; empty until one is given.
    Instant time{};          ///< When it happened.
    bool time_given = true;  ///< False: its sender did not say, and it is the time of its arrival.
    std::string action;      ///< "view", "click", "read", "sale", or a word of the sender's.
    std::string object;      ///< What it was done to.
    std::string actor;       ///< Who did it.
    std::string address;     ///< Where it came from: IPv4 or IPv6.
    std::string agent;       ///< The program it came with.
    std::string referrer;    ///< The page before.
    std::optional<Micros> amount = {};
    std::string currency;  ///< Three letters, as in ISO 4217.
    std::string reseller;
    std::string ad;
    std::string publisher;
    std::vector<Identifier> identifiers = {};
    std::string attributes;  ///< A JSON object that nobody here looks into.

    friend bool operator==(const Event&, const Event&) = default;
};

// What an event may be as large as.
inline constexpr std::size_t longest_name = 1 << 10;  ///< Of object and actor, in bytes.
inline constexpr std::size_t longest_id = 256;        ///< Of all other names.
inline constexpr std::size_t longest_action = 64;
inline constexpr std::size_t longest_agent = 1 << 10;  ///< What is longer is cut: it is evidence,
inline constexpr std::size_t longest_referrer = 2 << 10;  ///< and no key.
inline constexpr std::size_t identifiers_max = 32;
inline constexpr std::size_t attributes_bytes_max = 8 << 10;

/// Of ASCII. No text of an event has one, so none can be the name of anything.
bool has_control_character(std::string_view text);

/// Why an event cannot be taken: `field` is at fault.
struct EventFault {
    std::string field;
    std::string detail;
};

/// Cuts what may be cut, and answers what else is wrong with the event, if anything. `time` is not
/// looked at: whether it is possible is the guard's to say. Pure.
std::optional<EventFault> tidy_event(Event& event);

/// The longest beginning of `text` of at most so many bytes that is UTF-8 if `text` is.
std::string_view cut_text(std::string_view text, std::size_t bytes_max);

}  // namespace footfall::events
