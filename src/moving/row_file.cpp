#include "moving/row_file.h"

#include "foundation/crc32c.h"
#include "foundation/varint.h"
#include "moving/sealed_text.h"

#include <fmt/format.h>
#include <zstd.h>

#include <bit>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace footfall::moving {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

constexpr std::string_view magic{"FFROWS\0\1", 8};  // the last byte is the version
constexpr char header_kind = 'h';
constexpr char rows_kind = 'r';
constexpr char tally_kind = 't';
// Part of the format: the same rows must make the same bytes.
constexpr std::size_t block_bytes = 256 << 10;
constexpr int compression_level = 3;

/// What stands before the compressed bytes of a block. The checksum is of the three parts before it
/// and of those bytes.
struct BlockHead {
    char kind = 0;
    std::uint32_t stored = 0;
    std::uint32_t raw = 0;
    std::uint32_t crc = 0;

    static constexpr std::size_t size = 13;

    std::string bytes() const {
        std::string bytes(size, kind);
        std::memcpy(bytes.data() + 1, &stored, 4);
        std::memcpy(bytes.data() + 5, &raw, 4);
        std::memcpy(bytes.data() + 9, &crc, 4);
        return bytes;
    }

    static BlockHead read(std::string_view bytes) {
        BlockHead head{.kind = bytes[0]};
        std::memcpy(&head.stored, bytes.data() + 1, 4);
        std::memcpy(&head.raw, bytes.data() + 5, 4);
        std::memcpy(&head.crc, bytes.data() + 9, 4);
        return head;
    }

    std::uint32_t expected_crc(std::string_view compressed) const {
        return crc32c(compressed, crc32c(bytes().substr(0, size - sizeof(crc))));
    }
};

std::string_view type_name(storage::ColumnType type) {
    using storage::ColumnType;
    switch (type) {
        case ColumnType::text:
            return "text";
        case ColumnType::bytes:
            return "bytes";
        case ColumnType::integer:
            return "integer";
        case ColumnType::day:
            return "day";
        case ColumnType::timestamp:
            return "timestamp";
        case ColumnType::decimal:
            return "decimal";
    }
    return "";
}

void append_columns(
    std::string_view part, const std::vector<storage::Column>& columns, std::string& text
) {
    for (const storage::Column& column : columns) {
        const bool descending = column.order == storage::Order::descending;
        text += fmt::format(
            "{} {} {}{}\n", part, column.name, type_name(column.type), descending ? " down" : ""
        );
    }
}

}  // namespace

std::string header_text(const storage::Table& table, std::string_view deployment) {
    std::string text = fmt::format("table {}\ndeployment {}\n", table.name, deployment);
    append_columns("partition", table.partition, text);
    append_columns("clustering", table.clustering, text);
    append_columns("value", table.values, text);
    return text;
}

Result<void> check_header(
    std::string_view text, const storage::Table& table, std::string_view deployment
) {
    const std::string mine = header_text(table, deployment);
    const bool first_columns = mine.starts_with(text) && text.ends_with('\n');
    const std::string_view added = std::string_view{mine}.substr(first_columns ? text.size() : 0);
    if (first_columns && (added.empty() || added.starts_with("value "))) {
        return {};
    }
    return fail(
        ErrorKind::conflict,
        fmt::format(
            "the rows of {} were written for another table or deployment than this program and the "
            "manifest have: import them with the version of footfall that exported them",
            table.name
        )
    );
}

Result<EncodedRow> take_row(std::string_view& block) {
    std::uint64_t key = 0;
    std::uint64_t values = 0;
    if (!take_varint(block, key) || !take_varint(block, values) || key > block.size() ||
        values > block.size() - key) {
        return fail(ErrorKind::corrupt, "a block of rows ends within a row");
    }
    const EncodedRow row{.key = block.substr(0, key), .values = block.substr(key, values)};
    block.remove_prefix(key + values);
    return row;
}

RowFileWriter::RowFileWriter(File file, RowMark mark)
    : file_{std::move(file)},
      mark_{std::move(mark)},
      last_key_{mark_.last_key},
      tally_{mark_.tally} {}

Result<RowFileWriter> RowFileWriter::create(
    const std::filesystem::path& path, std::string_view header
) {
    TRY(File file, File::create(path));
    RowFileWriter writer{std::move(file), {}};
    TRY_VOID(writer.file_.append(magic));
    writer.mark_.length = magic.size();
    TRY_VOID(writer.write_block(header_kind, header));
    return writer;
}

Result<RowFileWriter> RowFileWriter::reopen(const std::filesystem::path& path, RowMark mark) {
    TRY(File file, File::reopen(path, mark.length));
    return RowFileWriter{std::move(file), std::move(mark)};
}

Result<void> RowFileWriter::append(EncodedRow row) {
    if (row.key.size() + row.values.size() > block_bytes_max - 2 * varint_bytes_max - block_bytes) {
        return fail(
            ErrorKind::invalid_input, fmt::format("{}: a row is too large", file_.path().string())
        );
    }
    if (tally_.rows > 0 && row.key <= last_key_) {
        return fail(
            ErrorKind::corrupt,
            fmt::format(
                "{}: two rows with one key; was the store written to meanwhile?",
                file_.path().string()
            )
        );
    }
    append_varint(row.key.size(), block_);
    append_varint(row.values.size(), block_);
    block_ += row.key;
    block_ += row.values;
    tally_.add(row.key, row.values);
    last_key_.assign(row.key);
    return block_.size() >= block_bytes ? end_block() : Result<void>{};
}

