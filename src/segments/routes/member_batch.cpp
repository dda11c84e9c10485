#include "segments_routes/member_batch.h"

#include "api/gzip_body.h"
#include "api/on_pool.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"
#include "identities/normalised.h"
#include "runtime/moment.h"
#include "segments_routes/member_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::segments::routes {
namespace {

using http_server::Exchange;
using http_server::Request;
using http_server::Response;

/// So many lines are written together before others have their turn.
constexpr std::size_t member_lines_a_turn = 5'000;
/// Where the store takes no more for a while.
constexpr std::chrono::milliseconds store_pause{25};
constexpr std::chrono::seconds store_patience{8};

/// One request on its way. Owned by its coroutine, worked on by one thread at a time.
class MemberBatch {
public:
    MemberBatch(const Sources& sources, MemberChange change) : sources_{sources}, change_{change} {}

    /// Absent: it is taken; else the refusal of all of it.
    std::optional<Response> begin(const Request& request) {
        if (auto refused = api::refuse_unknown_parameter(request, {})) {
            return refused;
        }
        auto segment = segment_in_path(request);
        auto author = sources_.keeper.author(request);
        const auto body = api::decoded_body(request, member_batch_bytes_max, unpacked_);
        if (!segment || !author || !body) {
            return !segment ? segment.error() : !author ? author.error() : body.error();
        }
        segment_ = *std::move(segment);
        author_ = *std::move(author);
        const auto lines = static_cast<std::size_t>(std::ranges::count(*body, '\n')) +
                           (body->empty() || body->ends_with('\n') ? 0 : 1);
        if (lines > member_batch_lines_max) {
            return http_server::problem(
                413,
                "too-many-lines",
                fmt::format(
                    "the batch has more than {} lines; send it in parts", member_batch_lines_max
                )
            );
        }
        reader_ = std::make_unique<MemberLineReader>(*body);
        return change_ == MemberChange::remove ? refuse_unknown() : std::nullopt;
    }

    /// Does a part of it; answers when nothing is left to do, or the store fails. While others
    /// write more than the store takes the same part is done again, for as long as somebody may
    /// wait.
    std::optional<Response> take_turn() {
        if (good_.empty()) {
            read_some();
        }
        const Result<void> written = write();
        const auto now = std::chrono::steady_clock::now();
        if (!written && written.error().kind == ErrorKind::overloaded) {
            given_up_ = given_up_.value_or(now + store_patience);
            if (now < *given_up_) {
                runtime::wait_a_moment(store_pause);
                return std::nullopt;
            }
        }
        if (!written) {
            Error cause = written.error();
            if (accepted_ > 0 && cause.kind == ErrorKind::unavailable) {
                cause.kind = ErrorKind::outcome_unknown;  // of some lines
            }
            cause.message += "; to send the batch again is safe";
            return answer_failure(cause);
        }
        given_up_.reset();
        accepted_ += good_.size();
        good_.clear();
        if (!reader_->done()) {
            return std::nullopt;
        }
        return api::json_answer(
            fmt::format(R"({{"accepted":{},"rejected":[{}]}})", accepted_, rejected_)
        );
    }

private:
    std::optional<Response> refuse_unknown() {
        const auto found = sources_.segments->find(segment_);
        if (!found) {
            return answer_failure(found.error());
        }
        return found->has_value() ? std::nullopt : std::optional{answer_unknown(segment_)};
    }

    void read_some() {
        MemberLines lines = reader_->next(member_lines_a_turn);
        for (const RejectedMember& each : lines.rejected) {
            rejected_ += fmt::format(
                R"({}{{"line":{},"type":"/problems/invalid-input","detail":{}}})",
                rejected_.empty() ? "" : ",",
                each.line,
                json_string(each.detail)
            );
        }
        const auto guards = sources_.settling->guards();
        const Instant now = sources_.clock->now();
        good_.reserve(lines.good.size());
        for (MemberLine& each : lines.good) {
            good_.push_back(
                {.id = identities::normalised(*guards, std::move(each.id)),
                 .expires = each.ttl ? std::optional<Instant>{now + *each.ttl} : std::nullopt}
            );
        }
    }

    Result<void> write() {
        if (good_.empty()) {
            return {};
        }
        if (change_ == MemberChange::add) {
            return sources_.segments->add(segment_, good_, author_);
        }
        std::vector<identities::Id> ids;
        ids.reserve(good_.size());
        for (const Member& each : good_) {
            ids.push_back(each.id);
        }
        return sources_.segments->remove(segment_, ids);
    }

    const Sources sources_;
    const MemberChange change_;
    std::string segment_;
    std::string author_;
    std::string unpacked_;
    std::unique_ptr<MemberLineReader> reader_;  ///< Set by begin().
    std::vector<Member> good_;                  ///< Read, and not written yet.
    /// When nobody waits any more for the store to take them; absent: it takes what comes.
    std::optional<std::chrono::steady_clock::time_point> given_up_;
    std::uint64_t accepted_ = 0;
    std::string rejected_;
};

runtime::Task<> answer_member_batch(Sources sources, MemberChange change, Exchange* exchange) {
    MemberBatch batch{sources, change};
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

}  // namespace

http_server::Handler on_member_batches(const Sources& sources, MemberChange change) {
    return [sources, change](Exchange& exchange) {
        return std::optional{answer_member_batch(sources, change, &exchange)};
    };
}

}  // namespace footfall::segments::routes
