#pragma once

#include <string>

namespace footfall::test_support {

/// Whether nobody had this name on this machine; then it is this process's until it ends, however
/// it does. Costs a file descriptor. Thread-safe.
bool take_name(const std::string& name);

}  // namespace footfall::test_support
