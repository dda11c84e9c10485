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
    read.begin_anew();
    return read;
}

bool Registers::add(std::uint64_t hash) {
    const Update update = update_of(hash, precision_);
    Register& cells = registers_[update.index];
    const Register changed = with_value(cells, update.value);
    if (changed == cells) {
        return false;
    }
    if (!unset_known_) {
        settle();
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
    bool changed = false;
    bool as_other = true;
    for (std::size_t at = 0; at < registers_.size(); ++at) {
        const Register both = united(registers_[at], other.registers_[at]);
        changed = changed || both != registers_[at];
        as_other = as_other && both == other.registers_[at];
        registers_[at] = both;
    }
    if (!changed) {
        return;
    }
    begin_anew();
    if (as_other) {
        people_ = other.people_;
        people_known_ = other.people_known_;
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
    reduced.begin_anew();
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
    return people() / static_cast<double>(registers_.size());
}

/// The registers are others now.
void Registers::begin_anew() {
    empty_ = std::ranges::all_of(registers_, [](Register cells) { return cells == 0; });
    people_known_ = false;
    unset_known_ = false;
}

/// Works out what only those who add need to know.
void Registers::settle() {
    const Likelihood likelihood = Likelihood::of_registers(registers_, precision_);
    unset_ = likelihood.unset;
    unset_known_ = true;
    people_ = people_known_ ? people_ : estimate(likelihood);
    people_known_ = true;
}

}  // namespace footfall::sketches
