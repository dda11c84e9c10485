#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace footfall::test_support {

/// A program to run.
struct Command {
    std::vector<std::string> words;  ///< The program, found by PATH, and its arguments.
    std::string input = {};          ///< Its standard input.
    std::string directory = {};      ///< Where it runs; "": here.
    std::vector<std::pair<std::string, std::string>> environment = {};  ///< Added to ours.
};

/// How a program ended: with an exit code, or by a signal.
struct Ending {
    int exit_code = -1;
    int signal = 0;
};

/// A running program. Its output gathers in memory files, so it never waits for a reader. It dies
/// with this object, by its own process id, and also when the test process is killed. Not
/// thread-safe; to be started on a thread that outlives it.
class ChildProcess {
public:
    explicit ChildProcess(const Command& command);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;

    pid_t pid() const { return pid_; }

    bool running() { return !poll(); }

    /// What it wrote to standard output and standard error up to now.
    std::string output() const;
    std::string errors() const;

    /// Sends a signal, unless the program has ended.
    void send_signal(int signal);

    /// How it ended; absent while it runs.
    std::optional<Ending> poll();

    /// Waits for its end. A program that does not end in time is killed, and the test fails.
    Ending wait(std::chrono::milliseconds patience);

private:
    void release();

    pid_t pid_ = -1;
    int output_ = -1;
    int errors_ = -1;
    std::optional<Ending> ending_;
};

}  // namespace footfall::test_support
