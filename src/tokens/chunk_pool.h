#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace footfall::tokens {

/// Memory in pieces of one size, all from a few large allocations. What one thread gives back
/// another takes: from the heap, which keeps a region for each thread, pieces that are taken by
/// other threads than those that give them back would take twice their memory.
///
/// Thread-safe. Keeps what it once had until it is destroyed; every piece must be back by then.
class ChunkPool {
public:
    static constexpr std::size_t chunk_bytes = 2048;

    ChunkPool() = default;
    ChunkPool(const ChunkPool&) = delete;
    ChunkPool& operator=(const ChunkPool&) = delete;
    ~ChunkPool() = default;

    /// A piece, whatever stands in it.
    unsigned char* take();

    void give_back(unsigned char* chunk);

    /// How many pieces are not back.
    std::size_t taken() const;

private:
    static constexpr std::size_t slab_chunks = 512;

    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<unsigned char[]>> slabs_;  // guarded by mutex_
    std::vector<unsigned char*> free_;                     // guarded by mutex_; the next one last
};

}  // namespace footfall::tokens
