#pragma once

#include <cstdint>
#include <string_view>

namespace footfall {

/// A secret of one deployment. Whoever does not know it can neither aim collisions at a counter nor
/// recognise a person by the hash of an address.
struct SipKey {
    std::uint64_t k0 = 0;
    std::uint64_t k1 = 0;
};

/// SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012, with 1 compression
/// and 3 finalisation rounds): the one keyed hash of the project, for people, tokens and hash
/// tables that outsiders can fill. Pure; about 10 ns for a short name.
std::uint64_t siphash13(SipKey key, std::string_view bytes);

}  // namespace footfall
