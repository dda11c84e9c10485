#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::storage_rocksdb {

/// What RocksDB's list of files (MANIFEST) says must be in the directory: found by applying its
/// records, each an edit, in order. As much of the format as is needed for that; checked against
/// the engine itself by the tests, since the engine does not give it away before it has opened the
/// directory and has removed what it thinks superfluous.
class Manifest {
public:
    /// Applies the next record. `conflict` if it holds what this version does not know: then the
    /// state is void.
    Result<void> apply(std::string_view record);

    /// The table files, by number, with their size.
    std::map<std::uint64_t, std::uint64_t> tables() const;

    /// Write-ahead logs with smaller numbers hold nothing that is not in tables.
    std::uint64_t first_log() const;

private:
    struct Table {
        std::uint64_t number;
        std::uint64_t size;
    };

    struct Edit {
        std::uint64_t family = 0;
        bool drops_family = false;
        std::uint64_t log = 0;
        std::uint64_t first_log = 0;
        bool in_group = false;
        std::uint64_t remaining = 0;  ///< Edits of its group behind it; all of them count, or none.
        std::vector<std::uint64_t> removed;
        std::vector<Table> added;
    };

    struct Family {
        std::uint64_t log = 0;
        std::map<std::uint64_t, std::uint64_t> tables;  // size by number
    };

    static Result<Edit> decode(std::string_view record);
    static bool take_field(std::uint64_t tag, std::string_view& bytes, Edit& edit);
    static bool take_table(std::string_view& bytes, Edit& edit);
    void apply(const Edit& edit);

    std::map<std::uint64_t, Family> families_{{0, {}}};
    std::uint64_t first_log_ = 0;
    std::vector<Edit> group_;
};

}  // namespace footfall::storage_rocksdb
