#include "backup/file_sums.h"

#include "foundation/crc32c.h"
#include "moving/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace footfall::backup {
namespace {

/// Keeps the checksum of the last bytes of a file that is read from its beginning.
class Tail {
public:
    explicit Tail(std::uint64_t size) : begin_{size - std::min<std::uint64_t>(size, tail_bytes)} {}

    void take(std::uint64_t offset, std::string_view bytes) {
        if (offset + bytes.size() <= begin_) {
            return;
        }
        bytes.remove_prefix(begin_ > offset ? begin_ - offset : 0);
        sum_ = crc32c(bytes, sum_);
    }

    std::uint32_t sum() const { return sum_; }

private:
    std::uint64_t begin_;
    std::uint32_t sum_ = 0;
};

/// Reads `size` bytes of what has read(offset, count), portion by portion; `take` is given each.
template <class Source, class Take>
Result<FileSums> read_portions(
    Source& source,
    const std::string& where,
    std::uint64_t size,
    Step& step,
    const BeforeStep& before_step,
    const Take& take
) {
    FileSums sums{.size = size};
    sums.portions.reserve(portions_of(size));
    Tail tail{size};
    for (std::uint64_t offset = 0; offset < size; offset += portion_bytes) {
        TRY_VOID(before_step(step));
        const auto wanted =
            static_cast<std::size_t>(std::min<std::uint64_t>(portion_bytes, size - offset));
        TRY(const std::string bytes, source.read(offset, wanted));
        if (bytes.size() != wanted) {
            return fail(
                ErrorKind::corrupt,
                fmt::format(
                    "{} ends at byte {} and should have {} bytes",
                    where,
                    offset + bytes.size(),
                    size
                )
            );
        }
        sums.portions.push_back(crc32c(bytes));
        tail.take(offset, bytes);
        TRY_VOID(take(bytes));
        step.bytes_done += wanted;
    }
    sums.tail = tail.sum();
    return sums;
}

}  // namespace

std::size_t portions_of(std::uint64_t size) {
    return static_cast<std::size_t>(size / portion_bytes) + (size % portion_bytes == 0 ? 0 : 1);
}

Result<std::uint32_t> tail_of(const std::filesystem::path& path, std::uint64_t size) {
    TRY(moving::File file, moving::File::open(path));
    const std::uint64_t wanted = std::min<std::uint64_t>(size, tail_bytes);
    TRY(const std::string bytes, file.read(size - wanted, static_cast<std::size_t>(wanted)));
    return crc32c(bytes);
}

Result<FileSums> store_file(
    const std::filesystem::path& from,
    Depot& depot,
    std::string_view name,
    std::uint64_t size,
    Step& step,
    const BeforeStep& before_step
) {
    TRY(moving::File source, moving::File::open(from));
    TRY_VOID(before_step(step));
    TRY(const auto copy, depot.create(name));
    TRY(FileSums sums,
        read_portions(source, from.string(), size, step, before_step, [&](std::string_view bytes) {
            return copy->append(bytes);
        }));
    TRY_VOID(before_step(step));
    TRY_VOID(copy->finish());
    return sums;
}

Result<FileSums> fetch_file(
    Depot& depot,
    std::string_view name,
    const std::filesystem::path& to,
    std::uint64_t size,
    Step& step,
    const BeforeStep& before_step
) {
    TRY(const auto source, depot.open(name));
    TRY_VOID(before_step(step));
    TRY(moving::File copy, moving::File::create(to));
    TRY(FileSums sums,
        read_portions(
            *source,
            depot.where(name),
            size,
            step,
            before_step,
            [&](std::string_view bytes) -> Result<void> {
                TRY_VOID(copy.append(bytes));
                copy.begin_sync();
                return {};
            }
        ));
    TRY_VOID(before_step(step));
    TRY_VOID(copy.sync());
    return sums;
}

Result<FileSums> sum_file(
    Depot& depot, std::string_view name, Step& step, const BeforeStep& before_step
) {
    TRY(const auto source, depot.open(name));
    return read_portions(
        *source,
        depot.where(name),
        source->size(),
        step,
        before_step,
        [](std::string_view) { return Result<void>{}; }
    );
}

std::optional<std::string> difference(const FileSums& expected, const FileSums& found) {
    // The last portion of a file that was cut short or grew differs by that alone.
    const std::size_t both = found.size == expected.size
                                 ? expected.portions.size()
                                 : std::min(found.size, expected.size) / portion_bytes;
    for (std::size_t at = 0; at < both; ++at) {
        if (expected.portions[at] != found.portions[at]) {
            const std::uint64_t begin = std::uint64_t{at} * portion_bytes;
            return fmt::format(
                "is damaged between byte {} and byte {}",
                begin,
                std::min<std::uint64_t>(begin + portion_bytes, expected.size)
            );
        }
    }
    if (found.size != expected.size) {
        return fmt::format("has {} bytes and should have {}", found.size, expected.size);
    }
    return std::nullopt;
}

}  // namespace footfall::backup
