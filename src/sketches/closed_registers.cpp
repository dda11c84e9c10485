#include "sketches/closed_registers.h"

#include "foundation/check.h"
#include "sketches/coder.h"

#include <algorithm>
#include <new>
#include <string>

namespace footfall::sketches {
namespace {

/// Room for waiting tokens grows by so many.
constexpr std::size_t room_step = 16;

std::size_t rounded_up(std::size_t size, std::size_t step) {
    return (size + step - 1) / step * step;
}

}  // namespace

void ClosedRegisters::Delete::operator()(ClosedRegisters* closed) const {
    closed->~ClosedRegisters();
    ::operator delete(closed);
}

ClosedRegisters::ClosedRegisters(
    std::string_view packed, double people, unsigned lowest, std::size_t room
)
    : people_{people},
      packed_size_{static_cast<std::uint32_t>(packed.size())},
      lowest_open_value_{static_cast<std::uint8_t>(lowest)},
      room_{static_cast<std::uint8_t>(room)} {
    std::ranges::copy(packed, begin());
    std::uninitialized_fill_n(first_waiting(), room, HashToken{0});
}

ClosedRegisters::Owner ClosedRegisters::make(
    std::string_view packed, double people, unsigned lowest, std::size_t room
) {
    void* const place = ::operator new(size_of(packed.size(), room));
    return Owner{new (place) ClosedRegisters{packed, people, lowest, room}};
}

ClosedRegisters::Owner ClosedRegisters::make(
    const Registers& registers, std::span<const HashToken> waiting
) {
    std::string packed;
    append_registers(registers.all(), registers.people_a_register(), packed);
    return make(
        {.packed = packed,
         .people = registers.people(),
         .lowest_open_value = registers.lowest_open_value(),
         .waiting = waiting}
    );
}

ClosedRegisters::Owner ClosedRegisters::make(const Stored& stored) {
    CHECK(stored.waiting.size() < waiting_max, "too many wait", stored.waiting.size());
    Owner closed = make(
        stored.packed,
        stored.people,
        stored.lowest_open_value,
        rounded_up(stored.waiting.size(), room_step)
    );
    std::ranges::copy(stored.waiting, closed->first_waiting());
    closed->waiting_ = static_cast<std::uint8_t>(stored.waiting.size());
    return closed;
}

ClosedRegisters::Owner ClosedRegisters::with_room(std::size_t room) const {
    Owner same = make(packed(), people_, lowest_open_value_, room);
    std::ranges::copy(waiting(), same->first_waiting());
    same->waiting_ = waiting_;
    return same;
}

ClosedRegisters::Owner ClosedRegisters::clone() const {
    return with_room(room_);
}

Registers ClosedRegisters::registers() const {
    Registers registers = without_waiting();
    for (const HashToken token : waiting()) {
        registers.add(hash_of(token));
    }
    return registers;
}

Registers ClosedRegisters::without_waiting() const {
    Result<Registers> read = Registers::read(packed());
    CHECK(read, "closed registers were packed here", read ? "" : read.error().message);
    read->set_people(people_);
    return *std::move(read);
}

bool ClosedRegisters::add(Owner& closed, std::uint64_t hash) {
    CHECK(!closed->is_full(), "too many wait");
    const HashToken token = token_of(hash);
    if (update_of(hash, usual_precision).value < closed->lowest_open_value_ ||
        std::ranges::find(closed->waiting(), token) != closed->waiting().end()) {
        return false;
    }
    if (closed->waiting_ == closed->room_) {
        closed = closed->with_room(closed->room_ + room_step);
    }
    closed->first_waiting()[closed->waiting_++] = token;
    return true;
}

std::size_t ClosedRegisters::bytes() const {
    return size_of(packed_size_, room_);
}

std::size_t ClosedRegisters::size_of(std::size_t packed_size, std::size_t room) {
    return sizeof(ClosedRegisters) + rounded_up(packed_size, sizeof(HashToken)) +
           room * sizeof(HashToken);
}

HashToken* ClosedRegisters::first_waiting() {
    return reinterpret_cast<HashToken*>(begin() + rounded_up(packed_size_, sizeof(HashToken)));
}

}  // namespace footfall::sketches
