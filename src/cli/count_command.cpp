#include "cli/count_command.h"

#include "cli/count_source.h"
#include "jobs/list.h"

#include <boost/json/serialize.hpp>
#include <boost/json/string_view.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

struct CountOptions {
    std::vector<std::string> objects;
    bool all = false;
    bool json = false;
    TargetOptions target;
};

/// One object: its number. Several: name, tab, number. JSON: one object a line.
void print(const CountOptions& options, const ObjectCount& count) {
    std::string line;
    if (options.json) {
        line = fmt::format(
            R"({{"object":{},"counter":{},"count":{},"exact":{},"at_least":{}}})",
            boost::json::serialize(boost::json::string_view{count.object}),
            boost::json::serialize(boost::json::string_view{options.target.counter}),
            count.count,
            !count.at_least,
            count.at_least
        );
    } else if (options.objects.size() == 1 && !options.all && options.objects.front() != "-") {
        line = fmt::format("{}{}", count.count, count.at_least ? "+" : "");
    } else {
        line = fmt::format("{}\t{}{}", count.object, count.count, count.at_least ? "+" : "");
    }
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stdout);
}

Result<void> print_counts(const CountOptions& options, CountSource& source) {
    if (options.all) {
        return source.for_all([&](const ObjectCount& count) { print(options, count); });
    }
    for (const std::string& object : options.objects) {
        if (object != "-") {
            TRY(const ObjectCount count, source.count(object));
            print(options, count);
            continue;
        }
        std::string name;
        while (std::getline(std::cin, name)) {
            TRY(const ObjectCount count, source.count(name));
            print(options, count);
        }
    }
    return {};
}

Result<void> run_count(const CountOptions& options, const ReadSettings& read_settings) {
    if (options.all == !options.objects.empty()) {
        return fail(ErrorKind::invalid_input, "name the objects to count, or ask for --all");
    }
    if (!options.target.uses_directory()) {
        TRY(http_server::ServerUrl server, options.target.server.address());
        const auto source = ask_server(std::move(server), options.target.counter);
        return print_counts(options, *source);
    }
    const SystemClock clock;
    metrics::Metrics metrics;
    TRY(auto settings, read_settings(options.target.config));
    deployment::DeploymentOptions open{
        .place = deployment::DirectoryPlace{.path = options.target.data, .create = false},
        .events = false,
        .jobs = jobs::all(),
        .jobs_options = std::move(settings.jobs),
        .reads = std::move(settings.reads)
    };
    TRY(const auto directory, deployment::Deployment::open(std::move(open), clock, metrics));
    TRY(const auto source, ask_directory(*directory, options.target.counter));
    return print_counts(options, *source);
}

}  // namespace

void add_count(CommandLine& command_line, ReadSettings read_settings) {
    auto options = std::make_shared<CountOptions>();
    CLI::App& verb = command_line.add_verb(
        "count",
        "Ask for the number of distinct live tokens of objects",
        "A + behind a number means \"at least\": the object has reached the counter's limit.\n\n"
        "Examples:\n"
        "  footfall count object_id\n"
        "  footfall count --all --data ./footfall-data\n"
        "  footfall count - --json < names.txt\n",
        [options, read_settings = std::move(read_settings)] {
            const Result<void> done = run_count(*options, read_settings);
            return done ? ExitCode::ok : report(done.error());
        }
    );
    verb.add_option(
            "objects",
            options->objects,
            "Objects by name; - reads names from standard input, one a line"
    )
        ->type_name("OBJECT...");
    verb.add_flag("--all", options->all, "Every object of the counter, by name");
    verb.add_flag("--json", options->json, "One JSON object a line");
    options->target.add_to(verb);
}

}  // namespace footfall::cli
