#pragma once

#include "foundation/result.h"
#include "segments/segments.h"
#include "webhooks/source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::segments::routes {

/// What a hook is about: a segment, in the life that it had when the hook was said. One that was
/// dropped and made again begins with its numbers anew, and is another one.
struct HookSubject {
    std::int64_t number = 0;  ///< Segment::number.
    std::string segment;

    /// As webhooks::Hook::subject has it.
    std::string text() const;

    /// Absent: it is not what text() answered.
    static std::optional<HookSubject> read(std::string_view text);
};

/// Changes of segments, for webhooks. Of a segment that is gone there are none. The filter is a
/// network. Thread-safe. Blocks.
class SegmentChanges final : public webhooks::Source {
public:
    explicit SegmentChanges(Segments& segments) : segments_{&segments} {}

    Result<std::vector<webhooks::Change>> changes(
        const std::string& subject,
        const std::string& filter,
        std::uint64_t after,
        std::size_t limit
    ) override;

private:
    Segments* segments_;
};

}  // namespace footfall::segments::routes
