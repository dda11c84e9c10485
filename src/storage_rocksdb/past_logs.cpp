#include "storage_rocksdb/past_logs.h"

#include "foundation/log.h"
#include "foundation/parse_number.h"
#include "storage_rocksdb/rocks_options.h"

#include <fmt/format.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <system_error>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view log_suffix = ".log";
constexpr std::string_view archive_folder = "archive";  // the engine's name for it
constexpr std::chrono::seconds pause_between_looks{1};

Result<void> done(const std::error_code& error, std::string_view what, const fs::path& path) {
    return error ? Result<void>{fail(
                       ErrorKind::unavailable,
                       fmt::format("cannot {} {}: {}", what, path.string(), error.message())
                   )}
                 : Result<void>{};
}

/// The logs in a folder, sorted by name, which is by number; none where it is not there.
Result<std::vector<fs::path>> logs_in(const fs::path& folder) {
    std::vector<fs::path> logs;
    std::error_code error;
    fs::directory_iterator entry{folder, error};
    if (error == std::errc::no_such_file_or_directory) {
        return logs;
    }
    for (; !error && entry != fs::directory_iterator{}; entry.increment(error)) {
        if (entry->path().extension() == log_suffix) {
            logs.push_back(entry->path());
        }
    }
    TRY_VOID(done(error, "list", folder));
    std::ranges::sort(logs);
    return logs;
}

Result<void> remove_log(const fs::path& log) {
    std::error_code error;
    fs::remove(log, error);  // that it has gone already is no error
    return done(error, "remove", log);
}

/// While it lives the engine begins to move and to remove no more files; when it ends, it does what
/// it put off.
class Pause {
public:
    static Result<Pause> begin(rocksdb::DB& db) {
        const rocksdb::Status status = db.DisableFileDeletions();
        if (!status.ok()) {
            return std::unexpected(to_error(status, "have the files of the store stay"));
        }
        return Pause{db};
    }

    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

    Pause(Pause&& other) noexcept : db_{std::exchange(other.db_, nullptr)} {}

    Pause& operator=(Pause&&) = delete;

    ~Pause() {
        if (db_ != nullptr) {
            db_->EnableFileDeletions(/*force=*/false).PermitUncheckedError();
        }
    }

private:
    explicit Pause(rocksdb::DB& db) : db_{&db} {}

    rocksdb::DB* db_;
};

}  // namespace

Result<std::map<std::uint64_t, fs::path>> past_logs_in(const fs::path& folder) {
    TRY(const std::vector<fs::path> paths, logs_in(folder));
    std::map<std::uint64_t, fs::path> logs;
    for (const fs::path& path : paths) {
        const auto number = parse_unsigned(path.stem().string());
        if (!number) {
            return fail(ErrorKind::corrupt, fmt::format("{} is no log", path.string()));
        }
        logs.emplace(*number, path);
    }
    return logs;
}

PastLogs::PastLogs(Options options, metrics::Metrics& metrics)
    : options_{std::move(options)},
      folder_{options_.directory / archive_folder},
      kept_{are_kept(options_.directory, options_.bytes_max)},
      bytes_{metrics.gauge(
          "footfall_store_past_log_bytes",
          "Logs of what was written since the last backup, kept for restores to any moment."
      )} {}

bool PastLogs::are_kept(const fs::path& directory, std::optional<std::uint64_t> bytes_max) {
    std::error_code unknown;
    return bytes_max ? *bytes_max > 0 : fs::exists(directory / archive_folder, unknown);
}

void PastLogs::start() {
    if (!options_.bytes_max) {
        return;
    }
    turns_.emplace("past logs", runtime::Urgency::background, [this](const std::stop_token&) {
        if (const Result<void> trimmed = trim(); !trimmed) {
            log(LogLevel::warning, "logs are kept too long: {}", trimmed.error().message);
        }
        return pause_between_looks;
    });
}

void PastLogs::stop() {
    turns_.reset();
}

/// Not by the engine's own list: where it has moved a later log, it leaves out an earlier one that
/// it is still to move (WalManager::GetSortedWalFiles, 7.8.3).
Result<void> PastLogs::link(rocksdb::DB& db, const fs::path& into) {
    const std::lock_guard lock{mutex_};
    linked_.clear();
    if (!kept_) {
        return {};
    }
    TRY(const Pause pause, Pause::begin(db));
    std::error_code error;
    fs::create_directory(into, error);
    TRY_VOID(done(error, "make", into));
    // In this order: what is moved meanwhile is found in the folder.
    TRY(const std::vector<fs::path> written, logs_in(options_.directory));
    for (const fs::path& path : written) {
        fs::create_hard_link(path, into / path.filename(), error);
        if (error != std::errc::no_such_file_or_directory) {
            TRY_VOID(done(error, "link", path));
        }
    }
    TRY(const std::vector<fs::path> past, logs_in(folder_));
    for (const fs::path& path : past) {
        fs::create_hard_link(path, into / path.filename(), error);
        if (error != std::errc::file_exists) {
            TRY_VOID(done(error, "link", path));
        }
        linked_.push_back(path);
    }
    return {};
}

Result<void> PastLogs::forget_linked() {
    const std::lock_guard lock{mutex_};
    for (const fs::path& path : linked_) {
        TRY_VOID(remove_log(path));
    }
    linked_.clear();
    return {};
}

Result<void> PastLogs::remove_all(rocksdb::DB& db) {
    const std::lock_guard lock{mutex_};
    if (!kept_) {
        return {};  // what is still there of another time goes anyway
    }
    {
        TRY(const Pause pause, Pause::begin(db));
    }  // at its end the engine moves into the folder what it is done with
    TRY(const std::vector<fs::path> logs, logs_in(folder_));
    for (const fs::path& path : logs) {
        TRY_VOID(remove_log(path));
    }
    return {};
}

Result<std::vector<PastLogs::Log>> PastLogs::newest_first() const {
    TRY(std::vector<fs::path> paths, logs_in(folder_));
    std::ranges::reverse(paths);
    std::vector<Log> logs;
    logs.reserve(paths.size());
    for (const fs::path& path : paths) {
        std::error_code error;
        const std::uintmax_t bytes = fs::file_size(path, error);
        TRY_VOID(done(error, "look at", path));
        logs.push_back({.path = path, .bytes = bytes});
    }
    return logs;
}

Result<void> PastLogs::trim() {
    const std::lock_guard lock{mutex_};
    TRY(const std::vector<Log> logs, newest_first());
    const std::uint64_t most = options_.disk_is_full() ? 0 : options_.bytes_max.value_or(0);
    std::uint64_t sum = 0;
    std::uint64_t left = 0;
    for (const Log& each : logs) {  // behind the first one that is too much all go
        sum += each.bytes;
        if (sum > most) {
            TRY_VOID(remove_log(each.path));
        } else {
            left = sum;
        }
    }
    bytes_.set(static_cast<double>(left));
    if (!kept_) {
        std::error_code
            error;  // the folder says that they are kept: who opens it next goes by that
        fs::remove(folder_, error);
        return done(error, "remove", folder_);
    }
    return {};
}

}  // namespace footfall::storage_rocksdb
