#include "projecting/write_behind.h"

#include "foundation/random.h"
#include "foundation/testing/rounds.h"
#include "storage/memory_store.h"
#include "storage/testing/faulty_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::projecting {
namespace {

using namespace std::chrono_literals;

const storage::Table sum_table{
    .name = "sums",
    .purpose = "Sums by name, of each lane.",
    .partition = {{"lane", storage::ColumnType::integer}},
    .clustering = {{"name", storage::ColumnType::text}},
    .values = {{"sum", storage::ColumnType::integer}, {"through", storage::ColumnType::integer}}
};
const std::array<const storage::Table*, 1> tables{&sum_table};

constexpr std::uint32_t told_lanes = 4;

/// The sum of what records add under a name.
struct SumCell {
    using Key = std::string;

    struct Change {
        std::uint64_t offset;
        std::int64_t amount;
    };

    static std::size_t heap_bytes(const Key& name) {
        return name.capacity() > std::string{}.capacity() ? name.capacity() + 1 : 0;
    }

    static std::uint64_t offset_of(const Change& change) { return change.offset; }
};

using Sums = WriteBehind<SumCell>;

struct Row {
    std::int64_t sum = 0;
    std::uint64_t through = 0;

    void add(const SumCell::Change& change) {
        if (change.offset >= through) {
            sum += change.amount;
            through = change.offset + 1;
        }
    }
};

using Rows = std::map<std::string, Row>;

Result<Rows> read_rows(storage::Store& store, std::uint32_t lane) {
    Rows found;
    TRY(const storage::Rows rows,
        storage::read_all(store, {.table = &sum_table, .partition = {std::int64_t{lane}}}));
    for (std::size_t at = 0; at < rows.size(); ++at) {
        found[std::string{rows.at(at, 1).text()}] = {
            .sum = rows.at(at, 2).number(),
            .through = static_cast<std::uint64_t>(rows.at(at, 3).number())
        };
    }
    return found;
}

Sums::Merge merge_into(storage::Store& store) {
    return [&store](
               std::uint32_t lane, const Sums::Waiting& some, storage::Batch& batch
           ) -> Result<void> {
        TRY(Rows rows, read_rows(store, lane));
        for (const auto& [name, changes] : some) {
            Row& row = rows[name];
            for (const SumCell::Change& change : changes) {
                row.add(change);
            }
            batch.upsert(
                sum_table,
                {std::int64_t{lane}, name, row.sum, static_cast<std::int64_t>(row.through)}
            );
        }
        return {};
    };
}

/// Lanes of records that are told, and told again from where they are not stored.
class Told {
public:
    Told(storage::Store& store, const Clock& clock) : store_{&store}, clock_{&clock} { restart(); }

    Sums& sums() { return *sums_; }

    /// As after a kill: memory is empty, and lanes go on from their checkpoints.
    void restart() {
        sums_ = std::make_unique<Sums>(*store_, *clock_, merge_into(*store_), Sums::Options{});
        for (Lane& lane : lanes_) {
            lane.told = lane.checkpoint;
        }
    }

    void drop_lane(std::uint32_t lane) {
        sums_->drop_lane(lane);
        lanes_.at(lane).told = lanes_.at(lane).checkpoint;
    }

    /// Tells a lane the next records, new ones if it has been told all.
    void tell(std::uint32_t lane, std::size_t count, Random& random) {
        Lane& own = lanes_.at(lane);
        sums_->add(lane, [&](const auto& add) {
            for (std::size_t end = own.told + count; own.told < end; ++own.told) {
                if (own.told == own.log.size()) {
                    const std::uint64_t name = random.below(20);
                    own.log.emplace_back(
                        fmt::format("{} of a name that is long enough for the heap", name),
                        static_cast<std::int64_t>(random.below(1000))
                    );
                }
                const auto& [name, amount] = own.log[own.told];
                add(name, {.offset = own.told, .amount = amount});
            }
        });
    }

