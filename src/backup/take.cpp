#include "backup/take.h"

#include "backup/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::backup {
namespace {

namespace fs = std::filesystem;

using Identity = std::tuple<std::string, std::uint64_t, std::uint32_t>;  // name, size, tail
using Older = std::map<Identity, StoredFile>;

Result<void> check_deployment(const Listing& listing, const Source& source, const Depot& depot) {
    for (const Manifest& manifest : listing.whole) {
        if (manifest.deployment != source.deployment) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "{} holds backups of the deployment {}, and this is {}: choose another "
                    "directory",
                    depot.where(""),
                    manifest.deployment,
                    source.deployment
                )
            );
        }
    }
    return {};
}

class Taking {
public:
    Taking(const Source& source, const Clock& clock, const TakeOptions& options, Manifest manifest)
        : depot_{options.depot},
          source_{&source},
          clock_{&clock},
          options_{&options},
          taken_{.manifest = std::move(manifest)} {}

    Result<Taken> run(const Listing& listing) {
        if (!options_->full) {
            note_older(listing);
        }
        TRY_VOID(step());
        TRY(const Frozen frozen, source_->freeze());
        taken_.manifest.history = frozen.history;
        taken_.manifest.block = frozen.block;
        taken_.manifest.past_from = frozen.past_from;
        taken_.manifest.past_to = frozen.past_to;
        taken_.manifest.until = clock_->now();
        TRY(const auto files, files_below(frozen.directory));
        Sizes beside;
        if (!frozen.scratch.empty()) {
            TRY_VOID(source_->write_beside(frozen.scratch));
            TRY(beside, files_below(frozen.scratch));
        }
        TRY_VOID(plan(frozen.directory, files));
        TRY_VOID(check_room());
        for (const auto& [name, size] : files) {
            TRY_VOID(add(frozen.directory, name, size));
        }
        for (const auto& [name, size] : beside) {
            TRY_VOID(add_beside(frozen.scratch, name, size));
        }
        TRY_VOID(step());
        TRY_VOID(depot_->sync());
        TRY_VOID(step());
        TRY_VOID(write_manifest(*depot_, taken_.manifest));
        TRY_VOID(step());
        return std::move(taken_);
    }

private:
    using Sizes = std::map<std::string, std::uint64_t>;

    Result<void> step() { return options_->before_step(step_); }

    /// The files in a folder and its folders, by their path from there, with their size.
    static Result<Sizes> files_below(const fs::path& folder) {
        Sizes files;
        std::error_code error;
        fs::recursive_directory_iterator entry{folder, error};
        for (; !error && entry != fs::recursive_directory_iterator{}; entry.increment(error)) {
            if (entry->is_regular_file(error)) {
                files.emplace(
                    entry->path().lexically_relative(folder).string(), entry->file_size(error)
                );
            }
        }
        if (error) {
            return fail(
                ErrorKind::unavailable,
                fmt::format("cannot list {}: {}", folder.string(), error.message())
            );
        }
        return files;
    }

    void note_older(const Listing& listing) {
        for (const Manifest& manifest : listing.whole) {
            for (const StoredFile& file : manifest.files) {
                if (is_unchanging(file.name)) {
                    older_.insert_or_assign({file.name, file.sums.size, file.sums.tail}, file);
                }
            }
            for (const StoredFile& log : manifest.past) {
                older_.insert_or_assign(
                    {name_of_past(log.name), log.sums.size, log.sums.tail}, log
                );
            }
        }
    }

    /// As which a past log lies in the frozen directory.
    std::string name_of_past(const std::string& name) const {
        return fmt::format("{}/{}", source_->past_folder, name);
    }

    bool is_past(std::string_view name) const { return name.starts_with(name_of_past("")); }

    bool is_unchanging(std::string_view name) const {
        return std::ranges::any_of(source_->unchanging, [&](const std::string& end) {
            return name.ends_with(end);
        });
    }

    bool may_be_there(std::string_view name) const { return is_unchanging(name) || is_past(name); }

