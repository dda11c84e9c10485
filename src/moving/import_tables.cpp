#include "moving/import_tables.h"

#include "moving/import_progress.h"
#include "moving/row_file.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage/key_codec.h"
#include "storage/room.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace footfall::moving {
namespace {

using Phase = ImportProgress::Phase;

// A batch is a small part of what a store takes, and several are on their way: enough for it to be
// busy, too few to fill its queue.
constexpr std::size_t batch_rows = 1'000;
constexpr std::size_t batch_bytes = 256 << 10;
constexpr std::size_t batches_in_flight = 16;
constexpr double pressure_max = 0.8;

/// Writes rows of one table, in batches of which some are on their way.
class RowSender {
public:
    RowSender(storage::Store& store, const storage::Table& table) : store_{store}, table_{table} {}

    Result<void> send(EncodedRow row) {
        TRY_VOID(storage::decode_key(table_, row.key, columns_, texts_));
        TRY_VOID(storage::decode_row_values(table_, row.values, columns_));
        batch_.upsert(table_, columns_);
        return batch_.size() >= batch_rows || batch_.bytes() >= batch_bytes ? submit()
                                                                            : Result<void>{};
    }

    /// Returns when all is durable.
    Result<void> finish() {
        TRY_VOID(submit());
        return wait_below(1);
    }

private:
    Result<void> submit() {
        if (batch_.empty()) {
            return {};
        }
        TRY_VOID(wait_below(batches_in_flight));
        TRY(const storage::CommitPosition position, submit_when_there_is_room());
        in_flight_.push_back(position);
        batch_.clear();
        return {};
    }

    Result<storage::CommitPosition> submit_when_there_is_room() {
        storage::CommitPosition position = 0;
        TRY_VOID(storage::write_when_there_is_room([&]() -> Result<void> {
            if (store_.pressure() >= pressure_max) {
                return fail(ErrorKind::overloaded, "the disk does not take what is imported");
            }
            TRY(position, store_.submit(batch_));
            return {};
        }));
        return position;
    }

    Result<void> wait_below(std::size_t count) {
        while (in_flight_.size() >= count) {
            TRY_VOID(storage::wait_durable(store_, in_flight_.front()));
            in_flight_.pop_front();
        }
        return {};
    }

    storage::Store& store_;
    const storage::Table& table_;
    storage::Batch batch_;
    std::deque<storage::CommitPosition> in_flight_;
    std::vector<storage::ValueView> columns_;
    std::string texts_;
};

/// Whether a page of at most one row holds all rows of the table, and this is a secret: `footfall
/// schema apply` draws one. Nothing was counted under it where nothing else is, so it gives way.
bool only_secret(
    const storage::Table& table, const storage::Page& page, const std::optional<std::string>& secret
) {
    return &table == &storage::deployment_table && page.continuation.empty() && secret &&
           page.rows.at(0, 1).text() == *secret;
}

class Import {
public:
    Import(
        storage::Store& store, const Clock& clock, const ImportOptions& options, Manifest manifest
    )
        : store_{store}, clock_{clock}, options_{options}, manifest_{std::move(manifest)} {}

    Result<void> find_tables(std::span<const storage::Table* const> tables);
    Result<void> begin(std::span<const storage::Table* const> tables);
    Result<void> write_rows();
    Result<Imported> verify();

    bool done() const { return progress_.phase == Phase::done; }

    std::uint64_t resumed_rows() const { return resumed_rows_; }

private:
    Result<void> write_table(const storage::Table& table);
    Result<void> save(std::uint64_t table, std::uint64_t offset);

    void count(std::uint64_t rows) { options_.observe(seen_ += rows); }

    storage::Store& store_;
    const Clock& clock_;
    const ImportOptions& options_;
    const Manifest manifest_;
    std::vector<const storage::Table*> tables_;  ///< As those of the manifest.
    ImportProgress progress_;
    std::uint64_t resumed_rows_ = 0;
    std::uint64_t seen_ = 0;
};

/// The tables of the manifest, whose files must be there and be of such tables.
Result<void> Import::find_tables(std::span<const storage::Table* const> tables) {
    for (const ExportedTable& exported : manifest_.tables) {
        const auto table = std::ranges::find(tables, exported.name, &storage::Table::name);
        if (table == tables.end() || *table == &import_progress_table) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "the export has a table \"{}\" that this version of footfall does not know: it "
                    "was made by a newer one. Import it with that version.",
                    exported.name
                )
            );
        }
        TRY(const RowFileReader reader,
            RowFileReader::open(rows_path(options_.directory, exported.name)));
        TRY_VOID(check_header(reader.header(), **table, manifest_.deployment));
        tables_.push_back(*table);
    }
    return {};
}

