#pragma once

#include "foundation/result.h"
#include "moving/row_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::moving {

/// A file of rows in order, of which `mark.length` bytes count.
struct Run {
    std::uint64_t number = 0;  ///< Of the file.
    std::uint64_t level = 0;   ///< How often its rows were merged.
    RowMark mark = {};
};

/// Rows that come in the order of a store, put into the order of keys: sorted in memory a chunk at
/// a time, written as runs, merged. A chunk whose keys come behind all of the last run goes behind
/// that, so rows that come in order make a single run. Memory: one chunk, and a block for each run
/// that is merged. Files `TABLE.run-N` in one directory. Not thread-safe.
class RowRuns {
public:
    struct Options {
        std::filesystem::path directory;
        std::string table;
        std::string header;
        std::size_t chunk_bytes = 64 << 20;
        std::size_t runs_a_level = 32;  ///< So many of one level are merged into one of the next.
    };

    /// Goes on with what runs() of before said: what is not in it does not count.
    RowRuns(Options options, std::vector<Run> runs);

    void add(EncodedRow row);

    /// Whether it is time for write_chunk().
    bool full() const { return bytes_.size() >= options_.chunk_bytes; }

    /// Writes what was added since the last call as part of a run, durably. Afterwards runs() says
    /// where everything is; files that are needed no more stay until remove_files().
    Result<void> write_chunk();

    const std::vector<Run>& runs() const { return runs_; }

    /// All rows in the order of keys, those behind the key `after` only ("": all).
    Result<void> merge(std::string_view after, const std::function<Result<void>(EncodedRow)>& take)
        const;

    /// Removes all files of runs of this table.
    Result<void> remove_files() const;

private:
    struct Place {
        std::size_t start;
        std::uint32_t key;
        std::uint32_t values;
    };

    std::filesystem::path path_of(std::uint64_t number) const;
    EncodedRow row_at(const Place& place) const;
    Result<void> merge_levels();
    Result<void> merge_last(std::size_t count);
    std::uint64_t new_number() const;

    const Options options_;
    std::vector<Run> runs_;  // higher levels first
    std::string bytes_;      ///< The chunk's rows, one behind the other.
    std::vector<Place> places_;
};

}  // namespace footfall::moving
