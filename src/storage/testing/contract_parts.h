#pragma once

#include <cstdint>

namespace footfall::storage {

/// In the unit of expiries: microseconds.
inline constexpr std::int64_t hour = 3'600'000'000;

/// The files with the tests of the suite. A linker takes from a static library only what is asked
/// for, and nobody asks for a test: the fixture calls these, so that all of them are in the
/// program.
void link_contract_writes();
void link_contract_reads();
void link_contract_ranges();
void link_contract_pages();
void link_contract_durability();
void link_contract_expiry();
void link_contract_random();
void link_contract_scan();
void link_contract_secrets();

inline void link_contract_parts() {
    link_contract_writes();
    link_contract_reads();
    link_contract_ranges();
    link_contract_pages();
    link_contract_durability();
    link_contract_expiry();
    link_contract_random();
    link_contract_scan();
    link_contract_secrets();
}

}  // namespace footfall::storage
