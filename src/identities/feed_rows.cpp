#include "identities/feed_rows.h"

#include "identities/schema.h"
#include "identities/stored_ids.h"
#include "identities/stored_instant.h"
#include "storage/blocking.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace footfall::identities {
namespace {

namespace json = boost::json;

constexpr unsigned records_of_bucket_bits = 16;

/// The only partition of identity_feed_end.
constexpr std::string_view all_lanes = "all";

/// Of identity_feed.
constexpr std::size_t feed_offset_column = 2;
constexpr std::size_t since_column = 3;
constexpr std::size_t facts_column = 4;
constexpr std::size_t before_column = 5;
constexpr std::size_t expires_column = 6;

/// Of identity_feed_end.
enum EndColumn : std::size_t {
    region_column = 1,
    end_writer_column,
    next_column,
    end_since_column,
    said_column
};

/// ["<fact>",first,last,recorded,[[..],[..]],[[..]]]
void append_fact(const FeedFact& fact, std::string& text) {
    fmt::format_to(
        std::back_inserter(text),
        R"(["{}",{},{},{},{},{}])",
        text_of(fact.fact),
        microseconds_of(fact.first),
        microseconds_of(fact.last),
        microseconds_of(fact.recorded),
        stored_text(fact.holders),
        stored_text(fact.others)
    );
}

std::unexpected<Error> damaged_feed() {
    return fail(
        ErrorKind::corrupt, "a row of the feed of identities is damaged, or of another version"
    );
}

Result<FeedFact> read_fact(const json::value& value) {
    constexpr std::size_t parts = 6;
    const json::array* const list = value.if_array();
    if (list == nullptr || list->size() != parts) {
        return damaged_feed();
    }
    const json::string* const name = (*list)[0].if_string();
    const std::int64_t* const first = (*list)[1].if_int64();
    const std::int64_t* const last = (*list)[2].if_int64();
    const std::int64_t* const recorded = (*list)[3].if_int64();
    const auto id = name == nullptr ? std::nullopt : fact_id_of({name->data(), name->size()});
    if (!id || first == nullptr || last == nullptr || recorded == nullptr) {
        return damaged_feed();
    }
    FeedFact fact{
        .fact = *id,
        .first = instant_of(*first),
        .last = instant_of(*last),
        .recorded = instant_of(*recorded)
    };
    TRY(fact.holders, read_stored_ids(json::serialize((*list)[4])));
    TRY(fact.others, read_stored_ids(json::serialize((*list)[5])));
    return fact;
}

}  // namespace

FeedFact feed_fact_of(const Fact& fact) {
    FeedFact of{
        .fact = fact.id,
        .first = fact.first,
        .last = fact.last,
        .recorded = fact.recorded,
        .holders = holders_of(fact)
    };
    for (Id& each : ids_of(fact)) {
        if (std::ranges::find(of.holders, each) == of.holders.end()) {
            of.others.push_back(std::move(each));
        }
    }
    return of;
}

std::int64_t feed_bucket(std::uint64_t offset) {
    return static_cast<std::int64_t>(offset >> records_of_bucket_bits);
}

std::uint64_t feed_bucket_begin(std::int64_t bucket) {
    return static_cast<std::uint64_t>(bucket) << records_of_bucket_bits;
}

void add_feed_row(std::string_view writer, const FeedRow& row, storage::Batch& batch) {
    std::string facts = "[";
    for (const FeedFact& each : row.facts) {
        if (facts.size() > 1) {
            facts += ',';
        }
        append_fact(each, facts);
    }
    facts += ']';
    batch.upsert(
        identity_feed_table,
        {writer,
         feed_bucket(row.offset),
         static_cast<std::int64_t>(row.offset),
         static_cast<std::int64_t>(row.since),
         facts,
         microseconds_of(row.before),
         microseconds_of(row.expires)}
    );
}

void add_feed_end(const FeedEnd& end, storage::Batch& batch) {
    batch.upsert(
        identity_feed_end_table,
        {all_lanes,
         end.region,
         end.writer,
         static_cast<std::int64_t>(end.next),
         static_cast<std::int64_t>(end.since),
         microseconds_of(end.said)}
    );
}

Result<std::vector<FeedEnd>> read_feed_ends(storage::Store& store) {
    TRY(const storage::Rows rows,
        storage::read_all(
            store, {.table = &identity_feed_end_table, .partition = {std::string{all_lanes}}}
        ));
    std::vector<FeedEnd> ends;
    ends.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        ends.push_back(
            {.region = std::string{rows.at(row, region_column).text()},
             .writer = std::string{rows.at(row, end_writer_column).text()},
             .next = static_cast<std::uint64_t>(rows.at(row, next_column).number()),
             .since = static_cast<std::uint64_t>(rows.at(row, end_since_column).number()),
             .said = instant_of(rows.at(row, said_column).number())}
        );
    }
    return ends;
}

Result<std::optional<FeedRow>> find_feed_row(
    storage::Store& store, const std::string& writer, std::uint64_t offset
) {
    TRY(const storage::Page page,
        storage::read_page(store, feed_query(writer, offset, feed_bucket(offset), /*most=*/1)));
    if (page.rows.empty()) {
        return std::nullopt;
    }
    TRY(FeedRow row, read_feed_row(page.rows, 0));
    return row.offset == offset ? std::optional{std::move(row)} : std::nullopt;
}

storage::RangeQuery feed_query(
    const std::string& writer, std::uint64_t offset, std::int64_t bucket, std::size_t most
) {
    return {
        .table = &identity_feed_table,
        .partition = {writer, bucket},
        .from = {static_cast<std::int64_t>(offset)},
        .max_rows = most
    };
}

Result<FeedRow> read_feed_row(const storage::Rows& rows, std::size_t row) {
    FeedRow read{
        .offset = static_cast<std::uint64_t>(rows.at(row, feed_offset_column).number()),
        .since = static_cast<std::uint64_t>(rows.at(row, since_column).number()),
        .expires = instant_of(rows.at(row, expires_column).number()),
        .before = instant_of(rows.at(row, before_column).number())
    };
    boost::system::error_code damage;
    const json::value parsed = json::parse(rows.at(row, facts_column).text(), damage);
    const json::array* const list = damage ? nullptr : parsed.if_array();
    if (list == nullptr) {
        return damaged_feed();
    }
    for (const json::value& each : *list) {
        TRY(FeedFact fact, read_fact(each));
        read.facts.push_back(std::move(fact));
    }
    return read;
}

}  // namespace footfall::identities
