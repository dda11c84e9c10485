#include "api/token_batch.h"

#include "api/answers.h"
#include "api/gzip_body.h"
#include "api/parameters.h"
#include "api/token_lines.h"
#include "http_server/problem.h"
#include "runtime/await_callback.h"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Request;
using runtime::Task;
using tokens::Count;
using tokens::CounterConfig;
using tokens::TokenCounters;

/// So many lines are read and put before others on this thread get their turn and the loads of
/// these are waited for: a few tenths of a millisecond.
constexpr std::size_t lines_a_turn = 200;

/// What a batch came to so far.
struct Outcome {
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
};

/// Puts that wait for their objects; calls `done` when the last has been answered. Shared with
/// threads of the store.
class WaitingPuts {
public:
    explicit WaitingPuts(Outcome& outcome) : outcome_{&outcome} {}

    void add() { ++pending_; }

    void answer(std::size_t line, const Result<Count>& count) {
        std::unique_lock lock{mutex_};
        outcome_->take(line, count);
        finish_one(lock);
    }

    /// Calls `done` once all that was added has been answered.
    void when_all(std::move_only_function<void(bool)> done) {
        std::unique_lock lock{mutex_};
        done_ = std::move(done);
        finish_one(lock);
    }

private:
    void finish_one(std::unique_lock<std::mutex>& lock) {
        if (--pending_ > 0) {
            return;
        }
        lock.unlock();
        done_(true);
    }

    std::mutex mutex_;
    Outcome* outcome_;         // guarded by mutex_ until `done` was called
    std::size_t pending_ = 1;  // guarded by mutex_ once puts are out; one for when_all
    std::move_only_function<void(bool)> done_;  // guarded by mutex_
};

/// Puts some lines and waits for those whose objects have to be loaded.
Task<> put_turn(
    TokenCounters* counters,
    const CounterConfig* config,
    std::span<const TokenLine> lines,
    Outcome* outcome
) {
    std::vector<const TokenLine*> cold;
    for (const TokenLine& line : lines) {
        const auto count = counters->put_now(*config, line.object, line.token, line.ttl);
        if (count) {
            outcome->take(line.line, *count);
        } else {
            cold.push_back(&line);
        }
    }
    auto waiting = std::make_shared<WaitingPuts>(*outcome);
    for (std::size_t index = 0; index < cold.size(); ++index) {
        waiting->add();
    }
    auto start = [&](std::move_only_function<void(bool)> done) {
        for (const TokenLine* line : cold) {
            counters->put(
                *config,
                line->object,
                line->token,
                line->ttl,
                [waiting, number = line->line](const Result<Count>& count) {
                    waiting->answer(number, count);
                }
            );
        }
        waiting->when_all(std::move(done));
    };
    co_await runtime::await_callback<bool>(std::move(start));
}

http_server::Response answer_batch(Outcome outcome) {
    if (outcome.failure) {
        outcome.failure->message += "; send the batch again: no token counts twice";
        return answer_error(*outcome.failure);
    }
    std::ranges::sort(outcome.rejected, {}, &RejectedLine::line);
    http_server::Response response{.content_type = "application/json"};
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

Task<> put_token_batch(TokenCounters* counters, Exchange* exchange) {
    const Request& request = exchange->request();
    if (auto refusal = refuse_unknown_parameter(request, {"counter"})) {
        exchange->response() = *std::move(refusal);
        co_return;
    }
    const Asked<const CounterConfig*> config = counter_parameter(request, *counters);
    if (!config) {
        exchange->response() = config.error();
        co_return;
    }
    std::string unpacked;
    const Asked<std::string_view> body = decoded_body(request, batch_bytes_max, unpacked);
    if (!body) {
        exchange->response() = body.error();
        co_return;
    }
    if (count_token_lines(*body) > batch_lines_max) {
        exchange->response() = http_server::problem(
            413,
            "too-many-lines",
            fmt::format("the batch has more than {} lines; send it in parts", batch_lines_max)
        );
        co_return;
    }
    Outcome outcome;
    TokenLineReader reader{*body};
    while (!reader.done() && !outcome.failure) {
        TokenLines lines = reader.next(lines_a_turn);
        std::ranges::move(lines.rejected, std::back_inserter(outcome.rejected));
        co_await put_turn(counters, *config, lines.good, &outcome);
    }
    exchange->response() = answer_batch(std::move(outcome));
}

}  // namespace footfall::api
