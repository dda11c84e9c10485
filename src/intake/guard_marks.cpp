#include "intake/guard_marks.h"

#include "foundation/varint.h"
#include "guard/time_bytes.h"

namespace footfall::intake {

void GuardMarks::append_to(std::string& bytes) const {
    guard::append_time(latest_, bytes);
    append_varint(marks_.size(), bytes);
    for (const GuardMark& mark : marks_) {
        append_varint(mark.offset, bytes);
        guard::append_time(mark.time, bytes);
    }
}

bool GuardMarks::take(std::string_view& bytes) {
    constexpr std::size_t mark_bytes_least = 2;
    std::uint64_t count = 0;
    if (!guard::take_time(bytes, latest_) || !take_varint(bytes, count) || count == 0 ||
        count > bytes.size() / mark_bytes_least) {
        return false;
    }
    marks_.resize(count);
    for (GuardMark& mark : marks_) {
        if (!take_varint(bytes, mark.offset) || !guard::take_time(bytes, mark.time)) {
            return false;
        }
    }
    return true;
}

}  // namespace footfall::intake
