#include "views/changes.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"
#include "foundation/varint.h"

#include <cstring>

namespace footfall::views {
namespace {

// An entry: the offset's difference to the one before times 8, and what follows; then the
// quarter-hour in one byte, and what the bits say.
constexpr unsigned has_person = 1;
constexpr unsigned has_reason = 2;
constexpr unsigned has_day = 4;
constexpr unsigned flag_bits = 3;

}  // namespace

void Changes::append(const Entry& entry) {
    CHECK(entry.offset >= last_offset_, "events wait in their order", entry.offset, last_offset_);
    const bool other_day = packed_.empty() || entry.day != last_day_;
    const unsigned flags = (entry.person ? has_person : 0) | (entry.reason != 0 ? has_reason : 0) |
                           (other_day ? has_day : 0);
    append_varint((entry.offset - last_offset_) << flag_bits | flags, packed_);
    packed_.push_back(static_cast<char>(entry.quarter));
    if (other_day) {
        append_varint(zigzag(std::int64_t{entry.day} - last_day_), packed_);
    }
    if (entry.reason != 0) {
        append_varint(entry.reason, packed_);
    }
    if (entry.person) {
        packed_.append(reinterpret_cast<const char*>(&*entry.person), sizeof(*entry.person));
    }
    last_offset_ = entry.offset;
    last_day_ = entry.day;
    ++size_;
}

std::uint64_t Changes::Cursor::number() {
    std::uint64_t number = 0;
    CHECK(take_varint(left_, number), "changes are whole");
    return number;
}

Changes::Entry Changes::Cursor::take() {
    const std::uint64_t head = number();
    last_.offset += head >> flag_bits;
    last_.quarter = static_cast<unsigned char>(left_.front());
    left_.remove_prefix(1);
    if ((head & has_day) != 0) {
        last_.day = static_cast<Day>(last_.day + from_zigzag(number()));
    }
    last_.reason = (head & has_reason) != 0 ? static_cast<ReasonId>(number()) : 0;
    last_.person.reset();
    if ((head & has_person) != 0) {
        sketches::HashToken person = 0;
        std::memcpy(&person, left_.data(), sizeof(person));
        left_.remove_prefix(sizeof(person));
        last_.person = person;
    }
    return last_;
}

std::size_t Changes::bytes() const {
    static const std::size_t inside = std::string{}.capacity();
    return packed_.capacity() <= inside ? 0 : allocated_bytes(packed_.capacity() + 1);
}

}  // namespace footfall::views
