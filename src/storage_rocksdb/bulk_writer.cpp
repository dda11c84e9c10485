#include "storage_rocksdb/bulk_writer.h"

#include "foundation/log.h"
#include "runtime/enter_thread.h"
#include "storage_rocksdb/bulk_sort.h"
#include "storage_rocksdb/prefetch.h"
#include "storage_rocksdb/rocks_options.h"
#include "storage_rocksdb/slices.h"

#include <fmt/format.h>
#include <rocksdb/sst_file_writer.h>

#include <functional>
#include <map>
#include <thread>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

/// How often it is looked whether compaction got on.
constexpr std::chrono::milliseconds look_pause{10};

Result<void> checked(const rocksdb::Status& status, std::string_view doing) {
    return status.ok() ? Result<void>{} : std::unexpected(to_error(status, doing));
}

/// Does it on a thread of its own, which gets a core at once: while the engine takes files in, all
/// writes wait, and a thread in the background waits for its core behind all compactions. It could
/// not make itself more urgent for a moment: that needs a privilege.
rocksdb::Status urgently(const std::function<rocksdb::Status()>& what) {
    rocksdb::Status status;
    std::jthread{[&] {
        runtime::enter_thread("take in", runtime::Urgency::first);
        status = what();
    }}.join();
    return status;
}

}  // namespace

BulkWriter::BulkWriter(
    Options options,
    Database& database,
    PendingRows& pending,
    metrics::Metrics& metrics,
    Actions actions
)
    : options_{std::move(options)},
      database_{&database},
      pending_{&pending},
      actions_{std::move(actions)},
      generations_{metrics.counter(
          "footfall_store_generations_written_total",
          "Generations of bulk rows sorted and taken into the database's files."
      )},
      rows_{metrics.counter(
          "footfall_store_bulk_rows_written_total",
          "Rows written in sorted bulk; of a row written several times only the last."
      )},
      seconds_{metrics.histogram(
          "footfall_store_generation_seconds",
          "Time to sort, write and take in a generation of bulk rows.",
          metrics::duration_bounds()
      )} {}

BulkWriter::~BulkWriter() {
    stop();
}

void BulkWriter::start() {
    remove_files();
    note_health(std::nullopt);
    thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

void BulkWriter::stop() {
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
    }
}

Result<void> BulkWriter::health() const {
    const std::lock_guard lock{mutex_};
    return error_ ? Result<void>{std::unexpected(*error_)} : Result<void>{};
}

void BulkWriter::run(const std::stop_token& stop) {
    runtime::enter_thread("bulk writer", runtime::Urgency::background);
    while (const std::shared_ptr<const Generation> generation = pending_->wait_for_sealed(stop)) {
        const auto started = std::chrono::steady_clock::now();
        const Result<bool> written = write(*generation, stop);
        if (!written) {
            note_health(written.error());
            remove_files();
            pause(options_.retry_pause, stop);
            continue;
        }
        if (!*written) {
            return;
        }
        note_health(std::nullopt);
        generations_.add();
        seconds_.observe(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count()
        );
        actions_.forget_oldest(generation->last_block());
    }
}

/// Success and true: the generation stands in the database's files. False: it was stopped before,
/// or the store failed.
Result<bool> BulkWriter::write(const Generation& generation, const std::stop_token& stop) {
    TRY(const std::vector<TableFile> files, write_files(generation));
    // Rows must not be in the files before the log has everything up to them: recovery takes a
    // prefix of what was written.
    TRY_VOID(actions_.sync_log());
    if (!wait_for_compaction(stop)) {
        return false;
    }
    pending_->begin_ingest();
    if (Result<void> taken = take_in(files); !taken) {
        note_health(taken.error());
        actions_.fail_store(std::move(taken).error());
        return false;
    }
    return true;
}

