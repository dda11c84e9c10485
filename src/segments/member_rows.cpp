#include "segments/member_rows.h"

#include "foundation/hex.h"
#include "foundation/parse_number.h"
#include "identities/schema.h"
#include "identities/stored_ids.h"
#include "identities/stored_instant.h"
#include "identities/timed_notes.h"
#include "segments/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace footfall::segments {
namespace {

// Of segment_member.
constexpr std::size_t member_id_column = 2;
constexpr std::size_t member_expires_column = 5;
// Of segment_of.
constexpr std::size_t of_segment_column = 3;
constexpr std::size_t of_expires_column = 4;

struct MembersCursor {
    std::int64_t bucket = 0;
    std::string continuation;
};

/// "17:" and the continuation in hexadecimal digits.
std::string text_of(const MembersCursor& cursor) {
    return fmt::format("{}:{}", cursor.bucket, hex(cursor.continuation));
}

std::optional<MembersCursor> members_cursor(std::string_view text) {
    MembersCursor cursor;
    if (text.empty()) {
        return cursor;
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const auto bucket = parse_unsigned(text.substr(0, colon));
    auto bytes = unhex(text.substr(colon + 1));
    if (!bucket || !bytes || *bucket >= std::uint64_t{member_buckets}) {
        return std::nullopt;
    }
    cursor.bucket = static_cast<std::int64_t>(*bucket);
    cursor.continuation = *std::move(bytes);
    return cursor;
}

/// Of a bucket, and of some behind it.
std::vector<storage::RangeQuery> queries_of_members(
    std::int64_t segment, const MembersCursor& at, std::int64_t buckets, std::size_t most
) {
    const std::int64_t end = std::min(member_buckets, at.bucket + buckets);
    std::vector<storage::RangeQuery> queries;
    for (std::int64_t bucket = at.bucket; bucket < end; ++bucket) {
        queries.push_back(
            {.table = &segment_member_table,
             .partition = {segment, bucket},
             .max_rows = most,
             .continuation = at.continuation}
        );
    }
    return queries;
}

void add_members_in(const storage::Rows& rows, std::vector<Member>& members) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto text = [&](std::size_t column) {
            return std::string{rows.at(row, member_id_column + column).text()};
        };
        const std::int64_t expires = rows.at(row, member_expires_column).number();
        members.push_back(
            {.id = {text(0), text(1), text(2)},
             .expires = expires == 0 ? std::nullopt : std::optional{identities::instant_of(expires)}
            }
        );
    }
}

}  // namespace

std::int64_t bucket_of(const identities::Id& id) {
    return static_cast<std::int64_t>(identities::hash_of(id) % std::uint64_t{member_buckets});
}

void add_member(
    std::int64_t segment,
    const Member& member,
    Instant since,
    std::string_view source,
    storage::Batch& batch
) {
    const identities::Id& id = member.id;
    const std::int64_t expires = member.expires ? identities::microseconds_of(*member.expires) : 0;
    batch.upsert(
        segment_member_table,
        {segment,
         bucket_of(id),
         id.identifier,
         id.id_name,
         id.id_value,
         expires,
         identities::microseconds_of(since),
         source}
    );
    batch.upsert(segment_of_table, {id.identifier, id.id_name, id.id_value, segment, expires});
}

void erase_member(std::int64_t segment, const identities::Id& id, storage::Batch& batch) {
    batch.erase(
        segment_member_table, {segment, bucket_of(id), id.identifier, id.id_name, id.id_value}
    );
    batch.erase(segment_of_table, {id.identifier, id.id_name, id.id_value, segment});
}

void add_noted_ids(
    Instant at, std::int64_t token, std::span<const identities::Id> ids, storage::Batch& batch
) {
    identities::add_timed_note(
        segment_noted_table,
        at,
        token,
        identities::stored_text(std::vector<identities::Id>{ids.begin(), ids.end()}),
        batch
    );
}

bool is_live(std::int64_t expires, Instant now) {
    return expires == 0 || expires > identities::microseconds_of(now);
}

std::vector<storage::ValueView> partitions_of(std::span<const identities::Id* const> ids) {
    constexpr std::size_t columns = 3;
    std::vector<storage::ValueView> partitions;
    partitions.reserve(ids.size() * columns);
    for (const identities::Id* const each : ids) {
        partitions.emplace_back(each->identifier);
        partitions.emplace_back(each->id_name);
        partitions.emplace_back(each->id_value);
    }
    return partitions;
}

Result<std::vector<std::vector<Membership>>> read_memberships(
    storage::Store& store, std::span<const identities::Id> ids, Instant now
) {
    std::vector<const identities::Id*> pointers;
    pointers.reserve(ids.size());
    for (const identities::Id& each : ids) {
        pointers.push_back(&each);
    }
    return read_memberships(store, pointers, now);
}

Result<std::vector<std::vector<Membership>>> read_memberships(
    storage::Store& store, std::span<const identities::Id* const> ids, Instant now
) {
    std::vector<std::vector<Membership>> of_ids(ids.size());
    TRY_VOID(storage::read_partitions(
        store,
        segment_of_table,
        partitions_of(ids),
        [&](std::size_t at, const storage::Rows& rows, storage::PartitionsFound::Place place
        ) -> Result<void> {
            for (std::size_t row = place.first; row < place.end; ++row) {
                const std::int64_t expires = rows.at(row, of_expires_column).number();
                if (is_live(expires, now)) {
                    of_ids[at].push_back(
                        {.segment = rows.at(row, of_segment_column).number(), .expires = expires}
                    );
                }
            }
            return {};
        }
    ));
    return of_ids;
}

Result<Listed<Member>> read_members(
    storage::Store& store, std::int64_t segment, std::string_view cursor, std::size_t most
) {
    auto at = members_cursor(cursor);
    if (!at) {
        return fail(ErrorKind::invalid_input, "this cursor is not one that was answered");
    }
    constexpr std::int64_t buckets_at_once = 16;
    Listed<Member> listed;
    std::int64_t buckets = 1;
    while (listed.rows.size() < most && at->bucket < member_buckets) {
        const std::size_t left = most - listed.rows.size();
        TRY(std::vector<storage::Page> pages,
            storage::read_pages(store, queries_of_members(segment, *at, buckets, left)));
        for (storage::Page& page : pages) {
            if (page.rows.size() > most - listed.rows.size()) {
                break;
            }
            add_members_in(page.rows, listed.rows);
            // Where buckets have few members, as in a small segment, several are read at once.
            const bool is_small = page.rows.size() * buckets_at_once < left;
            buckets = is_small && page.continuation.empty() ? buckets_at_once : 1;
            at->continuation = std::move(page.continuation);
            if (!at->continuation.empty()) {
                break;
            }
            ++at->bucket;
        }
    }
    if (at->bucket < member_buckets) {
        listed.cursor = text_of(*at);
    }
    return listed;
}

}  // namespace footfall::segments
