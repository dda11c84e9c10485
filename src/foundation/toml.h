#pragma once

/// toml++, which is included nowhere else: all of the program has to see it with the same settings.
/// Its parser asserts what wrong input can break (`a = ["x",}`, `[[[a]]]`; its issue 301). Here
/// that throws, so whoever calls toml::parse() or parse_file() catches toml::parse_error and
/// TomlGaveUp.
///
/// It also runs into unreachable code where a letter beyond ASCII stands outside of texts (issue
/// 190, mended after 3.3): text that not only an operator can write has to be looked at before.

namespace footfall {

/// Thrown by the parser: the text is no TOML, and it cannot say where.
struct TomlGaveUp {};

inline constexpr const char* toml_gave_up_message =
    "this is no TOML; is a bracket or a quotation mark missing?";

}  // namespace footfall

#ifdef NDEBUG
#error "without its assertions the parser has undefined behaviour on wrong input"
#endif
#define TOML_ASSERT(expression) \
    (static_cast<bool>(expression) ? static_cast<void>(0) : throw ::footfall::TomlGaveUp{})
#include <toml++/toml.h>
