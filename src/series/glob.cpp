#include "series/glob.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace footfall::series {
namespace {

std::unexpected<Error> bad_pattern(std::string_view text, std::string_view why) {
    return fail(ErrorKind::invalid_input, fmt::format("pattern {}: {}", text.substr(0, 200), why));
}

/// Where the class ends that begins at `pattern[at]`, behind its bracket; npos: nowhere. A bracket
/// that stands first is one of its letters.
std::size_t end_of_class(std::string_view pattern, std::size_t at) {
    std::size_t first = at + 1;
    if (first < pattern.size() && pattern[first] == '!') {
        ++first;
    }
    const std::size_t end = pattern.find(']', first + 1);
    return end == std::string_view::npos ? end : end + 1;
}

/// Whether the class, brackets and all, has this byte.
bool class_has(std::string_view letters, char wanted) {
    letters = letters.substr(1, letters.size() - 2);
    const bool others = letters.starts_with('!');
    letters.remove_prefix(others ? 1 : 0);
    const auto value = static_cast<unsigned char>(wanted);
    bool found = false;
    for (std::size_t at = 0; at < letters.size(); ++at) {
        const auto from = static_cast<unsigned char>(letters[at]);
        auto through = from;
        if (at + 2 < letters.size() && letters[at + 1] == '-') {
            through = static_cast<unsigned char>(letters[at + 2]);
            at += 2;
        }
        found = found || (from <= value && value <= through);
    }
    return found != others;
}

/// How long the thing is that stands at `pattern[at]` for one byte, if it can be this one.
std::optional<std::size_t> one_byte(std::string_view pattern, std::size_t at, char byte) {
    if (pattern[at] == '?') {
        return 1;
    }
    if (pattern[at] == '[') {
        const std::size_t end = end_of_class(pattern, at);
        return class_has(pattern.substr(at, end - at), byte) ? std::optional{end - at}
                                                             : std::nullopt;
    }
    return pattern[at] == byte ? std::optional<std::size_t>{1} : std::nullopt;
}

/// Goes back to the last `*` alone: what an earlier one could give, the last can, too.
bool matches_pattern(std::string_view pattern, std::string_view text) {
    std::size_t at = 0;
    std::size_t text_at = 0;
    std::size_t behind_star = std::string_view::npos;
    std::size_t star_takes = 0;
    while (text_at < text.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            behind_star = ++at;
            star_takes = text_at;
            continue;
        }
        if (const auto length =
                at < pattern.size() ? one_byte(pattern, at, text[text_at]) : std::nullopt) {
            at += *length;
            ++text_at;
            continue;
        }
        if (behind_star == std::string_view::npos) {
            return false;
        }
        at = behind_star;
        text_at = ++star_takes;
    }
    return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

/// The parts between dots that are in no braces.
std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t begins = 0;
    bool in_braces = false;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at == text.size() || (text[at] == '.' && !in_braces)) {
            parts.push_back(text.substr(begins, at - begins));
            begins = at + 1;
        } else if (text[at] == '{' || text[at] == '}') {
            in_braces = text[at] == '{';
        }
    }
    return parts;
}

/// What each alternative of the next braces makes of all that was there before. Absent: braces
/// without an end, or within braces.
std::optional<std::vector<std::string>> without_braces(std::string_view part) {
    std::vector<std::string> all{""};
    while (!part.empty()) {
        const std::size_t open = std::min(part.find('{'), part.size());
        const std::string_view before = part.substr(0, open);
        if (before.find('}') != std::string_view::npos) {
            return std::nullopt;
        }
        for (std::string& each : all) {
            each += before;
        }
        part.remove_prefix(open);
        if (part.empty()) {
            break;
        }
        const std::size_t end = part.find('}');
        std::string_view inner = part.substr(1, end == std::string_view::npos ? 0 : end - 1);
        if (end == std::string_view::npos || inner.find_first_of("{.") != std::string_view::npos) {
            return std::nullopt;
        }
        part.remove_prefix(end + 1);
        std::vector<std::string> more;
        for (bool left = true; left && more.size() <= Glob::alternatives_max;) {
            const std::size_t comma = inner.find(',');
            for (const std::string& each : all) {
                more.push_back(each + std::string{inner.substr(0, comma)});
            }
            left = comma != std::string_view::npos;
            inner.remove_prefix(left ? comma + 1 : 0);
        }
        all = std::move(more);
        if (all.size() > Glob::alternatives_max) {
            break;  // It is refused.
        }
    }
    return all;
}

bool brackets_end(std::string_view pattern) {
    for (std::size_t at = 0; at < pattern.size();) {
        at = pattern[at] == '[' ? end_of_class(pattern, at) : at + 1;
        if (at == std::string_view::npos) {
            return false;
        }
    }
    return true;
}

}  // namespace

Result<Glob> Glob::parse(std::string_view text) {
    if (text.size() > bytes_max) {
        return bad_pattern(text, fmt::format("longer than {} bytes", bytes_max));
    }
    Glob glob;
    glob.text_ = text;
    for (const std::string_view each : split(text)) {
        if (each.empty()) {
            return bad_pattern(text, "a part between dots is empty");
        }
        auto alternatives = without_braces(each);
        if (!alternatives) {
            return bad_pattern(
                text, "braces need both ends within a part, and no braces or dots in them"
            );
        }
        if (alternatives->size() > alternatives_max) {
            return bad_pattern(
                text,
                fmt::format("braces of a part give more than {} alternatives", alternatives_max)
            );
        }
        if (!std::ranges::all_of(*alternatives, brackets_end)) {
            return bad_pattern(text, "a bracket [ has no end");
        }
        const bool plain = alternatives->size() == 1 &&
                           alternatives->front().find_first_of("*?[") == std::string::npos;
        glob.parts_.push_back({.alternatives = *std::move(alternatives), .plain = plain});
    }
    return glob;
}

bool Glob::is_name() const {
    return std::ranges::all_of(parts_, &Part::plain);
}

bool Glob::matches_part(std::size_t at, std::string_view part) const {
    return std::ranges::any_of(parts_[at].alternatives, [part](const std::string& each) {
        return matches_pattern(each, part);
    });
}

bool Glob::matches_from(std::string_view name, bool beneath) const {
    for (std::size_t at = 0; at < parts_.size(); ++at) {
        const std::size_t end = std::min(name.find('.'), name.size());
        if (!matches_part(at, name.substr(0, end))) {
            return false;
        }
        const bool last = end == name.size();
        if (at + 1 == parts_.size()) {
            return last || beneath;
        }
        if (last) {
            return false;
        }
        name.remove_prefix(end + 1);
    }
    return false;
}

bool Glob::matches(std::string_view name) const {
    return matches_from(name, false);
}

bool Glob::is_above(std::string_view name) const {
    return matches_from(name, true);
}

}  // namespace footfall::series
