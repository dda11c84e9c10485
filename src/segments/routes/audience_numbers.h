#pragma once

#include "audience/day_numbers.h"
#include "audience/terms.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "segments/segments.h"
#include "storage/store.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace footfall::segments::routes {

/// Numbers of people for who may see nothing else (the scope `audience`): with noise, the same all
/// day, so many a key (audience/day_numbers.h). Where segments are derived. Thread-safe; what it is
/// given must outlive it. Blocks.
class AudienceNumbers {
public:
    AudienceNumbers(
        Segments& segments,
        storage::Store& store,
        const Clock& clock,
        SipKey secret,
        const audience::Terms& terms
    )
        : segments_{&segments}, days_{store, clock, secret, terms}, terms_{terms} {}

    using Shown = audience::DayNumbers::Shown;

    /// What is shown of each of these, in their order. Failures: as of Segments::count();
    /// `overloaded`: the key would have asked more than a day has.
    Result<std::vector<Shown>> answer(std::string_view key, std::span<const Expression> questions);

    const audience::Terms& terms() const { return terms_; }

private:
    Result<std::uint64_t> hash_of(const Expression& question);

    Segments* segments_;
    audience::DayNumbers days_;
    const audience::Terms terms_;
};

}  // namespace footfall::segments::routes