    /// Finds which files are there already.
    Result<void> plan(const fs::path& frozen, const Sizes& files) {
        TRY(const auto entries, depot_->list(files_folder));
        Sizes stored;
        for (const Depot::Entry& entry : entries) {
            stored.emplace(fmt::format("{}/{}", files_folder, entry.name), entry.size);
        }
        for (const auto& [name, size] : files) {
            if (may_be_there(name) && !older_.empty()) {
                TRY(const std::uint32_t tail, tail_of(frozen / name, size));
                const auto found = older_.find({name, size, tail});
                if (found != older_.end()) {
                    const auto there = stored.find(found->second.stored);
                    if (there != stored.end() && there->second == size) {
                        known_.emplace(name, found->second);
                        continue;
                    }
                }
            }
            step_.bytes_total += size;
        }
        return {};
    }

    Result<void> check_room() const {
        const std::optional<std::uint64_t> room = depot_->room();
        if (room && *room < step_.bytes_total) {
            return fail(
                ErrorKind::unavailable,
                fmt::format(
                    "{} has room for {} bytes, and {} are to be copied: make room, or keep fewer "
                    "backups (--keep)",
                    depot_->where(""),
                    *room,
                    step_.bytes_total
                )
            );
        }
        return {};
    }

    Result<void> add(const fs::path& frozen, const std::string& name, std::uint64_t size) {
        const bool past = is_past(name);
        std::vector<StoredFile>& list = past ? taken_.manifest.past : taken_.manifest.files;
        if (const auto known = known_.find(name); known != known_.end()) {
            list.push_back(known->second);
            return {};
        }
        // No other backup has this name, so that nothing that is named is ever written to.
        std::string flat = name;
        std::ranges::replace(flat, '/', '_');
        std::string stored = fmt::format("{}/{}-{}", files_folder, taken_.manifest.name, flat);
        TRY(FileSums sums,
            store_file(frozen / name, *depot_, stored, size, step_, options_->before_step));
        taken_.copied_bytes += size;
        list.push_back(
            {.name = past ? name.substr(name_of_past("").size()) : name,
             .stored = std::move(stored),
             .sums = std::move(sums)}
        );
        return {};
    }

    Result<void> add_beside(const fs::path& scratch, const std::string& name, std::uint64_t size) {
        std::string stored =
            fmt::format("{}/{}/{}", folder_of(taken_.manifest.name), beside_folder, name);
        Step uncounted;
        TRY(FileSums sums,
            store_file(scratch / name, *depot_, stored, size, uncounted, options_->before_step));
        taken_.manifest.beside.push_back(
            {.name = name, .stored = std::move(stored), .sums = std::move(sums)}
        );
        return {};
    }

    Depot* depot_;
    const Source* source_;
    const Clock* clock_;
    const TakeOptions* options_;
    Older older_;
    std::map<std::string, StoredFile> known_;
    Step step_;
    Taken taken_;
};

}  // namespace

Result<Taken> take(const Source& source, const Clock& clock, const TakeOptions& options) {
    Depot& depot = *options.depot;
    TRY_VOID(open_place(depot));
    Listing listing;
    TRY(const auto backups, depot.list(backups_folder));
    if (!backups.empty()) {
        TRY(listing, list(depot));
    }
    TRY_VOID(check_deployment(listing, source, depot));
    TRY_VOID(sweep(depot, options.before_step));
    // Names have the order of time, also where a clock was put back.
    Instant now = clock.now();
    if (!listing.whole.empty()) {
        now = std::max(now, listing.whole.back().taken + std::chrono::microseconds{1});
    }
    Taking taking{
        source,
        clock,
        options,
        {.name = name_of(now),
         .deployment = source.deployment,
         .format = source.format,
         .taken = now,
         .log_id = source.log_id,
         .log_records = source.log_records,
         .keyspace = source.keyspace,
         .snapshot = source.snapshot}
    };
    TRY(Taken taken, taking.run(listing));
    if (options.keep) {
        TRY(taken.removed, retire(depot, *options.keep, options.before_step));
    }
    return taken;
}

}  // namespace footfall::backup
