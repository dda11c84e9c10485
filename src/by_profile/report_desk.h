#pragma once

#include "api/parameters.h"
#include "by_profile/profiles.h"
#include "by_profile/survey.h"
#include "http_server/router.h"
#include "intake/intake.h"
#include "runtime/blocking_pool.h"
#include "runtime/task.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>

namespace footfall::by_profile {

/// Answers requests that ask `by=profile`: one at a time, on a thread of its own, since each may
/// read much of the log and take its memory; some wait, and more are refused. Who leaves is not
/// worked for any more. Thread-safe; what it is given must outlive it.
class ReportDesk {
public:
    ReportDesk(intake::Intake& intake, Profiles& profiles, Limits limits)
        : intake_{&intake}, profiles_{&profiles}, limits_{limits} {}

    ReportDesk(const ReportDesk&) = delete;
    ReportDesk& operator=(const ReportDesk&) = delete;

    ~ReportDesk() { stop(); }

    /// Both are called on the thread of the desk.
    using Read = std::function<api::Asked<Question>(const http_server::Request& request)>;
    using Tell = std::function<
        http_server::Response(const http_server::Request& request, const Report& report)>;

    /// Answers what `read` reads of the request with what `tell` makes of the report.
    runtime::Task<> answer(http_server::Exchange* exchange, Read read, Tell tell);

    /// Does a part of the work, and is called again until it has an answer.
    using Turn = std::move_only_function<std::optional<http_server::Response>()>;

    /// The same of work that finds its actors elsewhere than in the log.
    runtime::Task<> answer_in_turns(http_server::Exchange* exchange, Turn turn);

    Profiles& profiles() const { return *profiles_; }

    /// The program stops: what waits to be begun is refused. Idempotent.
    void refuse_waiting() { pool_.refuse_waiting(); }

    /// What is begun is given up, too. Idempotent.
    void stop() {
        stopping_.store(true);
        pool_.refuse_waiting();
        pool_.stop();
    }

private:
    static constexpr std::size_t waiting_max = 16;

    intake::Intake* intake_;
    Profiles* profiles_;
    const Limits limits_;
    std::atomic<bool> stopping_ = false;
    runtime::BlockingPool pool_{1, waiting_max};  // last: it ends first
};

/// Whether a request asks `by=profile`; without `by`, or with `by=actor`, it does not. 400 for
/// anything else, and for `profile` where there is nobody who knows profiles.
api::Asked<bool> asks_by_profile(const http_server::Request& request, const ReportDesk* desk);

/// The answer to a question that cannot be asked that way.
http_server::Response not_by_profile(std::string_view why);

}  // namespace footfall::by_profile
