#pragma once

#include "foundation/result.h"
#include "records/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::records {

/// One line of a text file.
struct Line {
    std::uint64_t number = 0;   ///< From 1.
    std::string_view text{};    ///< Without its ending; empty when too long.
    std::string_view ending{};  ///< "\n", "\r\n", or empty at the end of the file.
    bool too_long = false;      ///< Longer than the bound: skipped, its text was not kept.
};

/// Whether a reader keeps LineReader::prefix().
enum class PrefixHash { none, kept };

/// Cuts a ByteSource into lines ended by \n or \r\n; the last one needs no ending. Any other byte,
/// NUL included, is ordinary. A UTF-8 byte order mark in front of the first line is dropped.
///
/// Lines are views of the source's chunks; only a line that crosses two chunks is copied. Memory is
/// bounded by `line_bytes_max`, however long a line is. The source must outlive the reader.
class LineReader {
public:
    static constexpr std::size_t default_line_bytes_max = std::size_t{1} << 20;

    explicit LineReader(
        ByteSource& source,
        std::size_t line_bytes_max = default_line_bytes_max,
        PrefixHash prefix_hash = PrefixHash::none
    );

    /// The next line, valid until the next call; absent at the end. The errors are the source's.
    Result<std::optional<Line>> next();

    /// A hash of all lines up to the one last given, that one included. Files that begin alike have
    /// it in common for as long as they are alike, however their lines end. A line that is too long
    /// is one as any other of its kind. 0 unless it is kept.
    std::uint64_t prefix() const { return prefix_; }

private:
    void note(std::string_view text);
    Result<std::optional<Line>> next_across_chunks();
    Line finish(std::string_view text, bool ended_by_newline);

    ByteSource* source_;
    std::size_t line_bytes_max_;
    PrefixHash prefix_hash_;
    std::uint64_t prefix_ = 0;
    std::uint64_t number_ = 0;
    std::string_view rest_;  // of the source's current chunk
    std::string carried_;    // the part of the current line that lay in earlier chunks
};

}  // namespace footfall::records
