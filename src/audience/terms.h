#pragma once

#include <cstdint>

namespace footfall::audience {

/// What holds of whoever may ask for numbers of people only (the scope `audience`).
struct Terms {
    /// No number is shown of fewer people.
    std::uint64_t least = 50;
    /// So many numbers a day and key: the more, the louder the noise.
    std::uint32_t numbers = 100;

    friend bool operator==(const Terms&, const Terms&) = default;
};

}  // namespace footfall::audience
