#pragma once

#include "identities/fact.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace footfall::identities {

/// Lists of numbers, one behind the other in memory.
class NumberLists {
public:
    void append(std::uint32_t number) { numbers_.push_back(number); }

    /// What was appended since the list before is a list.
    void end_list() { ends_.push_back(numbers_.size()); }

    std::span<const std::uint32_t> operator[](std::size_t list) const {
        const std::size_t begin = list == 0 ? 0 : ends_[list - 1];
        return std::span{numbers_}.subspan(begin, ends_[list] - begin);
    }

private:
    std::vector<std::uint32_t> numbers_;
    std::vector<std::size_t> ends_;
};

/// The ids that facts name, numbered by their order, so that what follows compares no texts.
struct Numbered {
    std::vector<const Id*> ids;  ///< By number; they live in the facts.
    NumberLists of_facts;        ///< Numbers of its ids, then of its others, by fact.
    NumberLists naming;          ///< The facts that name it, in their order, by number of the id.
};

/// n log n of the ids that are named. Fewer than 2^32 of them.
Numbered numbered(std::span<const Fact> facts);

}  // namespace footfall::identities
