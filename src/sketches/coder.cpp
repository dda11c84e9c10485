#include "sketches/coder.h"

#include "foundation/check.h"
#include "foundation/fixed_bytes.h"
#include "sketches/cell_model.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace footfall::sketches {
namespace {

/// A coder's state stays at or above this; it is where coding begins and decoding has to end.
constexpr std::uint64_t rest = std::uint64_t{1} << 32;
constexpr unsigned coders = 2;
constexpr unsigned slot_mask = (1U << CellModel::chance_bits) - 1;

/// The newest value, and seven octaves of the window.
constexpr std::size_t register_symbols_max = 2 + window_bits / octave_values;
/// No symbol has less than one of 2^16 slots.
constexpr std::size_t register_bytes_max = register_symbols_max * 2;

/// Codes symbols from the last to the first, and so writes its words from the end on.
class Encoder {
public:
    explicit Encoder(std::size_t registers)
        : size_{registers * register_bytes_max / sizeof(std::uint32_t) + coders},
          words_{std::make_unique_for_overwrite<std::uint32_t[]>(size_)},
          first_{size_} {}

    /// The state once `symbol` was put.
    std::uint64_t with(std::uint64_t state, CellModel::Symbol& symbol) {
        if (symbol.inverse == 0) [[unlikely]] {
            symbol.inverse = ~std::uint64_t{0} / symbol.size;
        }
        if (state >> 48 >= symbol.size) {
            words_[--first_] = static_cast<std::uint32_t>(state);
            state >>= 32;
        }
        // The quotient, which the inverse gives or one less.
        auto quotient = static_cast<std::uint64_t>(
            static_cast<unsigned __int128>(state) * symbol.inverse >> 64
        );
        std::uint64_t left = state - quotient * symbol.size;
        if (left >= symbol.size) {
            left -= symbol.size;
            ++quotient;
        }
        return (quotient << CellModel::chance_bits) + left + symbol.start;
    }

    void append_words(std::string& out) const {
        out.reserve(out.size() + (size_ - first_) * sizeof(std::uint32_t));
        for (std::size_t at = first_; at < size_; ++at) {
            append_fixed(words_[at], out);
        }
    }

private:
    std::size_t size_;
    std::unique_ptr<std::uint32_t[]> words_;
    std::size_t first_;
};

/// Decodes them from the first to the last.
class Decoder {
public:
    explicit Decoder(std::string_view bytes)
        : end_{bytes.size()}, words_(bytes.size() + coders * register_symbols_max * word_bytes) {
        std::ranges::copy(bytes, words_.begin());
    }

    static std::uint32_t slot(std::uint64_t state) {
        return static_cast<std::uint32_t>(state & slot_mask);
    }

    /// The state once `symbol` was taken.
    std::uint64_t without(std::uint64_t state, const CellModel::Symbol& symbol) {
        state =
            symbol.size * (state >> CellModel::chance_bits) + (state & slot_mask) - symbol.start;
        if (state < rest) {
            state = state << 32 | word();
            at_ += word_bytes;
        }
        return state;
    }

    /// To be asked after a register of each coder at the latest: so many zeros stand behind the
    /// end.
    bool is_sound() const { return at_ <= end_; }

    bool is_done() const { return at_ == end_; }

private:
    static constexpr std::size_t word_bytes = sizeof(std::uint32_t);

    std::uint32_t word() const {
        std::uint32_t word = 0;
        std::memcpy(&word, words_.data() + at_, word_bytes);
        if constexpr (std::endian::native == std::endian::big) {
            word = std::byteswap(word);
        }
        return word;
    }

    std::size_t at_ = 0;
    std::size_t end_;
    std::vector<char> words_;
};

unsigned precision_of(std::span<const Register> registers) {
    CHECK(std::has_single_bit(registers.size()), "a power of two", registers.size());
    return static_cast<unsigned>(std::countr_zero(registers.size()));
}

/// Value 0 counts as seen, by the arithmetic of registers.
Register below_all_values(unsigned newest) {
    return newest > 0 && newest <= window_bits ? Register{1} << (window_bits - newest) : 0;
}

/// A window that is full, octave by octave: always seven, of which the last may have no cell, so
/// that no processor has to guess how many there are.
struct Window {
    static constexpr unsigned octaves = window_bits / octave_values + 1;

