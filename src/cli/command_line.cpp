#include "cli/command_line.h"

#include "foundation/nearest_word.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <iostream>
#include <utility>

namespace footfall::cli {
namespace {

std::vector<std::string> verbs_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(verb->get_name());
    }
    return names;
}

/// What is wrong where a verb should stand.
std::string verb_mistake(const CLI::App& app, const std::vector<std::string>& verbs) {
    const std::vector<std::string> words = app.remaining();
    if (words.empty()) {
        return "a verb is missing";
    }
    const std::string& word = words.front();
    if (word.starts_with('-')) {
        return fmt::format("there is no option '{}'", word);
    }
    const std::string_view nearest = nearest_word(word, verbs);
    const std::string meant = nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
    return fmt::format("there is no verb '{}'{}", word, meant);
}

/// What is told of a command line that cannot be parsed. CLI11 itself says only that a verb is
/// required, whatever stands in its place.
std::string failure_text(const CLI::App* app, const CLI::Error& error) {
    const CLI::App* at = app;
    std::string place = "footfall";
    while (!at->get_subcommands().empty()) {
        at = at->get_subcommands().front();
        place += " " + at->get_name();
    }
    const std::vector<std::string> verbs = verbs_of(*at);
    if (verbs.empty() || error.get_exit_code() != static_cast<int>(CLI::ExitCodes::RequiredError)) {
        return CLI::FailureMessage::simple(app, error);
    }
    return fmt::format(
        "{}: {}\nVerbs: {}. Run with --help for more information.\n",
        place,
        verb_mistake(*at, verbs),
        fmt::join(verbs, ", ")
    );
}

}  // namespace

CommandLine::CommandLine() : app_{"footfall counts who did what to which object, once"} {
    app_.require_subcommand(1);
    app_.failure_message(failure_text);
    app_.get_formatter()->column_width(34);
    app_.footer(
        "Examples:\n"
        "  footfall serve                                          count, at "
        "http://127.0.0.1:8080/\n"
        "  footfall count object_id                                ask for a count\n"
        "  footfall VERB --help                                    what a verb can do\n"
    );
}

CLI::App& CommandLine::add_verb(
    const std::string& name,
    const std::string& description,
    const std::string& example,
    std::function<ExitCode()> action
) {
    return add_verb(app_, name, description, example, std::move(action));
}

CLI::App& CommandLine::add_group(
    const std::string& name, const std::string& description, const std::string& example
) {
    CLI::App& group = *app_.add_subcommand(name, description);
    group.footer(example);
    group.require_subcommand(1);
    return group;
}

CLI::App& CommandLine::add_verb(
    CLI::App& group,
    const std::string& name,
    const std::string& description,
    const std::string& example,
    std::function<ExitCode()> action
) {
    CLI::App& verb = *group.add_subcommand(name, description);
    verb.footer(example);
    verb.get_formatter()->column_width(34);
    // A verb may have verbs of its own; the parser calls back for it, too, after these.
    verb.callback([this, &verb, action = std::move(action)] {
        if (verb.get_subcommands().empty()) {
            chosen_ = action;
        }
    });
    return verb;
}

int CommandLine::run(int argc, char** argv) {
    try {
        app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // CLI11 prints --help to standard output and everything else to standard error.
        const bool asked_for_help = app_.exit(error) == 0;
        return static_cast<int>(asked_for_help ? ExitCode::ok : ExitCode::wrong_use);
    }
    return static_cast<int>(chosen_());
}

ExitCode report(const Error& error) {
    std::fputs(fmt::format("footfall: {}\n", error.message).c_str(), stderr);
    return error.kind == ErrorKind::invalid_input ? ExitCode::wrong_use : ExitCode::failed;
}

}  // namespace footfall::cli
