#include "identities_routes/match_batch.h"

#include "api/answers.h"
#include "api/gzip_body.h"
#include "api/on_pool.h"
#include "foundation/lines.h"
#include "http_server/problem.h"
#include "identities_routes/match_answers.h"
#include "identities_routes/match_json.h"
#include "jobs/wait_until.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::identities::routes {
namespace {

using api::Asked;
using http_server::Exchange;
using http_server::Request;
using http_server::Response;

/// So many lines are said, or answered, together before others have their turn.
constexpr std::size_t lines_a_turn = 1000;
/// And so many bytes of them.
constexpr std::size_t bytes_a_turn = 1 << 20;

/// One request on its way. Owned by its coroutine, worked on by one thread at a time.
class Batch {
public:
    explicit Batch(const Sources& sources)
        : sources_{sources}, now_{sources.identities->clock().now()} {}

    /// Absent: it is taken; else the refusal of all of it.
    std::optional<Response> begin(const Request& request) {
        if (auto refused = api::refuse_unknown_parameter(request, {})) {
            return refused;
        }
        const auto body = api::decoded_body(request, match_batch_bytes_max, unpacked_);
        if (!body) {
            return body.error();
        }
        left_ = *body;
        const bool is_ended = left_.empty() || left_.ends_with('\n');
        const auto lines =
            static_cast<std::size_t>(std::ranges::count(left_, '\n')) + (is_ended ? 0 : 1);
        if (lines > match_batch_lines_max) {
            return http_server::problem(
                413,
                "too-many-lines",
                fmt::format(
                    "the batch has more than {} lines; send it in parts", match_batch_lines_max
                )
            );
        }
        return std::nullopt;
    }

    /// Does a part of it; answers when nothing is left to do, or the store fails.
    std::optional<Response> take_turn() {
        Result<void> done;
        if (!left_.empty()) {
            done = say_some();
        } else if (!std::exchange(is_waited_for_, true)) {
            done = wait();
        } else {
            done = answer_some();
        }
        if (!done) {
            Error cause = taken_.failure(std::move(done).error());
            cause.message += "; to send the batch again is safe";
            return api::answer_error(cause);
        }
        if (is_waited_for_ && answered_ == lines_.size()) {
            Response response = api::json_answer({});
            response.content_type = "application/x-ndjson";
            response.body = std::move(answers_);
            return response;
        }
        return std::nullopt;
    }

private:
    Result<void> say_some() {
        const std::size_t first = lines_.size();
        const std::size_t most = first + lines_a_turn;
        std::size_t bytes = 0;
        while (!left_.empty() && lines_.size() < most && bytes < bytes_a_turn) {
            const std::string_view text = take_line(left_);
            ++number_;
            bytes += text.size();
            if (!is_blank(text)) {
                lines_.push_back({.number = number_, .text = text});
            }
        }
        const Matches matches = read({first, lines_.size()});
        TRY_VOID(known_before_.note(sources_.identities->settling().levels(), matches.said));
        std::vector<events::Event> events;
        events.reserve(matches.said.size());
        for (const MatchOfLine& each : matches.said) {
            TRY(events::Event event, event_of(*each.match));
            events.push_back(std::move(event));
        }
        TRY(const intake::Taken taken,
            sources_.collector->collect({.events = std::move(events), .arrival = now_}));
        taken_.refused += taken.refused;
        taken_.position = std::max(taken_.position, taken.position);
        return {};
    }

