#include "runtime/heap.h"

#include <fstream>
#include <unistd.h>

/// Of jemalloc; null where the program has another heap. (jemalloc(3), MALLCTL NAMESPACE)
extern "C" [[gnu::weak]] int mallctl(
    const char* name, void* old, std::size_t* old_size, void* value, std::size_t value_size
);

namespace footfall::runtime {

std::size_t resident_bytes() {
    std::ifstream file{"/proc/self/statm"};
    std::size_t all_pages = 0;
    std::size_t resident_pages = 0;
    file >> all_pages >> resident_pages;
    return resident_pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void give_freed_memory_back() {
    if (mallctl != nullptr) {
        (void)mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);  // 4096: of all arenas
    }
}

}  // namespace footfall::runtime
