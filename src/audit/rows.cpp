#include "audit/rows.h"

#include "audit/schema.h"
#include "foundation/check.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::audit {
namespace {

using storage::Batch;
using storage::Rows;
using storage::Store;
using storage::Value;

/// A tile holds every eighth level.
constexpr unsigned levels_a_tile = 8;

std::int64_t stored_number(std::uint64_t number) {
    return static_cast<std::int64_t>(number);
}

std::int64_t stored_time(Instant time) {
    return time.time_since_epoch().count();
}

Instant time_of(std::int64_t stored) {
    return Instant{std::chrono::microseconds{stored}};
}

std::string joined(std::span<const Hash> hashes) {
    std::string bytes;
    bytes.reserve(hashes.size() * Hash{}.size());
    for (const Hash& each : hashes) {
        bytes += bytes_of(each);
    }
    return bytes;
}

Result<StoredEntry> entry_of(const Rows& rows, std::size_t row) {
    StoredEntry stored{
        .entry =
            {.number = static_cast<std::uint64_t>(rows.at(row, 2).number()),
             .time = time_of(rows.at(row, 3).number()),
             .kind = std::string{rows.at(row, 4).text()},
             .author = std::string{rows.at(row, 5).text()},
             .detail = std::string{rows.at(row, 6).text()},
             .people = {}},
        .leaf = {}
    };
    const auto corrupt = [&] {
        return fail(
            ErrorKind::corrupt,
            fmt::format("entry {} of the audit log has no whole hashes", stored.entry.number)
        );
    };
    std::string_view people = rows.at(row, 7).text();
    constexpr std::size_t width = Hash{}.size();
    if (people.size() % width != 0) {
        return corrupt();
    }
    for (; !people.empty(); people.remove_prefix(width)) {
        TRY(stored.entry.people.emplace_back(), hash_from(people.substr(0, width)));
    }
    const auto leaf = hash_from(rows.at(row, 8).text());
    if (!leaf) {
        return corrupt();
    }
    stored.leaf = *leaf;
    return stored;
}

SignedHead head_of(const Rows& rows, std::size_t row, const Hash& root) {
    return {
        .head = {.size = static_cast<std::uint64_t>(rows.at(row, 2).number()), .root = root},
        .when = time_of(rows.at(row, 4).number()),
        .checkpoint = std::string{rows.at(row, 5).text()},
        .vkey = std::string{rows.at(row, 6).text()}
    };
}

/// The rows that the root of this subtree is made of: those of one tile, side by side.
storage::RangeQuery rows_below(std::string_view log, const Subtree& subtree) {
    const unsigned level = subtree.level / levels_a_tile;
    const unsigned within = subtree.level % levels_a_tile;
    const std::uint64_t first = subtree.index << within;
    const std::uint64_t count = std::uint64_t{1} << within;
    return {
        .table = &audit_hash_table,
        .partition = {std::string{log}, std::int64_t{level}, stored_number(first / tile_width)},
        .from = {stored_number(first % tile_width)},
        .through = {stored_number(first % tile_width + count - 1)},
        .max_rows = tile_width
    };
}

/// The root above hashes of which there are as many as a power of two.
Hash root_above(std::vector<Hash> hashes) {
    while (hashes.size() > 1) {
        for (std::size_t at = 0; at < hashes.size() / 2; ++at) {
            hashes[at] = node_hash(hashes[2 * at], hashes[2 * at + 1]);
        }
        hashes.resize(hashes.size() / 2);
    }
    return hashes.front();
}

}  // namespace

std::vector<Value> entry_row(
    std::string_view log, const Entry& entry, const Hash& leaf, std::uint64_t writer
) {
    return {
        std::string{log},
        stored_number(entry.number / tile_width),
        stored_number(entry.number),
        stored_time(entry.time),
        entry.kind,
        entry.author,
        entry.detail,
        joined(entry.people),
        std::string{bytes_of(leaf)},
        stored_number(writer)
    };
}

void put_entry(Batch& batch, std::string_view log, const Entry& entry, const Hash& leaf) {
    batch.upsert(
        audit_entry_table,
        {log,
         stored_number(entry.number / tile_width),
         stored_number(entry.number),
         stored_time(entry.time),
         entry.kind,
         entry.author,
         entry.detail,
         joined(entry.people),
         bytes_of(leaf),
         std::int64_t{0}}
    );
}

