#include "runtime/task.h"

#include "foundation/log.h"

#include <boost/asio/co_spawn.hpp>

#include <exception>
#include <utility>

namespace footfall::runtime {

void spawn(const IoExecutor& executor, std::string name, Task<> task) {
    boost::asio::co_spawn(
        executor,
        std::move(task),
        [name = std::move(name)](const std::exception_ptr& thrown) {
            if (!thrown) {
                return;
            }
            try {
                std::rethrow_exception(thrown);
            } catch (const std::exception& exception) {
                log(LogLevel::error, "{} ended by an exception: {}", name, exception.what());
            }
        }
    );
}

}  // namespace footfall::runtime
