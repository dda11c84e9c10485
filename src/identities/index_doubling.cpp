#include "identities/index_doubling.h"

#include "foundation/log.h"
#include "identities/networks.h"
#include "identities/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace footfall::identities {
namespace {

using std::chrono::milliseconds;

/// Between two looks at how large a network's partitions are.
constexpr milliseconds measure_period{250};
/// So many bytes are read a second, at most, to know it.
constexpr std::size_t measured_a_second = std::size_t{160} << 10;
/// Others that have to be about as large: one alone may be so by a single id, or because somebody
/// has chosen ids for it, and doubling would go on for ever.
constexpr std::size_t others_measured = 4;
constexpr std::size_t measured_page_bytes = std::size_t{256} << 10;

/// Partitions that are read side by side where each is a way over the network.
constexpr std::int64_t swept_at_once = 16;
constexpr std::size_t swept_page_rows = 256;
/// For so long nobody else settles where this process alone does.
constexpr std::size_t written_together = 256;
/// After so much of a sweep others have their turn.
constexpr std::size_t swept_rows_a_turn = 2048;
constexpr std::int64_t swept_partitions_a_turn = 512;
constexpr milliseconds turn_pause{2};
/// Where the store is busy.
constexpr milliseconds busy_pause{100};
constexpr double busy_pressure = 0.5;
constexpr int copy_turns_max = 20;

std::size_t bytes_in(const IndexRow& row) {
    constexpr std::size_t bytes_beside = 24;  // the number of the profile, and whether it is shared
    return row.id.id_name.size() + row.id.id_value.size() + bytes_beside;
}

std::vector<IndexRow> read_index_rows(const storage::Rows& rows) {
    std::vector<IndexRow> read;
    read.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        read.push_back(read_index_row(rows, row));
    }
    return read;
}

}  // namespace

IndexDoubling::IndexDoubling(Identities& identities, Options options)
    : identities_{&identities}, options_{std::move(options)}, random_{options_.seed} {}

void IndexDoubling::begin(const std::string& identifier, IndexStep step) {
    work_ = std::make_unique<Work>(
        Work{.identifier = identifier, .step = step, .seen = identities_->clock().now()}
    );
    under_way_ = 1;
}

/// Where nobody else settles, all go by what this process knows, from the moment it does.
bool IndexDoubling::has_waited() const {
    return !options_.shared || identities_->clock().now() - work_->seen >= levels_wait;
}

milliseconds IndexDoubling::pause() const {
    return store().pressure() > busy_pressure ? busy_pause : turn_pause;
}

/// Who settles alone does so by one step from beginning to end.
Result<void> IndexDoubling::raise(const std::string& identifier, IndexStep step) {
    const std::unique_lock<std::mutex> alone = settling().alone();
    return settling().levels().raise(identifier, step);
}

bool IndexDoubling::is_ours(const std::string& identifier) const {
    return !options_.is_ours || options_.is_ours(identifier);
}

/// What somebody has begun, here or elsewhere, and nobody has ended.
Result<void> IndexDoubling::find_work() {
    for (const auto& [identifier, step] : levels_->steps) {
        if (step.phase != IndexPhase::at_rest && is_ours(identifier)) {
            begin(identifier, step);
            return {};
        }
    }
    return {};
}

/// Up to where it is known to be too large.
Result<std::size_t> IndexDoubling::bytes_of(const std::string& identifier, std::int64_t partition) {
    storage::RangeQuery query{
        .table = &profile_index_table,
        .partition = {identifier, partition},
        .max_bytes = measured_page_bytes
    };
    std::size_t bytes = 0;
    do {
        if (stop_.stop_requested()) {
            return fail(ErrorKind::cancelled, "doubling was stopped");
        }
        TRY(const storage::Page page, storage::read_page(store(), query));
        for (const IndexRow& each : read_index_rows(page.rows)) {
            bytes += bytes_in(each);
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty() && bytes <= options_.partition_bytes);
    measured_ += bytes;
    return bytes;
}

Result<milliseconds> IndexDoubling::measure() {
    if (networks_.empty()) {
        TRY(networks_, read_networks(store()));
        if (networks_.empty()) {
            return milliseconds{1000};
        }
    }
    const std::string identifier = std::move(networks_.back());
    networks_.pop_back();
    const IndexStep step = levels_->of(identifier);
    // A network may become ours at any time. One that is being doubled has to come to its end
    // first: what was not copied yet is nowhere else.
    if (!is_ours(identifier) || step.phase != IndexPhase::at_rest ||
        step.level >= most_index_level) {
        return measure_period;
    }
    const auto some_partition = [&] {
        return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(step.partitions())
        ));
    };
    measured_ = 0;
    TRY(const std::size_t bytes, bytes_of(identifier, some_partition()));
    std::size_t of_others = 0;
    if (bytes > options_.partition_bytes) {
        for (std::size_t other = 0; other < others_measured; ++other) {
            TRY(const std::size_t of_other, bytes_of(identifier, some_partition()));
            of_others += std::min(of_other, options_.partition_bytes);
        }
    }
    if (of_others > options_.partition_bytes * others_measured / 4 * 3) {
        const IndexStep next{.level = step.level + 1, .phase = IndexPhase::copying};
        TRY_VOID(raise(identifier, next));
        log(LogLevel::info,
            "identities: the index of {} doubles to {} partitions, since one has more than {} "
            "bytes",
            identifier,
            std::int64_t{1} << next.level,
            options_.partition_bytes);
        begin(identifier, next);
        return milliseconds{0};
    }
    return std::max(measure_period, milliseconds{1000 * measured_ / measured_a_second});
}

