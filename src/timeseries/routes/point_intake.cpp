#include "timeseries_routes/kairos_intake.h"

#include "api/batch_pace.h"
#include "api/gzip_body.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "timeseries_routes/kairos_answers.h"
#include "timeseries_routes/kairos_points.h"

#include <fmt/format.h>

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

KairosIntake::KairosIntake(TimeSeries& series, storage::Store& store, std::size_t threads)
    : series_{&series},
      store_{&store},
      pool_{threads, queue_limit, runtime::Urgency::work, threads + 1} {}

runtime::Task<> KairosIntake::take(http_server::Exchange* exchange) {
    auto work = [&] { return take_now(exchange->request()); };
    exchange->response() = co_await api::on_pool(&pool_, std::move(work));
}

Response KairosIntake::take_now(const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    api::BatchPace pace;
    pace.pause(store_->pressure(), stopping_.get_token());
    std::string unpacked;
    const auto body = body_of(request, unpacked);
    if (!body) {
        return body.error();
    }
    const Result<SentPoints> sent = read_kairos_points(*body);
    if (!sent) {
        return kairos_error(sent.error());
    }
    return write(sent->points);
}

Response KairosIntake::write(std::span<const PointOf> points) {
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
    store_->when_durable(
        taken->position,
        [durable = durable_, count = taken->points](const Result<void>& decided) {
            if (decided) {
                durable->fetch_add(count, std::memory_order_relaxed);
            }
        }
    );
    return {.status = 204, .hold_until = taken->position};
}

void KairosIntake::stop() {
    stopping_.request_stop();
    pool_.stop();
}

}  // namespace footfall::timeseries::routes
