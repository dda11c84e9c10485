#pragma once

#include "sets/number_set.h"

#include <cstdint>
#include <span>

namespace footfall::sets {

/// Numbers that are in each of `all`, in at least one of `any` where there is any, and in none of
/// `none`. Without `all` and `any` it is nothing: what is in no set at all is not known here. Sets
/// are borrowed, must not be null, and may come more than once.
struct Expression {
    std::span<const NumberSet* const> all;
    std::span<const NumberSet* const> any;
    std::span<const NumberSet* const> none;
};

/// How many numbers it has. Block by block: nothing is built but 8 KiB, a block is left as soon as
/// nothing of it can remain, and where one of `all` has few members there only these are looked at.
///
/// Cost: about 0.5 us a set and block where they are dense, 5 ns a member of the smallest of `all`
/// and other set where not.
std::uint64_t count(const Expression& expression, BlockRange range = {});

/// These numbers.
NumberSet members(const Expression& expression, BlockRange range = {});

}  // namespace footfall::sets
