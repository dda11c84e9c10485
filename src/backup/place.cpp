#include "backup/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

namespace footfall::backup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view lock_name = "lock";
constexpr std::string_view files_folder = "files";
constexpr std::string_view backups_folder = "backups";

std::unexpected<Error> cannot(
    std::string_view what, const fs::path& path, const std::error_code& why
) {
    return fail(
        ErrorKind::unavailable, fmt::format("cannot {} {}: {}", what, path.string(), why.message())
    );
}

Result<void> make_folder(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    return error ? Result<void>{cannot("make", path, error)} : Result<void>{};
}

/// The names in a folder, in order.
Result<std::vector<std::string>> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator entry{folder, error};
    for (; !error && entry != fs::directory_iterator{}; entry.increment(error)) {
        names.push_back(entry->path().filename().string());
    }
    if (error) {
        return cannot("list", folder, error);
    }
    std::ranges::sort(names);
    return names;
}

Result<void> remove_all_of(const fs::path& path, const BeforeStep& before_step) {
    TRY_VOID(before_step({}));
    std::error_code error;
    fs::remove_all(path, error);
    return error ? Result<void>{cannot("remove", path, error)} : Result<void>{};
}

}  // namespace

fs::path folder_of(const fs::path& place, std::string_view name) {
    return place / backups_folder / name;
}

Result<Listing> list(const fs::path& place) {
    if (!fs::exists(place / backups_folder)) {
        return fail(
            ErrorKind::not_found,
            fmt::format("{} holds no backups; `footfall backup --to` makes one", place.string())
        );
    }
    Listing listing;
    TRY(const auto names, names_in(place / backups_folder));
    for (const std::string& name : names) {
        Result<Manifest> manifest = read_manifest(folder_of(place, name));
        if (manifest) {
            listing.whole.push_back(*std::move(manifest));
        } else if (manifest.error().kind != ErrorKind::not_found) {
            listing.unusable.push_back(std::move(manifest).error().message);
        }
    }
    return listing;
}

Result<Manifest> find(const fs::path& place, std::string_view name) {
    TRY(Listing listing, list(place));
    const auto found = name.empty() && !listing.whole.empty()
                           ? std::prev(listing.whole.end())
                           : std::ranges::find(listing.whole, name, &Manifest::name);
    if (found == listing.whole.end()) {
        std::string why = fmt::format(
            "{} holds no whole backup{}{}", place.string(), name.empty() ? "" : " named ", name
        );
        for (const std::string& text : listing.unusable) {
            why += "; " + text;
        }
        return fail(ErrorKind::not_found, why);
    }
    return std::move(*found);
}

Result<Place> Place::open(const fs::path& path) {
    if (fs::exists(path) && !fs::exists(path / backups_folder)) {
        TRY(const auto names, names_in(path));
        // A first backup may have been cut short before it made the folder.
        const bool ours = std::ranges::all_of(names, [](const std::string& name) {
            return name == lock_name || name == files_folder;
        });
        if (!ours) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "{} holds something else than backups ({}): choose an empty or a new directory",
                    path.string(),
                    names.front()
                )
            );
        }
    }
    TRY_VOID(make_folder(path));
    TRY(moving::File lock, moving::File::create(path / lock_name));
    TRY_VOID(lock.lock());
    TRY_VOID(make_folder(path / files_folder));
    TRY_VOID(make_folder(path / backups_folder));
    TRY_VOID(moving::sync_directory(path));
    return Place{path, std::move(lock)};
}

fs::path Place::files() const {
    return path_ / files_folder;
}

Result<std::size_t> Place::retire(std::size_t keep, const BeforeStep& before_step) const {
    TRY(const Listing listing, list(path_));
    const std::size_t count = listing.whole.size() - std::min(keep, listing.whole.size());
    for (std::size_t at = 0; at < count; ++at) {
        const fs::path folder = folder_of(path_, listing.whole[at].name);
        TRY_VOID(before_step({}));
        // Its list goes first, and for good: from then on it is no whole backup.
        std::error_code error;
        fs::remove(manifest_path(folder), error);
        if (error) {
            return cannot("remove", manifest_path(folder), error);
        }
        TRY_VOID(moving::sync_directory(folder));
    }
    TRY_VOID(sweep(before_step));
    return count;
}

Result<void> Place::sweep(const BeforeStep& before_step) const {
    TRY(const Listing listing, list(path_));
    if (!listing.unusable.empty()) {
        return {};
    }
    std::set<std::string> named;
    std::set<std::string> whole;
    for (const Manifest& manifest : listing.whole) {
        whole.insert(manifest.name);
        manifest.for_each_file([&](const StoredFile& file) { named.insert(file.stored); });
    }
    TRY(const auto folders, names_in(path_ / backups_folder));
    for (const std::string& name : folders) {
        if (!whole.contains(name)) {
            TRY_VOID(remove_all_of(folder_of(path_, name), before_step));
        }
    }
    TRY(const auto stored, names_in(files()));
    for (const std::string& name : stored) {
        if (!named.contains(fmt::format("{}/{}", files_folder, name))) {
            TRY_VOID(remove_all_of(files() / name, before_step));
        }
    }
    return {};
}

}  // namespace footfall::backup
