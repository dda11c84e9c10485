#include "storage_rocksdb/database.h"

#include "foundation/check.h"
#include "foundation/parse_number.h"
#include "storage_rocksdb/directory_check.h"
#include "storage_rocksdb/directory_format.h"
#include "storage_rocksdb/engine_events.h"
#include "storage_rocksdb/page_cache.h"
#include "storage_rocksdb/slices.h"

#include <fmt/format.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <mutex>
#include <system_error>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

constexpr std::string_view block_family_name = "block";
constexpr std::string_view format_key = "footfall_format";

}  // namespace

Database::Database(
    std::filesystem::path directory,
    std::vector<const storage::Table*> tables,
    MemoryPlan memory,
    const Clock& clock,
    const storage::ForgottenRecords& forgotten,
    metrics::Metrics& metrics,
    std::shared_ptr<rocksdb::Logger> log,
    rocksdb::Env* env
)
    : directory_{std::move(directory)},
      tables_{std::move(tables)},
      memory_{std::move(memory)},
      clock_{&clock},
      log_{std::move(log)},
      forgotten_{&forgotten},
      metrics_{&metrics},
      env_{env != nullptr ? env : rocksdb::Env::Default()},
      page_cache_env_{make_page_cache_env(*env_)},
      iterators_(tables_.size()) {
    for (const storage::Table* table : tables_) {
        const Result<void> sound = storage::check_table(*table);
        CHECK(sound, "a table's declaration is broken", sound ? "" : sound.error().message);
    }
}

Database::~Database() {
    close();
}

Result<void> Database::open(bool create) {
    const std::unique_lock lock{mutex_};
    Result<void> opened = open_locked(create);
    if (!opened) {
        why_closed_ = fmt::format("the store is closed: {}", opened.error().message);
    }
    return opened;
}

Result<void> Database::open_locked(bool create) {
    CHECK(!db_, "opened twice");
    TRY_VOID(check_restored());
    if (!create && env_->FileExists(directory_.string() + "/CURRENT").IsNotFound()) {
        return fail(
            ErrorKind::not_found,
            fmt::format(
                "there is no data directory {}; `footfall serve --data` makes one",
                directory_.string()
            )
        );
    }
    std::error_code created;
    std::filesystem::create_directories(directory_, created);
    if (created) {
        return fail(
            ErrorKind::unavailable,
            fmt::format(
                "cannot create the data directory {}: {}", directory_.string(), created.message()
            )
        );
    }
    TRY_VOID(check_files());
    TRY(const std::vector<std::string> on_disk, families_on_disk());
    TRY_VOID(check_known(on_disk));
    TRY_VOID(open_families(on_disk));
    take_numbers();
    return check_format();
}

/// What is not on disk is made by one call: the engine writes the options of all families anew, and
/// reads them again, for each one that it makes by itself.
Result<void> Database::open_families(const std::vector<std::string>& on_disk) {
    std::vector<rocksdb::ColumnFamilyDescriptor> wanted = wanted_families();
    std::vector<rocksdb::ColumnFamilyDescriptor> there;
    std::vector<rocksdb::ColumnFamilyDescriptor> missing;
    std::vector<std::size_t> places_there;
    std::vector<std::size_t> places;  // of the handles, those that are there first
    for (std::size_t at = 0; at < wanted.size(); ++at) {
        const bool known = wanted[at].name == rocksdb::kDefaultColumnFamilyName ||
                           std::ranges::find(on_disk, wanted[at].name) != on_disk.end();
        (known ? places_there : places).push_back(at);
        (known ? there : missing).push_back(std::move(wanted[at]));
    }
    places.insert(places.begin(), places_there.begin(), places_there.end());
    rocksdb::DBOptions options = database_options(memory_, log_, page_cache_env_.get());
    options.listeners.push_back(std::make_shared<EngineEvents>(tables_, *metrics_, [this] {
        clear_iterators();
    }));
    rocksdb::DB* opened = nullptr;
    rocksdb::Status status =
        rocksdb::DB::Open(options, directory_.string(), there, &families_, &opened);
    db_.reset(opened);
    if (status.ok() && !missing.empty()) {
        std::vector<rocksdb::ColumnFamilyHandle*> made;
        made_tables_ = made_tables_ || !on_disk.empty();
        status = db_->CreateColumnFamilies(missing, &made);
        families_.insert(families_.end(), made.begin(), made.end());
    }
    if (!status.ok()) {
        close_locked();
        return std::unexpected(
            to_error(status, fmt::format("open the data directory {}", directory_.string()))
        );
    }
    const std::vector<rocksdb::ColumnFamilyHandle*> handles = families_;
    for (std::size_t each = 0; each < handles.size(); ++each) {
        families_[places[each]] = handles[each];
    }
    return {};
}

