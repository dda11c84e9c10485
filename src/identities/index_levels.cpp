#include "identities/index_levels.h"

#include "foundation/siphash.h"
#include "identities/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace footfall::identities {
namespace {

/// The only partition of identity_index_level.
constexpr std::string_view all_levels = "levels";

constexpr std::size_t leveled_network_column = 1;
constexpr std::size_t level_column = 2;
constexpr std::size_t phase_column = 3;

/// Who finds nothing believes what is no older: by the lease even that is forty times younger than
/// it has to be, so under load not every look-up of an unknown id costs a second read.
constexpr std::chrono::milliseconds believed_by_who_missed{100};

Result<IndexStep> step_at(const storage::Rows& rows, std::size_t row) {
    const std::int64_t level = rows.at(row, level_column).number();
    const std::int64_t phase = rows.at(row, phase_column).number();
    if (level <= least_index_level || level > most_index_level ||
        phase < static_cast<std::int64_t>(IndexPhase::copying) ||
        phase > static_cast<std::int64_t>(IndexPhase::at_rest)) {
        return fail(
            ErrorKind::corrupt, "a row of identity_index_level is damaged, or of a newer version"
        );
    }
    return IndexStep{.level = static_cast<int>(level), .phase = static_cast<IndexPhase>(phase)};
}

std::vector<storage::ValueView> key_of(const std::string& identifier, IndexStep step) {
    return {
        all_levels,
        std::string_view{identifier},
        std::int64_t{step.level},
        static_cast<std::int64_t>(step.phase)
    };
}

}  // namespace

std::optional<int> IndexStep::other_level() const {
    switch (phase) {
        case IndexPhase::copying:
            return level;
        case IndexPhase::reading:
            return level - 1;
        case IndexPhase::emptying:
        case IndexPhase::at_rest:
            break;
    }
    return std::nullopt;
}

std::int64_t index_partition(const Id& id, int level) {
    std::string name = id.id_name;
    name += '\0';
    name += id.id_value;
    return static_cast<std::int64_t>(
        siphash13(SipKey{0, 0}, name) & ((std::uint64_t{1} << level) - 1)
    );
}

IndexStep KnownLevels::of(std::string_view identifier) const {
    const auto found = steps.find(identifier);
    return found == steps.end() ? IndexStep{} : found->second;
}

/// Steps only go up, so of two looks that crossed each other nothing is lost.
LevelsSeen IndexLevels::remember(KnownLevels known) const {
    const std::lock_guard lock{mutex_};
    if (seen_ != nullptr) {
        known.read = std::max(known.read, seen_->read);
        for (const auto& [identifier, step] : seen_->steps) {
            IndexStep& newer = known.steps[identifier];
            newer = std::max(newer, step);
        }
    }
    seen_ = std::make_shared<const KnownLevels>(std::move(known));
    return seen_;
}

Result<LevelsSeen> IndexLevels::seen() const {
    {
        const std::lock_guard lock{mutex_};
        if (seen_ != nullptr && !options_.shared) {
            return seen_;
        }
        if (seen_ != nullptr && options_.clock != nullptr) {
            const auto age = options_.clock->now() - seen_->read;
            if (age >= age.zero() && age < levels_renewed_after) {
                return seen_;
            }
        }
    }
    return newest();
}

Result<LevelsSeen> IndexLevels::newest() const {
    if (!options_.shared) {
        const std::lock_guard lock{mutex_};
        if (seen_ != nullptr) {
            return seen_;
        }
    }
    KnownLevels known;
    if (options_.clock != nullptr) {
        known.read = options_.clock->now();
    }
    TRY(const storage::Rows rows,
        storage::read_all(
            *store_, {.table = &identity_index_level_table, .partition = {std::string{all_levels}}}
        ));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        TRY(IndexStep step, step_at(rows, row));
        if (options_.only_read_places) {
            step = {.level = step.read_level()};
        }
        IndexStep& highest = known.steps[std::string{rows.at(row, leveled_network_column).text()}];
        highest = std::max(highest, step);
    }
    return remember(std::move(known));
}

Result<LevelsSeen> IndexLevels::after_reading(const LevelsSeen& before, bool missed_some) const {
    if (!options_.shared) {
        return newest();  // of memory
    }
    if (options_.clock == nullptr) {
        return missed_some ? newest() : Result<LevelsSeen>{before};
    }
    const auto age = options_.clock->now() - before->read;
    const std::chrono::microseconds most =
        missed_some ? std::chrono::microseconds{believed_by_who_missed} : levels_lease;
    return age >= age.zero() && age <= most ? Result<LevelsSeen>{before} : newest();
}

/// Rows of steps that are behind are erased only when a network is at rest. One of them that
/// somebody writes again, late, is below the highest, and says nothing.
Result<void> IndexLevels::raise(const std::string& identifier, IndexStep step) const {
    storage::Batch batch;
    std::vector<storage::ValueView> row = key_of(identifier, step);
    row.emplace_back(
        options_.clock == nullptr ? std::int64_t{0}
                                  : std::int64_t{options_.clock->now().time_since_epoch().count()}
    );
    batch.upsert(identity_index_level_table, row);
    TRY_VOID(storage::write_durably(*store_, batch));
    remember({.steps = {{identifier, step}}});
    if (step.phase != IndexPhase::at_rest) {
        return {};
    }
    storage::Batch behind;
    for (const IndexPhase phase :
         {IndexPhase::copying, IndexPhase::reading, IndexPhase::emptying}) {
        behind.erase(
            identity_index_level_table, key_of(identifier, {.level = step.level, .phase = phase})
        );
    }
    if (step.level - 1 > least_index_level) {
        behind.erase(identity_index_level_table, key_of(identifier, {.level = step.level - 1}));
    }
    return storage::write_durably(*store_, behind);
}

}  // namespace footfall::identities
