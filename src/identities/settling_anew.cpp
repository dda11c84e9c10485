#include "identities/settling_anew.h"

#include "foundation/random.h"
#include "identities/networks.h"
#include "identities/profile_rows.h"
#include "identities/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <set>
#include <utility>

namespace footfall::identities {
namespace {

/// Parts that are read side by side, and of which rows say in one write that they are done.
constexpr std::size_t parts_at_once = 16;
constexpr std::size_t ids_a_page = 256;
/// After so many others have their turn.
constexpr std::size_t ids_a_turn = 1000;

// Of identity_settled_anew.
constexpr std::size_t done_identifier_column = 2;
constexpr std::size_t done_partition_column = 3;
// Of profile_index.
constexpr std::size_t index_name_column = 2;
constexpr std::size_t index_value_column = 3;

void add_done(
    GuardsVersion version,
    std::string_view identifier,
    std::int64_t partition,
    storage::Batch& batch
) {
    batch.upsert(
        identity_settled_anew_table, {version.version, version.digest, identifier, partition}
    );
}

Result<std::set<std::pair<std::string, std::int64_t>>> read_done(
    storage::Store& store, GuardsVersion version
) {
    TRY(const storage::Rows rows,
        storage::read_all(
            store,
            {.table = &identity_settled_anew_table, .partition = {version.version, version.digest}}
        ));
    std::set<std::pair<std::string, std::int64_t>> done;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        done.emplace(
            rows.at(row, done_identifier_column).text(),
            rows.at(row, done_partition_column).number()
        );
    }
    return done;
}

}  // namespace

/// What no row says is done; in an order of our own.
Result<void> SettlingAnew::find_parts() {
    TRY(const RecordedGuards newest, identities_->refresh_guards());
    const bool is_known = newest.version == version_;
    if (is_known && is_through_) {
        return {};
    }
    version_ = newest.version;
    TRY(is_through_, is_settled_anew(store(), version_));
    if (is_through_) {
        left_.clear();
        return {};
    }
    if (is_known && !left_.empty()) {
        return {};
    }
    TRY_VOID(identities_->finish_anew());
    left_.clear();
    TRY(const std::vector<std::string> networks, read_networks(store()));
    TRY(const LevelsSeen levels, identities_->settling().levels().newest());
    TRY(const auto done, read_done(store(), version_));
    for (const std::string& identifier : networks) {
        const std::int64_t partitions = levels->of(identifier).partitions();
        for (std::int64_t partition = 0; partition < partitions; ++partition) {
            if (!done.contains({identifier, partition})) {
                left_.push_back({.identifier = identifier, .partition = partition});
            }
        }
    }
    std::ranges::shuffle(left_, Random{seed_});
    if (left_.empty()) {
        storage::Batch batch;
        add_done(version_, {}, 0, batch);
        TRY_VOID(storage::write_durably(store(), batch));
        is_through_ = true;
    }
    return {};
}

Result<std::size_t> SettlingAnew::parts_left() {
    TRY_VOID(find_parts());
    return left_.size();
}

/// Takes the next ones of which no row says that others have settled them.
Result<std::vector<SettlingAnew::Part>> SettlingAnew::take_parts() {
    std::vector<Part> taken;
    std::vector<std::vector<storage::Value>> keys;
    for (; !left_.empty() && taken.size() < parts_at_once; left_.pop_back()) {
        const Part& part = left_.back();
        keys.push_back({version_.version, version_.digest, part.identifier, part.partition});
        taken.push_back(part);
    }
    std::vector<Part> undone;
    TRY_VOID(storage::for_each_missing(
        store(),
        identity_settled_anew_table,
        keys,
        [&](std::size_t at) { undone.push_back(taken[at]); }
    ));
    return undone;
}

Result<void> SettlingAnew::settle_parts(std::span<const Part> parts, const std::stop_token& stop) {
    std::vector<storage::RangeQuery> queries;
    queries.reserve(parts.size());
    for (const Part& each : parts) {
        queries.push_back(
            {.table = &profile_index_table,
             .partition = {each.identifier, each.partition},
             .max_rows = ids_a_page}
        );
    }
    return storage::read_each(
        store(),
        std::move(queries),
        [&](std::size_t at, const storage::Rows& rows) -> Result<void> {
            if (stop.stop_requested()) {
                return fail(ErrorKind::cancelled, "settling was stopped");
            }
            std::vector<Id> ids;
            ids.reserve(rows.size());
            for (std::size_t row = 0; row < rows.size(); ++row) {
                ids.push_back(
                    {parts[at].identifier,
                     std::string{rows.at(row, index_name_column).text()},
                     std::string{rows.at(row, index_value_column).text()}}
                );
            }
            if (ids.empty()) {
                return {};  // most parts of a small network
            }
            settled_ += ids.size();
            const Result<std::size_t> left = identities_->settle_anew(ids);
            return left ? Result<void>{} : std::unexpected(left.error());
        }
    );
}

Result<std::size_t> SettlingAnew::go_on(const std::stop_token& stop) {
    settled_ = 0;
    TRY_VOID(find_parts());
    while (!left_.empty() && settled_ < ids_a_turn) {
        TRY(const std::vector<Part> parts, take_parts());
        if (const Result<void> settled = settle_parts(parts, stop); !settled) {
            left_.insert(left_.end(), parts.begin(), parts.end());
            return std::unexpected(settled.error());
        }
        storage::Batch batch;
        for (const Part& each : parts) {
            add_done(version_, each.identifier, each.partition, batch);
        }
        TRY_VOID(storage::write_durably(store(), batch));
    }
    // Says that all is done, or finds what others have done.
    TRY_VOID(find_parts());
    return left_.size();
}

}  // namespace footfall::identities