Result<std::vector<BulkWriter::TableFile>> BulkWriter::write_files(const Generation& generation) {
    std::map<std::uint32_t, SortedRows> rows_of_table;
    generation.for_each_row([&](const PendingRow& row) {
        rows_of_table[row.table()].push_back(&row);
    });
    std::vector<TableFile> files;
    for (auto& [number, rows] : rows_of_table) {
        const storage::Table* const table = database_->numbers().table(number);
        if (table == nullptr) {
            return fail(
                ErrorKind::corrupt, fmt::format("a block holds rows of an unknown table {}", number)
            );
        }
        files.push_back(
            {.table = table,
             .path = (options_.directory / fmt::format("{}.sst", ++files_made_)).string()}
        );
        TRY_VOID(write_file(*table, rows, files.back().path));
    }
    return files;
}

Result<void> BulkWriter::write_file(
    const storage::Table& table, SortedRows& rows, const std::string& path
) {
    sort_by_key(rows);
    rows_.add(static_cast<double>(rows.size()));
    return database_->use([&](rocksdb::DB& db) -> Result<void> {
        const rocksdb::Options options = db.GetOptions(database_->family(table));
        rocksdb::SstFileWriter writer{rocksdb::EnvOptions{options}, options};
        TRY_VOID(checked(writer.Open(path), "make a file for rows in bulk"));
        for (std::size_t at = 0; at < rows.size(); ++at) {
            prefetch_row(rows, at);
            const PendingRow* const row = rows[at];
            const rocksdb::Slice key = slice_of(row->key());
            TRY_VOID(checked(
                row->erase() ? writer.Delete(key) : writer.Put(key, slice_of(row->value())),
                "write rows in bulk"
            ));
        }
        return checked(writer.Finish(), "write rows in bulk");
    });
}

Result<void> BulkWriter::take_in(const std::vector<TableFile>& files) {
    return database_->use([&](rocksdb::DB& db) -> Result<void> {
        std::vector<rocksdb::IngestExternalFileArg> all;
        for (const TableFile& file : files) {
            rocksdb::IngestExternalFileArg& arg = all.emplace_back();
            arg.column_family = database_->family(*file.table);
            arg.external_files = {file.path};
            arg.options.move_files = true;
            arg.options.write_global_seqno = false;
        }
        // While there is a snapshot the engine puts the files on top of all others, newest first:
        // the order of generations must not depend on where it thinks that a file would fit.
        const rocksdb::Snapshot* const snapshot = db.GetSnapshot();
        const rocksdb::Status taken = urgently([&] { return db.IngestExternalFiles(all); });
        db.ReleaseSnapshot(snapshot);
        return checked(taken, "take rows in bulk into the database");
    });
}

/// False when it was stopped.
bool BulkWriter::wait_for_compaction(const std::stop_token& stop) {
    for (;;) {
        const Result<bool> crowded = database_->use([this](rocksdb::DB& db) -> Result<bool> {
            for (const storage::Table* table : database_->tables()) {
                std::uint64_t files = 0;
                if (table->bulk &&
                    db.GetIntProperty(
                        database_->family(*table), "rocksdb.num-files-at-level0", &files
                    ) &&
                    files > waiting_files_max(*table)) {
                    return true;
                }
            }
            return false;
        });
        if (!crowded || !*crowded) {
            return !stop.stop_requested();
        }
        if (!pause(look_pause, stop)) {
            return false;
        }
    }
}

/// False when it was stopped meanwhile.
bool BulkWriter::pause(std::chrono::milliseconds duration, const std::stop_token& stop) {
    std::unique_lock lock{mutex_};
    wake_.wait_for(lock, stop, duration, [] { return false; });
    return !stop.stop_requested();
}

/// Removes files that were not taken in.
void BulkWriter::remove_files() {
    std::error_code ignored;
    std::filesystem::create_directories(options_.directory, ignored);
    for (const auto& entry : std::filesystem::directory_iterator{options_.directory, ignored}) {
        std::filesystem::remove(entry.path(), ignored);
    }
}

void BulkWriter::note_health(const std::optional<Error>& error) {
    const std::lock_guard lock{mutex_};
    if (error) {
        said_ |= options_.troubles->say(
            LogLevel::error, "rows stay in the log for now: " + error->message
        );
    } else if (std::exchange(said_, false)) {
        log(LogLevel::info, "rows are written into the database's files again");
    }
    error_ = error;
}

}  // namespace footfall::storage_rocksdb
