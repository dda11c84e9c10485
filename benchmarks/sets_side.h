#pragma once

// One side of ./bench segments, whatever it holds sets in: builds the sets of a file, counts every
// pair of them, says what that took as JSON on standard output, and writes the counts to a file.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <span>
#include <string>
#include <vector>

namespace footfall::benchmarks {

using Members = std::vector<std::uint32_t>;

inline double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Of the heap, as malloc says.
inline std::size_t heap_bytes() {
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

inline std::size_t resident_bytes() {
    std::size_t all = 0;
    std::size_t resident = 0;
    std::ifstream{"/proc/self/statm"} >> all >> resident;
    return resident * 4'096;
}

/// Members of a set, in order: so many of 32 bits each a set, one set behind the other.
inline Members read_members(std::ifstream& file, std::size_t members) {
    Members read(members);
    file.read(
        reinterpret_cast<char*>(read.data()),
        static_cast<std::streamsize>(members * sizeof(std::uint32_t))
    );
    return read;
}

/// Counts of each pair, `sets` times `sets`, row by row.
using Pairs = std::vector<double>;

/// `Side` has build(members), count() -> Pairs, sets() -> how many it holds.
template <class Side>
int measure_pairs(Side side, const std::string& members, std::size_t sets, const std::string& out) {
    const std::size_t heap_before = heap_bytes();
    const std::size_t resident_before = resident_bytes();
    const std::size_t size = std::filesystem::file_size(members) / sets / sizeof(std::uint32_t);
    double build = 0;
    {
        std::ifstream file{members, std::ios::binary};
        for (std::size_t at = 0; at < sets; ++at) {
            const Members one = read_members(file, size);
            const double before = cpu_seconds();
            side.build(one);
            build += cpu_seconds() - before;
        }
    }
    malloc_trim(0);
    const std::size_t heap = heap_bytes() - heap_before;
    constexpr int rounds = 3;
    std::vector<double> taken;
    Pairs pairs;
    for (int round = 0; round < rounds; ++round) {
        const double before = cpu_seconds();
        pairs = side.count();
        taken.push_back(cpu_seconds() - before);
    }
    std::ranges::sort(taken);
    std::ofstream file{out};
    for (std::size_t one = 0; one < sets; ++one) {
        for (std::size_t other = one; other < sets; ++other) {
            file << fmt::format("{},{},{}\n", one, other, pairs[one * sets + other]);
        }
    }
    fmt::print(
        "{{\"build_s\": {:.3f}, \"pairs_s\": {:.4f}, \"worst_s\": {:.4f}, \"heap_mb\": {:.1f}, "
        "\"resident_mb\": {:.1f}}}\n",
        build,
        taken[rounds / 2],
        taken.back(),
        static_cast<double>(heap) / 1e6,
        static_cast<double>(resident_bytes() - resident_before) / 1e6
    );
    return file.good() ? 0 : 1;
}

}  // namespace footfall::benchmarks
