#include "cluster.h"
#include "foundation/check.h"
#include "storage_cassandra/cassandra_store.h"
#include "storage_testing/store_contract.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace footfall::storage_cassandra {
namespace {

using storage::Row;

/// The state of Cassandra's hash (MurmurHash3, x64, 128 bits, seed 0) and its steps, which can be
/// undone: so names of one token can be made, by us and by anybody.
struct Murmur {
    static constexpr std::uint64_t c1 = 0x87c37b91114253d5;
    static constexpr std::uint64_t c2 = 0x4cf5ad432745937f;
    std::uint64_t h1 = 0;
    std::uint64_t h2 = 0;

    void take(std::uint64_t k1, std::uint64_t k2) {
        h1 ^= std::rotl(k1 * c1, 31) * c2;
        h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729;
        h2 ^= std::rotl(k2 * c2, 33) * c1;
        h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5;
    }
};

/// The number that takes an odd one to 1.
constexpr std::uint64_t inverse(std::uint64_t number) {
    std::uint64_t found = number;
    for (int round = 0; round < 6; ++round) {
        found *= 2 - number * found;
    }
    return found;
}

std::string bytes_of(std::uint64_t k1, std::uint64_t k2) {
    std::string bytes(16, '\0');
    std::memcpy(bytes.data(), &k1, 8);
    std::memcpy(bytes.data() + 8, &k2, 8);
    return bytes;
}

Murmur after(std::string_view block) {
    std::uint64_t k1 = 0;
    std::uint64_t k2 = 0;
    std::memcpy(&k1, block.data(), 8);
    std::memcpy(&k2, block.data() + 8, 8);
    Murmur state;
    state.take(k1, k2);
    return state;
}

/// The block that leads from one state to another.
std::string block_between(const Murmur& from, const Murmur& to) {
    const std::uint64_t fifth = inverse(5);
    const std::uint64_t m1 = std::rotr((to.h1 - 0x52dce729) * fifth - from.h2, 27) ^ from.h1;
    const std::uint64_t m2 = std::rotr((to.h2 - 0x38495ab5) * fifth - to.h1, 31) ^ from.h2;
    return bytes_of(
        std::rotr(m1 * inverse(Murmur::c2), 31) * inverse(Murmur::c1),
        std::rotr(m2 * inverse(Murmur::c1), 33) * inverse(Murmur::c2)
    );
}

constexpr const char* site = "eleven-long";  // with lengths, the first block of the key

/// Objects of one token with that site.
std::string object_of_one_token(std::uint64_t number) {
    using namespace std::string_view_literals;
    const Murmur begun = after(std::string{"\0\x0b"sv} + site + std::string{"\0\0\x20"sv});
    Murmur goal = begun;
    goal.take(1, 2);
    goal.take(3, 4);
    Murmur mine = begun;
    mine.take(number, ~number);
    return bytes_of(number, ~number) + block_between(mine, goal);
}

// Whoever chooses names can choose them to have one token; none of them may be missed.
TEST(CassandraScan, gives_every_row_once_of_partitions_with_one_token) {
    const std::vector<const storage::Table*> tables{&storage::visits};
    empty_tables(tables);
    const ManualClock clock{Instant{std::chrono::days{20'000}}};
    metrics::Metrics metrics;
    auto opened = CassandraStore::open(cluster_options(tables), clock, metrics);
    ASSERT_TRUE(opened) << opened.error().message;
    storage::Store& store = **opened;
    std::map<Row, int> rows;
    storage::Batch batch;
    for (std::int64_t object = 0; object < 30; ++object) {
        for (std::int64_t day = 0; day < object % 4 + 1; ++day) {
            const Row row{
                site,
                object_of_one_token(static_cast<std::uint64_t>(object)),
                day,
                std::int64_t{0},
                "id",
                "",
                day,
                ""
            };
            batch.upsert(storage::visits, storage::views_of(row));
            rows[row] = 1;
        }
    }
    ASSERT_TRUE(write_durably(store, batch));
    for (const std::size_t max_rows : {1U, 2U, 7U, 1000U}) {
        std::map<Row, int> scanned;
        storage::ScanQuery query{.table = &storage::visits, .max_rows = max_rows};
        do {
            const auto page = scan_page(store, query);
            ASSERT_TRUE(page) << page.error().message;
            for (const Row& row : storage::owned_rows(page->rows)) {
                ++scanned[row];
            }
            query.continuation = page->continuation;
        } while (!query.continuation.empty());
        EXPECT_EQ(scanned, rows) << max_rows;
    }
}

}  // namespace
}  // namespace footfall::storage_cassandra
