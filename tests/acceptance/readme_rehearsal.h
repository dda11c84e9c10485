#pragma once

#include "foundation_testing/temporary_directory.h"
#include "readme_commands.h"
#include "test_support/child_process.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::acceptance {

/// Runs the commands of a document as its reader would: in a folder that looks like the repository
/// after a build, with a server running. `serve` and `demo` are started and left running;
/// scripts of the repository (./run, ./test, tools/...) must exist and answer --help, for what they
/// do is rehearsed by tools/bare-debian. `git clone` and `cd` are not run.
class ReadmeRehearsal {
public:
    /// The server listens on `port` instead of 8080, which is replaced in all commands.
    explicit ReadmeRehearsal(std::uint16_t port);

    /// What went wrong, a text each; empty when every command does what the document says.
    std::vector<std::string> run(std::string_view document);

private:
    std::optional<std::string> fault_of(const DocumentedCommand& command);
    std::optional<std::string> start_server(const std::string& command);
    std::string adapted(std::string text) const;
    test_support::Command shell(const std::string& text) const;

    const std::uint16_t port_;
    const TemporaryDirectory folder_;
    std::optional<test_support::ChildProcess> server_;
};

}  // namespace footfall::acceptance