    explicit Window(unsigned newest)
        : first_octave{octave_of(newest - window_bits)},
          missing{(newest - window_bits - 1) % octave_values} {}

    unsigned octave(unsigned at) const { return first_octave + at; }

    unsigned first(unsigned at) const { return at == 0 ? 0 : at * octave_values - missing; }

    unsigned count(unsigned at) const {
        return at == 0 ? octave_values - missing : at + 1 < octaves ? octave_values : missing;
    }

    unsigned first_octave;
    unsigned missing;  ///< Of the first octave.
};

/// The state once the register was put.
std::uint64_t with_register(
    Register cells, std::uint64_t state, CellModel& model, Encoder& encoder
) {
    const unsigned newest = newest_value(cells);
    const auto put = [&](unsigned octave, unsigned first, unsigned count) {
        const unsigned bits = cells_at(cells, first, count);
        state = encoder.with(state, model.cells(octave, count, bits));
    };
    if (newest > window_bits) {
        const Window window{newest};
        for (unsigned at = Window::octaves; at-- > 0;) {
            put(window.octave(at), window.first(at), window.count(at));
        }
    } else {
        for (unsigned end = newest; end > 1;) {
            const unsigned octave = octave_of(end - 1);
            const unsigned first = octave * octave_values + 1;
            put(octave, first + window_bits - newest, end - first);
            end = first;
        }
    }
    return encoder.with(state, model.newest(newest));
}

/// Takes a register; the state after that.
std::uint64_t take_register(
    std::uint64_t state, CellModel& model, Decoder& decoder, Register& cells
) {
    const auto [newest, newest_symbol] = model.newest_at(Decoder::slot(state));
    state = decoder.without(state, newest_symbol);
    Register taken = newest << window_bits | below_all_values(newest);
    const auto take = [&](unsigned octave, unsigned first, unsigned count) {
        const auto [bits, symbol] = model.cells_at(octave, count, Decoder::slot(state));
        state = decoder.without(state, symbol);
        taken |= bits << first;
    };
    if (newest > window_bits) {
        const Window window{newest};
        for (unsigned at = 0; at < Window::octaves; ++at) {
            take(window.octave(at), window.first(at), window.count(at));
        }
    } else {
        for_each_octave(newest, take);
    }
    cells = taken;
    return state;
}

}  // namespace

void append_registers(std::span<const Register> registers, double x, std::string& out) {
    const unsigned code = CellModel::code_of(x);
    CellModel model{code, precision_of(registers)};
    Encoder encoder{registers.size()};
    std::uint64_t even = rest;
    std::uint64_t odd = rest;
    for (std::size_t at = registers.size(); at > 0; at -= coders) {
        odd = with_register(registers[at - 1], odd, model, encoder);
        even = with_register(registers[at - 2], even, model, encoder);
    }
    append_fixed(static_cast<std::uint16_t>(code), out);
    append_fixed(even, out);
    append_fixed(odd, out);
    encoder.append_words(out);
}

Result<void> take_registers(std::string_view bytes, std::span<Register> registers) {
    const unsigned precision = precision_of(registers);
    std::uint16_t code = 0;
    const auto corrupt = [] {
        return fail(ErrorKind::corrupt, "a sketch's registers are damaged");
    };
    if (!take_fixed(bytes, code) || code > CellModel::code_max) {
        return corrupt();
    }
    std::uint64_t even = 0;
    std::uint64_t odd = 0;
    if (!take_fixed(bytes, even) || !take_fixed(bytes, odd) || std::min(even, odd) < rest ||
        bytes.size() > registers.size() * register_bytes_max) {
        return corrupt();
    }
    CellModel model{code, precision};
    Decoder decoder{bytes};
    for (std::size_t at = 0; at < registers.size() && decoder.is_sound(); at += coders) {
        even = take_register(even, model, decoder, registers[at]);
        odd = take_register(odd, model, decoder, registers[at + 1]);
    }
    return decoder.is_done() && even == rest && odd == rest ? Result<void>{} : corrupt();
}

}  // namespace footfall::sketches
