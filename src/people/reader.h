#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace footfall::people {

/// Of what one reader shares; with a day's key it makes the key that seals it.
using ReaderKey = std::array<std::byte, 16>;

/// A reader as what is stored of reading names them. `number` is random, and nobody's once the row
/// of reader_key, or of former_reader, is gone.
struct Reader {
    std::uint64_t number = 0;
    ReaderKey key{};

    friend bool operator==(const Reader&, const Reader&) = default;
};

}  // namespace footfall::people
