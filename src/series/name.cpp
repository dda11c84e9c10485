#include "series/name.h"

#include "foundation/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace footfall::series {
namespace {

using Tag = std::pair<std::string_view, std::string_view>;

std::unexpected<Error> bad_name(std::string_view why) {
    return fail(ErrorKind::invalid_input, fmt::format("the name of the series {}", why));
}

/// What bytes of a name are, of which some have several.
enum Kind : std::uint8_t { unprinted = 1, of_patterns = 2, beyond_ascii = 4 };

constexpr std::array<std::uint8_t, 256> kinds = [] {
    std::array<std::uint8_t, 256> all{};
    for (std::size_t byte = 0; byte <= ' '; ++byte) {
        all[byte] = unprinted;
    }
    all[0x7f] = unprinted;
    for (std::size_t byte = 0x80; byte < all.size(); ++byte) {
        all[byte] = beyond_ascii;
    }
    for (const char byte : {'*', '?', '[', ']', '{', '}'}) {
        all[static_cast<unsigned char>(byte)] = of_patterns;
    }
    return all;
}();

struct Looked {
    std::uint8_t kinds = 0;
    bool empty_part = true;  ///< Between two dots, or before or behind all.
};

Looked look_at(std::string_view text) {
    Looked looked{.empty_part = false};
    char last = '.';
    for (const char byte : text) {
        looked.kinds |= kinds[static_cast<unsigned char>(byte)];
        looked.empty_part |= byte == '.' && last == '.';
        last = byte;
    }
    looked.empty_part |= last == '.';
    return looked;
}

Result<std::vector<Tag>> parse_tags(std::string_view text) {
    std::vector<Tag> tags;
    for (bool more = true; more;) {
        const std::size_t end = text.find(';');
        const std::string_view tag = text.substr(0, end);
        const std::size_t equals = tag.find('=');
        if (equals == std::string_view::npos || equals == 0 || equals + 1 == tag.size()) {
            return bad_name("has a tag that is not tag=value");
        }
        if (tag.substr(0, equals).find_first_of("!^") != std::string_view::npos ||
            tag[equals + 1] == '~') {
            return bad_name("has a tag with ! or ^, or a value that begins with ~");
        }
        if (tags.size() == tags_max) {
            return bad_name(fmt::format("has more than {} tags", tags_max));
        }
        tags.emplace_back(tag.substr(0, equals), tag.substr(equals + 1));
        more = end != std::string_view::npos;
        text.remove_prefix(more ? end + 1 : 0);
    }
    std::ranges::sort(tags);
    if (std::ranges::adjacent_find(tags, {}, &Tag::first) != tags.end()) {
        return bad_name("has a tag twice");
    }
    return tags;
}

}  // namespace

Result<std::string> parse_name(std::string_view text) {
    std::string room;
    TRY(const std::string_view name, parse_name(text, room));
    return std::string{name};
}

Result<std::string_view> parse_name(std::string_view text, std::string& room) {
    if (text.size() > name_bytes_max) {
        return bad_name(fmt::format("is longer than {} bytes", name_bytes_max));
    }
    const SplitName split = split_name(text);
    const Looked name = look_at(split.name);
    const int all = name.kinds | look_at(split.tags).kinds;
    if ((all & unprinted) != 0 || ((all & beyond_ascii) != 0 && !is_utf8(text))) {
        return bad_name("is not UTF-8, or has a space or a control character");
    }
    if (name.empty_part) {
        return bad_name("has a part between dots that is empty");
    }
    if ((name.kinds & of_patterns) != 0) {
        return bad_name("has * ? [ ] { or }, of which patterns are made");
    }
    if (split.name.size() == text.size()) {
        return text;
    }
    TRY(const std::vector<Tag> tags, parse_tags(split.tags));
    room = split.name;
    for (const auto& [tag, value] : tags) {
        room.append(";").append(tag).append("=").append(value);
    }
    return room;
}

SplitName split_name(std::string_view name) {
    const std::size_t end = std::min(name.find(';'), name.size());
    return {.name = name.substr(0, end), .tags = name.substr(std::min(end + 1, name.size()))};
}

std::vector<std::pair<std::string_view, std::string_view>> tags_in(std::string_view tags) {
    std::vector<std::pair<std::string_view, std::string_view>> all;
    while (!tags.empty()) {
        const std::string_view tag = tags.substr(0, tags.find(';'));
        const std::size_t equals = tag.find('=');
        all.emplace_back(tag.substr(0, equals), tag.substr(equals + 1));
        tags.remove_prefix(std::min(tag.size() + 1, tags.size()));
    }
    return all;
}

}  // namespace footfall::series
