#include "storage_cassandra/driver.h"

#include "foundation/check.h"
#include "foundation/log.h"

#include <fmt/format.h>

#include <array>
#include <future>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace footfall::storage_cassandra {
namespace {

constexpr std::chrono::milliseconds prepare_deadline{10'000};
constexpr int tick_milliseconds = 1000;

int use_of(Use use) {
    switch (use) {
        case Use::write:
            return CQL_WRITES;
        case Use::read:
            return CQL_READS;
        case Use::read_anywhere:
            return CQL_READS_ANYWHERE;
        case Use::scan:
            return CQL_SCANS;
    }
    CHECK(false, "a use of a statement", static_cast<int>(use));
}

cql_text text_of(std::string_view text) {
    return {.data = text.data(), .length = text.size()};
}

std::uint32_t count_of(std::chrono::milliseconds time) {
    CHECK(time.count() >= 0 && time.count() <= 86'400'000, "not a deadline", time.count());
    return static_cast<std::uint32_t>(time.count());
}

std::unexpected<Error> failure_of(std::int32_t status, std::string_view text) {
    const auto as = [&](ErrorKind kind, std::string_view what) {
        return fail(kind, fmt::format("cassandra: {}{}{}", what, text.empty() ? "" : ": ", text));
    };
    switch (status) {
        case CQL_INVALID:
            return as(ErrorKind::invalid_input, "refused");
        case CQL_OVERLOADED:
            return as(ErrorKind::overloaded, "too many requests in flight");
        case CQL_UNAVAILABLE:
            return as(ErrorKind::unavailable, "too few nodes answer");
        case CQL_TIMED_OUT:
            return as(ErrorKind::timed_out, "no answer in time");
        case CQL_CLOSED:
            return as(ErrorKind::unavailable, "closed");
        default:
            return as(ErrorKind::unavailable, "the driver failed");
    }
}

/// The library and its header are built apart: a struct that grew in one only must not be read.
void check_layout() {
    std::array<std::size_t, 5> sizes{};
    cql_sizes(sizes.data());
    const std::array<std::size_t, 5> ours{
        sizeof(cql_config),
        sizeof(cql_cell),
        sizeof(cql_call),
        sizeof(cql_terms),
        sizeof(cql_completion)
    };
    CHECK(sizes == ours, "footfall_cql.h is of another library");
}

}  // namespace

Result<void> Answer::outcome() const {
    if (status_ == CQL_OK) {
        return {};
    }
    const cql_text text = cql_result_text(result_.get());
    return failure_of(status_, {text.data, text.length});
}

std::size_t Answer::rows() const {
    std::size_t rows = 0;
    cql_result_cells(result_.get(), &rows, nullptr);
    return rows;
}

std::size_t Answer::columns() const {
    std::size_t columns = 0;
    cql_result_cells(result_.get(), nullptr, &columns);
    return columns;
}

const cql_cell& Answer::cell(std::size_t row, std::size_t column) const {
    std::size_t rows = 0;
    std::size_t columns = 0;
    const cql_cell* cells = cql_result_cells(result_.get(), &rows, &columns);
    CHECK(row < rows && column < columns, "no such cell", row, column, rows, columns);
    return cells[row * columns + column];
}

std::string_view Answer::text(std::size_t row, std::size_t column) const {
    const cql_cell& found = cell(row, column);
    if (found.length <= 0) {
        return {};
    }
    return {reinterpret_cast<const char*>(found.data), static_cast<std::size_t>(found.length)};
}

Result<std::unique_ptr<Driver>> Driver::make(const DriverOptions& options) {
    check_layout();
    const cql_config config{
        .contacts = text_of(options.contacts),
        .datacenter = text_of(options.datacenter),
        .keyspaces = text_of(options.keyspaces),
        .user = text_of(options.user),
        .password = text_of(options.password),
        .connections_per_node = options.connections_per_node,
        .max_in_flight = options.max_in_flight,
        .attempt_ms = count_of(options.attempt)
    };
    cql_session* session = nullptr;
    const std::int32_t status = cql_session_new(&config, &session);
    if (status != CQL_OK) {
        return failure_of(status, "contacts, datacenter and connections have to be given");
    }
    return std::unique_ptr<Driver>{new Driver{session}};
}

Driver::Driver(cql_session* session) : session_{session}, wake_{eventfd(0, EFD_CLOEXEC)} {
    CHECK(wake_ >= 0, "no descriptor for an event");
    thread_ = std::thread{[this] { deliver(); }};
}

Driver::~Driver() {
    close();
    ::close(wake_);
}

void Driver::close() {
    if (closed_.exchange(true)) {
        return;
    }
    // First: what the session takes until then is owed, and waited for.
    cql_session_close(session_.get());
    closing_ = true;
    const std::uint64_t one = 1;
    CHECK(write(wake_, &one, sizeof(one)) == sizeof(one), "the event of the driver");
    thread_.join();
}

Result<void> Driver::connect(std::chrono::milliseconds deadline) {
    TRY(const Answer answer, wait_for([&](std::uint64_t context) {
            return cql_connect(session_.get(), count_of(deadline), context);
        }));
    TRY_VOID(answer.outcome());
    connected_ = true;
    return {};
}

Result<Answer> Driver::run(std::string_view statement, std::chrono::milliseconds deadline) {
    TRY(Answer answer, wait_for([&](std::uint64_t context) {
            return cql_run(session_.get(), text_of(statement), count_of(deadline), context);
        }));
    TRY_VOID(answer.outcome());
    return answer;
}

Result<std::uint32_t> Driver::prepare(
    std::string_view statement, storage::Consistency consistency, Use use
) {
    const auto promise = std::make_shared<std::promise<Result<std::uint32_t>>>();
    TRY_VOID(prepare(statement, consistency, use, [promise](Result<std::uint32_t> number) {
        promise->set_value(std::move(number));
    }));
    return promise->get_future().get();
}

Result<void> Driver::prepare(
    std::string_view statement, storage::Consistency consistency, Use use, PreparedDone done
) {
    const std::int32_t level =
        consistency == storage::Consistency::local_one ? CQL_LOCAL_ONE : CQL_LOCAL_QUORUM;
    return start(
        [done = std::move(done)](const Answer& answer) mutable {
            if (const Result<void> outcome = answer.outcome(); !outcome) {
                done(std::unexpected(outcome.error()));
            } else {
                done(answer.statement());
            }
        },
        [&](std::uint64_t context) {
            return cql_prepare(
                session_.get(),
                text_of(statement),
                level,
                use_of(use),
                count_of(prepare_deadline),
                context
            );
        }
    );
}

std::uint64_t Driver::owner(const Call& call) const {
    const cql_call raw{
        .statement = call.statement,
        .cell_count = static_cast<std::uint32_t>(call.cells.size()),
        .cells = call.cells.data()
    };
    std::uint64_t owner = 0;
    return cql_owner(session_.get(), &raw, &owner) == CQL_OK ? owner : 0;
}

Result<void> Driver::execute(
    std::span<const Call> calls,
    std::chrono::milliseconds deadline,
    SecondNode second,
    AnswerDone done
) {
    std::vector<cql_call> raw;
    raw.reserve(calls.size());
    for (const Call& call : calls) {
        raw.push_back(
            {.statement = call.statement,
             .cell_count = static_cast<std::uint32_t>(call.cells.size()),
             .cells = call.cells.data()}
        );
    }
    return start(std::move(done), [&](std::uint64_t context) {
        const cql_terms terms{
            .deadline_ms = count_of(deadline),
            .speculate_ms = count_of(second.after),
            .speculate_from = second.from_attempt
        };
        return cql_execute(session_.get(), raw.data(), raw.size(), &terms, context);
    });
}

template <class Start>
Result<void> Driver::start(AnswerDone done, Start begin) {
    auto owed = std::make_unique<AnswerDone>(std::move(done));
    ++owed_;  // before it can be answered
    const std::int32_t status = begin(reinterpret_cast<std::uintptr_t>(owed.get()));
    if (status != CQL_OK) {
        --owed_;
        return failure_of(status, {});
    }
    owed.release();  // NOLINT(bugprone-unused-return-value): the completion brings it back
    return {};
}

template <class Start>
Result<Answer> Driver::wait_for(Start begin) {
    // Shared: who sets the value may still be at it when the other one has it.
    const auto promise = std::make_shared<std::promise<Answer>>();
    TRY_VOID(start([promise](Answer answer) { promise->set_value(std::move(answer)); }, begin));
    return promise->get_future().get();
}

void Driver::deliver() {
    std::array<pollfd, 2> events{
        pollfd{.fd = cql_session_descriptor(session_.get()), .events = POLLIN, .revents = 0},
        pollfd{.fd = wake_, .events = POLLIN, .revents = 0}
    };
    while (!closing_ || owed_ > 0) {
        // Once woken to close, only answers are waited for; not for ever, since a request that was
        // refused is owed none after all.
        const bool closing = closing_;
        poll(events.data(), closing ? 1 : 2, closing ? 20 : tick_milliseconds);
        while (take_and_answer()) {
        }
        if (!closing) {
            tick();
        }
    }
}

void Driver::each_second(std::move_only_function<void()> work) {
    const std::scoped_lock lock{tick_mutex_};
    work_ = std::move(work);
}

void Driver::tick() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_tick_) {
        return;
    }
    next_tick_ = now + std::chrono::milliseconds{tick_milliseconds};
    const std::scoped_lock lock{tick_mutex_};
    if (work_) {
        work_();
    }
}

bool Driver::take_and_answer() {
    std::array<cql_completion, 64> taken{};
    const std::size_t count = cql_take(session_.get(), taken.data(), taken.size());
    for (std::size_t at = 0; at < count; ++at) {
        Answer answer{taken[at]};
        if (taken[at].status == CQL_LOG) {
            const cql_text line = cql_result_text(taken[at].result);
            if (connected_) {  // until then connect() says what is wrong, once
                log(LogLevel::warning, "cassandra: {}", std::string_view{line.data, line.length});
            }
            continue;
        }
        const std::unique_ptr<AnswerDone> done{
            // NOLINTNEXTLINE(performance-no-int-to-ptr): it was one when start() gave it away
            reinterpret_cast<AnswerDone*>(static_cast<std::uintptr_t>(taken[at].context))
        };
        (*done)(std::move(answer));
        --owed_;
    }
    return count > 0;
}

}  // namespace footfall::storage_cassandra
