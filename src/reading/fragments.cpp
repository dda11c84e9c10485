#include "reading/fragments.h"

#include "reading/schema.h"
#include "reading/url_readers.h"
#include "storage/blocking.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace footfall::reading {
namespace {

/// From `first` on all rows become that one.
Result<void> merge_rows(const storage::Rows& rows, std::size_t first, storage::Batch& batch) {
    std::vector<UrlRead> reads;
    std::int64_t expires = 0;
    for (std::size_t row = first; row < rows.size(); ++row) {
        TRY_VOID(take_reads(rows.at(row, 4).text(), reads));
        expires = std::max(expires, rows.at(row, 6).number());
        if (row > first) {
            batch.erase(
                read_url_table, {rows.at(row, 0), rows.at(row, 1), rows.at(row, 2), rows.at(row, 3)}
            );
        }
    }
    const auto who_and_when = [](const UrlRead& each) {
        return std::tie(each.reader, each.quarter);
    };
    std::ranges::sort(reads, {}, who_and_when);
    const auto repeated = std::ranges::unique(reads, {}, who_and_when);
    reads.erase(repeated.begin(), repeated.end());
    std::string readers;
    append_reads(reads, readers);
    batch.upsert(
        read_url_table,
        {rows.at(first, 0),
         rows.at(first, 1),
         rows.at(first, 2),
         rows.at(first, 3),
         readers,
         rows.at(rows.size() - 1, 5),
         expires}
    );
    return {};
}

}  // namespace

bool FragmentCounts::note(std::uint64_t url, people::UtcDay day) {
    const std::uint64_t mixed = (url + static_cast<std::uint64_t>(day)) * 0x9E37'79B9'7F4A'7C15;
    std::uint8_t& count = counts_[mixed >> 48];
    if (++count < looked_at_after) {
        return false;
    }
    count = 0;
    return true;
}

std::size_t merged_from(std::span<const std::size_t> sizes) {
    if (sizes.empty()) {
        return 0;
    }
    std::size_t first = sizes.size() - 1;
    std::size_t behind = sizes[first];
    while (first > 0 && sizes[first - 1] <= 2 * behind) {
        --first;
        behind += sizes[first];
    }
    return first;
}

Result<void> merge_fragments(
    storage::Store& store,
    std::string_view writer,
    std::span<const Fragment> fragments,
    storage::Batch& batch
) {
    std::vector<storage::RangeQuery> queries;
    for (const Fragment& each : fragments) {
        const std::vector<storage::Value> of_writer{std::int64_t{each.day}, std::string{writer}};
        queries.push_back(
            {.table = &read_url_table,
             .partition = {static_cast<std::int64_t>(each.url)},
             .from = of_writer,
             .through = of_writer}
        );
    }
    return storage::read_each(
        store,
        std::move(queries),
        [&](std::size_t at, const storage::Rows& rows) -> Result<void> {
            const auto from = static_cast<std::int64_t>(fragments[at].from);
            if (rows.empty() || rows.at(rows.size() - 1, 3).number() >= from) {
                return {};
            }
            std::vector<std::size_t> sizes;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                sizes.push_back(rows.at(row, 4).text().size());
            }
            const std::size_t first = merged_from(sizes);
            return first + 1 < rows.size() ? merge_rows(rows, first, batch) : Result<void>{};
        }
    );
}

}  // namespace footfall::reading
