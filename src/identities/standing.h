#pragma once

#include "identities/fact.h"

#include <cstdint>
#include <span>
#include <vector>

namespace footfall::identities {

/// What decisions make of a link, a parting or a lift. Other decisions stand for nothing more.
enum class Standing : std::uint8_t { void_of_effect, holds, accepted };

/// Of each fact, in their order: whether somebody took it back. That is a revoke of a parting or of
/// another decision, and of a link that its decision is a reject. Pure.
std::vector<bool> taken_back(std::span<const Fact> facts);

/// Of each fact, in the order of the facts: rule 1 of resolve(). Pure; n log n of the decisions.
std::vector<Standing> standing_of(std::span<const Fact> facts);

}  // namespace footfall::identities
