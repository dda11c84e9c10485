#include "projecting/checkpoints.h"

#include "projecting/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace footfall::projecting {

Result<std::vector<std::optional<Mark>>> read_checkpoints(
    storage::Store& store, const journal::LogReader& log, std::string_view projection
) {
    const storage::RangeQuery query{
        .table = &projection_checkpoint_table, .partition = {static_cast<std::int64_t>(log.id())}
    };
    TRY(const storage::Rows rows, read_all(store, query));
    std::vector<std::optional<Mark>> marks(log.lanes());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto lane = static_cast<std::size_t>(rows.at(row, 1).number());
        if (lane >= marks.size()) {
            return fail(ErrorKind::corrupt, fmt::format("there is a checkpoint of lane {}", lane));
        }
        if (rows.at(row, 2).text() == projection) {
            marks[lane] = {
                .offset = static_cast<std::uint64_t>(rows.at(row, 3).number()),
                .source = static_cast<std::uint64_t>(rows.at(row, 4).number())
            };
        }
    }
    return marks;
}

void LaneMarks::begin_at(Mark mark) {
    stretches_.clear();
    stretches_.emplace(mark.offset, Stretch{.last = mark.offset, .source = mark.source});
}

void LaneMarks::told(Mark end) {
    if (!stretches_.empty()) {
        Stretch& newest = std::prev(stretches_.end())->second;
        if (newest.source == end.source) {
            newest.last = end.offset;
            return;
        }
    }
    stretches_.insert_or_assign(end.offset, Stretch{.last = end.offset, .source = end.source});
}

std::optional<Mark> LaneMarks::at(std::uint64_t offset) const {
    const auto behind = stretches_.upper_bound(offset);
    if (behind == stretches_.begin()) {
        return std::nullopt;
    }
    const Stretch& stretch = std::prev(behind)->second;
    return Mark{.offset = std::min(offset, stretch.last), .source = stretch.source};
}

void LaneMarks::forget_before(std::uint64_t offset) {
    const auto behind = stretches_.upper_bound(offset);
    if (behind != stretches_.begin()) {
        stretches_.erase(stretches_.begin(), std::prev(behind));
    }
}

}  // namespace footfall::projecting
