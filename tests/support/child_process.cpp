#include "test_support/child_process.h"

#include "test_support/eventually.h"
#include "test_support/must.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <ranges>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace footfall::test_support {
namespace {

int memory_file(const char* name) {
    const int descriptor = ::memfd_create(name, MFD_CLOEXEC);
    if (descriptor < 0) {
        give_up("memfd_create failed");
    }
    return descriptor;
}

std::string text_of(int descriptor) {
    std::string text;
    char buffer[16384];
    for (;;) {
        const ssize_t count =
            ::pread(descriptor, buffer, sizeof buffer, static_cast<off_t>(text.size()));
        if (count <= 0) {
            return text;
        }
        text.append(buffer, static_cast<std::size_t>(count));
    }
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& added
) {
    std::map<std::string, std::string> all;
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string text{*each};
        all.insert_or_assign(text.substr(0, text.find('=')), text);
    }
    for (const auto& [name, value] : added) {
        all.insert_or_assign(name, fmt::format("{}={}", name, value));
    }
    const auto texts = std::views::values(all);
    return {texts.begin(), texts.end()};
}

/// Becomes the program; only calls that are safe between fork and exec.
[[noreturn]] void become(
    const char* directory, char** words, char** environment, int input, int output, int errors
) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    if (directory[0] == '\0' || ::chdir(directory) == 0) {
        ::execvpe(words[0], words, environment);
    }
    ::_exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const Command& command)
    : output_{memory_file("output")}, errors_{memory_file("errors")} {
    const int input = memory_file("input");
    if (::write(input, command.input.data(), command.input.size()) !=
            static_cast<ssize_t>(command.input.size()) ||
        ::lseek(input, 0, SEEK_SET) != 0) {
        give_up("cannot keep the input of a program");
    }
    std::vector<std::string> words = command.words;
    std::vector<std::string> environment = environment_with(command.environment);
    const std::vector<char*> word_pointers = pointers_to(words);
    const std::vector<char*> environment_pointers = pointers_to(environment);
    const auto as_arguments = [](const std::vector<char*>& pointers) {
        return const_cast<char**>(pointers.data());
    };
    pid_ = ::fork();
    if (pid_ == 0) {
        become(
            command.directory.c_str(),
            as_arguments(word_pointers),
            as_arguments(environment_pointers),
            input,
            output_,
            errors_
        );
    }
    ::close(input);
    if (pid_ < 0) {
        give_up(fmt::format("cannot start {}", fmt::join(command.words, " ")));
    }
}

ChildProcess::~ChildProcess() {
    release();
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_{std::exchange(other.pid_, -1)},
      output_{std::exchange(other.output_, -1)},
      errors_{std::exchange(other.errors_, -1)},
      ending_{other.ending_} {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    if (this != &other) {
        release();
        pid_ = std::exchange(other.pid_, -1);
        output_ = std::exchange(other.output_, -1);
        errors_ = std::exchange(other.errors_, -1);
        ending_ = other.ending_;
    }
    return *this;
}

std::string ChildProcess::output() const {
    return text_of(output_);
}

std::string ChildProcess::errors() const {
    return text_of(errors_);
}

void ChildProcess::send_signal(int signal) {
    if (!poll()) {
        ::kill(pid_, signal);
    }
}

std::optional<Ending> ChildProcess::poll() {
    int status = 0;
    if (!ending_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
        ending_ = WIFSIGNALED(status) ? Ending{.signal = WTERMSIG(status)}
                                      : Ending{.exit_code = WEXITSTATUS(status)};
    }
    return ending_;
}

Ending ChildProcess::wait(std::chrono::milliseconds patience) {
    std::optional<Ending> ending;
    eventually(
        [&] {
            ending = poll();
            return ending.has_value();
        },
        patience
    );
    if (!ending) {
        release();
        give_up(fmt::format("a program did not end within {} ms", patience.count()));
    }
    return *ending;
}

void ChildProcess::release() {
    if (pid_ > 0 && !ending_) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        ending_ = Ending{.signal = SIGKILL};
    }
    for (int* descriptor : {&output_, &errors_}) {
        if (*descriptor >= 0) {
            ::close(std::exchange(*descriptor, -1));
        }
    }
}

}  // namespace footfall::test_support
