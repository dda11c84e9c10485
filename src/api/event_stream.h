#pragma once

#include "intake/activity.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace footfall::api {

/// What the program says of itself to the dashboard.
struct ProgramFacts {
    std::string version;
    std::string mode;           ///< "serve", or "demo" when the traffic is made up.
    std::string started;        ///< RFC 3339.
    std::string serve_command;  ///< How to start real counting.
    bool takes_events = true;   ///< False where another process of the deployment takes them.
};

/// One server-sent event; `data` is a line.
std::string stream_event(std::string_view name, std::string_view data);

/// The first of every stream: who speaks, and how soon to come back when the connection breaks.
std::string hello_event(const ProgramFacts& facts);

/// `history`: the seconds in which anything happened, [time, counted, refused].
std::string history_event(std::span<const intake::ActivitySecond> seconds);

/// One `second` for each of those in [from, before), also where nothing happened. `seconds`: where
/// something did, ascending, none of others.
std::string second_events(
    std::span<const intake::ActivitySecond> seconds, std::int64_t from, std::int64_t before
);

}  // namespace footfall::api