    /// Until it is durable, and in rows: as long as it takes, if only the next part of it is there
    /// within the patience of wait_until(). What nobody takes in is told line by line.
    Result<void> wait() {
        TRY_VOID(journal::wait_durable(sources_.collector->writer(), taken_.position));
        TRY_VOID(sources_.identities->flush(true));
        for (Part part = next(0); !judging().is_own && !part.empty(); part = next(part.end)) {
            const Matches matches = read(part);
            const auto waited = jobs::wait_until<bool>(
                [&] { return sources_.identities->flush(true); },
                [&]() -> Result<std::optional<bool>> {
                    TRY(const auto are_in, said_in_rows(sources_, matches.said));
                    const bool all = std::ranges::find(are_in, false) == are_in.end();
                    return all ? std::optional{true} : std::nullopt;
                },
                std::string{still_to_come}
            );
            if (!waited) {
                const bool is_late = waited.error().kind == ErrorKind::outcome_unknown;
                return is_late ? Result<void>{} : std::unexpected(waited.error());
            }
        }
        return {};
    }

    Result<void> answer_some() {
        const Part part = next(answered_);
        TRY_VOID(answer_lines(sources_, read(part).said, judging()));
        for (; answered_ < part.end; ++answered_) {
            answers_ += std::exchange(lines_[answered_].answer, {});
            answers_ += '\n';
        }
        return {};
    }

    /// Of lines_, from `begin` and before `end`.
    struct Part {
        std::size_t begin = 0;
        std::size_t end = 0;

        bool empty() const { return begin == end; }
    };

    Part next(std::size_t begin) const {
        return {.begin = begin, .end = std::min(begin + lines_a_turn, lines_.size())};
    }

    struct Matches {
        std::deque<Match> matches;  ///< Which `said` points to.
        std::vector<MatchOfLine> said;
    };

    /// Those of these lines that have no answer yet; lines that are no match are answered. Read
    /// again each time, which takes less than to keep what was read.
    Matches read(const Part& part) {
        Matches read;
        const auto guards = sources_.identities->settling().guards();
        for (MatchLine& each : std::span{lines_}.subspan(part.begin, part.end - part.begin)) {
            if (!each.answer.empty()) {
                continue;
            }
            Asked<Match> match = read_match(*guards, each.text, "the line", now_);
            if (match) {
                const Match& kept = read.matches.emplace_back(*std::move(match));
                read.said.push_back({.line = &each, .match = &kept});
            } else {
                set_problem(each, match.error());
            }
        }
        return read;
    }

    storage::Store& store() const { return sources_.identities->settling().store(); }

    Judging judging() const {
        return {
            .is_own = sources_.collector->writer().is_in(store()), .has_refused = taken_.refused > 0
        };
    }

    const Sources sources_;
    const Instant now_;  ///< Lines that name no time are said of it.
    std::string unpacked_;
    std::string_view left_;   ///< To be said.
    std::size_t number_ = 0;  ///< Of the last line taken off it.
    std::vector<MatchLine> lines_;
    KnownBefore known_before_;
    intake::Taken taken_;
    bool is_waited_for_ = false;
    std::size_t answered_ = 0;  ///< Of lines_.
    std::string answers_;
};

runtime::Task<> answer_batch(Sources sources, Exchange* exchange) {
    Batch batch{sources};
    bool is_begun = false;
    auto turn = [&]() -> std::optional<Response> {
        if (!std::exchange(is_begun, true)) {
            if (auto refused = batch.begin(exchange->request())) {
                return refused;
            }
        }
        return batch.take_turn();
    };
    exchange->response() = co_await api::on_pool_in_turns(sources.batches, std::move(turn));
}

/// Without what follows a semicolon.
std::string_view media_type(const Request& request) {
    const std::string_view type = request.header("Content-Type");
    return trimmed(type.substr(0, type.find(';')));
}

}  // namespace

bool is_match_batch(const Request& request) {
    constexpr std::string_view ndjson = "application/x-ndjson";
    return std::ranges::equal(media_type(request), ndjson, [](char sent, char known) {
        return (sent >= 'A' && sent <= 'Z' ? sent - 'A' + 'a' : sent) == known;
    });
}

http_server::Handler on_batches(const Sources& sources) {
    return
        [sources](Exchange& exchange) { return std::optional{answer_batch(sources, &exchange)}; };
}

}  // namespace footfall::identities::routes
