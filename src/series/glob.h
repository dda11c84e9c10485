#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::series {

/// A pattern of names that consist of parts between dots, as Graphite has it. Within a part: `*`
/// any letters, `?` any one, `[a-z]` one of these, `[!a-z]` one of all others, `{one,other}` any of
/// these, which may have the former in them. Nothing of it goes over a dot. Bytes, not characters,
/// are compared.
///
/// A constant value. Matching a part costs at most the product of both lengths, for each of the
/// alternatives of braces, of which a part has at most alternatives_max.
class Glob {
public:
    static constexpr std::size_t bytes_max = 1024;
    static constexpr std::size_t alternatives_max = 100;

    /// `invalid_input`, which says where: an empty part, a bracket or brace without its end, braces
    /// within braces, too many alternatives, too long.
    static Result<Glob> parse(std::string_view text);

    const std::string& text() const { return text_; }

    std::size_t parts() const { return parts_.size(); }

    /// Whether the part at `at` stands for one name only, which is part().
    bool is_plain(std::size_t at) const { return parts_[at].plain; }

    const std::string& part(std::size_t at) const { return parts_[at].alternatives[0]; }

    /// Whether all parts are plain.
    bool is_name() const;

    bool matches_part(std::size_t at, std::string_view part) const;

    /// Whether the name has as many parts, and each matches.
    bool matches(std::string_view name) const;

    /// The same of a name, or of what is above it: "servers.*" has "servers.a.cpu" beneath.
    bool is_above(std::string_view name) const;

private:
    struct Part {
        std::vector<std::string> alternatives;  ///< Without braces; one at least.
        bool plain = false;
    };

    bool matches_from(std::string_view name, bool beneath) const;

    std::string text_;
    std::vector<Part> parts_;
};

}  // namespace footfall::series
