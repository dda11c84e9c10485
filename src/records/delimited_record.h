#pragma once

#include "foundation/result.h"
#include "records/line_reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::records {

enum class Quoting {
    rfc4180,  ///< A field may stand in double quotes, a quote within doubled, newlines included.
    none,     ///< Every byte but the delimiter and the newline is data (tab separated files).
};

struct DelimitedOptions {
    char delimiter = ',';
    Quoting quoting = Quoting::rfc4180;
    std::size_t record_bytes_max = LineReader::default_line_bytes_max;
    PrefixHash prefix_hash = PrefixHash::none;
};

/// One record of a delimited file, or why it is none. Views are valid until the reader's next call.
struct DelimitedRecord {
    std::uint64_t line = 0;  ///< Where it begins, from 1.
    std::span<const std::string_view> fields{};
    std::string_view rejected{};  ///< The reason; empty for a record that could be read.
};

/// Finds the fields of one record with quotes, also when its text comes line by line: each byte is
/// looked at once, whatever the number of lines.
class FieldScanner {
public:
    enum class State { complete, quote_open, text_after_quote };

    struct Piece {
        std::size_t begin;
        std::size_t end;
        bool has_doubled_quotes;
    };

    explicit FieldScanner(char delimiter) : delimiter_{delimiter} {}

    void start();
    /// Goes on where the last scan stopped. `text` must begin as it did then.
    State scan(std::string_view text);

    std::span<const Piece> pieces() const { return pieces_; }

private:
    bool scan_quoted(std::string_view text);

    char delimiter_;
    std::vector<Piece> pieces_;
    std::size_t at_ = 0;
    std::size_t field_begin_ = 0;
    bool in_quotes_ = false;
    bool has_doubled_quotes_ = false;
};

/// Reads CSV and its relatives (RFC 4180) from a ByteSource.
///
/// A quote inside an unquoted field is data. Empty lines are no records. A record that cannot be
/// read is rejected with its first line, and reading goes on at the line behind the fault: for a
/// quote that is never closed that is where `record_bytes_max` was passed. Without quotes fields
/// are views of the file; nothing is allocated for a record. The source must outlive the reader.
class DelimitedReader {
public:
    DelimitedReader(ByteSource& source, DelimitedOptions options);

    /// The next record, or rejection; absent at the end. The errors are the source's.
    Result<std::optional<DelimitedRecord>> next();

    /// LineReader::prefix(), up to the end of the last record.
    std::uint64_t prefix() const { return lines_.prefix(); }

private:
    Result<FieldScanner::State> join_lines(const Line& first);
    DelimitedRecord reject(std::uint64_t line, std::string reason);
    std::span<const std::string_view> split(std::string_view text);
    std::span<const std::string_view> fields_of(std::string_view text);

    DelimitedOptions options_;
    LineReader lines_;
    FieldScanner scanner_;
    std::vector<std::string_view> fields_;
    std::string joined_;     // a record of several lines
    std::string unquoted_;   // fields in which doubled quotes were made one
    std::string rejection_;  // the last reason
};

}  // namespace footfall::records
