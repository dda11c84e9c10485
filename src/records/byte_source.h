#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::records {

/// A stream of bytes read once from front to back, in chunks: a file, standard input, or the
/// decompressed form of either. Memory is bounded by a few chunks whatever the size of the file.
/// For one thread; blocks while reading.
class ByteSource {
public:
    virtual ~ByteSource() = default;

    /// The next chunk, valid until the next call; empty at the end, and empty again when asked
    /// further. Bytes in front of a fault are handed out before the fault is reported. `corrupt`:
    /// the compressed data is damaged or cut short; `unavailable`: the system could not read.
    virtual Result<std::string_view> next() = 0;
    /// Bytes taken so far from the file as it is stored, that is before decompression.
    virtual std::uint64_t stored_position() const = 0;
    /// Size of the file as it is stored; absent for pipes.
    virtual std::optional<std::uint64_t> stored_size() const = 0;
    /// What messages call it: the path, or "standard input".
    virtual const std::string& name() const = 0;
};

/// The content of the file at `path`, or of standard input where `path` is "-". Content that begins
/// as gzip or zstd does is decompressed, whatever the file is called. A missing file is `not_found`
/// with the path and what to do about it.
Result<std::unique_ptr<ByteSource>> open_byte_source(const std::string& path);

/// `stored` decompressed when it begins with the magic bytes of gzip (any number of members) or
/// zstd (any number of frames), else `stored` as it is.
Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> stored);

/// `bytes` in chunks of `chunk_size` (at least 1).
std::unique_ptr<ByteSource> bytes_in_memory(
    std::string name, std::string bytes, std::size_t chunk_size
);

}  // namespace footfall::records
