#pragma once

#include <cstddef>

namespace footfall::runtime {

/// Memory of the machine that this process occupies, in bytes; 0 where the kernel does not say.
/// Reads a file of /proc. Thread-safe.
std::size_t resident_bytes();

/// Has the heap give the kernel back what was freed and is kept for whoever needs memory next. They
/// then pay for it: a page fault for each 4 KiB. Does nothing where the heap is another than
/// jemalloc (decision 23). Takes a few milliseconds. Thread-safe.
void give_freed_memory_back();

}  // namespace footfall::runtime
