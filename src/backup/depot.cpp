#include "backup/depot.h"

#include <fmt/format.h>

namespace footfall::backup {

Result<std::string> read_small(Depot& depot, std::string_view name) {
    constexpr std::uint64_t small_bytes_max = 64 << 20;
    TRY(const auto reader, depot.open(name));
    const std::uint64_t size = reader->size();
    if (size > small_bytes_max) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("{} is damaged: it has {} bytes", depot.where(name), size)
        );
    }
    TRY(std::string bytes, reader->read(0, static_cast<std::size_t>(size)));
    return bytes;
}

}  // namespace footfall::backup
