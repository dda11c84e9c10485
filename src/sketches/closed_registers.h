#pragma once

#include "foundation/result.h"
#include "sketches/hash_token.h"
#include "sketches/registers.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace footfall::sketches {

/// Registers packed by their entropy, with the tokens that came since, all in one piece of the
/// heap: the form in which registers wait for the next visitor. Not thread-safe.
class ClosedRegisters {
public:
    /// They are packed again once so many wait, which takes 0.07 to 0.2 ms: the more, the rarer,
    /// and the larger a row is that is written each time.
    static constexpr std::size_t waiting_max = 192;

    struct Delete {
        void operator()(ClosedRegisters* closed) const;
    };

    using Owner = std::unique_ptr<ClosedRegisters, Delete>;

    /// Of `registers`, and of `waiting` that came to them since: fewer than waiting_max.
    static Owner make(const Registers& registers, std::span<const HashToken> waiting = {});

    /// What a stored sketch says. Borrowed bytes.
    struct Stored {
        std::string_view packed;  ///< As append_registers() wrote it, and not looked at here.
        double people = 0;
        unsigned lowest_open_value = 0;
        std::span<const HashToken> waiting;  ///< Fewer than waiting_max.
    };

    static Owner make(const Stored& stored);

    ClosedRegisters(const ClosedRegisters&) = delete;
    ClosedRegisters& operator=(const ClosedRegisters&) = delete;

    /// By the martingale, without those that wait.
    double people() const { return people_; }

    std::string_view packed() const { return {begin(), packed_size_}; }

    std::span<const HashToken> waiting() const { return {first_waiting(), waiting_}; }

    bool is_full() const { return waiting_ == waiting_max; }

    unsigned lowest_open_value() const { return lowest_open_value_; }

    /// The same once more.
    Owner clone() const;

    /// With those that wait.
    Registers registers() const;

    /// Without them.
    Registers without_waiting() const;

    /// Lets a hash wait; false if it changes nothing for certain. `closed` must not be full, and
    /// may move.
    static bool add(Owner& closed, std::uint64_t hash);

    /// What it takes from the heap.
    std::size_t bytes() const;

private:
    ClosedRegisters(std::string_view packed, double people, unsigned lowest, std::size_t room);
    ~ClosedRegisters() = default;

    static Owner make(std::string_view packed, double people, unsigned lowest, std::size_t room);
    /// A copy that has room for so many waiting.
    Owner with_room(std::size_t room) const;
    static std::size_t size_of(std::size_t packed_size, std::size_t room);

    char* begin() { return reinterpret_cast<char*>(this + 1); }

    const char* begin() const { return reinterpret_cast<const char*>(this + 1); }

    HashToken* first_waiting();

    const HashToken* first_waiting() const {
        return const_cast<ClosedRegisters*>(this)->first_waiting();
    }

    double people_;
    std::uint32_t packed_size_;
    std::uint8_t lowest_open_value_;
    std::uint8_t waiting_ = 0;
    std::uint8_t room_;  ///< For so many.
    // Behind it lie the packed registers and room for tokens.
};

}  // namespace footfall::sketches
