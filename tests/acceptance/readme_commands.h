#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace footfall::acceptance {

/// A command of a document: one line of a ```sh block, or several where the shell needs them.
struct DocumentedCommand {
    int line;  ///< Where it begins in the document, from 1.
    std::string text;
    /// What it prints: the comment behind it or the comment lines below it, where they begin like
    /// output (a digit, a brace or "imported"). Other comments are for people.
    std::vector<std::string> expected;
};

/// The commands of all ```sh blocks, in order.
std::vector<DocumentedCommand> read_commands(std::string_view document);

/// Whether `output` is what the document promises: its last lines, equal but for "..." in the
/// promise, which stands for anything.
bool is_as_promised(const std::vector<std::string>& expected, std::string_view output);

}  // namespace footfall::acceptance
