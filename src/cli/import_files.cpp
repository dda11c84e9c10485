#include "cli/import_files.h"

#include <optional>
#include <utility>

namespace footfall::cli {
namespace {

constexpr std::uint64_t records_a_progress = 1'000;

}  // namespace

Result<ImportFiles> ImportFiles::open(const std::vector<std::string>& paths) {
    ImportFiles files;
    std::optional<std::uint64_t> total = 0;
    for (const std::string& path : paths) {
        TRY(auto source, records::open_byte_source(path));
        const auto size = source->stored_size();
        total = total && size ? std::optional{*total + *size} : std::nullopt;
        files.sources_.push_back(std::move(source));
    }
    files.state_.bytes_total = total;
    return files;
}

Result<void> ImportFiles::read_into(
    RecordSink& sink,
    const records::FieldMap& map,
    const records::ReadOptions& options,
    Rejects& rejects,
    Progress& progress
) {
    for (const auto& source : sources_) {
        rejects.start_file(source->name(), &progress);
        sink.start_file(source->name());
        TRY(const auto reader, records::open_record_reader(*source, map, options));
        TRY_VOID(read_file(*reader, *source, sink, rejects, progress));
        // Lines that the sink rejects are told with the name of their file.
        TRY_VOID(sink.finish());
        bytes_before_ += source->stored_position();
    }
    return {};
}

Result<void> ImportFiles::read_file(
    records::RecordReader& reader,
    const records::ByteSource& source,
    RecordSink& sink,
    Rejects& rejects,
    Progress& progress
) {
    for (;;) {
        TRY(const std::optional<records::Record> record, reader.next());
        if (!record) {
            return {};
        }
        if (++state_.records % records_a_progress == 0) {
            state_.bytes_done = bytes_before_ + source.stored_position();
            progress.update(state_);
        }
        if (record->rejected.empty()) {
            TRY_VOID(sink.put(*record));
        } else {
            rejects.add(record->line, record->rejected);
        }
    }
}

}  // namespace footfall::cli
