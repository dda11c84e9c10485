#include "cli/identities_command.h"

#include "cli/patient_client.h"
#include "cli/progress.h"
#include "cli/server_options.h"
#include "foundation/json_string.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::cli {
namespace {

/// What the user wrote.
struct UndoOptions {
    ServerOptions server;
    std::string source;
    std::string from;
    std::string until;
    std::string reason;
    bool dry_run = false;
    bool json = false;
};

/// What portions said, together.
struct UndoneSoFar {
    std::uint64_t links = 0;
    std::uint64_t decided = 0;
    std::uint64_t profiles = 0;
    std::uint64_t looked_at = 0;
};

std::string body_of(const UndoOptions& options) {
    std::string body = fmt::format(
        R"({{"source":{},"reason":{})", json_string(options.source), json_string(options.reason)
    );
    if (!options.from.empty()) {
        body += fmt::format(R"(,"from":{})", json_string(options.from));
    }
    if (!options.until.empty()) {
        body += fmt::format(R"(,"until":{})", json_string(options.until));
    }
    return body + "}";
}

/// Adds what a portion says, and answers where the next one begins; absent: it was the last.
Result<std::optional<std::string>> take_portion(std::string_view json, UndoneSoFar& undone) {
    boost::json::error_code error;
    const boost::json::value document = boost::json::parse(json, error);
    const auto* const said = error ? nullptr : document.if_object();
    bool is_ours = said != nullptr;
    const auto add = [&](std::string_view name, std::uint64_t& sum) {
        const auto* const number = is_ours ? said->if_contains(name) : nullptr;
        is_ours = number != nullptr && number->is_int64() && number->get_int64() >= 0;
        sum += is_ours ? static_cast<std::uint64_t>(number->get_int64()) : 0;
    };
    add("links", undone.links);
    add("decided", undone.decided);
    add("profiles", undone.profiles);
    add("looked_at", undone.looked_at);
    const auto* const next = is_ours ? said->if_contains("next") : nullptr;
    if (next == nullptr || !(next->is_null() || next->is_string())) {
        return fail(
            ErrorKind::unavailable, "the server's answer is not the one of a footfall server"
        );
    }
    return next->is_null() ? std::nullopt : std::optional{std::string{next->get_string()}};
}

/// All portions, one behind the other. Those that were undone before a failure stay undone.
Result<UndoneSoFar> undo_all(const UndoOptions& options) {
    if (options.source.empty()) {
        // All that nobody put a name to would go: most often a variable of a shell is not set.
        return fail(ErrorKind::invalid_input, "--source names who said the links; it is empty");
    }
    TRY(http_server::ServerUrl url, options.server.address());
    PatientClient client{std::move(url)};
    const SystemClock clock;
    Progress progress{clock, standard_error_output()};
    const std::string body = body_of(options);
    UndoneSoFar undone;
    std::optional<std::string> next = "";
    while (next) {
        TRY(const http_server::ClientResponse response,
            client.send(
                http_server::Method::post,
                fmt::format(
                    "/api/v1/identities/undo?dry_run={}&cursor={}",
                    options.dry_run,
                    http_server::percent_encode(*next)
                ),
                body,
                {{"Content-Type", "application/json"}}
            ));
        if (response.status >= 300) {
            return std::unexpected(refusal_of(response));
        }
        TRY(auto after, take_portion(response.body, undone));
        if (after == next) {
            return fail(ErrorKind::unavailable, "the server answers the same portion again");
        }
        next = std::move(after);
        progress.update({.records = undone.looked_at});
    }
    return undone;
}

Result<void> run_undo(const UndoOptions& options) {
    TRY(const UndoneSoFar undone, undo_all(options));
    const std::string line =
        options.json
            ? fmt::format(
                  R"({{"links":{},"decided":{},"profiles":{},"looked_at":{},"dry_run":{}}})"
                  "\n",
                  undone.links,
                  undone.decided,
                  undone.profiles,
                  undone.looked_at,
                  options.dry_run
              )
            : fmt::format(
                  "{} {} of {} links, of {} profiles\n",
                  options.dry_run ? "would undo" : "undid",
                  undone.decided,
                  undone.links,
                  undone.profiles
              );
    std::fputs(line.c_str(), stdout);
    return {};
}

}  // namespace

void add_identities(CommandLine& command_line) {
    CLI::App& group = command_line.add_group(
        "identities",
        "Profiles of many networks: what was said of them",
        "Example:\n"
        "  footfall identities undo --source crm --reason 'a broken form' --dry-run\n"
    );
    auto options = std::make_shared<UndoOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "undo",
        "Take back what a source said of who is one person, in a time",
        "Links that the source said first in that time do not hold from now on; what others said "
        "does. A run that was broken off is run again: it undoes what is left. A profile is "
        "counted in each portion of 1,000 links that touches it.\n\n"
        "Examples:\n"
        "  footfall identities undo --source login-form --from 2026-11-02T10:00:00Z --until "
        "2026-11-02T11:00:00Z --reason 'a broken form' --dry-run\n"
        "  footfall identities undo --source register.csv --reason 'the wrong file'\n",
        [options] {
            const Result<void> done = run_undo(*options);
            return done ? ExitCode::ok : report(done.error());
        }
    );
    verb.add_option("--source", options->source, "Who said it, as the profile's why tells")
        ->type_name("NAME")
        ->required();
    verb.add_option("--from", options->from, "Of no earlier time, as 2026-11-02T10:00:00Z")
        ->type_name("TIME");
    verb.add_option("--until", options->until, "Of an earlier time")->type_name("TIME");
    verb.add_option("--reason", options->reason, "Why, for whoever asks later")
        ->type_name("TEXT")
        ->required();
    verb.add_flag("--dry-run", options->dry_run, "Say what would be undone, and undo nothing");
    verb.add_flag("--json", options->json, "One JSON object");
    options->server.add_to(verb);
}

}  // namespace footfall::cli
