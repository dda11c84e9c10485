#include "events/action.h"

#include "events/event.h"

#include <algorithm>

namespace footfall::events {

bool is_action(std::string_view text) {
    const bool is_word = std::ranges::all_of(text, [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
               letter == '_' || letter == '-' || letter == '.';
    });
    return is_word && !text.empty() && text.size() <= longest_action;
}

}  // namespace footfall::events
