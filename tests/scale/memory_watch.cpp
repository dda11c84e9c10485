#include "memory_watch.h"

#include <fmt/format.h>

#include <condition_variable>
#include <fstream>
#include <sstream>
#include <stop_token>
#include <string>
#include <unistd.h>

namespace footfall::scale {

MemoryWatch::MemoryWatch(pid_t pid)
    : pid_{pid}, thread_{[this](const std::stop_token& stop) {
          std::mutex alone;
          std::condition_variable_any stopped;
          std::unique_lock waiting{alone};
          auto next = std::chrono::steady_clock::now();
          while (!stop.stop_requested()) {
              const MemorySample sample = look();
              {
                  const std::lock_guard lock{mutex_};
                  samples_.push_back(sample);
              }
              next += std::chrono::seconds{1};
              stopped.wait_until(waiting, stop, next, [] { return false; });
          }
      }} {}

std::vector<MemorySample> MemoryWatch::samples() const {
    const std::lock_guard lock{mutex_};
    return samples_;
}

double MemoryWatch::now() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

MemorySample MemoryWatch::look() const {
    MemorySample sample{.at = now()};
    std::ifstream status{fmt::format("/proc/{}/status", pid_)};
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) {
            sample.resident_mib = std::stod(line.substr(6)) / 1024;
        }
    }
    std::ifstream stat{fmt::format("/proc/{}/stat", pid_)};
    std::string text{std::istreambuf_iterator<char>{stat}, {}};
    // The name, which may hold blanks, ends with the last bracket; user time is the 12th word
    // after.
    std::istringstream words{text.substr(text.rfind(')') + 1)};
    std::string word;
    for (int skipped = 0; skipped < 11; ++skipped) {
        words >> word;
    }
    double user = 0;
    double system = 0;
    words >> user >> system;
    sample.cpu_seconds = (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return sample;
}

}  // namespace footfall::scale
