#pragma once

#include "foundation/clock.h"
#include "reading_world.h"
#include "storage/store.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::benchmarks {

/// Of each URL asked the names of the friends who read it, in no order.
using WhoRead = std::vector<std::vector<std::string>>;

/// One way to keep who read what in a store. What fails ends the program. Not thread-safe.
class ReadingSide {
public:
    ReadingSide() = default;
    ReadingSide(const ReadingSide&) = delete;
    ReadingSide& operator=(const ReadingSide&) = delete;
    virtual ~ReadingSide() = default;

    /// A person read a URL at an instant.
    virtual void take(std::size_t person, std::size_t url, Instant when) = 0;

    /// All that was taken is durable.
    virtual void flush() = 0;

    /// Both by their names. Asks the store; nothing was asked of these URLs before.
    virtual WhoRead ask(
        const std::vector<std::string>& urls, const std::vector<std::string>& friends
    ) = 0;
};

/// By name:
///   ours              what the product does
///   url-users         a partition for each URL, a row for each of its readers; asked for whole
///   user-urls         a partition for each person, a row for the hash of each of their URLs; the
///                     same
///   user-urls-by-key  the same table, asked for each pair of a friend and a URL
struct ReadingModel {
    std::string_view name;
    std::vector<const storage::Table*> tables;
    std::unique_ptr<ReadingSide> (*open)(storage::Store&, const Clock&, const ReadingWorld&);
};

/// Null: there is no such model.
const ReadingModel* reading_model(std::string_view name);

}  // namespace footfall::benchmarks
