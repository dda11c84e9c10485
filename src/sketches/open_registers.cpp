#include "sketches/open_registers.h"

#include <algorithm>
#include <utility>

namespace footfall::sketches {

OpenRegisters::OpenRegisters(Registers base, std::span<const HashToken> waiting)
    : all_{std::move(base)}, waiting_{waiting.begin(), waiting.end()} {
    if (!waiting_.empty()) {
        base_ = std::make_unique<Registers>(all_);
        for (const HashToken token : waiting_) {
            all_.add(hash_of(token));
        }
    }
}

OpenRegisters::OpenRegisters(const OpenRegisters& other)
    : all_{other.all_},
      base_{other.base_ ? std::make_unique<Registers>(*other.base_) : nullptr},
      lowest_{other.lowest_},
      waiting_{other.waiting_} {}

/// The same hashes wait as in ClosedRegisters, which does not know its registers: also those that
/// turn out to change nothing.
bool OpenRegisters::add(std::uint64_t hash) {
    if (!lowest_) {
        lowest_ = base().lowest_open_value();
    }
    const HashToken token = token_of(hash);
    if (update_of(hash, usual_precision).value < *lowest_ ||
        std::ranges::find(waiting_, token) != waiting_.end()) {
        return false;
    }
    if (waiting_.empty()) {
        waiting_.reserve(ClosedRegisters::waiting_max);
        base_ = std::make_unique<Registers>(all_);
    }
    waiting_.push_back(token);
    const bool changed = all_.add(hash);
    if (waiting_.size() == ClosedRegisters::waiting_max) {
        forget_base();
    }
    return changed;
}

void OpenRegisters::unite(const Registers& other) {
    forget_base();
    all_.unite(other);
}

void OpenRegisters::forget_base() {
    base_.reset();
    lowest_.reset();
    waiting_.clear();
}

ClosedRegisters::Owner OpenRegisters::close() const {
    return ClosedRegisters::make(base(), waiting_);
}

std::size_t OpenRegisters::bytes() const {
    const std::size_t registers = sizeof(Registers) + all_.all().size_bytes();
    return sizeof(OpenRegisters) + all_.all().size_bytes() + (base_ ? registers : 0) +
           waiting_.capacity() * sizeof(HashToken);
}

}  // namespace footfall::sketches
