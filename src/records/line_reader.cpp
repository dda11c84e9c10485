#include "records/line_reader.h"

#include "foundation/siphash.h"

#include <utility>

namespace footfall::records {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

LineReader::LineReader(ByteSource& source, std::size_t line_bytes_max, PrefixHash prefix_hash)
    : source_{&source}, line_bytes_max_{line_bytes_max}, prefix_hash_{prefix_hash} {}

void LineReader::note(std::string_view text) {
    if (prefix_hash_ == PrefixHash::kept) {
        prefix_ = siphash13({.k0 = prefix_, .k1 = number_}, text);
    }
}

Result<std::optional<Line>> LineReader::next() {
    const auto newline = rest_.find('\n');
    if (newline == std::string_view::npos) [[unlikely]] {
        return next_across_chunks();
    }
    const auto text = rest_.substr(0, newline);
    rest_.remove_prefix(newline + 1);
    return finish(text, true);
}

Result<std::optional<Line>> LineReader::next_across_chunks() {
    // One byte more than the bound is kept: it may be the \r of the ending, or it shows that the
    // line is too long. Bytes behind it need not be remembered.
    const auto carry = [this](std::string_view part) {
        carried_.append(part.substr(0, line_bytes_max_ + 1 - carried_.size()));
        return part.size();
    };
    std::size_t length = 0;
    carried_.clear();
    for (;;) {
        length += carry(std::exchange(rest_, {}));
        TRY(rest_, source_->next());
        const auto newline = rest_.find('\n');
        const bool ended = newline != std::string_view::npos;
        if (!ended && !rest_.empty()) {
            continue;
        }
        if (!ended && length == 0) {
            return std::nullopt;
        }
        if (ended) {
            length += carry(rest_.substr(0, newline));
            rest_.remove_prefix(newline + 1);
        }
        if (length > carried_.size()) {
            ++number_;
            note({});
            return Line{.number = number_, .too_long = true};
        }
        return finish(carried_, ended);
    }
}

Line LineReader::finish(std::string_view text, bool ended_by_newline) {
    Line line{.number = ++number_, .text = text, .ending = ended_by_newline ? "\n" : ""};
    if (text.ends_with('\r')) {
        line.text.remove_suffix(1);
        line.ending = ended_by_newline ? "\r\n" : "\r";
    }
    if (line.number == 1 && line.text.starts_with(byte_order_mark)) {
        line.text.remove_prefix(byte_order_mark.size());
    }
    const bool too_long = line.text.size() > line_bytes_max_;
    note(too_long ? std::string_view{} : line.text);
    if (too_long) {
        return {.number = line.number, .too_long = true};
    }
    return line;
}

}  // namespace footfall::records