    /// As the host does once in a while.
    void checkpoint() {
        for (std::uint32_t lane = 0; lane < told_lanes; ++lane) {
            const std::uint64_t stored = sums_->unsaved(lane).value_or(lanes_[lane].told);
            EXPECT_GE(stored, lanes_[lane].checkpoint) << "what was stored stays so";
            lanes_[lane].checkpoint = stored;
        }
    }

    /// Rows and what waits are together what was told, or what was stored before.
    void expect_right(storage::Store& rows_of) {
        for (std::uint32_t lane = 0; lane < told_lanes; ++lane) {
            auto rows = read_rows(rows_of, lane).value_or(Rows{});
            std::uint64_t stored = 0;
            for (const auto& [name, row] : rows) {
                stored = std::max(stored, row.through);
            }
            sums_->look(lane, [&](const Sums::Waiting& waiting) {
                for (const auto& [name, changes] : waiting) {
                    for (const SumCell::Change& change : changes) {
                        rows[name].add(change);
                    }
                }
            });
            Rows truth;
            const Lane& own = lanes_.at(lane);
            for (std::size_t at = 0; at < own.log.size(); ++at) {
                // After a restart a row may be ahead of its lane.
                const auto row = rows.find(own.log[at].first);
                if (at < own.told || (row != rows.end() && at < row->second.through)) {
                    truth[own.log[at].first].add({.offset = at, .amount = own.log[at].second});
                }
            }
            for (const auto& [name, row] : truth) {
                EXPECT_EQ(rows[name].sum, row.sum) << lane << ' ' << name;
            }
            EXPECT_EQ(rows.size(), truth.size());
            const runtime::AccountAudit audit = sums_->audit(lane);
            EXPECT_EQ(audit.booked, audit.counted) << lane;
        }
    }

private:
    struct Lane {
        std::vector<std::pair<std::string, std::int64_t>> log;
        std::size_t told = 0;
        std::uint64_t checkpoint = 0;
    };

