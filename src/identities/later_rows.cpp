#include "identities/later_rows.h"

#include "identities/schema.h"
#include "identities/stored_ids.h"
#include "identities/stored_instant.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace footfall::identities {
namespace {

enum LaterColumn : std::size_t {
    later_token_column = 1,
    later_reason_column,
    later_ids_column,
    later_tries_column,
    later_due_column,
    later_version_column
};

constexpr std::int64_t later_buckets = 16;

constexpr std::array<std::string_view, later_reasons> reason_names{"said", "decided", "guards"};

/// Tokens of one process follow each other.
std::int64_t later_bucket(std::int64_t token) {
    return token % later_buckets;
}

Result<Later> read_later_row(const storage::Rows& rows, std::size_t row) {
    Later later{
        .token = rows.at(row, later_token_column).number(),
        .wait =
            {.tries = rows.at(row, later_tries_column).number(),
             .due = instant_of(rows.at(row, later_due_column).number()),
             .version = rows.at(row, later_version_column).number()}
    };
    const std::string_view reason = rows.at(row, later_reason_column).text();
    const auto* const named = std::ranges::find(reason_names, reason);
    if (named == reason_names.end()) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("a row of identities is damaged, or of a newer version: reason {}", reason)
        );
    }
    later.reason = static_cast<LaterReason>(named - reason_names.begin());
    TRY(later.ids, read_stored_ids(rows.at(row, later_ids_column).text()));
    return later;
}

}  // namespace

void add_later(const Later& later, storage::Batch& batch) {
    batch.upsert(
        identity_later_table,
        {later_bucket(later.token),
         later.token,
         reason_names.at(static_cast<std::size_t>(later.reason)),
         stored_text(later.ids),
         later.wait.tries,
         microseconds_of(later.wait.due),
         later.wait.version}
    );
}

void erase_later(std::int64_t token, storage::Batch& batch) {
    batch.erase(identity_later_table, {later_bucket(token), token});
}

Result<std::vector<Later>> read_later(storage::Store& store, std::size_t ids_max) {
    std::vector<storage::RangeQuery> left;
    left.reserve(later_buckets);
    for (std::int64_t bucket = 0; bucket < later_buckets; ++bucket) {
        left.push_back(
            {.table = &identity_later_table,
             .partition = {bucket},
             .max_rows = 64,
             .max_bytes = 1 << 20}
        );
    }
    std::vector<Later> all;
    std::size_t ids = 0;
    while (!left.empty() && ids < ids_max) {
        TRY(std::vector<storage::Page> pages, storage::read_pages(store, left));
        std::vector<storage::RangeQuery> next;
        for (std::size_t at = 0; at < pages.size(); ++at) {
            const storage::Rows& rows = pages[at].rows;
            for (std::size_t row = 0; row < rows.size() && ids < ids_max; ++row) {
                TRY(Later later, read_later_row(rows, row));
                ids += later.ids.size();
                all.push_back(std::move(later));
            }
            if (!pages[at].continuation.empty()) {
                left[at].continuation = std::move(pages[at].continuation);
                next.push_back(std::move(left[at]));
            }
        }
        left = std::move(next);
    }
    return all;
}

}  // namespace footfall::identities