/// As tables_, then the blocks, then the default one.
std::vector<rocksdb::ColumnFamilyDescriptor> Database::wanted_families() const {
    std::vector<rocksdb::ColumnFamilyDescriptor> wanted;
    wanted.reserve(tables_.size() + 2);
    for (const storage::Table* table : tables_) {
        wanted.emplace_back(
            std::string{table->name}, table_options(*table, memory_, *clock_, *forgotten_)
        );
    }
    wanted.emplace_back(std::string{block_family_name}, block_options(memory_));
    wanted.emplace_back(rocksdb::kDefaultColumnFamilyName, own_options());
    return wanted;
}

/// Refuses a directory that another process has open, or that is damaged in a way that the engine
/// would not tell.
Result<void> Database::check_files() const {
    rocksdb::FileLock* lock = nullptr;
    if (const auto status = env_->LockFile(directory_.string() + "/LOCK", &lock); !status.ok()) {
        const std::string why = status.ToString();
        if (!why.contains("While lock file") && !why.contains("lock hold by current process")) {
            return std::unexpected(
                to_error(status, fmt::format("open the data directory {}", directory_.string()))
            );
        }
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "the data directory {} is in use by another footfall process. Stop it, talk to it "
                "with --server, or choose another directory with --data.",
                directory_.string()
            )
        );
    }
    Result<void> sound = check_directory(*env_, directory_.string());
    const rocksdb::Status unlocked = env_->UnlockFile(lock);
    CHECK(unlocked.ok(), "a lock that is held can be given back", unlocked.ToString());
    return sound;
}

/// Refuses a directory into which a backup is being restored, or was until the restore was cut
/// short.
Result<void> Database::check_restored() const {
    const std::filesystem::path folder = directory_ / restoring_folder;
    if (env_->FileExists(folder.string()).IsNotFound()) {
        return {};
    }
    return fail(
        ErrorKind::conflict,
        fmt::format(
            "a restore into the data directory {} is under way or was cut short ({} is there): run "
            "`footfall restore` again, it begins anew",
            directory_.string(),
            folder.string()
        )
    );
}

/// Removes what a backup left that was cut short: it keeps files that are to be gone.
Result<void> Database::remove_links() const {
    for (const std::string_view end : {"", ".tmp"}) {  // the engine makes it under the second name
        std::filesystem::path folder = directory_ / linked_folder;
        folder += end;
        std::error_code error;
        std::filesystem::remove_all(folder, error);
        if (error) {
            return fail(
                ErrorKind::unavailable,
                fmt::format("cannot remove {}: {}", folder.string(), error.message())
            );
        }
    }
    return {};
}

/// Makes a folder with links to the files of one moment. Rows in memory are written to files first,
/// so that little is left in logs, which no two backups share.
Result<std::filesystem::path> Database::link_files() {
    TRY_VOID(remove_links());
    std::filesystem::path folder = directory_ / linked_folder;
    TRY_VOID(use([&](rocksdb::DB& db) -> Result<void> {
        rocksdb::Checkpoint* made = nullptr;
        rocksdb::Status status = rocksdb::Checkpoint::Create(&db, &made);
        const std::unique_ptr<rocksdb::Checkpoint> checkpoint{made};
        if (status.ok()) {
            status = checkpoint->CreateCheckpoint(folder.string());
        }
        return status.ok() ? Result<void>{}
                           : std::unexpected(to_error(status, "link the files of the store"));
    }));
    return folder;
}

Result<std::optional<std::string>> Database::read_own(rocksdb::DB& db, std::string_view key) const {
    std::string value;
    const rocksdb::Status status = db.Get({}, own_family(), slice_of(key), &value);
    if (status.IsNotFound()) {
        return std::nullopt;
    }
    return status.ok()
               ? Result<std::optional<std::string>>{std::move(value)}
               : std::unexpected(to_error(status, fmt::format("read {} of the store", key)));
}

/// Refuses a directory with tables that only a newer version knows.
Result<void> Database::check_known(const std::vector<std::string>& on_disk) const {
    for (const std::string& name : on_disk) {
        const bool known =
            name == rocksdb::kDefaultColumnFamilyName || name == block_family_name ||
            std::ranges::any_of(tables_, [&](const auto* table) { return table->name == name; });
        if (!known) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "{} holds the table \"{}\", which this version of footfall does not know: it "
                    "was written by a "
                    "newer one. Run that version, or choose another data directory.",
                    directory_.string(),
                    name
                )
            );
        }
    }
    return {};
}

void Database::close(std::string_view why) {
    const std::unique_lock lock{mutex_};
    why_closed_ = fmt::format("the store is closed: {}", why);
    close_locked();
}

