#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace footfall::net {

/// Bytes of one connection that were received and not yet used up. As large as the client's habits
/// ask for: a read that fills it makes the next one four times larger, so a client of small
/// requests costs one KiB. Bounded by what the reader leaves and one read of the largest size. A
/// plain value for one thread.
class InputBuffer {
public:
    static constexpr std::size_t smallest_read = 1 << 10;
    static constexpr std::size_t largest_read = 64 << 10;

    /// What was received and not taken. Bytes that were taken stay where they are until
    /// free_part() is called.
    std::string_view bytes() const { return {memory_.get() + taken_, end_ - taken_}; }

    bool empty() const { return taken_ == end_; }

    void take(std::size_t count) { taken_ += count; }

    /// Where the next read goes to.
    std::span<char> free_part() {
        const std::size_t kept = end_ - taken_;
        if (kept + read_size_ > capacity_) {
            move_to(std::make_unique_for_overwrite<char[]>(kept + read_size_), kept);
            capacity_ = kept + read_size_;
        } else if (taken_ > 0) {
            std::memmove(memory_.get(), memory_.get() + taken_, kept);
            taken_ = 0;
            end_ = kept;
        }
        return {memory_.get() + end_, read_size_};
    }

    /// So many bytes were read into free_part().
    void received(std::size_t count) {
        end_ += count;
        if (count == read_size_) {
            read_size_ = std::min(4 * read_size_, largest_read);
        }
    }

    /// Before a wait for the client: keeps what was not taken, and of the room behind it not much.
    void trim() {
        if (capacity_ <= smallest_read) {
            return;
        }
        const std::size_t kept = end_ - taken_;
        if (kept == 0) {
            memory_.reset();
            taken_ = end_ = 0;
        } else {
            move_to(std::make_unique_for_overwrite<char[]>(kept), kept);
        }
        capacity_ = kept;
    }

    /// Gives back the memory of an empty buffer.
    void release() {
        memory_.reset();
        taken_ = end_ = capacity_ = 0;
        read_size_ = smallest_read;
    }

    std::size_t capacity() const { return capacity_; }

private:
    void move_to(std::unique_ptr<char[]> larger, std::size_t kept) {
        if (kept > 0) {
            std::memcpy(larger.get(), memory_.get() + taken_, kept);
        }
        memory_ = std::move(larger);
        taken_ = 0;
        end_ = kept;
    }

    std::unique_ptr<char[]> memory_;
    std::size_t capacity_ = 0;
    std::size_t taken_ = 0;
    std::size_t end_ = 0;
    std::size_t read_size_ = smallest_read;
};

}  // namespace footfall::net
