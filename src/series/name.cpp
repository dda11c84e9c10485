#include "series/name.h"

#include "foundation/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace footfall::series {
namespace {

using Tag = std::pair<std::string_view, std::string_view>;

std::unexpected<Error> bad_name(std::string_view why) {
    return fail(ErrorKind::invalid_input, fmt::format("the name of the series {}", why));
}

bool is_letter(char byte) {
    const auto value = static_cast<unsigned char>(byte);
    return value > ' ' && value != 0x7f;
}

/// A part between two dots that nothing is between.
bool has_empty_part(std::string_view name) {
    return name.empty() || name.front() == '.' || name.back() == '.' ||
           name.find("..") != std::string_view::npos;
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
    if (text.size() > name_bytes_max) {
        return bad_name(fmt::format("is longer than {} bytes", name_bytes_max));
    }
    if (!is_utf8(text) || !std::ranges::all_of(text, is_letter)) {
        return bad_name("is not UTF-8, or has a space or a control character");
    }
    const SplitName split = split_name(text);
    if (has_empty_part(split.name)) {
        return bad_name("has a part between dots that is empty");
    }
    if (split.name.find_first_of("*?[]{}") != std::string_view::npos) {
        return bad_name("has * ? [ ] { or }, of which patterns are made");
    }
    if (split.name.size() == text.size()) {
        return std::string{text};
    }
    TRY(const std::vector<Tag> tags, parse_tags(split.tags));
    std::string name{split.name};
    for (const auto& [tag, value] : tags) {
        name.append(";").append(tag).append("=").append(value);
    }
    return name;
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
