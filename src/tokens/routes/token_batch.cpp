#include "tokens_routes/token_batch.h"

#include "api/answers.h"
#include "api/batch_pace.h"
#include "api/gzip_body.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"
#include "tokens_routes/counter_parameters.h"
#include "tokens_routes/token_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>

namespace footfall::tokens::routes {
namespace {

using http_server::Exchange;
using http_server::Request;
using http_server::Response;
using runtime::Task;
using tokens::Count;
using tokens::CounterConfig;
using tokens::TokenCounters;

/// Batches that may wait for a thread.
constexpr std::size_t token_queue_limit = 100;
/// So many lines are put before others have their turn.
constexpr std::size_t lines_a_turn = 200;

/// What a batch came to so far.
struct TokenOutcome {
    std::uint64_t accepted = 0;
    std::uint64_t position = 0;    ///< The latest write; the answer leaves when it is durable.
    std::optional<Error> failure;  ///< Of the store: the whole batch has to be sent again.
    std::vector<RejectedLine> rejected;

    void take(std::size_t line, const Result<Count>& count) {
        if (count) {
            ++accepted;
            position = std::max(position, count->position);
        } else if (count.error().kind == ErrorKind::invalid_input) {
            rejected.push_back(
                {.line = line, .type = "/problems/invalid-input", .detail = count.error().message}
            );
        } else {
            failure = count.error();
        }
    }

    void add(TokenOutcome other) {
        accepted += other.accepted;
        position = std::max(position, other.position);
        if (!failure) {
            failure = std::move(other.failure);
        }
        std::ranges::move(other.rejected, std::back_inserter(rejected));
    }
};

/// The puts of a batch whose objects have to be loaded first: so many at a time. Shared with the
/// store, which may answer the last one when the batch has gone on.
class WaitingPuts {
public:
    explicit WaitingPuts(std::size_t at_once) : at_once_{at_once} {}

    /// Waits for a place.
    void begin(api::BatchPace& pace) {
        std::unique_lock lock{mutex_};
        if (open_ >= at_once_) {
            pace.stop();
            room_.wait(lock, [this] { return open_ < at_once_; });
            pace.go_on();
        }
        ++open_;
    }

    void answer(std::size_t line, const Result<Count>& count) {
        const std::lock_guard lock{mutex_};
        outcome_.take(line, count);
        --open_;
        room_.notify_one();
    }

    /// Whether the store failed one of them.
    bool failed() {
        const std::lock_guard lock{mutex_};
        return outcome_.failure.has_value();
    }

    /// Waits for all of them; what they came to.
    TokenOutcome end(api::BatchPace& pace) {
        std::unique_lock lock{mutex_};
        pace.stop();
        room_.wait(lock, [this] { return open_ == 0; });
        pace.go_on();
        return std::move(outcome_);
    }

private:
    const std::size_t at_once_;
    std::mutex mutex_;  // guards all below
    std::condition_variable room_;
    std::size_t open_ = 0;
    TokenOutcome outcome_;
};

void put_lines(
    TokenCounters& counters,
    const CounterConfig& config,
    std::span<const TokenLine> lines,
    TokenOutcome& outcome,
    const std::shared_ptr<WaitingPuts>& waiting,
    api::BatchPace& pace
) {
    for (const TokenLine& line : lines) {
        const auto count = counters.put_now(config, line.object, line.token, line.ttl);
        if (count) {
            outcome.take(line.line, *count);
            continue;
        }
        waiting->begin(pace);
        counters.put(
            config,
            line.object,
            line.token,
            line.ttl,
            [waiting, number = line.line](const Result<Count>& put) {
                waiting->answer(number, put);
            }
        );
    }
}

Response answer_batch(TokenOutcome outcome) {
    if (outcome.failure) {
        if (outcome.position != 0) {
            outcome.failure->kind = ErrorKind::outcome_unknown;  // of some lines
        }
        outcome.failure->message += "; send the batch again: no token counts twice";
        return api::answer_error(*outcome.failure);
    }
    std::ranges::sort(outcome.rejected, {}, &RejectedLine::line);
    Response response{.content_type = "application/json"};
    response.body = fmt::format(R"({{"accepted":{},"rejected":[)", outcome.accepted);
    for (const RejectedLine& rejected : outcome.rejected) {
        response.body += fmt::format(
            R"({}{{"line":{},"type":"{}","detail":{}}})",
            response.body.ends_with('[') ? "" : ",",
            rejected.line,
            rejected.type,
            json_string(rejected.detail)
        );
    }
    response.body += "]}\n";
    response.hold_until = outcome.position;
    return response;
}

}  // namespace

/// The body of one request, taken in turns.
class TokenBatches::Batch {
public:
    /// The answer of what cannot be read.
    static api::Asked<std::unique_ptr<Batch>> open(const Request& request, std::size_t loads) {
        std::unique_ptr<Batch> batch{new Batch{loads}};
        const auto body = api::decoded_body(request, batch_bytes_max, batch->unpacked_);
        if (!body) {
            return std::unexpected(body.error());
        }
        if (count_token_lines(*body) > batch_lines_max) {
            return std::unexpected(http_server::problem(
                413,
                "too-many-lines",
                fmt::format("the batch has more than {} lines; send it in parts", batch_lines_max)
            ));
        }
        batch->reader_ = std::make_unique<TokenLineReader>(*body);
        return batch;
    }