Result<milliseconds> IndexDoubling::go_on(const std::stop_token& stop) {
    stop_ = stop;
    TRY(levels_, settling().levels().newest());
    if (work_ == nullptr) {
        TRY_VOID(find_work());
    }
    return work_ == nullptr ? measure() : work();
}

Result<milliseconds> IndexDoubling::work() {
    const std::string identifier = work_->identifier;
    if (const IndexStep now = levels_->of(identifier); now != work_->step) {
        begin(identifier, now);
    }
    if (work_->step.phase != IndexPhase::at_rest && !has_waited()) {
        return measure_period;
    }
    switch (work_->step.phase) {
        case IndexPhase::copying:
            return copy();
        case IndexPhase::reading: {
            const IndexStep next{.level = work_->step.level, .phase = IndexPhase::emptying};
            TRY_VOID(raise(identifier, next));
            begin(identifier, next);
            return milliseconds{0};
        }
        case IndexPhase::emptying:
            return empty();
        case IndexPhase::at_rest:
            break;
    }
    work_.reset();
    under_way_ = 0;
    return milliseconds{0};
}

/// Goes on through the old partitions. Answers whether it has come through all.
Result<bool> IndexDoubling::sweep(const std::function<Result<void>(std::span<const IndexRow>)>& take
) {
    const std::int64_t end = std::int64_t{1} << (work_->step.level - 1);
    const std::int64_t end_of_turn = std::min(end, work_->partition + swept_partitions_a_turn);
    std::size_t rows = 0;
    while (work_->partition < end_of_turn && rows < swept_rows_a_turn) {
        if (stop_.stop_requested()) {
            return fail(ErrorKind::cancelled, "doubling was stopped");
        }
        // The first pages of some, or the next page of one.
        const bool is_begun = !work_->continuation.empty();
        const std::int64_t some =
            is_begun ? 1 : std::min(swept_at_once, end_of_turn - work_->partition);
        std::vector<storage::RangeQuery> queries;
        queries.reserve(static_cast<std::size_t>(some));
        for (std::int64_t at = 0; at < some; ++at) {
            queries.push_back(
                {.table = &profile_index_table,
                 .partition = {work_->identifier, work_->partition + at},
                 .max_rows = swept_page_rows,
                 .continuation = work_->continuation}
            );
        }
        TRY(const std::vector<storage::Page> pages, storage::read_pages(store(), queries));
        // What is small is written together; what is left of the pages is read again.
        std::vector<IndexRow> together;
        std::int64_t ended = 0;
        std::string continuation;
        for (const storage::Page& page : pages) {
            std::ranges::move(read_index_rows(page.rows), std::back_inserter(together));
            continuation = page.continuation;
            if (!continuation.empty()) {
                break;
            }
            ++ended;
            if (together.size() >= written_together) {
                break;
            }
        }
        TRY_VOID(take(together));
        rows += together.size();
        work_->partition += ended;
        work_->continuation = std::move(continuation);
    }
    return work_->partition == end;
}

/// Whether the step is still the one that is worked at, by what was read that long ago at most.
Result<bool> IndexDoubling::is_still_so(std::chrono::microseconds age_max) {
    const auto age = identities_->clock().now() - levels_->read;
    if (options_.shared && (age < age.zero() || age > age_max)) {
        TRY(levels_, settling().levels().newest());
    }
    return levels_->of(work_->identifier) == work_->step;
}

