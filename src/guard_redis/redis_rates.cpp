#include "guard_redis/redis_rates.h"

#include "foundation/log.h"
#include "guard_redis/commands.h"
#include "runtime/enter_thread.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::guard_redis {
namespace {

using guard::RateNote;
using guard::RateQuestion;

/// Redis serves nobody else while it carries these out: half a millisecond.
constexpr std::size_t notes_at_once = 512;
constexpr std::size_t idle_connections_max = 16;
constexpr std::chrono::seconds closing_time{1};

std::unexpected<Error> refused(const Reply& reply) {
    return fail(ErrorKind::unavailable, std::string{reply.error()});
}

std::chrono::microseconds since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - then
    );
}

}  // namespace

RedisRates::RedisRates(Options options)
    : options_{std::move(options)},
      words_{options_.deployment, options_.log},
      queue_{options_.notes_max},
      away_since_{Steady::now()},
      look_at_{*away_since_},
      teller_{[this](const std::stop_token& stop) { tell(stop); }} {
    std::unique_lock lock{mutex_};
    told_.wait(lock, [&] { return looked_; });
}

RedisRates::~RedisRates() {
    {
        const std::lock_guard lock{mutex_};
        closing_ends_ = Steady::now() + closing_time;
    }
    teller_.request_stop();
    teller_.join();
}

bool RedisRates::ask(std::span<const RateQuestion> questions, guard::RateState& own) {
    if (questions.empty()) {
        return true;
    }
    std::unique_ptr<Connection> connection;
    {
        const std::lock_guard lock{mutex_};
        ++figures_.asks;
        if (away_since_) {
            return false;
        }
        if (!idle_.empty()) {
            connection = std::move(idle_.back());
            idle_.pop_back();
        }
    }
    const Result<void> asked = ask_all(connection, questions, own);
    const std::lock_guard lock{mutex_};
    if (!asked) {
        went_away(asked.error());
        return false;
    }
    ++figures_.answers;
    if (!away_since_ && idle_.size() < idle_connections_max) {
        idle_.push_back(std::move(connection));
    }
    return true;
}

void RedisRates::note(std::span<const RateNote> notes) {
    bool was_empty = false;
    {
        const std::lock_guard lock{mutex_};
        was_empty = queue_.size() == 0;
        figures_.dropped += queue_.add(notes);
    }
    if (was_empty) {
        teller_wakes_.notify_one();
    }
}

void RedisRates::settle() {
    std::unique_lock lock{mutex_};
    told_.wait(lock, [&, noted = queue_.added()] {
        return away_since_ || queue_.left() - telling_ >= noted;
    });
}

RedisRates::Figures RedisRates::figures() const {
    const std::lock_guard lock{mutex_};
    Figures figures = figures_;
    figures.waiting = queue_.size() + telling_;
    figures.away = away_before_ + (away_since_ ? since(*away_since_) : std::chrono::microseconds{});
    return figures;
}

/// Uses a connection, or a new one if there is none, or if it was closed since it was used last.
template <class Use>
Result<void> RedisRates::by(std::unique_ptr<Connection>& connection, Deadline deadline, Use use)
    const {
    if (connection) {
        Result<void> used = use(*connection);
        if (used || used.error().kind == ErrorKind::timed_out) {
            return used;
        }
    }
    TRY(connection, Connection::open(options_.address, options_.port, deadline));
    return use(*connection);
}

Result<void> RedisRates::ask_all(
    std::unique_ptr<Connection>& connection,
    std::span<const RateQuestion> questions,
    guard::RateState& own
) const {
    while (!questions.empty()) {
        const auto some = questions.first(std::min(questions.size(), questions_at_once));
        const Deadline deadline = Steady::now() + options_.deadline;
        TRY_VOID(by(connection, deadline, [&](Connection& used) {
            return ask_some(used, some, deadline, own);
        }));
        questions = questions.subspan(some.size());
    }
    return {};
}