Result<void> Import::begin(std::span<const storage::Table* const> tables) {
    const std::string id = export_id(manifest_);
    TRY(const auto earlier, read_progress(store_));
    if (earlier && (earlier->export_id != id || earlier->table > tables_.size())) {
        return fail(
            ErrorKind::conflict, "another export was imported into this store: choose an empty one"
        );
    }
    if (earlier) {
        progress_ = *earlier;
        resumed_rows_ = progress_.rows;
        count(resumed_rows_);
        return {};
    }
    TRY(const auto secret, storage::stored_secret(store_));
    for (const storage::Table* table : tables) {
        TRY(const storage::Page page, storage::scan_page(store_, {.table = table, .max_rows = 1}));
        if (!page.rows.empty() && !only_secret(*table, page, secret)) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "the store is not empty, its table {} has rows: import into an empty one",
                    table->name
                )
            );
        }
    }
    progress_.export_id = id;
    return write_progress(store_, progress_);
}

Result<void> Import::write_rows() {
    while (progress_.phase == Phase::rows && progress_.table < tables_.size()) {
        TRY_VOID(write_table(*tables_[progress_.table]));
        TRY_VOID(save(progress_.table + 1, 0));
    }
    if (progress_.phase == Phase::rows) {
        progress_.phase = Phase::verify;
        TRY_VOID(write_progress(store_, progress_));
    }
    return {};
}

Result<void> Import::write_table(const storage::Table& table) {
    TRY(RowFileReader reader, RowFileReader::open(rows_path(options_.directory, table.name)));
    if (progress_.offset > 0) {
        reader.seek(progress_.offset);
    }
    RowSender sender{store_, table};
    std::uint64_t rows = 0;
    std::size_t bytes = 0;
    for (;;) {
        TRY(const std::optional<EncodedRow> row, reader.next());
        if (!row) {
            progress_.rows += rows;
            count(rows);
            return sender.finish();
        }
        TRY_VOID(sender.send(*row));
        ++rows;
        bytes += row->key.size() + row->values.size();
        if (reader.at_end_of_block() && bytes >= options_.checkpoint_bytes) {
            TRY_VOID(sender.finish());
            progress_.rows += std::exchange(rows, 0);
            TRY_VOID(save(progress_.table, reader.offset()));
            count(progress_.rows - seen_);
            bytes = 0;
        }
    }
}

Result<void> Import::save(std::uint64_t table, std::uint64_t offset) {
    progress_.table = table;
    progress_.offset = offset;
    return write_progress(store_, progress_);
}

Result<Imported> Import::verify() {
    Imported imported{.tables = {}, .resumed_rows = resumed_rows_};
    for (std::size_t at = 0; at < tables_.size(); ++at) {
        TRY(Verified verified,
            verify_table(
                store_,
                *tables_[at],
                options_.directory,
                manifest_.tables[at].tally,
                clock_,
                [this](std::uint64_t rows) { count(rows); }
            ));
        imported.tables.push_back(
            {.name = manifest_.tables[at].name,
             .rows = manifest_.tables[at].tally.rows,
             .verified = verified}
        );
    }
    if (imported.equal()) {
        progress_.phase = Phase::done;
        TRY_VOID(write_progress(store_, progress_));
    }
    return imported;
}

}  // namespace

bool Imported::equal() const {
    return std::ranges::all_of(tables, [](const ImportedTable& table) {
        return table.verified.equal();
    });
}

Result<Imported> import_tables(
    storage::Store& store,
    std::span<const storage::Table* const> tables,
    const Clock& clock,
    const ImportOptions& options
) {
    TRY(Manifest manifest, read_manifest(options.directory));
    Import run{store, clock, options, std::move(manifest)};
    TRY_VOID(run.find_tables(tables));
    TRY_VOID(run.begin(tables));
    if (run.done()) {
        return Imported{.tables = {}, .resumed_rows = run.resumed_rows(), .was_done = true};
    }
    TRY_VOID(run.write_rows());
    return run.verify();
}

}  // namespace footfall::moving