/// Copies those that differ, and answers how many that were; absent: others are further already.
Result<std::optional<std::size_t>> IndexDoubling::copy_once(std::span<const Id> ids) {
    const std::unique_lock<std::mutex> alone = settling().alone();
    const int level = work_->step.level;
    TRY(const Index old_places, read_index_at(store(), ids, level - 1));
    TRY(const Index new_places, read_index_at(store(), ids, level));
    storage::Batch batch;
    std::size_t differing = 0;
    for (const auto& [id, entry] : old_places) {
        const auto copy = new_places.find(id);
        if (copy == new_places.end() || copy->second != entry) {
            add_index_entry_at(id, entry, level, batch);
            ++differing;
        }
    }
    if (differing == 0) {
        return std::optional{differing};
    }
    TRY(const bool is_so, is_still_so(levels_renewed_after));
    if (!is_so) {
        return std::nullopt;
    }
    TRY_VOID(storage::write_durably(store(), batch));
    return std::optional{differing};
}

Result<void> IndexDoubling::copy_entries(std::span<const Id> ids) {
    for (int turn = 0; turn < copy_turns_max; ++turn) {
        TRY(const auto differing, copy_once(ids));
        if (!differing && turn == 0) {
            return {};
        }
        // Who stood still over a write may have put an old entry over a new one that nobody reads
        // again: it is made of the facts.
        TRY(const bool is_so, is_still_so(levels_lease));
        if (!differing || !is_so) {
            break;
        }
        if (*differing == 0) {
            return {};
        }
    }
    const Result<std::size_t> left = identities_->settle_anew(ids);
    return left ? Result<void>{} : std::unexpected(left.error());
}

Result<milliseconds> IndexDoubling::copy() {
    const int level = work_->step.level;
    TRY(const bool is_through, sweep([&](std::span<const IndexRow> rows) -> Result<void> {
            std::vector<Id> moving;
            for (const IndexRow& each : rows) {
                if (index_partition(each.id, level - 1) == each.partition &&
                    index_partition(each.id, level) != each.partition) {
                    moving.push_back(each.id);
                }
            }
            return moving.empty() ? Result<void>{} : copy_entries(moving);
        }));
    if (!is_through) {
        return pause();
    }
    const IndexStep next{.level = level, .phase = IndexPhase::reading};
    const std::string identifier = work_->identifier;
    TRY_VOID(raise(identifier, next));
    begin(identifier, next);
    return milliseconds{0};
}

/// Entries that stand where nobody looks for them any more. One that differs from what stands where
/// it is looked for is most often of an id that was settled since; its id is settled once more, in
/// case it is the new entry that is outdated.
Result<void> IndexDoubling::erase_old(std::span<const IndexRow> rows) {
    const int level = work_->step.level;
    std::vector<Id> ids;
    ids.reserve(rows.size());
    for (const IndexRow& each : rows) {
        ids.push_back(each.id);
    }
    TRY(const Index there, read_index_at(store(), ids, level));
    std::vector<Id> differing;
    for (const IndexRow& each : rows) {
        const auto found = there.find(each.id);
        if (found == there.end() || found->second != each.entry) {
            differing.push_back(each.id);
        }
    }
    if (!differing.empty()) {
        const Result<std::size_t> left = identities_->settle_anew(differing);
        if (!left) {
            return std::unexpected(left.error());
        }
    }
    TRY(const Index now, read_index_at(store(), differing, level));
    storage::Batch batch;
    for (const IndexRow& each : rows) {
        // Too much hangs together with it to settle it.
        if (!there.contains(each.id) && !now.contains(each.id)) {
            add_index_entry_at(each.id, each.entry, level, batch);
        }
    }
    if (!batch.empty()) {
        TRY_VOID(storage::write_durably(store(), batch));
    }
    batch.clear();
    for (const IndexRow& each : rows) {
        erase_index_entry(each.id, each.partition, batch);
    }
    work_->misplaced += rows.size();
    return storage::write_durably(store(), batch);
}

Result<milliseconds> IndexDoubling::empty() {
    const int level = work_->step.level;
    TRY(const bool is_through, sweep([&](std::span<const IndexRow> rows) -> Result<void> {
            std::vector<IndexRow> misplaced;
            std::ranges::copy_if(rows, std::back_inserter(misplaced), [&](const IndexRow& each) {
                return index_partition(each.id, level) != each.partition;
            });
            return misplaced.empty() ? Result<void>{} : erase_old(misplaced);
        }));
    if (!is_through) {
        return pause();
    }
    if (work_->misplaced > 0) {
        work_->partition = 0;
        work_->misplaced = 0;
        return pause();
    }
    const std::string identifier = work_->identifier;
    TRY_VOID(raise(identifier, {.level = level}));
    ++doublings_;
    log(LogLevel::info,
        "identities: the index of {} has {} partitions now",
        identifier,
        std::int64_t{1} << level);
    work_.reset();
    under_way_ = 0;
    return milliseconds{0};
}

}  // namespace footfall::identities
