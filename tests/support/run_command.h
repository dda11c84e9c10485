#pragma once

#include "test_support/child_process.h"

#include <chrono>
#include <string>
#include <vector>

namespace footfall::test_support {

/// What a program said, and how it ended.
struct CommandResult {
    int exit_code = -1;
    int signal = 0;
    std::string output;
    std::string errors;

    /// The last line of the output, without its end.
    std::string last_line() const;
};

/// Runs a program to its end. One that does not end within `patience` is killed, and the test
/// fails.
CommandResult run_command(
    const Command& command, std::chrono::seconds patience = std::chrono::seconds{240}
);

/// The program under test: FOOTFALL_BINARY of the environment, else the one of this build.
std::string footfall_binary();

/// Runs `footfall WORDS...`.
CommandResult run_footfall(std::vector<std::string> words, std::string input = {});

/// The words of a command of the program under test.
Command footfall_command(std::vector<std::string> words, std::string input = {});

}  // namespace footfall::test_support
