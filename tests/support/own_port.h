#pragma once

#include <cstdint>

namespace footfall::test_support {

/// A port of the loopback address that is free, and that nobody is given by the system when they
/// ask for any: a server that was killed finds it free when it is started again, whatever tests run
/// beside. No other test of this machine has it while this process lives. Thread-safe.
std::uint16_t own_port();

}  // namespace footfall::test_support
