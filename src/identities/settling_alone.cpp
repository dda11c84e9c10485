#include "foundation/check.h"
#include "identities/settling.h"
#include "storage/blocking.h"

#include <utility>

namespace footfall::identities {

std::unique_lock<std::mutex> Settling::alone() const {
    return options_.shared ? std::unique_lock<std::mutex>{} : std::unique_lock{alone_};
}

/// Where nobody else writes these rows, they stand once they are written. All others wait here, but
/// who settles what was noted: absent where that is under way, or has begun meanwhile. Then they
/// are to be settled by reading again, with all that was looked at here.
Result<std::optional<Neighbourhood>> Settling::settle_alone(
    Ongoing& ongoing, std::span<const Fact> told, const storage::Batch& rows_of_told
) const {
    const std::unique_lock<std::mutex> only = alone();
    const std::uint64_t ended = later_ended_.load();
    const std::uint64_t begun = later_begun_.load();
    if (begun != ended) {
        return std::nullopt;
    }
    TRY(const LevelsSeen levels, levels_.seen());
    const std::vector<Id> ids{ongoing.looked_at.begin(), ongoing.looked_at.end()};
    TRY(Neighbourhood known, look(ongoing.sight, *levels, ids, told));
    TRY(const MovedProfiles::Writing writing, moved_.begin_writing());
    TRY(const Differences differ, differences(known, *levels, /*alone=*/true, writing.is_noted));
    ongoing.looks_again(known.open);
    if (known.went_on || differ.split) {
        TRY_VOID(begin_unfinished(ongoing));
    }
    storage::Batch batch;
    for (const storage::Batch* const each : {&rows_of_told, &differ.rows, &differ.shared}) {
        each->for_each([&](const storage::Batch::Mutation& row) { batch.append(row); });
    }
    if (writing.is_noted) {
        moved_.add(differ.moved, batch);
    }
    if (!batch.empty()) {
        const Result<void> written = storage::write_durably(*store_, batch);
        moved_.tell(differ.moved, writing.since);
        TRY_VOID(written);
    }
    ongoing.has_written = true;
    if (later_begun_.load() != begun) {
        return std::nullopt;
    }
    TRY_VOID(end(ongoing.unfinished));
    return known;
}

Result<bool> Settling::settle_with(
    std::span<const Id> ids,
    std::span<const Fact> told,
    const storage::Batch& rows_of_told,
    const std::string& writer
) const {
    CHECK(!options_.shared, "others would miss facts that are written with what follows from them");
    Sight sight = this->sight();
    sight.crowd = &crowd_;
    Ongoing ongoing{
        .writer = writer, .sight = std::move(sight), .looked_at = {ids.begin(), ids.end()}
    };
    const auto alone = settle_alone(ongoing, told, rows_of_told);
    if (!alone) {
        return alone.error().kind == ErrorKind::conflict ? Result<bool>{false}
                                                         : std::unexpected(alone.error());
    }
    if (*alone || !ongoing.has_written) {
        return alone->has_value();
    }
    const Result<Neighbourhood> known = read_again(ongoing, Beside::nobody);
    if (!known && known.error().kind != ErrorKind::conflict) {
        return std::unexpected(known.error());
    }
    if (!known) {
        TRY_VOID(note(
            std::vector<Id>{ongoing.looked_at.begin(), ongoing.looked_at.end()}, LaterReason::said
        ));
    }
    return true;
}

}  // namespace footfall::identities
