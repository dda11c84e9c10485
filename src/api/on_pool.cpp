#include "api/on_pool.h"

#include "api/answers.h"
#include "runtime/await_callback.h"

#include <exception>
#include <memory>
#include <utility>

namespace footfall::api {
namespace {

using http_server::Response;

/// What the thread hands back.
struct Worked {
    Response response = {};
    std::exception_ptr failure = {};
};

/// Hands it back once: at the latest when it goes, because the work was not begun.
class Reply {
public:
    explicit Reply(std::move_only_function<void(Worked)> done) : done_{std::move(done)} {}

    Reply(const Reply&) = delete;
    Reply& operator=(const Reply&) = delete;

    ~Reply() {
        give(
            {.response = answer_error(
                 {.kind = ErrorKind::cancelled,
                  .message = "the program is stopping; nothing was done, ask again"}
             )}
        );
    }

    void give(Worked worked) {
        if (auto done = std::exchange(done_, {})) {
            done(std::move(worked));
        }
    }

private:
    std::move_only_function<void(Worked)> done_;
};

Response answer_gone() {
    return answer_error(
        {.kind = ErrorKind::cancelled,
         .message = "the client ended its side of the connection, and so the work for it"}
    );
}

}  // namespace

runtime::Task<Response> on_pool_in_turns(
    runtime::BlockingPool* pool, std::move_only_function<std::optional<Response>()> turn
) {
    auto start = [&](std::move_only_function<void(Worked)> done) {
        const auto reply = std::make_shared<Reply>(std::move(done));
        const Result<void> taken = pool->submit([reply, &turn] {
            Worked worked;
            try {
                std::optional<Response> response = turn();
                if (!response) {
                    return true;
                }
                worked.response = *std::move(response);
            } catch (...) {
                worked.failure = std::current_exception();
            }
            // Behind the handler: this thread has let go of what was thrown before another has it.
            reply->give(std::move(worked));
            return false;
        });
        if (!taken) {
            reply->give({.response = answer_error(taken.error())});
        }
    };
    Worked worked = co_await runtime::await_callback<Worked>(std::move(start));
    if (worked.failure) {
        std::rethrow_exception(worked.failure);
    }
    co_return std::move(worked.response);
}

runtime::Task<Response> on_pool(
    runtime::BlockingPool* pool, std::move_only_function<Response()> work, std::stop_token left
) {
    auto once = [&]() -> std::optional<Response> {
        return left.stop_requested() ? answer_gone() : work();
    };
    co_return co_await on_pool_in_turns(pool, std::move(once));
}

}  // namespace footfall::api
