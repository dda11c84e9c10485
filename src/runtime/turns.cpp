#include "runtime/turns.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::runtime {

Turns::Turns(std::string name, Urgency urgency, Turn turn)
    : name_{std::move(name)},
      urgency_{urgency},
      turn_{std::move(turn)},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

Turns::Turns(std::string name, Urgency urgency, Always turn)
    : Turns{
          std::move(name),
          urgency,
          Turn{[this, turn = std::move(turn)](const std::stop_token&) mutable {
              return after(turn());
          }}
      } {}

void Turns::stop() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

Turns::Pause Turns::after(const Result<void>& done) {
    if (done) {
        return {};
    }
    constexpr std::chrono::milliseconds retry_pause{250};
    troubles_.say(
        LogLevel::warning, fmt::format("{}: {}; trying again", name_, done.error().message)
    );
    return retry_pause;
}

void Turns::run(const std::stop_token& stop) {
    enter_thread(name_.c_str(), urgency_);
    while (!stop.stop_requested()) {
        const Pause pause = turn_(stop);
        std::unique_lock lock{mutex_};
        wakes_.wait_for(lock, stop, pause, [] { return false; });
    }
}

}  // namespace footfall::runtime
