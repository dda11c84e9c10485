#include "foundation/check.h"
#include "identities/settling.h"
#include "storage/blocking.h"

#include <utility>

namespace footfall::identities {

std::unique_lock<std::mutex> Settling::alone() const {
    return options_.shared ? std::unique_lock<std::mutex>{} : std::unique_lock{alone_};
}

/// Where nobody else writes these rows, they stand once they are written. All others wait here, but
/// who settles what was noted: absent where that is under way, or begins meanwhile. Then some of it
/// may be written, and they are to be settled by reading again.
Result<std::optional<Neighbourhood>> Settling::settle_alone(
    std::span<const Id> ids,
    const Sight& sight,
    std::span<const Fact> told,
    const storage::Batch& rows_of_told
) const {
    const std::unique_lock<std::mutex> only = alone();
    const std::uint64_t ended = later_ended_.load();
    const std::uint64_t begun = later_begun_.load();
    if (begun != ended) {
        return std::nullopt;
    }
    TRY(const LevelsSeen levels, levels_.seen());
    TRY(Neighbourhood known, look(sight, *levels, ids, told));
    TRY(const Differences differ, differences(known, *levels, /*alone=*/true));
    storage::Batch batch;
    for (const storage::Batch* const each : {&rows_of_told, &differ.rows, &differ.shared}) {
        each->for_each([&](const storage::Batch::Mutation& row) { batch.append(row); });
    }
    if (!batch.empty()) {
        TRY_VOID(storage::write_durably(*store_, batch));
    }
    return later_begun_.load() == begun ? std::optional{std::move(known)} : std::nullopt;
}

Result<bool> Settling::settle_with(
    std::span<const Id> ids, std::span<const Fact> told, const storage::Batch& rows_of_told
) const {
    CHECK(!options_.shared, "others would miss facts that are written with what follows from them");
    Sight sight = this->sight();
    sight.crowd = &crowd_;
    const auto known = settle_alone(ids, sight, told, rows_of_told);
    if (known) {
        return known->has_value();
    }
    return known.error().kind == ErrorKind::conflict ? Result<bool>{false}
                                                     : std::unexpected(known.error());
}

}  // namespace footfall::identities
