#include "test_support/run_command.h"

#include <cstdlib>
#include <utility>

namespace footfall::test_support {

std::string CommandResult::last_line() const {
    std::string text = output;
    if (text.ends_with('\n')) {
        text.pop_back();
    }
    return text.substr(text.rfind('\n') + 1);
}

CommandResult run_command(const Command& command, std::chrono::seconds patience) {
    ChildProcess process{command};
    const Ending ending = process.wait(patience);
    return {
        .exit_code = ending.exit_code,
        .signal = ending.signal,
        .output = process.output(),
        .errors = process.errors()
    };
}

std::string footfall_binary() {
    const char* const named = std::getenv("FOOTFALL_BINARY");
    return named != nullptr ? named : FOOTFALL_BUILT_BINARY;
}

Command footfall_command(std::vector<std::string> words, std::string input) {
    words.insert(words.begin(), footfall_binary());
    return {.words = std::move(words), .input = std::move(input)};
}

CommandResult run_footfall(std::vector<std::string> words, std::string input) {
    return run_command(footfall_command(std::move(words), std::move(input)));
}

}  // namespace footfall::test_support