    storage::Store* store_;
    const Clock* clock_;
    std::unique_ptr<Sums> sums_;
    std::array<Lane, told_lanes> lanes_;
};

TEST(WriteBehind, every_change_is_in_its_row_once_whatever_fails) {
    Random random{7};
    for (std::uint64_t run = 0; run < rounds(40) && !testing::Test::HasFailure(); ++run) {
        ManualClock clock{Instant{1'790'000'000s}};
        storage::MemoryStore rows{tables, clock};
        storage::FaultyStore store{
            rows, random(), {.refuse_submit = 0.1, .duplicate_write = 0.1, .fail_read = 0.1}
        };
        Told told{store, clock};
        for (int step = 0; step < 200 && !testing::Test::HasFailure(); ++step) {
            const auto lane = static_cast<std::uint32_t>(random.below(told_lanes));
            switch (random.below(8)) {
                case 0:
                    told.restart();
                    break;
                case 1:
                    told.drop_lane(lane);
                    break;
                case 2:
                    clock.advance(700ms);
                    static_cast<void>(told.sums().flush(false));  // what failed waits on
                    break;
                case 3:
                    static_cast<void>(told.sums().flush(true));
                    break;
                case 4:
                    told.checkpoint();
                    break;
                default:
                    told.tell(lane, random.below(100), random);
            }
            told.expect_right(rows);
        }
        store.set_options({});
        ASSERT_TRUE(told.sums().flush(true));
        EXPECT_EQ(told.sums().waiting(), 0U);
        EXPECT_EQ(told.sums().bytes(), 0U);
        told.expect_right(rows);
    }
}

TEST(WriteBehind, writes_more_keys_than_fit_into_a_batch) {
    ManualClock clock{Instant{1'790'000'000s}};
    storage::MemoryStore store{tables, clock};
    Sums sums{store, clock, merge_into(store), {}};
    constexpr std::uint64_t keys = 5000;
    sums.add(2, [](const auto& add) {
        for (std::uint64_t at = 0; at < 2 * keys; ++at) {
            add(fmt::format("{:05}", at % keys), {.offset = at, .amount = 1});
        }
    });
    ASSERT_TRUE(sums.flush(true));
    EXPECT_EQ(sums.unsaved(2), std::nullopt);
    EXPECT_EQ(sums.rows_written(), keys);
    const auto rows = read_rows(store, 2).value_or(Rows{});
    EXPECT_EQ(rows.size(), keys);
    EXPECT_TRUE(std::ranges::all_of(rows, [](const auto& row) { return row.second.sum == 2; }));
}

/// As when a row of a lane is damaged.
TEST(WriteBehind, what_came_by_a_clock_that_was_ahead_does_not_wait_for_it) {
    ManualClock clock{Instant{1'790'000'000s}};
    storage::MemoryStore rows{tables, clock};
    Told told{rows, clock};
    Random random{3};
    const Instant right = clock.now();
    clock.advance(24h);
    told.tell(0, 10, random);
    ASSERT_TRUE(told.sums().flush(false));
    EXPECT_EQ(told.sums().unsaved(0), 0U);
    clock.set(right);
    EXPECT_EQ(told.sums().stored_until(0), right) << "nothing is stored of what is to come";
    ASSERT_TRUE(told.sums().flush(false));
    EXPECT_EQ(told.sums().unsaved(0), std::nullopt);
    told.expect_right(rows);
}

TEST(WriteBehind, a_lane_that_fails_holds_no_other_one_up) {
    ManualClock clock{Instant{1'790'000'000s}};
    storage::MemoryStore store{tables, clock};
    Sums sums{
        store,
        clock,
        [merge = merge_into(store)](
            std::uint32_t lane, const Sums::Waiting& some, storage::Batch& batch
        ) mutable -> Result<void> {
            return lane == 1 ? fail(ErrorKind::corrupt, "a damaged row") : merge(lane, some, batch);
        },
        {}
    };
    for (const std::uint32_t lane : {0U, 1U, 2U}) {
        sums.add(lane, [](const auto& add) { add("a", {.offset = 7, .amount = 1}); });
    }
    const auto flushed = sums.flush(true);
    ASSERT_FALSE(flushed);
    EXPECT_EQ(flushed.error().kind, ErrorKind::corrupt);
    EXPECT_EQ(sums.unsaved(0), std::nullopt);
    EXPECT_EQ(sums.unsaved(1), 7U);
    EXPECT_EQ(sums.unsaved(2), std::nullopt);
}

/// What comes while a lane is written stays, and the checkpoint says from where.
TEST(WriteBehind, what_comes_during_a_round_waits_for_the_next) {
    ManualClock clock{Instant{1'790'000'000s}};
    storage::MemoryStore store{tables, clock};
    Sums* writing = nullptr;
    Sums sums{
        store,
        clock,
        [&, merge = merge_into(store)](
            std::uint32_t lane, const Sums::Waiting& some, storage::Batch& batch
        ) mutable {
            if (writing != nullptr) {
                std::exchange(writing, nullptr)->add(lane, [](const auto& add) {
                    add("a", {.offset = 1, .amount = 10});
                    add("b", {.offset = 2, .amount = 10});
                });
            }
            return merge(lane, some, batch);
        },
        {}
    };
    sums.add(0, [](const auto& add) { add("a", {.offset = 0, .amount = 1}); });
    const Instant begun = clock.now();
    writing = &sums;
    ASSERT_TRUE(sums.flush(true));
    EXPECT_EQ(sums.unsaved(0), 1U);
    EXPECT_EQ(sums.stored_until(0), begun);
    EXPECT_EQ(sums.waiting(), 2U);
    EXPECT_EQ(read_rows(store, 0).value_or(Rows{})["a"].sum, 1);
    ASSERT_TRUE(sums.flush(true));
    EXPECT_EQ(read_rows(store, 0).value_or(Rows{})["a"].sum, 11);
    EXPECT_EQ(sums.unsaved(0), std::nullopt);
}

}  // namespace
}  // namespace footfall::projecting
