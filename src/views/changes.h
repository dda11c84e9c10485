#pragma once

#include "sketches/hash_token.h"
#include "views/counts.h"
#include "views/day.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::views {

/// Events of an object that wait to be counted in its cells, in the order of their lane, packed:
/// 6 to 9 bytes each, the first 13. Not thread-safe.
class Changes {
public:
    struct Entry {
        std::uint64_t offset = 0;
        Day day = 0;
        unsigned quarter = 0;  ///< Of the day, 0 to 95.
        ReasonId reason = 0;
        std::optional<sketches::HashToken> person = {};
    };

    /// `entry.offset` is not below those of before.
    void append(const Entry& entry);

    template <class Function>
    void for_each(const Function& function) const {
        Cursor cursor{*this};
        while (!cursor.at_end()) {
            function(cursor.take());
        }
    }

    bool empty() const { return packed_.empty(); }

    std::size_t size() const { return size_; }

    /// Of the last one; 0 if there is none.
    std::uint64_t last_offset() const { return last_offset_; }

    /// Bytes of the heap.
    std::size_t bytes() const;

private:
    class Cursor {
    public:
        explicit Cursor(const Changes& changes) : left_{changes.packed_} {}

        bool at_end() const { return left_.empty(); }

        Entry take();

    private:
        std::uint64_t number();

        std::string_view left_;
        Entry last_;
    };

    std::string packed_;
    std::uint64_t last_offset_ = 0;
    Day last_day_ = 0;
    std::uint32_t size_ = 0;
};

}  // namespace footfall::views
