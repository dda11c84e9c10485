#include "moving/export_tables.h"

#include "moving/export_state.h"
#include "moving/file.h"
#include "moving/import_progress.h"
#include "moving/row_file.h"
#include "moving/row_runs.h"
#include "moving/table_scan.h"

#include <fmt/format.h>

#include <optional>
#include <system_error>
#include <utility>

namespace footfall::moving {
namespace {

/// So many bytes of a table's file are written between two points to go on from.
constexpr std::uint64_t merge_checkpoint_bytes = 32 << 20;

class Export {
public:
    Export(storage::Store& store, const ExportOptions& options)
        : store_{store}, options_{options} {}

    Result<void> begin(const Clock& clock);
    Result<void> export_table(const storage::Table& table);
    Result<void> finish();

    const ExportState& state() const { return state_; }

    std::uint64_t resumed_rows() const { return resumed_rows_; }

    Manifest manifest() const { return {.deployment = state_.deployment, .tables = state_.done}; }

private:
    Result<void> scan_table(const storage::Table& table, RowRuns& runs);
    Result<void> merge_runs(const storage::Table& table, const RowRuns& runs);

    Result<void> save() { return write_state(options_.directory, state_); }

    void count(std::uint64_t rows) { options_.observe(seen_ += rows); }

    storage::Store& store_;
    const ExportOptions& options_;
    std::optional<File> lock_;  ///< Of the directory.
    ExportState state_;
    std::uint64_t resumed_rows_ = 0;
    std::uint64_t seen_ = 0;
};

/// Takes up what an earlier run left, or begins in an empty directory.
Result<void> Export::begin(const Clock& clock) {
    TRY_VOID(check_whole(store_));
    TRY(const std::string deployment, deployment_name(store_));
    std::error_code error;
    std::filesystem::create_directories(options_.directory, error);
    std::filesystem::permissions(options_.directory, std::filesystem::perms::owner_all, error);
    if (error) {
        return fail(
            ErrorKind::unavailable,
            fmt::format("cannot make {}: {}", options_.directory.string(), error.message())
        );
    }
    TRY(lock_, File::open(options_.directory));
    TRY_VOID(lock_->lock());
    TRY(auto earlier, read_state(options_.directory));
    if (!earlier) {
        if (!std::filesystem::is_empty(options_.directory, error)) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "{} is not empty and holds no export that was cut short: choose an empty "
                    "directory",
                    options_.directory.string()
                )
            );
        }
        state_.deployment = deployment;
        state_.as_of = clock.now().time_since_epoch().count();
        return save();
    }
    state_ = *std::move(earlier);
    if (state_.deployment != deployment) {
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "{} holds an export of another deployment that was cut short: choose another "
                "directory",
                options_.directory.string()
            )
        );
    }
    resumed_rows_ = manifest().rows() + state_.scanned.rows;
    count(resumed_rows_);
    return {};
}

Result<void> Export::export_table(const storage::Table& table) {
    RowRuns runs{
        {.directory = options_.directory,
         .table = std::string{table.name},
         .header = header_text(table, state_.deployment),
         .chunk_bytes = options_.chunk_bytes,
         .runs_a_level = options_.runs_a_level},
        state_.runs
    };
    if (!state_.merging) {
        TRY_VOID(scan_table(table, runs));
    }
    TRY_VOID(merge_runs(table, runs));
    state_.done.push_back({.name = std::string{table.name}, .tally = state_.scanned});
    state_ = {
        .deployment = state_.deployment, .as_of = state_.as_of, .done = std::move(state_.done)
    };
    TRY_VOID(save());
    return runs.remove_files();
}

Result<void> Export::scan_table(const storage::Table& table, RowRuns& runs) {
    TableScan scan{store_, table, state_.cursor};
    const auto write_chunk = [&]() -> Result<void> {
        TRY_VOID(runs.write_chunk());
        state_.runs = runs.runs();
        state_.cursor = scan.cursor();
        return {};
    };
    for (;;) {
        TRY(const bool more, scan.next_page());
        if (!more) {
            break;
        }
        std::uint64_t rows = 0;
        TRY_VOID(scan.for_each([&](EncodedRow row, std::int64_t expires) -> Result<void> {
            if (lives_at(expires, state_.as_of)) {
                runs.add(row);
                state_.scanned.add(row.key, row.values);
                ++rows;
            }
            return {};
        }));
        count(rows);
        if (runs.full() && !scan.cursor().empty()) {
            TRY_VOID(write_chunk());
            TRY_VOID(save());
        }
    }
    TRY_VOID(write_chunk());
    state_.merging = true;
    return save();
}

/// Writes the table's file, from where an earlier run was.
Result<void> Export::merge_runs(const storage::Table& table, const RowRuns& runs) {
    const std::filesystem::path path = rows_path(options_.directory, table.name);
    TRY(RowFileWriter writer,
        state_.merged.length == 0
            ? RowFileWriter::create(path, header_text(table, state_.deployment))
            : RowFileWriter::reopen(path, state_.merged));
    const std::string after = state_.merged.last_key;
    TRY_VOID(runs.merge(after, [&](EncodedRow row) -> Result<void> {
        TRY_VOID(writer.append(row));
        if (writer.mark().length - state_.merged.length < merge_checkpoint_bytes) {
            return {};
        }
        TRY_VOID(writer.sync());
        state_.merged = writer.mark();
        return save();
    }));
    TRY_VOID(writer.finish());
    if (writer.mark().tally != state_.scanned) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("{}: the rows written are not those that were read", path.string())
        );
    }
    return sync_directory(options_.directory);
}

Result<void> Export::finish() {
    TRY_VOID(write_manifest(options_.directory, manifest()));
    return remove_state(options_.directory);
}

}  // namespace

Result<Exported> export_tables(
    storage::Store& store,
    std::span<const storage::Table* const> tables,
    const Clock& clock,
    const ExportOptions& options
) {
    Export run{store, options};
    TRY_VOID(run.begin(clock));
    std::size_t at = 0;
    for (const storage::Table* table : tables) {
        if (table == &import_progress_table) {
            continue;
        }
        if (at++ < run.state().done.size()) {
            if (run.state().done[at - 1].name != table->name) {
                return fail(
                    ErrorKind::conflict,
                    "this export was begun by another version of footfall: go on with that one, or "
                    "begin anew in an empty directory"
                );
            }
            continue;
        }
        if (Result<void> done = run.export_table(*table); !done) {
            return std::unexpected(
                with_context(std::move(done).error(), fmt::format("export of {}", table->name))
            );
        }
    }
    TRY_VOID(run.finish());
    return Exported{.manifest = run.manifest(), .resumed_rows = run.resumed_rows()};
}

}  // namespace footfall::moving
