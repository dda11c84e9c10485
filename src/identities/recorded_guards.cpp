#include "identities/recorded_guards.h"

#include "foundation/siphash.h"
#include "identities/guards_text.h"
#include "identities/schema.h"
#include "storage/blocking.h"

#include <utility>

namespace footfall::identities {
namespace {

/// The only partition of identity_guards.
constexpr std::string_view all_guards = "guards";

// Of identity_guards.
constexpr std::size_t version_column = 1;
constexpr std::size_t digest_column = 2;
constexpr std::size_t guards_column = 3;
constexpr std::size_t said_column = 4;
// Of identity_guards_of_lane.
constexpr std::size_t offset_column = 3;

Result<std::shared_ptr<const Guards>> shared_guards(std::string_view text) {
    TRY(Guards guards, read_guards(text));
    return std::make_shared<const Guards>(std::move(guards));
}

Result<std::shared_ptr<const Guards>> read_version(storage::Store& store, GuardsVersion version) {
    TRY(const auto row,
        storage::read_one(
            store, identity_guards_table, {std::string{all_guards}, version.version, version.digest}
        ));
    if (!row) {
        return fail(ErrorKind::corrupt, "guards that are in force in a lane have no row");
    }
    return shared_guards(std::get<std::string>((*row)[guards_column]));
}

}  // namespace

std::int64_t digest_of(std::string_view guards) {
    return static_cast<std::int64_t>(siphash13(SipKey{0, 0}, guards));
}

Result<std::shared_ptr<const Guards>> guards_at(
    storage::Store& store, Instant instant, const std::shared_ptr<const Guards>& without
) {
    TRY(const storage::Rows rows,
        storage::read_all(
            store, {.table = &identity_guards_table, .partition = {std::string{all_guards}}}
        ));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const Instant said{std::chrono::microseconds{rows.at(row, said_column).number()}};
        if (said <= instant) {
            return shared_guards(rows.at(row, guards_column).text());
        }
    }
    return without;
}

Result<RecordedGuards> newest_guards(
    storage::Store& store, const std::shared_ptr<const Guards>& without
) {
    TRY(const storage::Page page,
        storage::read_page(
            store,
            {.table = &identity_guards_table, .partition = {std::string{all_guards}}, .max_rows = 1}
        ));
    if (page.rows.empty()) {
        return RecordedGuards{.version = {}, .guards = without};
    }
    TRY(auto guards, shared_guards(page.rows.at(0, guards_column).text()));
    return RecordedGuards{
        .version =
            {.version = page.rows.at(0, version_column).number(),
             .digest = page.rows.at(0, digest_column).number()},
        .guards = std::move(guards)
    };
}

const Guards* in_force_at(std::span<const LaneGuards> of_lane, std::uint64_t offset) {
    const LaneGuards* found = nullptr;
    for (const LaneGuards& each : of_lane) {
        if (each.offset < offset &&
            (found == nullptr || found->guards.version < each.guards.version)) {
            found = &each;
        }
    }
    return found == nullptr ? nullptr : found->guards.guards.get();
}

Result<std::vector<LaneGuards>> read_lane_guards(
    storage::Store& store, const std::string& writer, KnownGuards& known
) {
    TRY(const storage::Rows rows,
        storage::read_all(store, {.table = &identity_guards_of_lane_table, .partition = {writer}}));
    std::vector<LaneGuards> of_lane;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const GuardsVersion version{
            .version = rows.at(row, version_column).number(),
            .digest = rows.at(row, digest_column).number()
        };
        if (!known.contains(version)) {
            TRY(known[version], read_version(store, version));
        }
        of_lane.push_back(
            {.offset = static_cast<std::uint64_t>(rows.at(row, offset_column).number()),
             .guards = {.version = version, .guards = known.at(version)}}
        );
    }
    return of_lane;
}

void add_guards(
    const std::string& writer, const LaneGuards& guards, Instant said, storage::Batch& batch
) {
    const GuardsVersion& version = guards.guards.version;
    batch.upsert(
        identity_guards_table,
        {all_guards,
         version.version,
         version.digest,
         text_of(*guards.guards.guards),
         std::int64_t{said.time_since_epoch().count()}}
    );
    batch.upsert(
        identity_guards_of_lane_table,
        {std::string_view{writer},
         version.version,
         version.digest,
         static_cast<std::int64_t>(guards.offset)}
    );
}

Result<bool> is_settled_anew(storage::Store& store, GuardsVersion version) {
    if (version == GuardsVersion{}) {
        return true;
    }
    TRY(const auto row,
        storage::read_one(
            store,
            identity_settled_anew_table,
            {version.version, version.digest, std::string{}, std::int64_t{0}}
        ));
    return row.has_value();
}

}  // namespace footfall::identities
