#include "timeseries/point_list.h"

#include "foundation/random.h"
#include "foundation/testing/test_seed.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::timeseries {
namespace {

TEST(PointList, keeps_names_where_they_are_while_others_come) {
    Random random{test_seed()};
    PointList list;
    EXPECT_TRUE(list.empty());
    std::vector<std::string> names;
    for (std::int64_t at = 0; at < 20'000; ++at) {
        names.emplace_back(random() % 1025, static_cast<char>('a' + at % 26));
        std::string sent = names.back();
        list.add(sent, {.time = at, .value = static_cast<double>(at) / 2});
        sent.assign(sent.size(), '-');
    }
    ASSERT_EQ(list.size(), names.size());
    for (std::size_t at = 0; at < names.size(); ++at) {
        const PointOf& point = list.points()[at];
        ASSERT_EQ(point.name, names[at]);
        ASSERT_EQ(point.point.time, static_cast<std::int64_t>(at));
        ASSERT_EQ(point.point.value, static_cast<double>(at) / 2);
    }
}

}  // namespace
}  // namespace footfall::timeseries
