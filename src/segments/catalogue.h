#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "segments/segments.h"
#include "storage/store.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::segments {

/// `invalid_input`: a segment cannot be called so.
Result<void> check_name(std::string_view name);

/// Segments by name, as rows have them. Where this process alone has the store memory has all that
/// there are, at most segments_max; where not, each question is asked of the store.
///
/// Thread-safe; what it is given must outlive it. Blocks.
class Catalogue {
public:
    Catalogue(storage::Store& store, const Clock& clock, bool shared)
        : store_{&store}, clock_{&clock}, shared_{shared} {}

    Result<std::optional<Segment>> find(std::string_view name);

    /// `not_found`: there is none.
    Result<Segment> get(std::string_view name);

    /// Makes it if there is none.
    Result<Segment> create(std::string_view name);

    /// It is gone once this returns, and noted to be cleared away. False: there was none.
    Result<bool> drop(std::string_view name);

    Result<Listed<Segment>> list(
        std::string_view prefix, std::string_view cursor, std::size_t limit
    );

    /// All of them, as they stand in the store.
    static Result<std::vector<Segment>> read_all(storage::Store& store);

    struct Dropped {
        std::int64_t number = 0;
        std::string name;
    };

    /// Some of those that are to be cleared away.
    Result<std::vector<Dropped>> dropped();

    /// It is cleared away. First of all it is seen to that nobody finds it by name: who dropped it
    /// may have ended in between.
    Result<void> hide(const Dropped& dropped);
    Result<void> forget(const Dropped& dropped);

private:
    Result<void> load();

    storage::Store* store_;
    const Clock* clock_;
    const bool shared_;
    std::mutex mutex_;
    bool is_known_ = false;  ///< Guarded by mutex_; false: not read, or others write it.
    std::map<std::string, Segment, std::less<>> known_;  ///< Guarded by mutex_.
};

}  // namespace footfall::segments
