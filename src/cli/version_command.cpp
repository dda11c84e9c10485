#include "cli/version_command.h"

#include "storage_rocksdb/rocks_options.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace footfall::cli {

std::string program_version() {
    return FOOTFALL_VERSION;
}

void add_version(CommandLine& command_line) {
    auto json = std::make_shared<bool>(false);
    CLI::App& verb = command_line.add_verb(
        "version",
        "Say which version this is",
        "Example:\n  footfall version --json\n",
        [json] {
            const std::string store = storage_rocksdb::engine_version();
            const std::string text =
                *json ? fmt::format(
                            R"({{"footfall":"{}","compiler":"{}","rocksdb":"{}"}})",
                            FOOTFALL_VERSION,
                            __VERSION__,
                            store
                        )
                      : fmt::format(
                            "footfall {} ({}, RocksDB {})", FOOTFALL_VERSION, __VERSION__, store
                        );
            std::puts(text.c_str());
            return ExitCode::ok;
        }
    );
    verb.add_flag("--json", *json, "As JSON");
}

}  // namespace footfall::cli
