#include "cli/verify_command.h"

#include "cli/deployment.h"
#include "cli/progress.h"
#include "cli/verify_views.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

namespace footfall::cli {
namespace {

struct VerifyOptions {
    std::string data = "./footfall-data";
    bool json = false;
};

void print_line(const std::string& line) {
    std::fputs((line + "\n").c_str(), stdout);
}

Result<ExitCode> verify(const VerifyOptions& options) {
    const SystemClock clock;
    metrics::Metrics metrics;
    DeploymentOptions open{
        .place = DirectoryPlace{.path = options.data, .create = false}, .judges = false
    };
    TRY(const auto directory, Deployment::open(std::move(open), clock, metrics));
    Progress progress{clock, standard_error_output()};
    const auto difference = [&](const std::string& text) {
        progress.clear();
        print_line(text);
    };
    const auto so_far = [&](std::uint64_t events) { progress.update({.records = events}); };
    TRY(const Verified verified, verify_views(directory->events(), difference, so_far));
    progress.clear();
    if (options.json) {
        print_line(fmt::format(
            R"({{"events":{},"objects":{},"differences":{}}})",
            verified.events,
            verified.objects,
            verified.differences
        ));
    } else {
        print_line(fmt::format(
            "verified {} events of {} objects: {} differences",
            verified.events,
            verified.objects,
            verified.differences
        ));
    }
    return verified.differences == 0 ? ExitCode::ok : ExitCode::failed;
}

}  // namespace

void add_verify(CommandLine& command_line) {
    CLI::App& group = command_line.add_group(
        "verify",
        "Hold stored numbers to the log of events that they follow from",
        "Example:\n"
        "  footfall verify views --data ./footfall-data\n"
    );
    auto options = std::make_shared<VerifyOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "views",
        "Count all views again from the log, and print each number that differs",
        "Exits with 1 if there is a difference. The server that uses the directory must be "
        "stopped.\n\n"
        "Example:\n"
        "  footfall verify views --data ./footfall-data\n",
        [options] {
            const Result<ExitCode> done = verify(*options);
            return done ? *done : report(done.error());
        }
    );
    verb.add_option("--data", options->data, "The data directory [./footfall-data]")
        ->type_name("DIR");
    verb.add_flag("--json", options->json, "The sums as one JSON object, after the differences");
}

}  // namespace footfall::cli
