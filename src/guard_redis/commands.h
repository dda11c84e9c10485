#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace footfall::guard_redis {

/// Begins a command of so many words in Redis' protocol; each is then given to append_word().
void begin_command(std::string& out, std::size_t words);

void append_word(std::string& out, std::string_view word);

/// A whole command: {"PING"}.
void append_command(std::string& out, std::initializer_list<std::string_view> words);

}  // namespace footfall::guard_redis
