#include "records/delimited_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::records {

void FieldScanner::start() {
    pieces_.clear();
    at_ = 0;
    in_quotes_ = false;
}

FieldScanner::State FieldScanner::scan(std::string_view text) {
    for (;;) {
        if (!in_quotes_ && at_ < text.size() && text[at_] == '"') {
            in_quotes_ = true;
            has_doubled_quotes_ = false;
            field_begin_ = ++at_;
        }
        if (in_quotes_) {
            if (!scan_quoted(text)) {
                return State::quote_open;
            }
            if (at_ == text.size()) {
                return State::complete;
            }
            if (text[at_] != delimiter_) {
                return State::text_after_quote;
            }
            ++at_;
            continue;
        }
        const auto end = text.find(delimiter_, at_);
        if (end == std::string_view::npos) {
            pieces_.push_back({.begin = at_, .end = text.size(), .has_doubled_quotes = false});
            return State::complete;
        }
        pieces_.push_back({.begin = at_, .end = end, .has_doubled_quotes = false});
        at_ = end + 1;
    }
}

/// To behind the closing quote; false when the text ends before it.
bool FieldScanner::scan_quoted(std::string_view text) {
    for (;;) {
        const auto quote = text.find('"', at_);
        if (quote == std::string_view::npos) {
            at_ = text.size();
            return false;
        }
        at_ = quote + 1;
        if (at_ == text.size() || text[at_] != '"') {
            in_quotes_ = false;
            pieces_.push_back(
                {.begin = field_begin_, .end = quote, .has_doubled_quotes = has_doubled_quotes_}
            );
            return true;
        }
        has_doubled_quotes_ = true;
        ++at_;
    }
}

DelimitedReader::DelimitedReader(ByteSource& source, DelimitedOptions options)
    : options_{options},
      lines_{source, options.record_bytes_max, options.prefix_hash},
      scanner_{options.delimiter} {}

Result<std::optional<DelimitedRecord>> DelimitedReader::next() {
    TRY(auto line, lines_.next());
    while (line && line->text.empty() && !line->too_long) {
        TRY(line, lines_.next());
    }
    if (!line) {
        return std::nullopt;
    }
    if (line->too_long) {
        return reject(
            line->number, fmt::format("the line is longer than {} bytes", options_.record_bytes_max)
        );
    }
    const auto number = line->number;
    if (options_.quoting == Quoting::none || !line->text.contains('"')) [[likely]] {
        return DelimitedRecord{.line = number, .fields = split(line->text)};
    }
    scanner_.start();
    auto state = scanner_.scan(line->text);
    if (state == FieldScanner::State::complete) {
        return DelimitedRecord{.line = number, .fields = fields_of(line->text)};
    }
    if (state == FieldScanner::State::quote_open) {
        TRY(state, join_lines(*line));
    }
    switch (state) {
        case FieldScanner::State::complete:
            return DelimitedRecord{.line = number, .fields = fields_of(joined_)};
        case FieldScanner::State::text_after_quote:
            return reject(number, "text follows a closing quote");
        case FieldScanner::State::quote_open:
            break;
    }
    return reject(number, rejection_);
}

/// Adds lines to `joined_` until the open quote is closed. Where that does not happen, the state
/// remains quote_open and `rejection_` says why.
Result<FieldScanner::State> DelimitedReader::join_lines(const Line& first) {
    joined_.assign(first.text).append(first.ending);
    auto last_line = first.number;
    for (;;) {
        TRY(const auto line, lines_.next());
        if (!line) {
            rejection_ = "a quote is still open at the end of the file";
            break;
        }
        last_line = line->number;
        const auto size = joined_.size() + line->text.size();
        if (line->too_long || size > options_.record_bytes_max) {
            rejection_ =
                fmt::format("a quote is still open after {} bytes", options_.record_bytes_max);
            break;
        }
        joined_.append(line->text);
        const auto state = scanner_.scan(joined_);
        if (state != FieldScanner::State::quote_open) {
            return state;
        }
        joined_.append(line->ending);
    }
    if (last_line != first.number) {
        rejection_ += fmt::format("; lines {} to {} are lost", first.number, last_line);
    }
    return FieldScanner::State::quote_open;
}

DelimitedRecord DelimitedReader::reject(std::uint64_t line, std::string reason) {
    rejection_ = std::move(reason);
    return {.line = line, .rejected = rejection_};
}

/// A line without quotes, as most are: measured a quarter faster than to let the scanner find that
/// out field by field.
std::span<const std::string_view> DelimitedReader::split(std::string_view text) {
    fields_.clear();
    for (;;) {
        const auto end = text.find(options_.delimiter);
        if (end == std::string_view::npos) {
            fields_.push_back(text);
            return fields_;
        }
        fields_.emplace_back(text.data(), end);
        text.remove_prefix(end + 1);
    }
}

std::span<const std::string_view> DelimitedReader::fields_of(std::string_view text) {
    fields_.clear();
    std::size_t used = 0;
    for (const auto& piece : scanner_.pieces()) {
        auto field = text.substr(piece.begin, piece.end - piece.begin);
        if (piece.has_doubled_quotes) [[unlikely]] {
            // Never grows again within this record, so that earlier views stay valid.
            unquoted_.resize(std::max(unquoted_.size(), text.size()));
            const auto begin = used;
            for (std::size_t at = 0; at < field.size(); ++at) {
                unquoted_[used++] = field[at];
                at += field[at] == '"' ? 1U : 0U;
            }
            field = std::string_view{unquoted_}.substr(begin, used - begin);
        }
        fields_.push_back(field);
    }
    return fields_;
}

}  // namespace footfall::records