Result<void> RowFileWriter::end_block() {
    if (block_.empty()) {
        return {};
    }
    TRY_VOID(write_block(rows_kind, block_));
    block_.clear();
    mark_.tally = tally_;
    mark_.last_key = last_key_;
    return {};
}

Result<void> RowFileWriter::finish() {
    TRY_VOID(end_block());
    TRY_VOID(write_block(tally_kind, text_of(tally_)));
    return sync();
}

Result<void> RowFileWriter::write_block(char kind, std::string_view bytes) {
    compressed_.resize(ZSTD_compressBound(bytes.size()));
    const std::size_t stored = ZSTD_compress(
        compressed_.data(), compressed_.size(), bytes.data(), bytes.size(), compression_level
    );
    if (ZSTD_isError(stored) != 0) {
        return fail(
            ErrorKind::unavailable, fmt::format("compress rows: {}", ZSTD_getErrorName(stored))
        );
    }
    compressed_.resize(stored);
    BlockHead head{
        .kind = kind,
        .stored = static_cast<std::uint32_t>(stored),
        .raw = static_cast<std::uint32_t>(bytes.size())
    };
    head.crc = head.expected_crc(compressed_);
    TRY_VOID(file_.append(head.bytes()));
    TRY_VOID(file_.append(compressed_));
    mark_.length += BlockHead::size + stored;
    return {};
}

RowFileReader::RowFileReader(File file, std::optional<std::uint64_t> length)
    : file_{std::move(file)}, length_{length} {}

Result<RowFileReader> RowFileReader::open(
    const std::filesystem::path& path, std::optional<std::uint64_t> length
) {
    TRY(File file, File::open(path));
    RowFileReader reader{std::move(file), length};
    TRY(const std::string begin, reader.file_.read(0, magic.size()));
    if (begin != magic) {
        return reader.damaged("it does not begin as a file of rows of this version");
    }
    reader.offset_ = magic.size();
    TRY(const char kind, reader.read_block());
    if (kind != header_kind) {
        return reader.damaged("it has no header");
    }
    reader.header_ = std::move(reader.block_);
    reader.block_.clear();
    return reader;
}

void RowFileReader::seek(std::uint64_t offset) {
    offset_ = offset;
    rest_ = {};
    whole_ = false;
    last_key_.clear();
}

Result<std::optional<EncodedRow>> RowFileReader::next() {
    if (rest_.empty() && !ended_) {
        if (length_ && offset_ >= *length_) {
            ended_ = true;
            return std::nullopt;
        }
        TRY(const char kind, read_block());
        if (kind == tally_kind && !length_) {
            TRY_VOID(end_of_rows());
            return std::nullopt;
        }
        if (kind != rows_kind || block_.empty()) {
            return damaged("a block is of the wrong kind");
        }
        rest_ = block_;
    }
    if (ended_) {
        return std::nullopt;
    }
    auto row = take_row(rest_);
    if (!row) {
        return damaged(row.error().message);
    }
    if (row->key.empty() || row->key <= last_key_) {
        return damaged("its rows are not in order");
    }
    last_key_.assign(row->key);
    tally_.add(row->key, row->values);
    return *row;
}

Result<void> RowFileReader::end_of_rows() {
    TRY(said_, tally_of(block_));
    if (whole_ && said_ != tally_) {
        return damaged("it does not hold the rows it says");
    }
    TRY(const std::string behind, file_.read(offset_, 1));
    if (!behind.empty()) {
        return damaged("something stands behind its end");
    }
    ended_ = true;
    return {};
}

/// Reads the block at offset_ into block_ and answers its kind.
Result<char> RowFileReader::read_block() {
    TRY(const std::string bytes, file_.read(offset_, BlockHead::size));
    if (bytes.size() < BlockHead::size) {
        return damaged("it ends too early");
    }
    const BlockHead head = BlockHead::read(bytes);
    if (head.raw > block_bytes_max || head.stored > ZSTD_compressBound(block_bytes_max)) {
        return damaged("a block says it is larger than any");
    }
    TRY(const std::string compressed, file_.read(offset_ + BlockHead::size, head.stored));
    if (compressed.size() < head.stored) {
        return damaged("it ends within a block");
    }
    if (head.crc != head.expected_crc(compressed)) {
        return damaged("the checksum of a block is wrong");
    }
    block_.resize(head.raw);
    const std::size_t raw =
        ZSTD_decompress(block_.data(), block_.size(), compressed.data(), compressed.size());
    if (ZSTD_isError(raw) != 0 || raw != head.raw) {
        return damaged("a block cannot be decompressed");
    }
    offset_ += BlockHead::size + head.stored;
    return head.kind;
}

std::unexpected<Error> RowFileReader::damaged(std::string_view what) const {
    return fail(
        ErrorKind::corrupt,
        fmt::format("{} is damaged near byte {}: {}", file_.path().string(), offset_, what)
    );
}

}  // namespace footfall::moving
