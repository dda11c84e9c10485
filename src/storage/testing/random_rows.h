#pragma once

#include "foundation/random.h"
#include "foundation_testing/test_seed.h"
#include "storage/table.h"
#include "storage/value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace footfall::storage {

using Row = std::vector<Value>;

// Where there are rows there is a seed: tests of modules above have both from here.
using footfall::test_seed;

/// Random values that look for trouble: prefixes of each other, empty, NUL and 0xFF, 1 KiB,
/// extremes and their neighbours, negative days, decimals up to 128 bits. Texts are well-formed
/// UTF-8; days fit in 32 bits, as they must in Cassandra. Small pools, so that equal values are
/// common.
class RandomRows {
public:
    /// `random` must outlive this.
    explicit RandomRows(Random& random) : random_{random} {}

    Value value(ColumnType type);

    /// A key of `table`: partition and clustering columns.
    Row key(const Table& table);

    /// One value each of the value columns of `table`.
    Row values(const Table& table);

private:
    std::string text();
    std::string bytes();
    std::int64_t number(int bits);
    std::string decimal();

    Random& random_;
};

}  // namespace footfall::storage
