#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace footfall::rankings {

/// The name of an object in a table of candidates: at most `longest_name_bytes`, in as many bytes
/// as the heap would give it anyway. A std::string would keep the room of the longest name that
/// ever stood in its place. Not thread-safe.
class KeptName {
public:
    /// Takes over a copy; allocates only where the room before it does not fit.
    void assign(std::string_view name);

    /// Gives its room back.
    void clear();

    std::string_view view() const { return {text_.get(), size_}; }

    /// What it takes from the heap, beside itself.
    std::size_t bytes() const { return bytes_of(size_); }

    /// What a name of so many bytes would take.
    static std::size_t bytes_of(std::size_t size);

private:
    // One array a name; a vector would take three words.
    std::unique_ptr<char[]> text_;
    std::uint16_t size_ = 0;
};

}  // namespace footfall::rankings
