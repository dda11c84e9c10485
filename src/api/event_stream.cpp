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

}  // namespace footfall::api
