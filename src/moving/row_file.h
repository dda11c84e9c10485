#pragma once

#include "foundation/result.h"
#include "moving/file.h"
#include "moving/tally.h"
#include "storage/table.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::moving {

/// The rows of a table in a file: docs/formats/export.md. Blocks of encoded rows in the order of
/// keys, each compressed and with a checksum; the table's declaration before them, their tally
/// behind. Where blocks end depends on the rows alone, so the same rows make the same bytes.

/// A row, encoded as docs/formats/keys.md says. Borrowed.
struct EncodedRow {
    std::string_view key;
    std::string_view values;
};

/// No block is larger uncompressed, so no row is.
inline constexpr std::size_t block_bytes_max = 64 << 20;

/// What stands before the rows: the table's name, the deployment, and a line for each column.
std::string header_text(const storage::Table& table, std::string_view deployment);

/// Success if rows under the header `text` can be read as rows of `table`: the same key, and value
/// columns that are those of `table` or the first of them. Else `conflict`.
Result<void> check_header(
    std::string_view text, const storage::Table& table, std::string_view deployment
);

/// Takes the first row off the bytes of a block; `corrupt` if there is none.
Result<EncodedRow> take_row(std::string_view& block);

/// What a file holds up to the end of a block: from there it can be written on.
struct RowMark {
    std::uint64_t length = 0;
    Tally tally = {};
    std::string last_key = {};
};

/// Writes rows one after the other, in the order of their keys. Not thread-safe.
class RowFileWriter {
public:
    static Result<RowFileWriter> create(const std::filesystem::path& path, std::string_view header);

    /// Goes on behind `mark`; what stands behind it is cut off.
    static Result<RowFileWriter> reopen(const std::filesystem::path& path, RowMark mark);

    /// `corrupt` if the key does not come behind the one before; `invalid_input` if the row is too
    /// large for a block.
    Result<void> append(EncodedRow row);

    /// Ends the block here, whatever its size.
    Result<void> end_block();

    /// As of the end of the last block.
    const RowMark& mark() const { return mark_; }

    /// Makes mark() durable.
    Result<void> sync() { return file_.sync(); }

    /// Writes the tally of all rows behind them, and makes all durable.
    Result<void> finish();

private:
    RowFileWriter(File file, RowMark mark);

    Result<void> write_block(char kind, std::string_view bytes);

    File file_;
    RowMark mark_;
    std::string block_;
    std::string last_key_;
    Tally tally_;
    std::string compressed_;
};

/// Reads rows one after the other and refuses, as `corrupt`, whatever is not as it was written. Not
/// thread-safe.
class RowFileReader {
public:
    /// Reads the header. `length`: a file that is not finished, of which so many bytes count.
    static Result<RowFileReader> open(
        const std::filesystem::path& path, std::optional<std::uint64_t> length = {}
    );

    const std::string& header() const { return header_; }

    /// Goes on with the block that begins at `offset`, an offset() of before. From then on the
    /// tally is not checked.
    void seek(std::uint64_t offset);

    /// The next row, valid until the next call; absent behind the last.
    Result<std::optional<EncodedRow>> next();

    /// Whether the row that next() answered was the last one of its block.
    bool at_end_of_block() const { return rest_.empty(); }

    /// Where the next block begins.
    std::uint64_t offset() const { return offset_; }

    /// What the file says it holds, once next() has come to its end.
    const Tally& tally() const { return said_; }

private:
    RowFileReader(File file, std::optional<std::uint64_t> length);

    Result<char> read_block();
    Result<void> end_of_rows();
    std::unexpected<Error> damaged(std::string_view what) const;

    File file_;
    std::optional<std::uint64_t> length_;  ///< Absent: the file ends with its tally.
    std::string header_;
    std::string block_;
    std::string_view rest_;  ///< What is left of block_.
    std::uint64_t offset_ = 0;
    std::string last_key_;
    Tally tally_;
    Tally said_;
    bool whole_ = true;  ///< Read from the start.
    bool ended_ = false;
};

}  // namespace footfall::moving
