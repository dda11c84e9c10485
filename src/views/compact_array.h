#pragma once

#include "foundation/memory_cost.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace footfall::views {

/// An array for millions of owners of which most hold one value or two: 12 bytes (as a member that
/// is [[no_unique_address]], what follows it takes the 4 that alignment leaves), and what fits into
/// 8 of them needs no more. What it takes from the heap follows from its size alone, so adding one
/// by one moves it about every 16 bytes: not for long ones. Not thread-safe.
template <class T>
class CompactArray {
    static_assert(std::is_trivially_copyable_v<T> && 8 % sizeof(T) == 0);

public:
    CompactArray() = default;

    CompactArray(CompactArray&& other) noexcept { swap(other); }

    CompactArray& operator=(CompactArray&& other) noexcept {
        swap(other);
        return *this;
    }

    ~CompactArray() { release(); }

    CompactArray(const CompactArray&) = delete;
    CompactArray& operator=(const CompactArray&) = delete;

    std::size_t size() const { return size_; }

    bool empty() const { return size_ == 0; }

    /// Values may be read and written; until the next insert.
    std::span<T> all() { return {data(), size_}; }

    std::span<const T> all() const { return {data(), size_}; }

    void insert(std::size_t at, T value) {
        const std::size_t had = capacity_of(size_);
        const std::size_t has = capacity_of(size_ + 1);
        if (has == had) {
            T* const place = data() + at;
            std::copy_backward(place, data() + size_, data() + size_ + 1);
            *place = value;
        } else {
            T* const grown = new T[has];
            std::copy(data(), data() + at, grown);
            grown[at] = value;
            std::copy(data() + at, data() + size_, grown + at + 1);
            release();
            memory_.heap = grown;
        }
        ++size_;
    }

    void clear() {
        release();
        size_ = 0;
    }

    /// Bytes of the heap.
    std::size_t bytes() const {
        return is_inline() ? 0 : allocated_bytes(capacity_of(size_) * sizeof(T));
    }

private:
    static constexpr std::size_t inline_max = 8 / sizeof(T);

    static constexpr std::size_t capacity_of(std::size_t size) {
        return size <= inline_max ? inline_max : usable_bytes(size * sizeof(T)) / sizeof(T);
    }

    bool is_inline() const { return size_ <= inline_max; }

    T* data() { return is_inline() ? memory_.few : memory_.heap; }

    const T* data() const { return is_inline() ? memory_.few : memory_.heap; }

    void release() {
        if (!is_inline()) {
            delete[] memory_.heap;
        }
    }

    void swap(CompactArray& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(size_, other.size_);
    }

    union Memory {
        T few[inline_max] = {};
        T* heap;
    };

    Memory memory_;
    std::uint32_t size_ = 0;
};

}  // namespace footfall::views
