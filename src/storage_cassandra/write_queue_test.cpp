#include "storage_cassandra/write_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace footfall::storage_cassandra {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A write of about so many bytes.
WriteQueue::Part part(storage::CommitPosition position, std::uint64_t owner, std::size_t bytes) {
    auto write = std::make_shared<PartitionWrite>();
    write->cells.push(storage::ColumnType::text, std::string(bytes, 'x'));
    return {.position = position, .loss = 0, .owner = owner, .write = std::move(write)};
}

std::vector<storage::CommitPosition> positions(const WriteQueue::Group& group) {
    std::vector<storage::CommitPosition> positions;
    for (const WriteQueue::Part& one : group) {
        positions.push_back(one.position);
    }
    return positions;
}

TEST(WriteQueue, groups_the_parts_of_an_owner_oldest_first) {
    WriteQueue queue;
    queue.push(part(1, 8, 10));
    queue.push(part(2, 7, 10));
    queue.push(part(3, 8, 10));
    EXPECT_THAT(positions(queue.take(false)), ElementsAre(1, 3));
    EXPECT_THAT(positions(queue.take(false)), ElementsAre(2));
    EXPECT_THAT(queue.take(false), IsEmpty());
    EXPECT_TRUE(queue.empty());
}

TEST(WriteQueue, a_group_has_at_most_ten_partitions) {
    WriteQueue queue;
    for (storage::CommitPosition position = 1; position <= 12; ++position) {
        queue.push(part(position, 7, 10));
    }
    EXPECT_EQ(queue.take(false).size(), WriteQueue::group_parts);
    EXPECT_THAT(positions(queue.take(false)), ElementsAre(11, 12));
}

TEST(WriteQueue, a_group_has_at_most_so_many_bytes_but_for_a_part_that_has_more) {
    WriteQueue queue;
    queue.push(part(1, 7, WriteQueue::group_bytes + 1));
    queue.push(part(2, 7, WriteQueue::group_bytes / 2));
    queue.push(part(3, 7, WriteQueue::group_bytes / 4));
    queue.push(part(4, 7, WriteQueue::group_bytes / 2));
    EXPECT_THAT(positions(queue.take(false)), ElementsAre(1));
    EXPECT_THAT(positions(queue.take(false)), ElementsAre(2, 3));
    EXPECT_THAT(positions(queue.take(false)), ElementsAre(4));
}

TEST(WriteQueue, gives_only_full_groups_when_asked_for_them) {
    WriteQueue queue;
    queue.push(part(1, 7, 10));
    for (storage::CommitPosition position = 2; position <= 11; ++position) {
        EXPECT_THAT(queue.take(true), IsEmpty());
        queue.push(part(position, 8, 10));
    }
    EXPECT_EQ(positions(queue.take(true)).front(), 2U);
    EXPECT_THAT(queue.take(true), IsEmpty());
    queue.push(part(12, 9, WriteQueue::group_bytes));
    EXPECT_THAT(positions(queue.take(true)), ElementsAre(12));
    EXPECT_THAT(positions(queue.take(false)), ElementsAre(1));
    EXPECT_TRUE(queue.empty());
}

TEST(WriteQueue, who_gets_no_company_goes_before_long) {
    WriteQueue queue;
    queue.push(part(1, 7, 10));
    for (storage::CommitPosition position = 2; position <= WriteQueue::patience; ++position) {
        queue.push(part(position, 8, 10));
    }
    EXPECT_EQ(positions(queue.take(true)).front(), 2) << "only the other's group is full";
    queue.push(part(1 + WriteQueue::patience, 8, 10));
    EXPECT_THAT(positions(queue.take(true)), ElementsAre(1));
}

}  // namespace
}  // namespace footfall::storage_cassandra
