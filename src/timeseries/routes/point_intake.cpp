#include "timeseries_routes/point_intake.h"

#include "api/answers.h"
#include "api/batch_pace.h"
#include "api/gzip_body.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "http_server/problem.h"
#include "timeseries_routes/kairos_answers.h"
#include "timeseries_routes/kairos_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace footfall::timeseries::routes {
namespace {

using http_server::Request;
using http_server::Response;

/// Requests that may wait for a thread.
constexpr std::size_t queue_limit = 100;

/// Some clients say only by its type that a body is packed.
api::Asked<std::string_view> body_of(const Request& request, std::string& unpacked) {
    Request packed = request;
    if (packed.known.content_encoding.empty() &&
        packed.header("Content-Type").starts_with("application/gzip")) {
        packed.known.content_encoding = "gzip";
    }
    auto body = api::decoded_body(packed, kairos_bytes_max, unpacked);
    if (!body && body.error().status == 400) {
        return std::unexpected(kairos_error(
            {.kind = ErrorKind::invalid_input,
             .message = "the body is no gzip, or is damaged or cut off"}
        ));
    }
    return body;
}

/// Version 2.0 has another message under the same path, which its type names.
std::optional<Response> refuse_other_form(const Request& request) {
    const std::string_view type = request.header("Content-Type");
    const std::string_view parameters = type.substr(std::min(type.find(';'), type.size()));
    if (!type.starts_with("application/x-protobuf") || parameters.contains("v2.Request") ||
        request.header("X-Prometheus-Remote-Write-Version").starts_with("2")) {
        return http_server::problem(
            415,
            "unsupported-type",
            "send remote write 1.0: application/x-protobuf, a prometheus.WriteRequest, packed with "
            "snappy (of Prometheus 3 protobuf_message: prometheus.WriteRequest)",
            "Content-Type"
        );
    }
    if (request.known.content_encoding != "snappy") {
        return http_server::problem(
            415,
            "unsupported-encoding",
            "send the body packed with snappy, in its block format",
            "Content-Encoding"
        );
    }
    return std::nullopt;
}

/// Why points were not taken, of which one was refused at least; and by which limit.
std::string why_refused(const Taken& taken, const TimeSeries& series) {
    const auto count = [&](Refusal why) { return taken.refused[static_cast<std::size_t>(why)]; };
    if (const auto old = count(Refusal::old); old > 0) {
        const Retention& retention = series.retention();
        if (retention.points_shortest() != retention.points_longest()) {
            return fmt::format(
                "{} of the points are of before what is kept, as metrics_retention has it", old
            );
        }
        return fmt::format(
            "{} of the points are of before what is kept: metrics_keep is {} days",
            old,
            std::chrono::floor<std::chrono::days>(retention.points_longest()).count()
        );
    }
    if (const auto early = count(Refusal::early); early > 0) {
        return fmt::format("{} of the points are of more than a day from now", early);
    }
    if (count(Refusal::no_room) > 0) {
        return "there is no room for a series more: " + series.no_room();
    }
    return "a series has the number of another one: give it another name, or other tags";
}

}  // namespace

PointIntake::PointIntake(TimeSeries& series, storage::Store& store, std::size_t threads)
    : series_{&series},
      store_{&store},
      pool_{threads, queue_limit, runtime::Urgency::work, threads + 1} {}

runtime::Task<> PointIntake::take(http_server::Exchange* exchange, TakeNow now) {
    auto work = [&] {
        const Request& request = exchange->request();
        if (auto refusal = api::refuse_unknown_parameter(request, {})) {
            return *std::move(refusal);
        }
        api::BatchPace pace;
        pace.pause(store_->pressure(), stopping_.get_token());
        return (this->*now)(request);
    };
    exchange->response() = co_await api::on_pool(&pool_, std::move(work));
}

runtime::Task<> PointIntake::take_kairos(http_server::Exchange* exchange) {
    return take(exchange, &PointIntake::take_kairos_now);
}

runtime::Task<> PointIntake::take_remote_write(http_server::Exchange* exchange) {
    return take(exchange, &PointIntake::take_remote_write_now);
}

Response PointIntake::take_kairos_now(const Request& request) {
    std::string unpacked;
    const auto body = body_of(request, unpacked);
    if (!body) {
        return body.error();
    }
    const Result<SentPoints> sent = read_kairos_points(*body);
    if (!sent) {
        return kairos_error(sent.error());
    }
    return write_kairos(sent->points);
}

Response PointIntake::write_kairos(std::span<const PointOf> points) {
    if (points.empty()) {
        return {.status = 204};
    }
    const Result<Taken> taken = series_->write_all(points);
    if (!taken) {
        return api::answer_error(taken.error());
    }
    if (taken->points == 0) {
        return kairos_error(
            {.kind = ErrorKind::invalid_input, .message = why_refused(*taken, *series_)}
        );
    }
    count_when_durable(*taken);
    return {.status = 204, .hold_until = taken->position};
}

Response PointIntake::take_remote_write_now(const Request& request) {
    if (auto refusal = refuse_other_form(request)) {
        return *std::move(refusal);
    }
    const auto unpacked = unpack(request.body);
    if (!unpacked) {
        return api::answer_error(unpacked.error());
    }
    const std::optional<std::string>& body = *unpacked;
    if (!body) {
        return http_server::problem(
            413,
            "body-too-large",
            fmt::format(
                "the body is larger than the {} bytes allowed when unpacked", remote_write_bytes_max
            )
        );
    }
    const Result<RemoteWrite> read = read_write_request(*body);
    if (!read) {
        return api::answer_error(read.error());
    }
    return write_remote(*read);
}

/// What was taken is durable when the answer leaves, also one that says what was not.
Response PointIntake::write_remote(const RemoteWrite& write) {
    Taken taken;
    if (!write.sent.points.empty()) {
        Result<Taken> written = series_->write(write.sent.points);
        if (!written) {
            return api::answer_error(written.error());
        }
        taken = *written;
        count_when_durable(taken);
    }
    nans_.fetch_add(write.nans, std::memory_order_relaxed);
    histograms_.fetch_add(write.histograms, std::memory_order_relaxed);
    unnamed_.fetch_add(write.unnamed, std::memory_order_relaxed);
    std::string why = write.unnamed == 0
                          ? ""
                          : fmt::format("{} samples have no name: {}", write.unnamed, write.why);
    if (taken.points < write.sent.points.size()) {
        why += (why.empty() ? "" : "; ") + why_refused(taken, *series_);
    }
    Response response{.status = 204};
    if (!why.empty()) {
        response = api::answer_error(
            {.kind = ErrorKind::invalid_input,
             .message = fmt::format(
                 "{} of {} samples were taken, and are durable; {}",
                 taken.points,
                 write.sent.points.size() + write.unnamed,
                 why
             )}
        );
    }
    response.hold_until = taken.position;
    return response;
}

void PointIntake::count_when_durable(const Taken& taken) {
    store_->when_durable(
        taken.position,
        [durable = durable_, count = taken.points](const Result<void>& decided) {
            if (decided) {
                durable->fetch_add(count, std::memory_order_relaxed);
            }
        }
    );
}

void PointIntake::stop() {
    stopping_.request_stop();
    pool_.stop();
}

}  // namespace footfall::timeseries::routes
