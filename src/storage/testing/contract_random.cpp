#include "foundation_testing/rounds.h"
#include "storage/memory_store.h"
#include "storage_testing/contract_parts.h"
#include "storage_testing/store_contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace footfall::storage {

void link_contract_random() {}

namespace {

/// One seeded sequence of operations, done to the store under test and to the oracle alike.
class RandomOperations {
public:
    RandomOperations(std::uint64_t seed, ContractSubject& subject, ManualClock& clock)
        : random_{seed}, subject_{subject}, clock_{clock}, oracle_{contract_tables(), clock} {
        for (const Table* table : contract_tables()) {
            fill_pool(*table);
        }
    }

    void step() {
        const std::uint64_t choice = random_.below(100);
        if (choice < 55) {
            submit();
        } else if (choice < 70) {
            compare_keys_asked();
        } else if (choice < 96) {
            compare_range();
        } else if (choice < 98) {
            clock_.advance(std::chrono::microseconds{random_.below(2 * hour)});
        } else if (choice < 99) {
            subject_.reclaim();
        } else {
            ASSERT_TRUE(wait_durable(subject_.store(), last_));
            last_ = subject_.reopen() ? 0 : last_;
        }
    }

    /// Every partition of every table.
    void compare_all() {
        for (const Table* table : contract_tables()) {
            std::set<Row> partitions;
            for (const Row& key : pools_[table]) {
                partitions.insert(partition_of(*table, key));
            }
            for (const Row& partition : partitions) {
                ASSERT_NO_FATAL_FAILURE(compare(partition_query(*table, partition)));
            }
        }
    }

private:
    const Table& any_table() { return *contract_tables()[random_.below(contract_tables().size())]; }

    /// Few partitions with many keys, so that operations meet.
    void fill_pool(const Table& table) {
        std::vector<Row> partitions(4);
        for (Row& partition : partitions) {
            partition = partition_of(table, rows_.key(table));
        }
        for (int count = 0; count < 60; ++count) {
            Row key = rows_.key(table);
            std::ranges::copy(partitions[random_.below(4)], key.begin());
            pools_[&table].push_back(std::move(key));
        }
    }

    const Row& any_key(const Table& table) {
        return pools_[&table][random_.below(pools_[&table].size())];
    }

    static Row partition_of(const Table& table, const Row& key) {
        return {key.begin(), key.begin() + static_cast<std::ptrdiff_t>(table.partition.size())};
    }

    Row any_values(const Table& table) {
        Row values = rows_.values(table);
        if (!table.expires.empty()) {
            const std::int64_t moment = clock_.now().time_since_epoch().count() - 2 * hour +
                                        static_cast<std::int64_t>(random_.below(5 * hour));
            values[table.expires_index() - table.key_width()] =
                random_.below(3) == 0 ? std::int64_t{0} : moment;
        }
        return values;
    }

    void submit() {
        Batch batch;
        for (std::uint64_t count = random_.below(8); count > 0; --count) {
            const Table& table = any_table();
            Row row = any_key(table);
            if (random_.below(3) == 0) {
                batch.erase(table, views_of(row));
                continue;
            }
            const Row values = any_values(table);
            row.insert(row.end(), values.begin(), values.end());
            batch.upsert(table, views_of(row));
        }
        const auto position = subject_.store().submit(batch);
        ASSERT_TRUE(position) << position.error().message;
        ASSERT_TRUE(oracle_.submit(batch));
        last_ = std::max(last_, *position);
    }

    /// Whether a store may have dropped the row by now.
    bool reclaimable(const Table& table, const Row& row) const {
        if (table.expires.empty()) {
            return false;
        }
        const std::int64_t expires = std::get<std::int64_t>(row[table.expires_index()]);
        return expires != 0 && expires <= clock_.now().time_since_epoch().count() - hour;
    }

    void compare_keys_asked() {
        ASSERT_TRUE(wait_durable(subject_.store(), last_));
        const Table& table = any_table();
        std::vector<Row> keys;
        for (std::uint64_t count = random_.below(30); count > 0; --count) {
            keys.push_back(random_.below(10) == 0 ? rows_.key(table) : any_key(table));
        }
        const Result<Found> ours = read_many(subject_.store(), table, keys);
        const Result<Found> theirs = read_many(oracle_, table, keys);
        ASSERT_TRUE(ours && theirs);
        ASSERT_EQ(ours->row_of_key.size(), keys.size());
        const std::vector<Row> our_rows = owned_rows(ours->rows);
        const std::vector<Row> their_rows = owned_rows(theirs->rows);
        for (std::size_t at = 0; at < keys.size(); ++at) {
            const auto our = ours->row_of_key[at];
            const auto their = theirs->row_of_key[at];
            if (!our && their && reclaimable(table, their_rows[*their])) {
                continue;
            }
            ASSERT_EQ(our.has_value(), their.has_value()) << testing::PrintToString(keys[at]);
            if (our && their) {
                ASSERT_EQ(our_rows.at(*our), their_rows.at(*their));
            }
        }
    }

    /// Some leading columns of a clustering: of a key that may exist, or of any.
    Row any_bound(const Table& table) {
        const Row key = random_.below(4) == 0 ? rows_.key(table) : any_key(table);
        const std::size_t width = random_.below(table.clustering.size() + 1);
        const auto start = key.begin() + static_cast<std::ptrdiff_t>(table.partition.size());
        return {start, start + static_cast<std::ptrdiff_t>(width)};
    }

    void compare_range() {
        const Table& table = any_table();
        RangeQuery query = partition_query(table, partition_of(table, any_key(table)));
        query.from = any_bound(table);
        query.through = any_bound(table);
        query.max_rows = random_.below(3) == 0 ? 1000 : 1 + random_.below(20);
        query.max_bytes = random_.below(3) == 0 ? random_.below(2000) : query.max_bytes;
        compare(query);
    }

    void compare(const RangeQuery& query) {
        ASSERT_TRUE(wait_durable(subject_.store(), last_));
        std::vector<Row> ours = all_rows(subject_.store(), query);
        std::vector<Row> theirs = all_rows(oracle_, query);
        const auto gone = [&](const Row& row) { return reclaimable(*query.table, row); };
        std::erase_if(ours, gone);
        std::erase_if(theirs, gone);
        ASSERT_EQ(ours, theirs) << fmt::format(
            "{} from {} through {}, pages of {} rows and {} bytes",
            query.table->name,
            testing::PrintToString(query.from),
            testing::PrintToString(query.through),
            query.max_rows,
            query.max_bytes
        );
    }

    Random random_;
    RandomRows rows_{random_};
    ContractSubject& subject_;
    ManualClock& clock_;
    MemoryStore oracle_;
    std::map<const Table*, std::vector<Row>> pools_;
    CommitPosition last_ = 0;
};

}  // namespace

TEST_P(StoreContract, answers_like_the_memory_store_whatever_is_done) {
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    RandomOperations operations{seed, subject(), clock()};
    for (std::uint64_t count = 0; count < rounds(1500); ++count) {
        operations.step();
        ASSERT_FALSE(HasFailure()) << "after " << count << " operations";
    }
    operations.compare_all();
}

}  // namespace footfall::storage
