#pragma once

#include "cli/progress.h"
#include "cli/record_sink.h"
#include "cli/rejects.h"
#include "foundation/result.h"
#include "records/byte_source.h"
#include "records/field_map.h"
#include "records/record_reader.h"

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
        const records::FieldMap& map,
        const records::ReadOptions& options,
        Rejects& rejects,
        Progress& progress
    );

private:
    ImportFiles() = default;

    Result<void> read_file(
        records::RecordReader& reader,
        const records::ByteSource& source,
        RecordSink& sink,
        Rejects& rejects,
        Progress& progress
    );

    std::vector<std::unique_ptr<records::ByteSource>> sources_;
    ProgressState state_;
    std::uint64_t bytes_before_ = 0;  ///< Of the files read.
};

}  // namespace footfall::cli