Result<void> RedisRates::ask_some(
    Connection& connection,
    std::span<const RateQuestion> questions,
    Deadline deadline,
    guard::RateState& own
) const {
    std::string commands;
    for (const RateQuestion& each : questions) {
        words_.append_question(commands, each);
    }
    const auto note_all = [&](std::size_t number, const Reply& reply) -> Result<void> {
        if (reply.failed()) {
            return refused(reply);
        }
        const guard::RateKey& of = questions[number / RateWords::answers_of_question].of;
        // The newest come first; oldest first each goes behind those before.
        for (std::size_t at = reply.size() / 2; at-- > 0;) {
            const auto place = words_.place(reply[2 * at]);
            const auto time = time_of_score(reply[2 * at + 1]);
            if (place && time) {
                own.note(of.key, of.limit, *time, *place);
            }
        }
        return {};
    };
    const std::size_t answers = RateWords::answers_of_question * questions.size();
    return connection.exchange(commands, answers, deadline, note_all);
}

Result<void> RedisRates::tell_some(
    Connection& connection, std::span<RateNote> notes, Deadline deadline
) const {
    std::string commands;
    std::size_t replies = 1;
    if (notes.empty()) {
        append_command(commands, {"PING"});
    } else {
        replies = words_.append_notes(commands, notes);
    }
    return connection
        .exchange(commands, replies, deadline, [](std::size_t, const Reply& reply) -> Result<void> {
            return reply.failed() ? Result<void>{refused(reply)} : Result<void>{};
        });
}

void RedisRates::tell(const std::stop_token& stop) {
    runtime::enter_thread("rate teller", runtime::Urgency::work);
    std::unique_ptr<Connection> connection;
    std::vector<RateNote> notes;
    std::unique_lock lock{mutex_};
    while (wait_for_work(lock, stop)) {
        if (notes.empty()) {
            notes = queue_.take(notes_at_once);
            telling_ = notes.size();
        }
        lock.unlock();
        const Deadline deadline = Steady::now() + options_.deadline;
        const Result<void> told = by(connection, deadline, [&](Connection& used) {
            return tell_some(used, notes, deadline);
        });
        lock.lock();
        if (told) {
            came_back();
            figures_.told += notes.size();
            notes.clear();
            telling_ = 0;
        } else {
            connection.reset();
            went_away(told.error());
        }
        looked_ = true;
        told_.notify_all();
    }
    // Nobody will be told.
    figures_.dropped += telling_ + queue_.take(queue_.size()).size();
}

/// Until there is something to tell or it is time to look whether it is back. False: the end.
bool RedisRates::wait_for_work(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
    teller_wakes_.wait(lock, stop, [&] { return away_since_ || queue_.size() > 0; });
    if (away_since_) {
        const auto until = look_at_;  // which others may move while it waits
        teller_wakes_.wait_until(lock, stop, until, [] { return false; });
        return !stop.stop_requested();
    }
    return queue_.size() > 0 && (!stop.stop_requested() || Steady::now() < closing_ends_);
}

void RedisRates::went_away(const Error& error) {
    ++figures_.failures;
    idle_.clear();
    const auto now = Steady::now();
    look_at_ = now + options_.pause;
    if (away_since_ && looked_) {
        return;
    }
    log(LogLevel::warning,
        "Redis at {}:{} is away: {}. Until it is back, rules on rates go by what this process "
        "remembers, or refuse, as each says",
        options_.address,
        options_.port,
        error.message);
    if (!away_since_) {
        away_since_ = now;
        teller_wakes_.notify_one();
    }
    told_.notify_all();
}

void RedisRates::came_back() {
    if (!away_since_) {
        return;
    }
    away_before_ += since(*away_since_);
    away_since_.reset();
    log(LogLevel::info, "Redis at {}:{} is there", options_.address, options_.port);
}

}  // namespace footfall::guard_redis
