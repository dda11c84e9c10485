#include "readme_commands.h"

#include "test_support/run_command.h"

#include <algorithm>
#include <cctype>
#include <ranges>

namespace footfall::acceptance {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (const auto each : std::views::split(text, '\n')) {
        lines.emplace_back(std::string_view{each});
    }
    if (!lines.empty() && lines.back().empty()) {
        lines.pop_back();
    }
    return lines;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == text.npos ? std::string_view{}
                              : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool looks_like_output(std::string_view comment) {
    return !comment.empty() &&
           (std::isdigit(static_cast<unsigned char>(comment.front())) != 0 ||
            comment.front() == '{' || comment.front() == '[' || comment.starts_with("imported "));
}

/// Whether the shell would wait for more lines: an open quote, an open here-document, a backslash
/// at the end.
bool is_complete(const std::string& command) {
    const auto parsed = test_support::run_command({.words = {"bash", "-n", "-c", command}});
    return !command.ends_with('\\') && parsed.exit_code == 0 && parsed.errors.empty();
}

/// The output promised behind the command on its own line.
void take_trailing_comment(DocumentedCommand& command) {
    const std::size_t mark = command.text.rfind(" # ");
    if (mark == std::string::npos || command.text.find('\n', mark) != std::string::npos) {
        return;
    }
    const std::string_view comment = trimmed(std::string_view{command.text}.substr(mark + 3));
    if (looks_like_output(comment)) {
        command.expected.emplace_back(comment);
    }
}

bool matches(std::string_view promise, std::string_view line) {
    constexpr std::string_view anything = "...";
    for (;;) {
        const std::size_t gap = promise.find(anything);
        const std::string_view part = promise.substr(0, gap);
        if (gap == promise.npos) {
            return line == part;
        }
        if (!line.starts_with(part)) {
            return false;
        }
        line.remove_prefix(part.size());
        promise.remove_prefix(gap + anything.size());
        const std::string_view next = promise.substr(0, promise.find(anything));
        const bool last = next.size() == promise.size();
        const std::size_t found = last ? line.rfind(next) : line.find(next);
        if (found == line.npos) {
            return false;
        }
        line.remove_prefix(found);
    }
}

}  // namespace

std::vector<DocumentedCommand> read_commands(std::string_view document) {
    std::vector<DocumentedCommand> commands;
    bool in_block = false;
    bool complete = true;
    int number = 0;
    for (const std::string& line : lines_of(document)) {
        ++number;
        if (line.starts_with("```")) {
            in_block = !in_block && trimmed(line) == "```sh";
            complete = true;
            continue;
        }
        const std::string_view text = trimmed(line);
        if (!in_block || (complete && text.empty())) {
            continue;
        }
        if (complete && text.starts_with('#')) {
            const std::string_view comment = trimmed(text.substr(1));
            if (!commands.empty() && looks_like_output(comment)) {
                commands.back().expected.emplace_back(comment);
            }
            continue;
        }
        if (complete) {
            commands.push_back({.line = number, .text = line, .expected = {}});
        } else {
            commands.back().text += "\n" + line;
        }
        complete = is_complete(commands.back().text);
        if (complete) {
            take_trailing_comment(commands.back());
        }
    }
    return commands;
}

bool is_as_promised(const std::vector<std::string>& expected, std::string_view output) {
    const std::vector<std::string> lines = lines_of(output);
    if (lines.size() < expected.size()) {
        return false;
    }
    const auto last =
        std::views::drop(lines, static_cast<std::ptrdiff_t>(lines.size() - expected.size()));
    return std::ranges::equal(expected, last, [](const auto& promise, const auto& line) {
        return matches(promise, trimmed(line));
    });
}

}  // namespace footfall::acceptance
