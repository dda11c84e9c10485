#pragma once

#include "foundation/result.h"
#include "records/byte_source.h"
#include "records/field_map.h"
#include "records/line_reader.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace footfall::records {

/// One record of a file, or why it is none. Views are valid until the reader's next call.
struct Record {
    std::uint64_t line = 0;  ///< Where it begins, from 1.
    /// The mapped fields, in the order of FieldMap::mappings(). As written, save that CSV quotes
    /// and JSON escapes are undone; a field may be empty, and need not be UTF-8. What an NDJSON
    /// line does not have is empty where its target is not needed; what is_list() is there an
    /// array, which is as written.
    std::span<const std::string_view> fields{};
    std::string_view rejected{};  ///< The reason; empty for a record that could be read.
    std::uint64_t prefix = 0;     ///< LineReader::prefix() at its end, if it is kept.
};

/// Gives the records of one file in its order, whatever its format. Empty lines are no records. A
/// record that cannot be read is handed out as rejected and reading goes on; the source's errors
/// end it. For one thread; memory is bounded by the longest record allowed.
class RecordReader {
public:
    virtual ~RecordReader() = default;

    /// Absent at the end.
    virtual Result<std::optional<Record>> next() = 0;
};

enum class Header { first_line, none };

struct ReadOptions {
    InputFormat format = InputFormat::csv;
    Header header = Header::first_line;  ///< csv and tsv only.
    std::optional<char> delimiter{};     ///< csv and tsv only; by default the format's own.
    std::size_t record_bytes_max = std::size_t{1} << 20;
    PrefixHash prefix_hash = PrefixHash::none;
};

/// Reads what is needed to resolve `map` (the header, or without one the number of columns of the
/// first record) and fails when that does not work; a file without any record gives none. The
/// source must outlive the reader, as its position tells the progress.
Result<std::unique_ptr<RecordReader>> open_record_reader(
    ByteSource& source, const FieldMap& map, const ReadOptions& options
);

}  // namespace footfall::records
