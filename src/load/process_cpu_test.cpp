#include "load/process_cpu.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace footfall::load {
namespace {

using namespace std::chrono_literals;

constexpr pid_t nobody = 4'194'304;  // One above the highest the kernel gives.

TEST(ProcessCpu, grows_with_the_work_of_the_process_and_of_the_thread) {
    const CpuTime process = cpu_of_process(::getpid()).value();
    const CpuTime thread = cpu_of_this_thread();
    while ((cpu_of_this_thread() - thread).total() < 50ms) {
    }
    // This thread did the work, and nobody else did much: two ticks of rounding either way.
    const CpuTime grown = cpu_of_process(::getpid()).value() - process;
    EXPECT_GE(grown.total(), 30ms);
    EXPECT_LT(grown.total(), 1s);
}

TEST(ProcessCpu, of_nobody_is_not_found) {
    EXPECT_EQ(cpu_of_process(nobody).error().kind, ErrorKind::not_found);
    EXPECT_EQ(cores_of_process(nobody).error().kind, ErrorKind::not_found);
    EXPECT_GE(cores_of_process(::getpid()).value(), 1U);
}

}  // namespace
}  // namespace footfall::load
