#include "intake/id_filter.h"

#include "foundation/check.h"

#include <new>
#include <sys/mman.h>

namespace footfall::intake {

// Pages of the kernel are zero, and take no memory before they are written.
IdFilter::IdFilter(std::size_t bytes) : count_{bytes / sizeof(guard::BloomBlock)} {
    CHECK(count_ > 0, "a filter without a block", bytes);
    void* const pages =
        mmap(nullptr, this->bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        throw std::bad_alloc{};
    }
    blocks_ = static_cast<guard::BloomBlock*>(pages);
}

IdFilter::~IdFilter() {
    munmap(blocks_, bytes());
}

}  // namespace footfall::intake
