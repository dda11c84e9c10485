#include "cli/target_options.h"

#include <CLI/Option.hpp>

namespace footfall::cli {

void TargetOptions::add_to(CLI::App& verb) {
    CLI::Option* const at_server = server.add_to(verb);
    CLI::Option* const in_directory =
        verb.add_option("--data", data, "A data directory that no server has open")
            ->type_name("DIR");
    at_server->excludes(in_directory);
    verb.add_option(
            "--config", config, "The configuration file that names the counters, with --data"
    )
        ->type_name("FILE")
        ->needs(in_directory);
    verb.add_option("--counter", counter, "The counter")->type_name("NAME")->capture_default_str();
}

}  // namespace footfall::cli