void put_subtree(Batch& batch, std::string_view log, const Subtree& subtree, const Hash& hash) {
    if (subtree.level % levels_a_tile != 0) {
        return;
    }
    batch.upsert(
        audit_hash_table,
        {log,
         std::int64_t{subtree.level / levels_a_tile},
         stored_number(subtree.index / tile_width),
         stored_number(subtree.index % tile_width),
         bytes_of(hash)}
    );
}

void put_head(Batch& batch, std::string_view log, const SignedHead& head) {
    batch.upsert(
        audit_head_table,
        {newest_heads,
         log,
         stored_number(head.head.size),
         bytes_of(head.head.root),
         stored_time(head.when),
         head.checkpoint,
         head.vkey}
    );
}

Result<std::vector<StoredEntry>> read_entries(
    Store& store, std::string_view log, std::uint64_t from, std::size_t most
) {
    std::vector<StoredEntry> entries;
    for (std::uint64_t chunk = from / tile_width; entries.size() < most; ++chunk) {
        const std::uint64_t first = std::max(from, chunk * tile_width);
        TRY(const Rows rows,
            storage::read_all(
                store,
                {.table = &audit_entry_table,
                 .partition = {std::string{log}, stored_number(chunk)},
                 .from = {stored_number(first)}}
            ));
        if (rows.empty()) {
            break;
        }
        for (std::size_t row = 0; row < rows.size() && entries.size() < most; ++row) {
            TRY(StoredEntry entry, entry_of(rows, row));
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

Result<std::vector<Hash>> read_subtrees(
    Store& store, std::string_view log, std::span<const Subtree> subtrees
) {
    std::vector<storage::RangeQuery> queries;
    queries.reserve(subtrees.size());
    for (const Subtree& each : subtrees) {
        queries.push_back(rows_below(log, each));
    }
    TRY(const std::vector<storage::Page> pages, storage::read_pages(store, std::move(queries)));
    std::vector<Hash> roots;
    roots.reserve(subtrees.size());
    for (std::size_t at = 0; at < pages.size(); ++at) {
        const Rows& rows = pages[at].rows;
        std::vector<Hash> hashes;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            TRY(hashes.emplace_back(), hash_from(rows.at(row, 4).text()));
        }
        if (hashes.size() != std::size_t{1} << subtrees[at].level % levels_a_tile) {
            return fail(
                ErrorKind::corrupt,
                fmt::format(
                    "the audit log {} has not all hashes of the entries from {} on",
                    log,
                    subtrees[at].index << subtrees[at].level
                )
            );
        }
        roots.push_back(root_above(std::move(hashes)));
    }
    return roots;
}

Result<std::vector<std::pair<std::uint64_t, Hash>>> read_tile(
    Store& store, std::string_view log, unsigned level, std::uint64_t tile
) {
    TRY(const Rows rows,
        storage::read_all(
            store,
            {.table = &audit_hash_table,
             .partition = {std::string{log}, std::int64_t{level}, stored_number(tile)}}
        ));
    std::vector<std::pair<std::uint64_t, Hash>> hashes;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        TRY(const Hash hash, hash_from(rows.at(row, 4).text()));
        hashes.emplace_back(static_cast<std::uint64_t>(rows.at(row, 3).number()), hash);
    }
    return hashes;
}

Result<std::optional<SignedHead>> read_head(Store& store, std::string_view log) {
    TRY(const auto found,
        storage::read_many(store, audit_head_table, {{std::string{newest_heads}, std::string{log}}})
    );
    const std::optional<std::size_t> at = found.row_of_key.front();
    if (!at) {
        return std::nullopt;
    }
    const std::size_t row = *at;
    TRY(const Hash root, hash_from(found.rows.at(row, 3).text()));
    return head_of(found.rows, row, root);
}

Result<std::vector<std::pair<std::string, SignedHead>>> read_heads(Store& store) {
    TRY(const Rows rows,
        storage::read_all(
            store, {.table = &audit_head_table, .partition = {std::string{newest_heads}}}
        ));
    std::vector<std::pair<std::string, SignedHead>> heads;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        TRY(const Hash root, hash_from(rows.at(row, 3).text()));
        heads.emplace_back(std::string{rows.at(row, 1).text()}, head_of(rows, row, root));
    }
    return heads;
}

}  // namespace footfall::audit
