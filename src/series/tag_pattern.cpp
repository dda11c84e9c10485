#include "series/tag_pattern.h"

#include "foundation/beginning_of.h"

#include <fmt/format.h>

#include <re2/re2.h>
#include <utility>

namespace footfall::series {
namespace {

/// What an expression may take, compiled, and its states while it runs.
constexpr std::int64_t expression_bytes_max = 1 << 20;
/// Of a text that is wrong, in what is said of it.
constexpr std::size_t shown_pattern_bytes = 100;

re2::StringPiece piece_of(std::string_view text) {
    return {text.data(), text.size()};
}

}  // namespace

Result<TagPattern> TagPattern::parse(std::string_view text) {
    if (text.size() > bytes_max) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("a regular expression is longer than {} bytes", bytes_max)
        );
    }
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_never_capture(true);
    options.set_max_mem(expression_bytes_max);
    auto expression = std::make_shared<const re2::RE2>(piece_of(text), options);
    if (!expression->ok()) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{} is no regular expression: {}",
                beginning_of(text, shown_pattern_bytes),
                expression->error()
            )
        );
    }
    TagPattern pattern;
    pattern.expression_ = std::move(expression);
    return pattern;
}

bool TagPattern::matches(std::string_view text) const {
    return expression_ == nullptr ||
           expression_->Match(piece_of(text), 0, text.size(), re2::RE2::ANCHOR_START, nullptr, 0);
}

}  // namespace footfall::series