    bool done() const { return reader_->done() || outcome_.failure || waiting_->failed(); }

    void take(TokenCounters& counters, const CounterConfig& config, api::BatchPace& pace) {
        TokenLines lines = reader_->next(lines_a_turn);
        std::ranges::move(lines.rejected, std::back_inserter(outcome_.rejected));
        put_lines(counters, config, lines.good, outcome_, waiting_, pace);
    }

    void fail(Error cause) { outcome_.failure = std::move(cause); }

    /// Waits for what is being loaded.
    Response answer(api::BatchPace& pace) {
        outcome_.add(waiting_->end(pace));
        return answer_batch(std::move(outcome_));
    }

private:
    explicit Batch(std::size_t loads) : waiting_{std::make_shared<WaitingPuts>(loads)} {}

    std::string unpacked_;
    std::unique_ptr<TokenLineReader> reader_;  ///< Set by open().
    TokenOutcome outcome_;
    std::shared_ptr<WaitingPuts> waiting_;
};

TokenBatches::TokenBatches(TokenCounters& counters, std::size_t threads, std::size_t loads_at_once)
    : counters_{&counters},
      loads_at_once_{loads_at_once},
      pool_{threads, token_queue_limit, runtime::Urgency::work, threads + 1} {}

Task<> TokenBatches::put(Exchange* exchange) {
    const Request& request = exchange->request();
    if (auto refusal = api::refuse_unknown_parameter(request, {"counter"})) {
        exchange->response() = *std::move(refusal);
        co_return;
    }
    const api::Asked<const CounterConfig*> config = counter_parameter(request, *counters_);
    if (!config) {
        exchange->response() = config.error();
        co_return;
    }
    std::unique_ptr<Batch> batch;
    auto turn = [&]() -> std::optional<Response> {
        if (!batch) {
            auto opened = Batch::open(request, loads_at_once_);
            if (!opened) {
                return opened.error();
            }
            batch = *std::move(opened);
        }
        return take_turn(*batch, **config);
    };
    exchange->response() = co_await api::on_pool_in_turns(&pool_, std::move(turn));
}

std::optional<Response> TokenBatches::take_turn(Batch& batch, const CounterConfig& config) {
    api::BatchPace pace;
    const std::stop_token stop = stopping_.get_token();
    if (!batch.done() && stop.stop_requested()) {
        batch.fail({.kind = ErrorKind::unavailable, .message = "the server is stopping"});
    }
    pace.go_on();
    if (batch.done()) {
        return batch.answer(pace);
    }
    batch.take(*counters_, config, pace);
    pace.stop();
    pace.pause(counters_->pressure(), stop);
    return std::nullopt;
}

void TokenBatches::stop() {
    stopping_.request_stop();
    pool_.stop();
}

}  // namespace footfall::tokens::routes
