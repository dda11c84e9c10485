#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace rocksdb {
class Env;
class SequentialFile;
}  // namespace rocksdb

namespace footfall::storage_rocksdb {

/// What was found in a file in RocksDB's log format, which write-ahead logs and MANIFEST files
/// share: blocks of 32 KiB; in them fragments of records, each with a checksum, its length and its
/// place in the record.
///
/// A write that a crash cut short leaves a record that is not whole, and nothing behind it, since
/// the next write begins only when the one before is durable. So a whole record behind one that is
/// not means damage.
struct RecordLog {
    /// Why what stands at `whole_bytes` is no record.
    enum class End {
        clean,   ///< Nothing stands there.
        cut,     ///< The file ends within a record, or zeros begin: a write cut short.
        broken,  ///< A record, but not what was written; may be a write cut short, too.
        damaged  ///< For certain no write cut short: see `damage`.
    };

    std::uint64_t records = 0;      ///< Whole ones before the end.
    std::uint64_t whole_bytes = 0;  ///< Where the last of them ends.
    End end = End::clean;
    std::string damage;  ///< For a person; with `damaged`.
};

/// Called with the first bytes of a record, as many as were asked for.
using OnRecord = std::function<void(std::string_view)>;

/// Reads the file through, at the speed of the checksum, and hands the first `wanted` bytes of each
/// whole record up to `end` to `on_record`. Memory: a block and those bytes. `number` is the
/// file's; records that a file of another number left in a recycled one are its end. `unavailable`
/// if the file cannot be read.
///
/// Behind a record that is not whole every byte is tried as the beginning of one. (Bytes inside a
/// value may look like a record; whoever manages to have them written there can at worst make a
/// torn log be refused, and the remedy works.)
Result<RecordLog> read_record_log(
    rocksdb::Env& env,
    const std::string& path,
    std::uint64_t number,
    std::size_t wanted,
    const OnRecord& on_record
);

/// The same of a file that is open, from where it stands, which is taken for its beginning.
Result<RecordLog> read_record_log(
    rocksdb::SequentialFile& file,
    std::uint64_t number,
    std::size_t wanted,
    const OnRecord& on_record
);

}  // namespace footfall::storage_rocksdb
