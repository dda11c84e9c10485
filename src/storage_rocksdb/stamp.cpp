#include "storage_rocksdb/stamp.h"

#include "foundation/fixed_bytes.h"

#include <chrono>
#include <random>

namespace footfall::storage_rocksdb {

Stamp begin_history(std::uint64_t last, Instant now) {
    std::random_device device;
    const std::uint64_t high = device();
    return {.history = high << 32 | device(), .block = last, .at = now};
}

std::string encode_block(std::uint64_t block) {
    std::string bytes;
    append_fixed(block, bytes);
    return bytes;
}

Result<std::uint64_t> decode_block(std::string_view bytes) {
    std::uint64_t block = 0;
    if (!take_fixed(bytes, block) || !bytes.empty()) {
        return fail(ErrorKind::corrupt, "the number of a block is damaged");
    }
    return block;
}

std::string encode_stamp(const Stamp& stamp) {
    std::string bytes;
    append_fixed(stamp.history, bytes);
    append_fixed(stamp.block, bytes);
    append_fixed(std::int64_t{stamp.at.time_since_epoch().count()}, bytes);
    return bytes;
}

Result<Stamp> decode_stamp(std::string_view bytes) {
    Stamp stamp;
    std::int64_t micros = 0;
    if (!take_fixed(bytes, stamp.history) || !take_fixed(bytes, stamp.block) ||
        !take_fixed(bytes, micros) || !bytes.empty()) {
        return fail(ErrorKind::corrupt, "the stamp of a block is damaged");
    }
    stamp.at = Instant{std::chrono::microseconds{micros}};
    return stamp;
}

}  // namespace footfall::storage_rocksdb
