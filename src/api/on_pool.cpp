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

}  // namespace

runtime::Task<Response> on_pool(
    runtime::BlockingPool* pool, std::move_only_function<Response()> work
) {
    using Done = std::move_only_function<void(Worked)>;
    auto start = [&](Done done) {
        auto shared = std::make_shared<Done>(std::move(done));
        const Result<void> taken = pool->submit([shared, &work] {
            Worked worked;
            try {
                worked.response = work();
            } catch (...) {
                worked.failure = std::current_exception();
            }
            (*shared)(std::move(worked));
        });
        if (!taken) {
            (*shared)({.response = answer_error(taken.error())});
        }
    };
    Worked worked = co_await runtime::await_callback<Worked>(std::move(start));
    if (worked.failure) {
        std::rethrow_exception(worked.failure);
    }
    co_return std::move(worked.response);
}

}  // namespace footfall::api
