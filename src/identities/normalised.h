#pragma once

#include "identities/fact.h"
#include "identities/resolution.h"

#include <string>
#include <string_view>
#include <vector>

/// Ids as they are known, of ids as they were sent. Pure.
namespace footfall::identities {

/// A value as it is known. What a rule does not understand stays as it was sent, and a value that
/// is normalised already stays as it is.
/// - `lower`: letters A to Z are small.
/// - `email`: the same, without white space around it.
/// - `phone`: digits, and a + before them where it has one or begins with 00; without the spaces
///   and -./() between them. With anything else in it it is no number, and stays.
std::string normalised(Normalise rule, std::string_view value);

/// By the rule of its network.
Id normalised(const Guards& guards, Id id);

/// The same of each; arranged.
std::vector<Id> normalised(const Guards& guards, std::vector<Id> ids);

}  // namespace footfall::identities
