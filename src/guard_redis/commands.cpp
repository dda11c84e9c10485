#include "guard_redis/commands.h"

#include <fmt/format.h>

#include <iterator>

namespace footfall::guard_redis {

void begin_command(std::string& out, std::size_t words) {
    fmt::format_to(std::back_inserter(out), "*{}\r\n", words);
}

void append_word(std::string& out, std::string_view word) {
    fmt::format_to(std::back_inserter(out), "${}\r\n", word.size());
    out.append(word).append("\r\n");
}

void append_command(std::string& out, std::initializer_list<std::string_view> words) {
    begin_command(out, words.size());
    for (const std::string_view word : words) {
        append_word(out, word);
    }
}

}  // namespace footfall::guard_redis
