#include "storage_rocksdb/directory_check.h"

#include "foundation/parse_number.h"
#include "storage_rocksdb/fixed_bytes.h"
#include "storage_rocksdb/manifest.h"
#include "storage_rocksdb/record_log.h"
#include "storage_rocksdb/rocks_options.h"

#include <fmt/format.h>
#include <rocksdb/env.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::storage_rocksdb {
namespace {

constexpr std::string_view list_prefix = "MANIFEST-";
/// A new directory has this list for a moment before it has anything else.
constexpr std::string_view first_list = "MANIFEST-000001";

std::unexpected<Error> damaged(std::string what, std::string_view directory) {
    return fail(
        ErrorKind::corrupt,
        fmt::format("{}. Restore the data directory {} from a backup.", what, directory)
    );
}

/// A log of the directory, and what came of reading it.
struct Log {
    std::uint64_t number;
    std::string path;
    RecordLog found = {};
    std::optional<std::uint64_t> first_sequence = {};  ///< Of its first row,
    std::uint64_t next_sequence = 0;                   ///< and the one behind its last.
    bool has_rows = false;
};

class Check {
public:
    Check(rocksdb::Env& env, const std::string& directory) : env_{&env}, directory_{directory} {}

    Result<void> run() {
        std::vector<std::string> names;
        if (!env_->GetChildren(directory_, &names).ok()) {
            return {};  // opening it will say why
        }
        for (const std::string& name : names) {
            note(name);
        }
        if (!has_current_) {
            return data_.empty()
                       ? Result<void>{}
                       : damaged(
                             fmt::format(
                                 "{} is missing, although {} is there", path("CURRENT"), data_
                             ),
                             directory_
                         );
        }
        TRY_VOID(read_manifest());
        TRY_VOID(check_tables());
        return check_logs();
    }

private:
    std::string path(std::string_view name) const { return fmt::format("{}/{}", directory_, name); }

    void note(const std::string& name) {
        has_current_ = has_current_ || name == "CURRENT";
        if (name.ends_with(".sst") || name.ends_with(".log") ||
            (name.starts_with(list_prefix) && name != first_list)) {
            data_ = name;
        }
        if (name.ends_with(".log")) {
            if (const auto number = parse_unsigned(name.substr(0, name.size() - 4))) {
                logs_.push_back({.number = *number, .path = path(name)});
            }
        }
    }

    Result<void> read_manifest() {
        std::string name;
        const rocksdb::Status status = rocksdb::ReadFileToString(env_, path("CURRENT"), &name);
        if (!status.ok()) {
            return std::unexpected(to_error(status, fmt::format("read {}", path("CURRENT"))));
        }
        const bool complete = name.ends_with('\n');
        name.resize(name.size() - (complete ? 1 : 0));
        const auto number = name.starts_with(list_prefix)
                                ? parse_unsigned(name.substr(list_prefix.size()))
                                : std::nullopt;
        if (!complete || !number) {
            return damaged(
                fmt::format("{} does not name a list of files (MANIFEST)", path("CURRENT")),
                directory_
            );
        }
        const std::string list = path(name);
        if (env_->FileExists(list).IsNotFound()) {
            return damaged(fmt::format("{}, the list of files, is missing", list), directory_);
        }
        Result<void> applied;
        TRY(const RecordLog log,
            read_record_log(
                *env_,
                list,
                *number,
                std::numeric_limits<std::size_t>::max(),
                [&](std::string_view record) {
                    applied = applied ? manifest_.apply(record) : std::move(applied);
                }
            ));
        if (!applied) {
            return std::unexpected(with_context(std::move(applied).error(), list));
        }
        // An edit that was cut short had not been acted upon. Nothing else may stand at the end.
        const bool sound = log.end == RecordLog::End::clean || log.end == RecordLog::End::cut;
        if (!sound || log.records == 0) {
            return damaged(
                fmt::format("{}, the list of files, is damaged at byte {}", list, log.whole_bytes),
                directory_
            );
        }
        return {};
    }

    Result<void> check_tables() const {
        for (const auto& [number, size] : manifest_.tables()) {
            const std::string table = path(fmt::format("{:06}.sst", number));
            std::uint64_t found = 0;
            const rocksdb::Status status = env_->GetFileSize(table, &found);
            if (status.IsNotFound() || status.IsPathNotFound()) {
                return damaged(fmt::format("{} is missing", table), directory_);
            }
            if (!status.ok()) {
                return std::unexpected(to_error(status, fmt::format("look at {}", table)));
            }
            if (found != size) {
                return damaged(
                    fmt::format("{} has {} bytes where it should have {}", table, found, size),
                    directory_
                );
            }
        }
        return {};
    }

    Result<void> check_logs() {
        std::erase_if(logs_, [this](const Log& log) { return log.number < manifest_.first_log(); });
        std::ranges::sort(logs_, {}, &Log::number);
        std::optional<std::size_t> torn;
        for (std::size_t at = 0; at < logs_.size(); ++at) {
            Log& log = logs_[at];
            TRY_VOID(read(log));
            if (log.found.end == RecordLog::End::damaged) {
                return refuse(at, log.found.damage);
            }
            // Opening after a crash, the engine marks a new log with the place where the torn one
            // ends, before its list says that the torn one is done with.
            if (torn && log.has_rows && log.first_sequence != logs_[*torn].next_sequence) {
                return refuse(*torn, fmt::format("later ones follow in {}", log.path));
            }
            if (log.found.end != RecordLog::End::clean) {
                torn = at;
            } else if (log.has_rows) {
                torn.reset();
            }
        }
        return {};
    }

    /// Each record is a batch of rows: the number of the first one (eight bytes), and how many
    /// (four).
    Result<void> read(Log& log) const {
        constexpr std::size_t batch_header = 12;
        TRY(log.found,
            read_record_log(
                *env_,
                log.path,
                log.number,
                batch_header,
                [&log](std::string_view batch) {
                    if (batch.size() < batch_header) {
                        return;
                    }
                    const auto first = fixed<std::uint64_t>(batch);
                    const auto rows = fixed<std::uint32_t>(batch.substr(sizeof(first)));
                    log.first_sequence = log.first_sequence.value_or(first);
                    log.next_sequence = first + rows;
                    log.has_rows = log.has_rows || rows > 0;
                }
            ));
        return {};
    }

    std::unexpected<Error> refuse(std::size_t at, std::string_view why) const {
        const Log& log = logs_[at];
        std::string remedy =
            fmt::format("truncate --size={} '{}'", log.found.whole_bytes, log.path);
        if (at + 1 < logs_.size()) {
            remedy += " && rm";
            for (const Log& later : std::span{logs_}.subspan(at + 1)) {
                remedy += fmt::format(" '{}'", later.path);
            }
        }
        return fail(
            ErrorKind::corrupt,
            fmt::format(
                "the write-ahead log {} is damaged: the record at byte {} is not whole, and {}, so "
                "this is no write that a crash cut short. Restore the data directory {} from a "
                "backup; or, to go on with what stands before the damage and lose what was written "
                "after it: {}",
                log.path,
                log.found.whole_bytes,
                why,
                directory_,
                remedy
            )
        );
    }

    rocksdb::Env* env_;
    const std::string& directory_;
    bool has_current_ = false;
    std::string data_;  ///< A file that holds data, if any.
    Manifest manifest_;
    std::vector<Log> logs_;
};

}  // namespace

Result<void> check_directory(rocksdb::Env& env, const std::string& directory) {
    return Check{env, directory}.run();
}

}  // namespace footfall::storage_rocksdb
