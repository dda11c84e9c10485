#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::journal {

/// Records of one lane that follow each other, packed: two allocations, however many. A plain
/// value.
class Records {
public:
    explicit Records(std::uint64_t first) : first_{first} {}

    /// The offset of the first of them, or, if there are none, of where they would be.
    std::uint64_t first() const { return first_; }

    /// The offset behind the last.
    std::uint64_t next() const { return first_ + ends_.size(); }

    std::size_t size() const { return ends_.size(); }

    bool empty() const { return ends_.empty(); }

    /// The `at`-th of them. Valid until the next append.
    std::string_view operator[](std::size_t at) const {
        const std::size_t start = at == 0 ? 0 : ends_[at - 1];
        return std::string_view{bytes_}.substr(start, ends_[at] - start);
    }

    void append(std::string_view record) {
        bytes_.append(record);
        ends_.push_back(bytes_.size());
    }

    std::size_t bytes() const { return bytes_.size(); }

private:
    std::uint64_t first_;
    std::string bytes_;
    std::vector<std::size_t> ends_;
};

}  // namespace footfall::journal
