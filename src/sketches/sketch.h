#pragma once

#include "foundation/result.h"
#include "sketches/closed_registers.h"
#include "sketches/hash_token.h"
#include "sketches/open_registers.h"
#include "sketches/registers.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace footfall::sketches {

/// How many there are, and the relative standard error of that (standard_error.h).
struct Estimate {
    double count = 0;
    double error = 0;
};

/// How many different people were seen, from keyed hashes of them: 64 bits each, siphash13 with the
/// secret of the deployment, so that nobody can choose people who are not counted.
///
/// Few people are kept one by one, as tokens (hash_token.h): off by one with a chance of 4e-5 at
/// 128. More become registers, which are either open, 8 or 16 KiB that are worked with, or closed:
/// packed to at most 4.6 KiB, with fewer than 192 tokens that came since. What it has seen, and
/// what is stored of it, does not depend on which. A plain value of 16 bytes that can be moved, not
/// thread-safe: three people need nothing else, more have a piece of the heap.
///
/// Cost: add 20 ns to tokens, 10 to 50 ns to open registers, 10 to 50 ns to closed ones and every
/// 192nd time that may matter 0.2 ms. people(): below 1 us; of registers that were united 8 us, of
/// closed ones for which somebody waits 0.2 ms. read() and written() of closed ones: 1 us.
class alignas(void*) Sketch {
public:
    static constexpr std::size_t tokens_max = 128;
    static constexpr std::size_t waiting_max = ClosedRegisters::waiting_max;

    Sketch() = default;
    Sketch(const Sketch&) = delete;
    Sketch& operator=(const Sketch&) = delete;
    Sketch(Sketch&& other) noexcept;
    Sketch& operator=(Sketch&& other) noexcept;
    ~Sketch();

    /// Takes a hash in; false if that changes nothing for certain.
    bool add(std::uint64_t hash);

    /// Takes in all that `other` has seen. Registers that come of it are open.
    void unite(const Sketch& other);

    Estimate people() const;

    /// More than people() says, but by a twentieth and 192 at most; never falls, and follows from
    /// the hashes and their order alone. Registers are not unpacked for it.
    double people_at_most() const;

    /// The same once more.
    Sketch clone() const;

    /// The tokens, in order, while people are kept one by one; else absent. Until the next change.
    std::optional<std::span<const HashToken>> tokens() const;

    /// All that it has seen, as registers: also of those who are kept one by one.
    Registers registers() const;

    /// Opens the registers, if there are any: for those that are written to often.
    void open();

    /// Closes the registers.
    void close();

    bool is_open() const { return form_ == Form::open; }

    /// What it takes from the heap.
    std::size_t bytes() const;

    /// As it is stored: docs/formats/sketch.md. `key`: tells secrets apart, so that sketches of
    /// two are not united.
    std::string written(std::uint16_t key) const;

    enum class Kept : std::uint8_t { closed, open };

    /// `corrupt` when it is none; `invalid_input` when it is of another key. A checksum says
    /// whether they are sound: registers that are kept closed are not unpacked.
    static Result<Sketch> read(
        std::string_view bytes, std::uint16_t key, Kept registers = Kept::closed
    );

private:
    enum class Form : std::uint8_t { few, tokens, closed, open };

    static constexpr std::size_t few_max = 3;

    bool has_tokens() const { return form_ <= Form::tokens; }

    std::span<const HashToken> known_tokens() const;
    void set_tokens(std::span<const HashToken> tokens);
    bool add_token(HashToken token);
    void unite_tokens(std::span<const HashToken> theirs);

    ClosedRegisters& closed() const { return *static_cast<ClosedRegisters*>(heap()); }

    OpenRegisters& opened() const { return *static_cast<OpenRegisters*>(heap()); }

    void set_closed(ClosedRegisters::Owner closed);
    void set_open(std::unique_ptr<OpenRegisters> open);
    void set_open(Registers registers);
    static Result<Sketch> read_registers(std::string_view bytes, Kept registers);

    void* heap() const;
    void set_heap(Form form, void* heap);
    void clear();

    Form form_ = Form::few;
    std::uint8_t tokens_count_ = 0;
    bool united_ = false;  ///< The martingale is not of one stream any more.
    /// Few tokens; or in the last two words where the heap has the rest: an array of tokens, in
    /// order and all different, ClosedRegisters, or Registers.
    std::array<HashToken, few_max> words_{};
};

}  // namespace footfall::sketches
