#include "backup/restore.h"

#include "backup/place.h"
#include "moving/file.h"

#include <fmt/format.h>

#include <system_error>
#include <vector>

namespace footfall::backup {
namespace {

namespace fs = std::filesystem;

Result<void> done(const std::error_code& error, std::string_view what, const fs::path& path) {
    return error ? Result<void>{fail(
                       ErrorKind::unavailable,
                       fmt::format("cannot {} {}: {}", what, path.string(), error.message())
                   )}
                 : Result<void>{};
}

Result<void> check_restored_format(const Manifest& manifest, std::uint64_t format) {
    if (manifest.format == format) {
        return {};
    }
    return fail(
        ErrorKind::conflict,
        fmt::format(
            "the backup {} has format {}, which {} version of footfall wrote, and this one reads "
            "format {}: restore it with that version",
            manifest.name,
            manifest.format,
            manifest.format < format ? "an earlier" : "a newer",
            format
        )
    );
}

class Restoring {
public:
    explicit Restoring(const RestoreOptions& options)
        : options_{&options}, folder_{options.target / options.folder} {}

    Result<Manifest> run() {
        TRY(Manifest manifest, find(*options_->depot, options_->name));
        TRY_VOID(check_restored_format(manifest, options_->format));
        TRY_VOID(clear_target());
        for (const StoredFile& file : manifest.files) {
            step_.bytes_total += file.sums.size;
        }
        for (const StoredFile& log : options_->past) {
            step_.bytes_total += log.sums.size;
        }
        TRY_VOID(check_room(manifest));
        for (const StoredFile& file : manifest.files) {
            TRY_VOID(copy(file, folder_));
        }
        for (const StoredFile& log : options_->past) {
            TRY_VOID(copy(log, folder_ / options_->past_folder));
        }
        TRY_VOID(moving::sync_directory(folder_));
        TRY_VOID(step());
        TRY_VOID(options_->finish(folder_));
        TRY_VOID(put_in_place());
        return manifest;
    }

private:
    Result<void> step() { return options_->before_step(step_); }

    /// Leaves an empty folder to restore into, and nothing else. It is made before anything else,
    /// so where it is all else in the target is what a restore has put there.
    Result<void> clear_target() {
        const fs::path& target = options_->target;
        std::error_code error;
        fs::create_directories(target, error);
        TRY_VOID(done(error, "make", target));
        std::vector<fs::path> old;
        fs::directory_iterator entry{target, error};
        for (; !error && entry != fs::directory_iterator{}; entry.increment(error)) {
            old.push_back(entry->path());
        }
        TRY_VOID(done(error, "list", target));
        if (!old.empty() && !fs::exists(folder_)) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "{} is not empty, it holds {}: a backup is restored into a new or an empty "
                    "directory only",
                    target.string(),
                    old.front().filename().string()
                )
            );
        }
        for (const fs::path& path : old) {
            if (path != folder_) {
                TRY_VOID(step());
                fs::remove_all(path, error);
                TRY_VOID(done(error, "remove", path));
            }
        }
        if (!old.empty()) {
            fs::directory_iterator left{folder_, error};
            for (; !error && left != fs::directory_iterator{}; left.increment(error)) {
                TRY_VOID(step());
                fs::remove_all(left->path(), error);
            }
            return done(error, "empty", folder_);
        }
        TRY_VOID(step());
        fs::create_directory(folder_, error);
        TRY_VOID(done(error, "make", folder_));
        return moving::sync_directory(target);
    }

    Result<void> check_room(const Manifest& manifest) const {
        std::error_code error;
        const fs::space_info room = fs::space(options_->target, error);
        if (!error && room.available < step_.bytes_total) {
            return fail(
                ErrorKind::unavailable,
                fmt::format(
                    "{} has room for {} bytes, and the backup {} has {}",
                    options_->target.string(),
                    room.available,
                    manifest.name,
                    step_.bytes_total
                )
            );
        }
        return {};
    }

    Result<void> copy(const StoredFile& file, const fs::path& folder) {
        return fetch(*options_->depot, file, folder, step_, options_->before_step);
    }

    Result<void> put_in_place() {
        std::vector<fs::path> paths;
        std::error_code error;
        fs::directory_iterator entry{folder_, error};
        for (; !error && entry != fs::directory_iterator{}; entry.increment(error)) {
            if (entry->path().filename() != options_->last_file) {
                paths.push_back(entry->path());
            }
        }
        TRY_VOID(done(error, "list", folder_));
        for (const fs::path& path : paths) {
            TRY_VOID(move(path));
        }
        TRY_VOID(moving::sync_directory(options_->target));
        TRY_VOID(move(folder_ / options_->last_file));
        TRY_VOID(moving::sync_directory(options_->target));
        TRY_VOID(step());
        fs::remove(folder_, error);
        TRY_VOID(done(error, "remove", folder_));
        return moving::sync_directory(options_->target);
    }

    Result<void> move(const fs::path& path) {
        TRY_VOID(step());
        std::error_code error;
        fs::rename(path, options_->target / path.filename(), error);
        return done(error, "put in place", path);
    }

    const RestoreOptions* options_;
    fs::path folder_;
    Step step_;
};

}  // namespace

Result<void> fetch(
    Depot& depot,
    const StoredFile& file,
    const fs::path& folder,
    Step& step,
    const BeforeStep& before_step
) {
    const fs::path copied = folder / file.name;
    std::error_code error;
    fs::create_directories(copied.parent_path(), error);
    TRY_VOID(done(error, "make", copied.parent_path()));
    TRY(const FileSums found,
        fetch_file(depot, file.stored, copied, file.sums.size, step, before_step));
    if (const auto what = difference(file.sums, found)) {
        return fail(
            ErrorKind::corrupt,
            fmt::format(
                "{} {}: `footfall backup verify` says which backups have it",
                depot.where(file.stored),
                *what
            )
        );
    }
    return moving::sync_directory(copied.parent_path());
}

Result<Manifest> restore(const RestoreOptions& options) {
    return Restoring{options}.run();
}

}  // namespace footfall::backup
