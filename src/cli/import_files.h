#pragma once

#include "cli/byte_source.h"
#include "cli/field_map.h"
#include "cli/progress.h"
#include "cli/record_reader.h"
#include "cli/record_sink.h"
#include "cli/rejects.h"
#include "foundation/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace footfall::cli {

/// The files of an import: opened all at first, then read one after the other.
class ImportFiles {
public:
    /// Opens all files, so that a missing one is known before anything is done, and their sizes
    /// before the first is read.
    static Result<ImportFiles> open(const std::vector<std::string>& paths);

    /// Reads them into `sink`, once.
    Result<void> read_into(
        RecordSink& sink,
        const FieldMap& map,
        const ReadOptions& options,
        Rejects& rejects,
        Progress& progress
    );

private:
    ImportFiles() = default;

    Result<void> read_file(
        RecordReader& reader,
        const ByteSource& source,
        RecordSink& sink,
        Rejects& rejects,
        Progress& progress
    );

    std::vector<std::unique_ptr<ByteSource>> sources_;
    ProgressState state_;
    std::uint64_t bytes_before_ = 0;  ///< Of the files read.
};

}  // namespace footfall::cli
