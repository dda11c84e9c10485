#include "audit/log.h"
#include "audit/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::audit {
namespace {

/// Levels above have no tiles: 256^8 entries are all that can be numbered.
constexpr unsigned tile_levels = 8;

std::unexpected<Error> beyond_head(std::uint64_t size) {
    return fail(ErrorKind::invalid_input, fmt::format("the newest head has {} entries", size));
}

}  // namespace

Result<std::vector<Entry>> Log::entries(std::uint64_t from, std::size_t most) {
    TRY(const SignedHead head, this->head());
    if (from >= head.head.size) {
        return std::vector<Entry>{};
    }
    const auto count = std::min<std::uint64_t>(most, head.head.size - from);
    TRY(std::vector<StoredEntry> stored,
        read_entries(*store_, name_, from, static_cast<std::size_t>(count)));
    std::vector<Entry> entries;
    entries.reserve(stored.size());
    for (StoredEntry& each : stored) {
        entries.push_back(std::move(each.entry));
    }
    return entries;
}

Result<std::vector<std::optional<Opened>>> Log::opened(std::span<const Hash> commitments) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(commitments.size());
    for (const Hash& each : commitments) {
        keys.push_back({std::string{bytes_of(each)}});
    }
    std::vector<std::optional<Opened>> opened(commitments.size());
    if (keys.empty()) {
        return opened;
    }
    TRY(const storage::Found found,
        storage::read_many(*store_, audit_secret_table, std::move(keys)));
    for (std::size_t at = 0; at < opened.size(); ++at) {
        if (const auto row = found.row_of_key[at]) {
            opened[at] = Opened{
                .salt = std::string{found.rows.at(*row, 1).text()},
                .payload = std::string{found.rows.at(*row, 2).text()}
            };
        }
    }
    return opened;
}

Result<void> Log::check_size(std::uint64_t size) {
    TRY(const SignedHead newest, head());
    return size <= newest.head.size ? Result<void>{} : beyond_head(newest.head.size);
}

Result<std::vector<Hash>> Log::proof(const ProofParts& parts) {
    return proof_of(parts, [&](std::span<const Subtree> subtrees) {
        return read_subtrees(*store_, name_, subtrees);
    });
}

Result<std::vector<Hash>> Log::inclusion(std::uint64_t entry, std::uint64_t size) {
    TRY_VOID(check_size(size));
    if (entry >= size) {
        return fail(ErrorKind::invalid_input, "an entry is below the size of the tree");
    }
    return proof(inclusion_parts(entry, size));
}

Result<std::vector<Hash>> Log::consistency(std::uint64_t from, std::uint64_t to) {
    TRY_VOID(check_size(to));
    if (from > to) {
        return fail(ErrorKind::invalid_input, "the older tree is no larger than the newer one");
    }
    return from == 0 ? std::vector<Hash>{} : proof(consistency_parts(from, to));
}

Result<std::string> Log::tile(unsigned level, std::uint64_t tile, std::uint64_t width) {
    TRY(const SignedHead newest, head());
    const bool is_there = level < tile_levels && width > 0 && width <= tile_width &&
                          tile < (newest.head.size >> (8 * level)) / tile_width + 1 &&
                          tile * tile_width + width <= newest.head.size >> (8 * level);
    if (!is_there) {
        return fail(ErrorKind::not_found, "there is no such tile under the newest head");
    }
    TRY(const auto hashes, read_tile(*store_, name_, level, tile));
    std::string bytes;
    for (std::uint64_t place = 0; place < width; ++place) {
        if (place >= hashes.size() || hashes[place].first != place) {
            return fail(ErrorKind::corrupt, "a hash of the audit log is not there");
        }
        bytes += bytes_of(hashes[place].second);
    }
    return bytes;
}

Result<std::string> Log::bundle(std::uint64_t tile, std::uint64_t width) {
    TRY(const SignedHead newest, head());
    if (width == 0 || width > tile_width || tile > newest.head.size / tile_width ||
        tile * tile_width + width > newest.head.size) {
        return fail(ErrorKind::not_found, "there is no such bundle under the newest head");
    }
    const std::uint64_t first = tile * tile_width;
    TRY(const std::vector<StoredEntry> stored, read_entries(*store_, name_, first, width));
    std::string bytes;
    for (std::uint64_t place = 0; place < width; ++place) {
        if (place >= stored.size() || stored[place].entry.number != first + place) {
            return fail(ErrorKind::corrupt, fmt::format("entry {} is not there", first + place));
        }
        const std::string entry = entry_bytes(stored[place].entry);
        bytes += static_cast<char>(entry.size() >> 8 & 0xff);
        bytes += static_cast<char>(entry.size() & 0xff);
        bytes += entry;
    }
    return bytes;
}

}  // namespace footfall::audit
