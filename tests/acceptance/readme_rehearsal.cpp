#include "readme_rehearsal.h"

#include "foundation_testing/repository.h"
#include "test_support/eventually.h"
#include "test_support/run_command.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace footfall::acceptance {
namespace {

namespace fs = std::filesystem;
using namespace test_support;

constexpr std::string_view program = "build/release/footfall";
constexpr std::uint16_t documented_port = 8080;

bool starts_with_words(std::string_view text, std::string_view words) {
    return text.starts_with(words) && (text.size() == words.size() || text[words.size()] == ' ');
}

bool is_serving(std::string_view text) {
    return starts_with_words(text, fmt::format("{} serve", program)) ||
           starts_with_words(text, fmt::format("{} demo", program));
}

/// The first word, if it names a script of the repository.
std::optional<std::string> script_of(std::string_view text) {
    const std::string word{text.substr(0, text.find_first_of(" \n"))};
    const bool is_script = word.starts_with("./") || word.starts_with("tools/");
    return is_script ? std::optional{word} : std::nullopt;
}

std::optional<std::string> fault_of_script(const std::string& script) {
    const CommandResult help =
        run_command({.words = {script, "--help"}, .directory = in_repository("")});
    if (help.exit_code == 0 && !help.output.empty()) {
        return std::nullopt;
    }
    return fmt::format("{} --help ended with {}: {}", script, help.exit_code, help.errors);
}

void replace_all(std::string& text, const std::string& old_part, const std::string& new_part) {
    for (std::size_t at = text.find(old_part); at != text.npos;
         at = text.find(old_part, at + new_part.size())) {
        text.replace(at, old_part.size(), new_part);
    }
}

}  // namespace

ReadmeRehearsal::ReadmeRehearsal(std::uint16_t port) : port_{port} {
    const std::set<std::string> left_out{".git", "build", "footfall-data"};
    for (const auto& entry : fs::directory_iterator{in_repository("")}) {
        if (!left_out.contains(entry.path().filename().string())) {
            fs::create_symlink(entry.path(), folder_.path() / entry.path().filename());
        }
    }
    fs::create_directories(folder_.path() / "build/release");
    fs::create_symlink(fs::absolute(footfall_binary()), folder_.path() / program);
}

std::vector<std::string> ReadmeRehearsal::run(std::string_view document) {
    const std::vector<DocumentedCommand> commands = read_commands(document);
    std::vector<std::string> faults;
    if (commands.empty()) {
        faults.emplace_back("there is no command in a ```sh block");
    }
    for (const DocumentedCommand& command : commands) {
        if (const auto fault = fault_of(command)) {
            faults.push_back(fmt::format("line {}: {}\n    {}", command.line, command.text, *fault)
            );
        }
    }
    return faults;
}

std::optional<std::string> ReadmeRehearsal::fault_of(const DocumentedCommand& command) {
    if (starts_with_words(command.text, "git clone") || starts_with_words(command.text, "cd")) {
        return std::nullopt;
    }
    if (const auto script = script_of(command.text)) {
        return fault_of_script(*script);
    }
    if (is_serving(command.text)) {
        return start_server(command.text);
    }
    if (!server_) {
        if (const auto fault = start_server(fmt::format("{} serve", program))) {
            return fault;
        }
    }
    const CommandResult done = run_command(shell(adapted(command.text)), std::chrono::seconds{60});
    if (done.exit_code != 0) {
        return fmt::format("ended with {}: {}{}", done.exit_code, done.output, done.errors);
    }
    if (!is_as_promised(command.expected, done.output)) {
        return fmt::format("printed \"{}\"", done.output);
    }
    return std::nullopt;
}

std::optional<std::string> ReadmeRehearsal::start_server(const std::string& command) {
    if (server_) {
        server_->send_signal(SIGTERM);
        server_->wait(std::chrono::seconds{20});
    }
    std::string text = command.substr(0, command.find(" # "));
    text.erase(text.find_last_not_of(" &") + 1);
    text = adapted(text);
    if (!text.contains("--listen")) {
        text += fmt::format(" --listen 127.0.0.1:{}", port_);
    }
    server_.emplace(shell("exec " + text));
    const std::string said = fmt::format("http://127.0.0.1:{}/", port_);
    eventually([&] { return server_->output().contains(said) || !server_->running(); });
    if (server_->output().contains(said)) {
        return std::nullopt;
    }
    std::string fault = "did not serve: " + server_->output() + server_->errors();
    server_.reset();
    return fault;
}

/// The command for the port we have; these verbs go to 8080 without being told.
std::string ReadmeRehearsal::adapted(std::string text) const {
    if (port_ == documented_port) {
        return text;
    }
    replace_all(text, fmt::format(":{}", documented_port), fmt::format(":{}", port_));
    const bool told = text.contains("--server") || text.contains("--data");
    for (const char* verb : {"import", "count", "keys add", "keys revoke"}) {
        const std::string call = fmt::format("footfall {}", verb);
        if (!told) {
            replace_all(text, call, fmt::format("{} --server http://127.0.0.1:{}", call, port_));
        }
    }
    return text;
}

Command ReadmeRehearsal::shell(const std::string& text) const {
    const char* const path = std::getenv("PATH");
    return {
        .words = {"bash", "-euo", "pipefail", "-c", text},
        .directory = folder_.path().string(),
        .environment =
            {{"PATH", fmt::format("{}:{}", folder_ / "build/release", path != nullptr ? path : "")}}
    };
}

}  // namespace footfall::acceptance
