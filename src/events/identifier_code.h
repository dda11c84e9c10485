#pragma once

#include "events/event.h"

#include <cstdint>
#include <string>
#include <string_view>

/// An Identifier in a record of the log: docs/formats/event.md. Pure.
namespace footfall::events {

void append_identifier(std::uint64_t tag, const Identifier& identifier, std::string& out);

/// False: the bytes of the field are damaged.
bool read_identifier(std::string_view bytes, Identifier& identifier);

}  // namespace footfall::events