Result<void> Database::reopen() {
    const std::unique_lock lock{mutex_};
    if (!db_) {
        return fail(ErrorKind::unavailable, why_closed_);
    }
    close_locked();
    Result<void> opened = open_locked(/*create=*/false);
    if (!opened) {
        why_closed_ = fmt::format("the store is closed: {}", opened.error().message);
    }
    return opened;
}

void Database::close_locked() {
    if (!db_) {
        return;
    }
    clear_iterators();
    for (rocksdb::ColumnFamilyHandle* family : families_) {
        db_->DestroyColumnFamilyHandle(family);
    }
    families_.clear();
    db_.reset();
}

rocksdb::ColumnFamilyHandle* Database::family(const storage::Table& table) const {
    return families_[place_of(table)];
}

IteratorPool& Database::iterators(const storage::Table& table) {
    return iterators_[place_of(table)];
}

/// So that nothing is kept of files that are there no more.
void Database::clear_iterators() {
    for (IteratorPool& pool : iterators_) {
        pool.clear();
    }
}

std::size_t Database::place_of(const storage::Table& table) const {
    const auto found = std::ranges::find(tables_, &table);
    CHECK(found != tables_.end(), "a table the store was not opened with", table.name);
    return static_cast<std::size_t>(found - tables_.begin());
}

rocksdb::ColumnFamilyHandle* Database::block_family() const {
    return families_[tables_.size()];
}

std::vector<rocksdb::ColumnFamilyHandle*> Database::personal_families() const {
    std::vector<rocksdb::ColumnFamilyHandle*> personal;
    for (std::size_t at = 0; at < tables_.size(); ++at) {
        if (tables_[at]->personal) {
            personal.push_back(families_[at]);
        }
    }
    return personal;
}

std::vector<rocksdb::ColumnFamilyHandle*> Database::secret_families() const {
    std::vector<rocksdb::ColumnFamilyHandle*> secret;
    for (std::size_t at = 0; at < tables_.size(); ++at) {
        if (tables_[at]->secret) {
            secret.push_back(families_[at]);
        }
    }
    return secret;
}

/// The engine numbers a column family when it is made and never again.
void Database::take_numbers() {
    const bool first = numbers_.empty();
    for (std::size_t at = 0; at < tables_.size(); ++at) {
        const std::uint32_t number = families_[at]->GetID();
        if (first) {
            numbers_.add(*tables_[at], number);
        }
        CHECK(numbers_.of(*tables_[at]) == number, "a table changed its number", tables_[at]->name);
    }
}

std::vector<std::uint32_t> Database::large_tables() const {
    std::vector<std::uint32_t> numbers;
    for (const storage::Table* const table : tables_) {
        if (table->bulk && table->large_partitions) {
            numbers.push_back(numbers_.of(*table));
        }
    }
    return numbers;
}

Result<std::vector<std::string>> Database::families_on_disk() const {
    std::vector<std::string> names;
    if (env_->FileExists(directory_.string() + "/CURRENT").IsNotFound()) {
        return names;
    }
    rocksdb::DBOptions options;
    options.env = env_;
    const rocksdb::Status status =
        rocksdb::DB::ListColumnFamilies(options, directory_.string(), &names);
    if (!status.ok()) {
        return std::unexpected(
            to_error(status, fmt::format("read the data directory {}", directory_.string()))
        );
    }
    return names;
}

Result<void> Database::check_format() {
    rocksdb::ColumnFamilyHandle* const family = families_.back();
    std::string stored;
    const rocksdb::Status read = db_->Get({}, family, std::string{format_key}, &stored);
    if (read.IsNotFound()) {
        rocksdb::WriteOptions synced;
        synced.sync = true;
        const rocksdb::Status written =
            db_->Put(synced, family, std::string{format_key}, std::to_string(directory_format));
        return written.ok()
                   ? Result<void>{}
                   : std::unexpected(to_error(written, "write the format of the data directory"));
    }
    if (!read.ok()) {
        return std::unexpected(to_error(read, "read the format of the data directory"));
    }
    const auto version = parse_unsigned(stored);
    if (version && *version < oldest_directory_format) {
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "{} has format {}, which an earlier version of footfall wrote and this one does "
                "not read: it reads format {}. Run the earlier version, or choose another data "
                "directory.",
                directory_.string(),
                stored,
                directory_format
            )
        );
    }
    if (!version || *version > directory_format) {
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "{} has format {}, this version of footfall reads up to {}. Run the newer version.",
                directory_.string(),
                stored,
                directory_format
            )
        );
    }
    return {};
}

}  // namespace footfall::storage_rocksdb
