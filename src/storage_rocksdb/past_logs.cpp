#include "storage_rocksdb/past_logs.h"

#include "foundation/log.h"
#include "foundation/parse_number.h"
#include "storage_rocksdb/rocks_options.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/transaction_log.h>

#include <chrono>
#include <memory>
#include <ranges>
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

Result<LogPaths> past_logs_in(const fs::path& folder) {
    LogPaths logs;
    std::error_code error;
    fs::directory_iterator entry{folder, error};
    if (error == std::errc::no_such_file_or_directory) {
        return logs;
    }
    for (; !error && entry != fs::directory_iterator{}; entry.increment(error)) {
        const fs::path& path = entry->path();
        const auto number = parse_unsigned(path.stem().string());
        if (path.extension() == log_suffix && number) {
            logs.emplace(*number, path);
        }
    }
    TRY_VOID(done(error, "list", folder));
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
    TRY(const LogPaths written, past_logs_in(options_.directory));
    for (const auto& [number, path] : written) {
        fs::create_hard_link(path, into / path.filename(), error);
        if (error != std::errc::no_such_file_or_directory) {
            TRY_VOID(done(error, "link", path));
        }
    }
    TRY(const LogPaths past, past_logs_in(folder_));
    for (const auto& [number, path] : past) {
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
    std::unique_ptr<rocksdb::LogFile> written;
    if (const rocksdb::Status status = db.GetCurrentWalFile(&written); !status.ok()) {
        return std::unexpected(to_error(status, "find the write-ahead log"));
    }
    gone_below_ = written->LogNumber();
    {
        TRY(const Pause pause, Pause::begin(db));
    }  // at its end the engine moves what it is done with, or at the end of somebody else's
    return remove_gone();
}

Result<void> PastLogs::remove_gone() {
    TRY(const LogPaths logs, past_logs_in(folder_));
    for (const auto& [number, path] : logs) {
        if (number < gone_below_) {
            TRY_VOID(remove_log(path));
        }
    }
    return {};
}

Result<void> PastLogs::trim() {
    const std::lock_guard lock{mutex_};
    TRY_VOID(remove_gone());
    TRY(const LogPaths logs, past_logs_in(folder_));
    const std::uint64_t most = options_.disk_is_full() ? 0 : options_.bytes_max.value_or(0);
    std::uint64_t sum = 0;
    std::uint64_t left = 0;
    for (const auto& [number, path] : logs | std::views::reverse) {  // the newest first
        std::error_code error;
        sum += fs::file_size(path, error);
        TRY_VOID(done(error, "look at", path));
        if (sum > most) {  // behind the first one that is too much all go
            TRY_VOID(remove_log(path));
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
