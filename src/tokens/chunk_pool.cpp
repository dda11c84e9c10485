#include "tokens/chunk_pool.h"

namespace footfall::tokens {

unsigned char* ChunkPool::take() {
    const std::lock_guard lock{mutex_};
    if (free_.empty()) {
        slabs_.push_back(std::make_unique_for_overwrite<unsigned char[]>(slab_chunks * chunk_bytes)
        );
        for (std::size_t chunk = slab_chunks; chunk-- > 0;) {
            free_.push_back(slabs_.back().get() + chunk * chunk_bytes);
        }
    }
    unsigned char* const chunk = free_.back();
    free_.pop_back();
    return chunk;
}

void ChunkPool::give_back(unsigned char* chunk) {
    const std::lock_guard lock{mutex_};
    free_.push_back(chunk);
}

std::size_t ChunkPool::taken() const {
    const std::lock_guard lock{mutex_};
    return slabs_.size() * slab_chunks - free_.size();
}

}  // namespace footfall::tokens
