#include "api/event_stream.h"

#include "foundation/json_string.h"

#include <fmt/format.h>

namespace footfall::api {

std::string stream_event(std::string_view name, std::string_view data) {
    return fmt::format("event: {}\ndata: {}\n\n", name, data);
}

std::string hello_event(const ProgramFacts& facts) {
    return "retry: 1000\n" +
           stream_event(
               "hello",
               fmt::format(
                   R"({{"version":{},"mode":{},"started":{},"serve_command":{},"takes_events":{}}})",
                   json_string(facts.version),
                   json_string(facts.mode),
                   json_string(facts.started),
                   json_string(facts.serve_command),
                   facts.takes_events
               )
           );
}

std::string history_event(std::span<const intake::ActivitySecond> seconds) {
    std::string data = R"({"seconds":[)";
    for (const intake::ActivitySecond& each : seconds) {
        data += fmt::format(
            "{}[{},{},{}]", data.ends_with('[') ? "" : ",", each.second, each.counted, each.refused
        );
    }
    return stream_event("history", data + "]}");
}

std::string second_events(
    std::span<const intake::ActivitySecond> seconds, std::int64_t from, std::int64_t before
) {
    std::string events;
    auto next = seconds.begin();
    for (std::int64_t second = from; second < before; ++second) {
        const bool active = next != seconds.end() && next->second == second;
        const intake::ActivitySecond each =
            active ? *next++ : intake::ActivitySecond{.second = second};
        events += fmt::format("id: {}\n", each.second) +
                  stream_event(
                      "second",
                      fmt::format(
                          R"({{"time":{},"counted":{},"refused":{}}})",
                          each.second,
                          each.counted,
                          each.refused
                      )
                  );
    }
    return events;
}

}  // namespace footfall::api
