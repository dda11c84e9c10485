#pragma once

#include "foundation/result.h"
#include "sketches/hash_token.h"
#include "sketches/sketch.h"
#include "views/compact_array.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace footfall::views {

/// A sketch for millions of owners, most of which see one person or two: what the sketch would keep
/// of few people, without the sketch. Of the same people it is the same sketch. A plain value that
/// can be moved, not thread-safe.
class People {
public:
    /// Takes in a person, a keyed hash; false if that changes nothing for certain.
    bool add(std::uint64_t person);

    sketches::Sketch sketch() const;

    /// The sketch's open and close, for those that are written to often; false if there was nothing
    /// to do.
    bool open();
    bool close();

    /// Bytes of the heap.
    std::size_t bytes() const;

    /// As the sketch is stored.
    std::string written(std::uint16_t key) const;

    static Result<People> read(std::string_view bytes, std::uint16_t key);

private:
    std::unique_ptr<sketches::Sketch> many_;
    /// As long as there is no sketch, in order.
    [[no_unique_address]] CompactArray<sketches::HashToken> few_;
};

}  // namespace footfall::views
