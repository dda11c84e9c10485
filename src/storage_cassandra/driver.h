#pragma once

#include "foundation/result.h"
#include "storage/table.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <footfall_cql.h>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

namespace footfall::storage_cassandra {

struct DriverOptions {
    std::string contacts;    ///< ADDRESS:PORT, separated by commas.
    std::string datacenter;  ///< The local one.
    std::string keyspaces;   ///< Whose tables are asked, separated by commas.
    std::string user = {};   ///< Empty: no authentication.
    std::string password = {};
    std::uint32_t connections_per_node = 2;
    std::uint32_t max_in_flight = 2048;
    std::chrono::milliseconds attempt{2000};  ///< One node's time to answer.
};

/// Whether a second node is asked what the first is slow to answer; the first answer is taken.
struct SecondNode {
    std::chrono::milliseconds after{0};  ///< 0: none is.
    std::uint32_t from_attempt = 1;      ///< Not in the attempts before this one.
};

/// What a statement is for, as of cql_use: who may be asked, how long, and how often at once.
enum class Use { write, read, read_anywhere, scan };

/// What came of a request: its rows, or why there are none. Movable; owns the memory behind cells.
class Answer {
public:
    explicit Answer(const cql_completion& completion)
        : status_{completion.status},
          attempts_{completion.attempts},
          statement_{completion.statement},
          speculations_{completion.speculations},
          result_{completion.result} {}

    /// Success, or the failure in the words of Result: `timed_out`, `unavailable`, ...
    Result<void> outcome() const;

    std::size_t rows() const;
    std::size_t columns() const;
    const cql_cell& cell(std::size_t row, std::size_t column) const;
    std::string_view text(std::size_t row, std::size_t column) const;

    /// How often the request was sent.
    std::uint32_t attempts() const { return attempts_; }

    /// How often a second node was asked as well.
    std::uint32_t speculations() const { return speculations_; }

    /// Whether nodes did not answer, in the end or before it was repeated.
    bool is_of_trouble() const {
        return attempts_ > 1 || status_ == CQL_UNAVAILABLE || status_ == CQL_TIMED_OUT;
    }

    /// The number of the statement that was prepared.
    std::uint32_t statement() const { return statement_; }

private:
    struct Free {
        void operator()(cql_result* result) const { cql_result_free(result); }
    };

    std::int32_t status_;
    std::uint32_t attempts_;
    std::uint32_t statement_;
    std::uint32_t speculations_;
    std::unique_ptr<cql_result, Free> result_;
};

/// For histograms of how long requests take.
inline double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>{std::chrono::steady_clock::now() - begin}.count();
}

using AnswerDone = std::move_only_function<void(Answer)>;
using PreparedDone = std::move_only_function<void(Result<std::uint32_t>)>;

/// One statement of a request: its number, and its values, which are copied.
struct Call {
    std::uint32_t statement;
    std::span<const cql_cell> cells;
};

/// The Rust driver as C++ likes it (drivers/cql/include/footfall_cql.h says what lies behind): one
/// session, and one thread that gives each answer to whoever asked, in the order they came, and
/// logs what the driver has to say.
///
/// Thread-safe. What waits (connect, run, prepare) must not be called from an AnswerDone.
class Driver {
public:
    /// Starts the thread; asks nothing of the cluster yet.
    static Result<std::unique_ptr<Driver>> make(const DriverOptions& options);

    /// As close().
    ~Driver();
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

    /// Connects. Blocks until then.
    Result<void> connect(std::chrono::milliseconds deadline);

    /// Runs a statement without markers. Blocks until it is done.
    Result<Answer> run(std::string_view statement, std::chrono::milliseconds deadline);

    /// Prepares a statement; its number. Blocks until it is done.
    Result<std::uint32_t> prepare(
        std::string_view statement, storage::Consistency consistency, Use use
    );

    /// The same without waiting. As execute().
    Result<void> prepare(
        std::string_view statement, storage::Consistency consistency, Use use, PreparedDone done
    );

    /// A number that stands for the first replica of the partition that `call` names; 0 if that is
    /// not known. Costs about a microsecond.
    std::uint64_t owner(const Call& call) const;

    /// Executes one statement, or several writes as one request, atomic within each partition.
    /// Calls `done` once, on the driver's thread; never when it answers a failure itself
    /// (`overloaded`, `unavailable` after close). Never waits and never calls `done` itself, so it
    /// may be called with a lock held.
    Result<void> execute(
        std::span<const Call> calls,
        std::chrono::milliseconds deadline,
        SecondNode second,
        AnswerDone done
    );

    /// Has `work` done about every second until close(), on the driver's thread. It must not block,
    /// and what it uses must last until then.
    void each_second(std::move_only_function<void()> work);

    /// Refuses what comes, fails what is in flight, returns when all have their answers.
    /// Idempotent. Not from an AnswerDone.
    void close();

private:
    explicit Driver(cql_session* session);

    void deliver();
    bool take_and_answer();
    void tick();
    /// Starts a request by `start(context)`; afterwards `done` is owed an answer.
    template <class Start>
    Result<void> start(AnswerDone done, Start begin);
    template <class Start>
    Result<Answer> wait_for(Start begin);

    struct Free {
        void operator()(cql_session* session) const { cql_session_free(session); }
    };

    const std::unique_ptr<cql_session, Free> session_;
    const int wake_;                     ///< An eventfd: close() ends the thread by it.
    std::atomic<bool> closed_ = false;   ///< close() was called.
    std::atomic<bool> closing_ = false;  ///< And the session takes nothing any more.
    std::atomic<bool> connected_ = false;
    std::atomic<std::size_t> owed_ = 0;                  ///< Answers that the session still owes.
    std::chrono::steady_clock::time_point next_tick_{};  ///< The thread's own.
    std::mutex tick_mutex_;
    std::move_only_function<void()> work_;  ///< Guarded by tick_mutex_.
    std::thread thread_;
};

}  // namespace footfall::storage_cassandra
