#include "runtime/io_threads.h"

#include "foundation/check.h"
#include "runtime/enter_thread.h"

#include <sched.h>

namespace footfall::runtime {

std::size_t available_cores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof(cores), &cores) != 0) {
        return 1;
    }
    return static_cast<std::size_t>(CPU_COUNT(&cores));
}

IoThreads::IoThreads(std::size_t threads) {
    CHECK(threads > 0, "at least one thread");
    for (std::size_t index = 0; index < threads; ++index) {
        slots_.push_back(std::make_unique<Slot>());
    }
}

IoThreads::~IoThreads() {
    for (const auto& slot : slots_) {
        CHECK(!slot->thread.joinable(), "destroyed before stop()");
    }
}

void IoThreads::start() {
    for (const auto& slot : slots_) {
        slot->thread = std::jthread{[&context = slot->context] {
            enter_thread("io", Urgency::answers);
            context.run();
        }};
    }
}

void IoThreads::stop() {
    for (const auto& slot : slots_) {
        slot->context.stop();
    }
    for (const auto& slot : slots_) {
        if (slot->thread.joinable()) {
            slot->thread.join();
        }
    }
}

}  // namespace footfall::runtime
