#pragma once

#include "backup/depot.h"
#include "backup/step.h"
#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::backup {

/// A file is read, written and summed up in portions of this size. Damage is told by portion.
inline constexpr std::size_t portion_bytes = 1 << 20;
/// So many of the last bytes of a file tell it from others of its name and size: there a table file
/// of RocksDB says which session of which database wrote it, as which file.
inline constexpr std::size_t tail_bytes = 64 << 10;

/// What a file holds: its size, and CRC-32C of each portion and of its last bytes.
struct FileSums {
    std::uint64_t size = 0;
    std::uint32_t tail = 0;
    std::vector<std::uint32_t> portions;

    friend bool operator==(const FileSums&, const FileSums&) = default;
};

/// How many portions a file of `size` has.
std::size_t portions_of(std::uint64_t size);

/// The checksum of the last bytes of a file of `size`. Reads these.
Result<std::uint32_t> tail_of(const std::filesystem::path& path, std::uint64_t size);

/// Copies the first `size` bytes of a file into a depot, durably, and sums them up. `corrupt` when
/// it has fewer. `step` is kept up to date and told of. Memory: a portion.
Result<FileSums> store_file(
    const std::filesystem::path& from,
    Depot& depot,
    std::string_view name,
    std::uint64_t size,
    Step& step,
    const BeforeStep& before_step
);

/// Copies the first `size` bytes of a file of a depot to `to`, as store_file() does.
Result<FileSums> fetch_file(
    Depot& depot,
    std::string_view name,
    const std::filesystem::path& to,
    std::uint64_t size,
    Step& step,
    const BeforeStep& before_step
);

/// Sums up a file of a depot.
Result<FileSums> sum_file(
    Depot& depot, std::string_view name, Step& step, const BeforeStep& before_step
);

/// What is wrong with a file of which `found` was read and which should be `expected`; absent:
/// nothing. "is damaged between byte 1048576 and byte 2097152".
std::optional<std::string> difference(const FileSums& expected, const FileSums& found);

}  // namespace footfall::backup
