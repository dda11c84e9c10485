#include "timeseries_routes/point_intake.h"

#include "timeseries_routes/test_metrics.h"
#include "timeseries_routes/test_write_request.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

using http_server::Response;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t posted_ms = TestMetrics::start * 1000;

class PostedPoints : public testing::Test {
protected:
    void SetUp() override {
        metrics_.door.add(
            keys::Scope::write,
            http_server::Method::post,
            "/api/v1/write",
            [this](http_server::Exchange& exchange) {
                return std::optional{intake_.take_remote_write(&exchange)};
            },
            {.bytes = remote_write_bytes_max}
        );
    }

    Response send(
        const std::string& body,
        const std::vector<std::pair<std::string_view, std::string_view>>& headers = prometheus
    ) {
        http_server::Request request;
        request.method = http_server::Method::post;
        request.body = body;
        request.path = "/api/v1/write";
        request.headers = headers;
        request.known.content_encoding = request.header("Content-Encoding");
        request.peer = "127.0.0.1";
        request.known.host = "localhost";
        request.known.hosts = 1;
        return metrics_.waiting.ask(std::move(request));
    }

    std::vector<double> values(std::string_view name) {
        const auto points = metrics_.series.read(name, 0, INT64_MAX);
        EXPECT_TRUE(points);
        std::vector<double> all;
        for (const series::Point& each : points.value_or(std::vector<series::Point>{})) {
            all.push_back(each.value);
        }
        return all;
    }

    static inline const std::vector<std::pair<std::string_view, std::string_view>> prometheus{
        {"Content-Encoding", "snappy"},
        {"Content-Type", "application/x-protobuf"},
        {"X-Prometheus-Remote-Write-Version", "0.1.0"}
    };

    TestMetrics metrics_;
    PointIntake intake_{metrics_.series, metrics_.store, 1};
};

TEST_F(PostedPoints, of_prometheus_are_stored_once_however_often_they_come) {
    const std::string body = packed(write_request(
        {{.labels = {{"__name__", "up"}, {"job", "a"}},
          .samples = {{posted_ms - 1000, 1}, {posted_ms, stale_marker()}}}}
    ));
    for (int times = 0; times < 2; ++times) {
        const Response answer = send(body);
        EXPECT_EQ(answer.status, 204) << answer.body;
        EXPECT_GT(answer.hold_until, 0);
    }
    EXPECT_THAT(values("up;job=a"), ElementsAre(1));
    EXPECT_EQ(intake_.durable_points(), 2);
    EXPECT_EQ(intake_.nans(), 2);
}

TEST_F(PostedPoints, that_can_never_be_taken_are_told_and_the_others_are_stored) {
    const Response answer = send(packed(write_request(
        {{.labels = {{"__name__", "up"}}, .samples = {{1, 1}, {posted_ms, 2}}},
         {.labels = {{"job", "a"}}, .samples = {{posted_ms, 3}}}}
    )));
    EXPECT_EQ(answer.status, 400);
    EXPECT_THAT(answer.body, HasSubstr("1 of 3 samples were taken"));
    EXPECT_THAT(answer.body, HasSubstr("metrics_keep is 90 days"));
    EXPECT_THAT(answer.body, HasSubstr("1 samples have no name"));
    EXPECT_THAT(values("up"), ElementsAre(2));
    EXPECT_EQ(intake_.unnamed(), 1);
}

TEST_F(PostedPoints, of_another_form_are_refused_whole) {
    const std::string good =
        packed(write_request({{.labels = {{"__name__", "up"}}, .samples = {{posted_ms, 2}}}}));
    const Response second = send(
        good,
        {{"Content-Encoding", "snappy"},
         {"Content-Type", "application/x-protobuf;proto=io.prometheus.write.v2.Request"}}
    );
    EXPECT_EQ(second.status, 415);
    EXPECT_THAT(second.body, HasSubstr("prometheus.WriteRequest"));
    EXPECT_EQ(send(good, {{"Content-Encoding", "snappy"}}).status, 415);
    EXPECT_EQ(send(good, {{"Content-Type", "application/x-protobuf"}}).status, 415);
    EXPECT_EQ(send(good + "x").status, 400);
    EXPECT_EQ(send(packed("no message")).status, 400);
    EXPECT_EQ(send(packed(std::string(remote_write_bytes_max + 1, 'a'))).status, 413);
    EXPECT_THAT(values("up"), IsEmpty());
    EXPECT_EQ(send(packed("")).status, 204);
}

}  // namespace
}  // namespace footfall::timeseries::routes
