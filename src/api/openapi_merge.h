#pragma once

#include "foundation/result.h"

#include <span>
#include <string>
#include <string_view>

namespace footfall::api {

/// The description of a whole API: `base`, and behind what it has, in their order, the `tags`,
/// `paths` and `components` of `fragments`, each a JSON object with none but these members. A
/// fragment may refer to components of the base and of others.
///
/// Fails with invalid_input, and says where, if a text is not such JSON, or if two define the same
/// path, tag or component. What is behind a reference is not looked at. Thread-safe; reads and
/// writes all of the JSON, a few milliseconds: meant for the start of a program.
Result<std::string> merge_openapi(
    std::string_view base, std::span<const std::string_view> fragments
);

}  // namespace footfall::api
