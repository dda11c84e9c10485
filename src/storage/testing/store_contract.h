#pragma once

#include "foundation/clock.h"
#include "storage/blocking.h"
#include "storage/store.h"
#include "storage_testing/contract_tables.h"
#include "storage_testing/random_rows.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace footfall::storage {

/// One store under test, and what the suite needs of it beyond Store.
class ContractSubject {
public:
    ContractSubject() = default;
    ContractSubject(const ContractSubject&) = delete;
    ContractSubject& operator=(const ContractSubject&) = delete;
    virtual ~ContractSubject() = default;

    virtual Store& store() = 0;

    /// Stops the store and opens it again on what it kept. False, and nothing done, when it keeps
    /// nothing: then what a restart must survive is not tested.
    virtual bool reopen() { return false; }

    /// Makes the store drop all expired rows that it may drop by its clock (compacts everything).
    /// False when it cannot be made to: then that space comes back is not tested.
    virtual bool reclaim() { return false; }

    /// Whether some file of the store has these bytes in it. Absent when its files cannot be read:
    /// then that secrets are in none is not tested.
    virtual std::optional<bool> keeps(std::string_view /*bytes*/) { return std::nullopt; }

    /// Whether that ends within seconds.
    virtual bool loses(std::string_view /*bytes*/) { return false; }
};

/// How the suite gets a fresh, empty store with these tables. Both arguments outlive the subject.
struct StoreImplementation {
    std::string name;  ///< Letters and digits; for people.
    std::function<std::unique_ptr<ContractSubject>(std::span<const Table* const>, const Clock&)>
        open;

    friend std::ostream& operator<<(std::ostream& out, const StoreImplementation& implementation) {
        return out << implementation.name;
    }
};

/// The meaning of every sentence in store.h, as tests that each implementation has to pass:
///
///     INSTANTIATE_TEST_SUITE_P(
///         RocksDb, StoreContract,
///         testing::Values(StoreImplementation{.name = "rocksdb", .open = open_rocksdb}),
///         implementation_name);
///
/// Where a sentence needs a failure of the machine below (outcome_unknown, lost writes, a crash
/// half way through a batch), the implementation has tests of its own.
class StoreContract : public testing::TestWithParam<StoreImplementation> {
protected:
    void SetUp() override;

    Store& store() { return subject_->store(); }

    ContractSubject& subject() { return *subject_; }

    ManualClock& clock() { return clock_; }

    std::int64_t now() { return clock_.now().time_since_epoch().count(); }

    /// Submits and waits; a failure fails the test.
    void write(const Batch& batch);

    /// Writes one row.
    void put(const Table& table, const Row& row);

    std::optional<Row> row_at(const Table& table, const Row& key);

private:
    // 2026-07-01. Not the start of a second, so that whoever rounds shows it.
    ManualClock clock_{Instant{std::chrono::microseconds{1'782'864'000'000'123}}};
    std::unique_ptr<ContractSubject> subject_;
};

/// For INSTANTIATE_TEST_SUITE_P.
std::string implementation_name(const testing::TestParamInfo<StoreImplementation>& info);

/// All rows of the range, page after page. Fails the test when a page breaks a promise: more than
/// max_rows, a continuation behind no row, or pages without end.
std::vector<Row> all_rows(Store& store, RangeQuery query);

/// The query for a whole partition.
RangeQuery partition_query(const Table& table, Row partition);

/// The rows of a page, owned.
std::vector<Row> owned_rows(const Rows& rows);

}  // namespace footfall::storage
