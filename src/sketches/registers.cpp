#include "sketches/registers.h"

#include "foundation/check.h"
#include "sketches/coder.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace footfall::sketches {
namespace {

/// The cells known to be set, each as its value, into another register.
Register with_cells_of(Register into, Register cells, unsigned from_value, unsigned raised) {
    const unsigned newest = newest_value(cells);
    for (unsigned below = std::min(newest, window_bits); below > 0; --below) {
        const unsigned value = newest - below;
        if (value > 0 && cells_at(cells, window_bits - below, 1) != 0) {
            into = with_value(into, value < from_value ? value : value + raised);
        }
    }
    return newest == 0 ? into : with_value(into, newest < from_value ? newest : newest + raised);
}

}  // namespace

Registers::Registers(unsigned precision)
    : precision_{precision}, registers_(std::size_t{1} << precision) {
    CHECK(
        precision >= lowest_precision && precision <= highest_precision,
        "no such precision",
        precision
    );
}

Result<Registers> Registers::read(std::string_view bytes, unsigned precision) {
    Registers read{precision};
    TRY_VOID(take_registers(bytes, read.registers_));
    read.count_unset();
    read.people_ = read.most_likely();
    return read;
}

bool Registers::add(std::uint64_t hash) {
    const Update update = update_of(hash, precision_);
    Register& cells = registers_[update.index];
    const Register changed = with_value(cells, update.value);
    if (changed == cells) {
        return false;
    }
    people_ += empty_ ? 1 : 1 / std::ldexp(static_cast<double>(unset_), -64);
    unset_ -= chance_of_change(cells, precision_) - chance_of_change(changed, precision_);
    empty_ = false;
    cells = changed;
    return true;
}

void Registers::unite(const Registers& other) {
    if (other.precision_ != precision_) {
        unite(other.reduced(precision_));
        return;
    }
    if (other.empty_) {
        return;
    }
    const std::vector<Register> before = registers_;
    std::ranges::transform(registers_, other.registers_, registers_.begin(), united);
    count_unset();
    if (registers_ != before) {
        people_ = registers_ == other.registers_ ? other.people_ : most_likely();
    }
}

Registers Registers::reduced(unsigned precision) const {
    CHECK(precision <= precision_, "registers cannot be made more", precision, precision_);
    Registers reduced{precision};
    const unsigned dropped_bits = precision_ - precision;
    // Only where all bits above the index were zero do those of the index count as zeros too.
    const unsigned all_zeros = (62 - precision_) * octave_values + 1;
    for (std::size_t at = 0; at < registers_.size(); ++at) {
        Register& into = reduced.registers_[at & (reduced.registers_.size() - 1)];
        const auto dropped = static_cast<std::uint64_t>(at >> precision);
        const auto zeros = dropped_bits - static_cast<unsigned>(std::bit_width(dropped));
        if (zeros == 0 || newest_value(registers_[at]) < all_zeros) {
            into = united(into, registers_[at]);
        } else {
            into = united(into, with_cells_of(0, registers_[at], all_zeros, zeros * octave_values));
        }
    }
    reduced.count_unset();
    reduced.people_ = reduced.most_likely();
    return reduced;
}

double Registers::most_likely() const {
    return estimate(Likelihood::of_registers(registers_, precision_));
}

unsigned Registers::lowest_open_value() const {
    const Register lowest = *std::ranges::min_element(registers_);
    const unsigned newest = newest_value(lowest);
    return newest > window_bits ? newest - window_bits : 1;
}

double Registers::people_a_register() const {
    return people_ / static_cast<double>(registers_.size());
}

void Registers::count_unset() {
    unset_ = 0;
    empty_ = true;
    for (const Register cells : registers_) {
        unset_ += chance_of_change(cells, precision_);
        empty_ = empty_ && cells == 0;
    }
}

}  // namespace footfall::sketches
