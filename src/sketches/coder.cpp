#include "sketches/coder.h"

#include "foundation/check.h"
#include "sketches/cell_model.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace footfall::sketches {
namespace {

/// A coder's state stays at or above this; it is where coding begins and decoding has to end.
constexpr std::uint64_t rest = std::uint64_t{1} << 32;
constexpr unsigned coders = 2;
constexpr unsigned slot_mask = (1U << CellModel::chance_bits) - 1;

template <class Number>
void append_fixed(Number number, std::string& out) {
    for (std::size_t at = 0; at < sizeof(Number); ++at) {
        out.push_back(static_cast<char>(number >> (8 * at) & 0xff));
    }
}

template <class Number>
bool take_fixed(std::string_view& bytes, Number& number) {
    if (bytes.size() < sizeof(Number)) {
        return false;
    }
    number = 0;
    for (std::size_t at = 0; at < sizeof(Number); ++at) {
        number |= static_cast<Number>(Number{static_cast<unsigned char>(bytes[at])} << (8 * at));
    }
    bytes.remove_prefix(sizeof(Number));
    return true;
}

/// Codes symbols from the last to the first.
class Encoder {
public:
    void put(std::size_t coder, CellModel::Range range) {
        std::uint64_t& state = states_[coder % coders];
        if (state >> 48 >= range.size) {
            words_.push_back(static_cast<std::uint32_t>(state));
            state >>= 32;
        }
        state = (state / range.size << CellModel::chance_bits) + state % range.size + range.start;
    }

    void finish(std::string& out) const {
        for (const std::uint64_t state : states_) {
            append_fixed(state, out);
        }
        for (auto word = words_.rbegin(); word != words_.rend(); ++word) {
            append_fixed(*word, out);
        }
    }

private:
    std::array<std::uint64_t, coders> states_{rest, rest};
    std::vector<std::uint32_t> words_;
};

/// Decodes them from the first to the last.
class Decoder {
public:
    explicit Decoder(std::string_view bytes) : bytes_{bytes} {
        for (std::uint64_t& state : states_) {
            sound_ = take_fixed(bytes_, state) && state >= rest && sound_;
        }
    }

    std::uint32_t slot(std::size_t coder) const {
        return static_cast<std::uint32_t>(states_[coder % coders] & slot_mask);
    }

    void take(std::size_t coder, CellModel::Range range) {
        std::uint64_t& state = states_[coder % coders];
        state = range.size * (state >> CellModel::chance_bits) + (state & slot_mask) - range.start;
        if (state < rest) {
            std::uint32_t word = 0;
            sound_ = take_fixed(bytes_, word) && sound_;
            state = state << 32 | word;
        }
    }

    bool is_sound() const { return sound_; }

    /// Whether all was taken that was put.
    bool is_done() const {
        return sound_ && bytes_.empty() && states_[0] == rest && states_[1] == rest;
    }

private:
    std::string_view bytes_;
    std::array<std::uint64_t, coders> states_{};
    bool sound_ = true;
};

struct Octave {
    unsigned octave;
    unsigned first;
    unsigned count;
};

/// The octaves of a window, seven at most.
class Octaves {
public:
    explicit Octaves(unsigned newest) {
        for_each_octave(newest, [this](unsigned octave, unsigned first, unsigned count) {
            all_[size_++] = {.octave = octave, .first = first, .count = count};
        });
    }

    std::span<const Octave> all() const { return std::span{all_}.first(size_); }

private:
    std::array<Octave, window_bits / octave_values + 1> all_{};
    std::size_t size_ = 0;
};

unsigned precision_of(std::span<const Register> registers) {
    CHECK(std::has_single_bit(registers.size()), "a power of two", registers.size());
    return static_cast<unsigned>(std::countr_zero(registers.size()));
}

/// Value 0 counts as seen, by the arithmetic of registers.
Register below_all_values(unsigned newest) {
    return newest > 0 && newest <= window_bits ? Register{1} << (window_bits - newest) : 0;
}

}  // namespace

void append_registers(std::span<const Register> registers, double x, std::string& out) {
    const unsigned code = CellModel::code_of(x);
    CellModel model{code, precision_of(registers)};
    Encoder encoder;
    for (std::size_t at = registers.size(); at-- > 0;) {
        const Register cells = registers[at];
        const unsigned newest = newest_value(cells);
        const Octaves octaves{newest};
        for (std::size_t each = octaves.all().size(); each-- > 0;) {
            const Octave& octave = octaves.all()[each];
            const unsigned bits = cells_at(cells, octave.first, octave.count);
            encoder.put(at, model.cells(octave.octave, octave.count, bits));
        }
        encoder.put(at, model.newest(newest));
    }
    append_fixed(static_cast<std::uint16_t>(code), out);
    encoder.finish(out);
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
    CellModel model{code, precision};
    Decoder decoder{bytes};
    for (std::size_t at = 0; at < registers.size() && decoder.is_sound(); ++at) {
        const unsigned newest = model.newest_at(decoder.slot(at));
        decoder.take(at, model.newest(newest));
        Register cells = newest << window_bits | below_all_values(newest);
        for_each_octave(newest, [&](unsigned octave, unsigned first, unsigned count) {
            const unsigned bits = model.cells_at(octave, count, decoder.slot(at));
            decoder.take(at, model.cells(octave, count, bits));
            cells |= bits << first;
        });
        registers[at] = cells;
    }
    return decoder.is_done() ? Result<void>{} : corrupt();
}

}  // namespace footfall::sketches
