#include "backup/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace footfall::backup {
namespace {

/// Whether something in the topmost folder is of a place of backups; of one that was cut short
/// before its first backup, too.
bool is_ours(std::string_view name) {
    constexpr std::array<std::string_view, 3> ours{"lock", files_folder, backups_folder};
    return std::ranges::find(ours, name) != ours.end();
}

}  // namespace

Result<Listing> list(Depot& depot) {
    TRY(const auto top, depot.list(""));
    if (std::ranges::none_of(top, is_ours, &Depot::Entry::name)) {
        return fail(
            ErrorKind::not_found,
            fmt::format("{} holds no backups; `footfall backup --to` makes one", depot.where(""))
        );
    }
    Listing listing;
    std::optional<Error> other_key;
    TRY(const auto backups, depot.list(backups_folder));
    for (const Depot::Entry& each : backups) {
        Result<Manifest> manifest = read_manifest(depot, each.name);
        if (manifest) {
            listing.whole.push_back(*std::move(manifest));
            continue;
        }
        switch (manifest.error().kind) {
            case ErrorKind::not_found:
                break;
            case ErrorKind::invalid_input:
                other_key = manifest.error();
                [[fallthrough]];
            case ErrorKind::corrupt:
            case ErrorKind::conflict:
                listing.unusable.push_back(manifest.error().message);
                break;
            default:
                return std::unexpected(std::move(manifest).error());
        }
    }
    if (listing.whole.empty() && other_key) {
        return std::unexpected(*std::move(other_key));
    }
    return listing;
}

Result<Manifest> find(Depot& depot, std::string_view name) {
    TRY(Listing listing, list(depot));
    const auto found = name.empty() && !listing.whole.empty()
                           ? std::prev(listing.whole.end())
                           : std::ranges::find(listing.whole, name, &Manifest::name);
    if (found == listing.whole.end()) {
        std::string why = fmt::format(
            "{} holds no whole backup{}{}", depot.where(""), name.empty() ? "" : " named ", name
        );
        for (const std::string& text : listing.unusable) {
            why += "; " + text;
        }
        return fail(ErrorKind::not_found, why);
    }
    return std::move(*found);
}

Result<void> open_place(Depot& depot) {
    TRY(const auto top, depot.list(""));
    for (const Depot::Entry& each : top) {
        if (!is_ours(each.name)) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "{} holds something else than backups ({}): choose an empty or a new directory",
                    depot.where(""),
                    each.name
                )
            );
        }
    }
    return depot.prepare();
}

Result<std::size_t> retire(Depot& depot, std::size_t keep, const BeforeStep& before_step) {
    TRY(const Listing listing, list(depot));
    const std::size_t count = listing.whole.size() - std::min(keep, listing.whole.size());
    for (std::size_t at = 0; at < count; ++at) {
        TRY_VOID(before_step({}));
        // Its list goes first, and for good: from then on it is no whole backup.
        TRY_VOID(depot.remove_file(manifest_name(listing.whole[at].name)));
    }
    TRY_VOID(sweep(depot, before_step));
    return count;
}

Result<void> sweep(Depot& depot, const BeforeStep& before_step) {
    TRY(const auto folders, depot.list(backups_folder));
    Listing listing;  // none where a first backup was cut short before it had a folder
    if (!folders.empty()) {
        TRY(listing, list(depot));
    }
    if (!listing.unusable.empty()) {
        return {};
    }
    std::set<std::string> named;
    std::set<std::string> whole;
    for (const Manifest& manifest : listing.whole) {
        whole.insert(manifest.name);
        manifest.for_each_file([&](const StoredFile& file) { named.insert(file.stored); });
    }
    for (const Depot::Entry& folder : folders) {
        if (!whole.contains(folder.name)) {
            TRY_VOID(before_step({}));
            TRY_VOID(depot.remove_folder(folder_of(folder.name)));
        }
    }
    TRY(const auto stored, depot.list(files_folder));
    for (const Depot::Entry& file : stored) {
        const std::string name = fmt::format("{}/{}", files_folder, file.name);
        if (!named.contains(name)) {
            TRY_VOID(before_step({}));
            TRY_VOID(depot.remove_file(name));
        }
    }
    return {};
}

}  // namespace footfall::backup
