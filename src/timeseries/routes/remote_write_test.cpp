#include "timeseries_routes/remote_write.h"

#include "timeseries_routes/test_write_request.h"

#include <gmock/gmock.h>

#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Taken = std::vector<std::tuple<std::string, std::int64_t, double>>;

Taken points_of(const RemoteWrite& write) {
    Taken all;
    for (const PointOf& each : write.sent.points) {
        all.emplace_back(each.name, each.point.time, each.point.value);
    }
    return all;
}

RemoteWrite read_well(const std::string& request) {
    auto read = read_write_request(request);
    EXPECT_TRUE(read) << (read ? "" : read.error().message);
    return read ? *std::move(read) : RemoteWrite{};
}

std::string name_of(const std::vector<std::pair<std::string, std::string>>& labels) {
    const RemoteWrite write = read_well(write_request({{.labels = labels, .samples = {{7, 1}}}}));
    return write.sent.points.empty() ? "none: " + write.why
                                     : std::string{write.sent.points[0].name};
}

TEST(RemoteWrite, labels_are_tags_and_samples_points) {
    const RemoteWrite write = read_well(write_request(
        {{.labels = {{"__name__", "http_total"}, {"job", "shop"}, {"code", "200"}},
          .samples = {{1'796'040'000'000, 1.5}, {1'796'040'010'000, -2}}},
         {.labels = {{"__name__", "up"}}, .samples = {{-5, 0}}}}
    ));
    EXPECT_THAT(
        points_of(write),
        ElementsAre(
            std::tuple{"http_total;code=200;job=shop", 1'796'040'000'000, 1.5},
            std::tuple{"http_total;code=200;job=shop", 1'796'040'010'000, -2.0},
            std::tuple{"up", -5, 0.0}
        )
    );
    EXPECT_EQ(write.nans + write.histograms + write.unnamed, 0);
}

TEST(RemoteWrite, what_a_tag_cannot_have_stands_there_as_its_number) {
    EXPECT_EQ(
        name_of({{"__name__", "a"}, {"path", "/x y;z%"}, {"of", "~b"}, {"em", ""}}),
        "a;of=%7Eb;path=/x%20y%3Bz%25"
    );
    EXPECT_EQ(name_of({{"__name__", "a b*"}, {"k=", "v=w"}}), "a%20b%2A;k%3D=v=w");
    EXPECT_EQ(name_of({{"__name__", "a"}, {"k", "\n\xc3\xa4"}}), "a;k=%0A\xc3\xa4");
}

TEST(RemoteWrite, series_without_a_name_are_counted_and_the_others_read) {
    const RemoteWrite write = read_well(write_request(
        {{.labels = {{"job", "x"}}, .samples = {{1, 1}, {2, 2}}},
         {.labels = {{"__name__", std::string(2000, 'a')}}, .samples = {{1, 1}}},
         {.labels = {{"__name__", "a"}, {"b", "1"}, {"b", "2"}}, .samples = {{1, 1}}},
         {.labels = {{"__name__", "good"}}, .samples = {{3, 3}}}}
    ));
    EXPECT_THAT(points_of(write), ElementsAre(std::tuple{"good", 3, 3.0}));
    EXPECT_EQ(write.unnamed, 4);
    EXPECT_THAT(write.why, HasSubstr("__name__"));
}

TEST(RemoteWrite, stale_markers_and_what_is_not_kept_are_counted) {
    const RemoteWrite write = read_well(write_request(
        {{.labels = {{"__name__", "a"}},
          .samples =
              {{1, stale_marker()},
               {2, std::numeric_limits<double>::quiet_NaN()},
               {3, std::numeric_limits<double>::infinity()}},
          .histograms = 2}}
    ));
    EXPECT_THAT(
        points_of(write), ElementsAre(std::tuple{"a", 3, std::numeric_limits<double>::infinity()})
    );
    EXPECT_EQ(write.nans, 2);
    EXPECT_EQ(write.histograms, 2);
}

TEST(RemoteWrite, what_is_no_message_is_refused_at_each_length) {
    const std::string request =
        write_request({{.labels = {{"__name__", "up"}, {"job", "x"}}, .samples = {{1, 1}, {2, 2}}}}
        );
    for (std::size_t size = 1; size < request.size(); ++size) {
        const auto read = read_write_request(request.substr(0, size));
        ASSERT_FALSE(read) << size;
        EXPECT_EQ(read.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(read.error().message, HasSubstr("no prometheus.WriteRequest"));
    }
    EXPECT_FALSE(read_write_request("\x0f\x01"));
    EXPECT_THAT(points_of(read_well("")), IsEmpty());
}

TEST(RemoteWrite, more_samples_than_are_taken_at_once_are_refused) {
    SentSeries series{.labels = {{"__name__", "a"}}};
    series.samples.resize(remote_write_points_max);
    EXPECT_EQ(read_well(write_request({series})).sent.points.size(), remote_write_points_max);
    series.samples.emplace_back(1, 1);
    const auto read = read_write_request(write_request({series}));
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message, HasSubstr("max_samples_per_send"));
}

TEST(RemoteWrite, is_unpacked_as_far_as_is_allowed) {
    EXPECT_EQ(*unpack(packed("abc")), "abc");
    EXPECT_EQ(
        unpack(packed(std::string(remote_write_bytes_max, 'a')))->value_or("").size(), 16 << 20
    );
    EXPECT_FALSE(*unpack(packed(std::string(remote_write_bytes_max + 1, 'a'))));
    // Says 4 GiB, and has nothing.
    EXPECT_FALSE(*unpack("\xff\xff\xff\xff\x0f"));
    EXPECT_FALSE(unpack(""));
    EXPECT_FALSE(unpack("abc"));
    EXPECT_FALSE(unpack(packed(std::string(1000, 'a')).substr(0, 20)));
}

}  // namespace
}  // namespace footfall::timeseries::routes
