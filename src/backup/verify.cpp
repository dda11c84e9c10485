#include "backup/verify.h"

#include "backup/place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string_view>
#include <utility>

namespace footfall::backup {
namespace {

/// A file as the lists have it, and which ones do.
struct Named {
    FileSums sums;
    std::vector<std::string> backups;
};

/// By where it lies. Lists that say different things of one file have two entries.
using Files = std::multimap<std::string, Named>;

void note_file(const StoredFile& file, const std::string& backup, Files& files) {
    const auto [begin, end] = files.equal_range(file.stored);
    for (auto at = begin; at != end; ++at) {
        if (at->second.sums == file.sums) {
            at->second.backups.push_back(backup);
            return;
        }
    }
    files.emplace(file.stored, Named{.sums = file.sums, .backups = {backup}});
}

/// Why a file that cannot be read through is damaged; absent: it is sound.
Result<std::optional<std::string>> damage_of(
    Depot& depot,
    const std::string& name,
    const FileSums& sums,
    Step& step,
    const BeforeStep& before_step
) {
    Result<FileSums> found = sum_file(depot, name, step, before_step);
    if (found) {
        const auto what = difference(sums, *found);
        return what ? std::optional{fmt::format("{} {}", depot.where(name), *what)} : std::nullopt;
    }
    if (found.error().kind == ErrorKind::cancelled) {
        return std::unexpected(std::move(found).error());
    }
    return std::optional{std::move(found).error().message};
}

}  // namespace

Result<Verified> verify(Depot& depot, std::string_view name, const BeforeStep& before_step) {
    Verified verified;
    std::vector<Manifest> manifests;
    if (name.empty()) {
        TRY(Listing listing, list(depot));
        manifests = std::move(listing.whole);
        verified.damage = std::move(listing.unusable);
        if (manifests.empty() && verified.damage.empty()) {
            return fail(
                ErrorKind::not_found, fmt::format("{} holds no whole backup", depot.where(""))
            );
        }
    } else {
        TRY(Manifest manifest, find(depot, name));
        manifests.push_back(std::move(manifest));
    }
    Files files;
    Step step;
    for (const Manifest& manifest : manifests) {
        manifest.for_each_file([&](const StoredFile& file) {
            note_file(file, manifest.name, files);
        });
    }
    for (const auto& [stored, named] : files) {
        step.bytes_total += named.sums.size;
    }
    for (const auto& [stored, named] : files) {
        TRY(const auto damage, damage_of(depot, stored, named.sums, step, before_step));
        if (damage) {
            verified.damage.push_back(
                fmt::format("{} (of the backup {})", *damage, fmt::join(named.backups, ", "))
            );
        }
    }
    verified.backups = manifests.size();
    verified.files = files.size();
    verified.bytes = step.bytes_done;
    return verified;
}

}  // namespace footfall::backup
