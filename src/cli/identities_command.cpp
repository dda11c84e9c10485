#include "cli/identities_command.h"

#include "cli/patient_client.h"
#include "cli/progress.h"
#include "cli/server_options.h"
#include "foundation/json_string.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

struct RevokeOptions {
    ServerOptions server;
    std::string author;
    std::string with_reason;
    const CLI::Option* author_option = nullptr;  ///< Tells whether it is there: it may be empty.
    const CLI::Option* with_reason_option = nullptr;
    std::string from;
    std::string until;
    std::string reason;
    bool dry_run = false;
    bool json = false;
};

/// What portions said, together.
struct DecidedSoFar {
    std::uint64_t found = 0;
    std::uint64_t decided = 0;
    std::uint64_t profiles = 0;
    std::uint64_t looked_at = 0;
    std::vector<std::string> examples = {};  ///< Sentences.
};

/// Of all portions together.
constexpr std::size_t examples_shown = 5;

/// `,"from":"2026-11-02T10:00:00Z"`; nothing where it is empty.
std::string field_of(std::string_view name, std::string_view text) {
    return text.empty() ? std::string{} : fmt::format(R"(,"{}":{})", name, json_string(text));
}

std::string body_of(const UndoOptions& options) {
    return fmt::format(
        R"({{"source":{},"reason":{}{}{}}})",
        json_string(options.source),
        json_string(options.reason),
        field_of("from", options.from),
        field_of("until", options.until)
    );
}

std::string body_of(const RevokeOptions& options) {
    const std::string decisions = field_of("author", options.author) +
                                  field_of("reason", options.with_reason) +
                                  field_of("from", options.from) + field_of("until", options.until);
    return fmt::format(
        R"({{"decisions":{{{}}},"reason":{}}})", decisions.substr(1), json_string(options.reason)
    );
}

/// Adds the sentences of the examples of a portion.
void take_examples(const boost::json::object& said, std::vector<std::string>& examples) {
    const auto* const found = said.if_contains("examples");
    const auto* const shown = found == nullptr ? nullptr : found->if_array();
    if (shown == nullptr) {
        return;
    }
    for (const boost::json::value& each : *shown) {
        const auto* const fact = each.if_object();
        const auto* const says = fact == nullptr ? nullptr : fact->if_contains("says");
        if (says != nullptr && says->is_string() && examples.size() < examples_shown) {
            examples.emplace_back(says->get_string());
        }
    }
}

/// Adds what a portion says, and answers where the next one begins; absent: it was the last.
/// `found`: the name of how many were found.
Result<std::optional<std::string>> take_portion(
    std::string_view json, std::string_view found, DecidedSoFar& decided
) {
    boost::json::error_code error;
    const boost::json::value document = boost::json::parse(json, error);
    const auto* const said = error ? nullptr : document.if_object();
    bool is_ours = said != nullptr;
    const auto add = [&](std::string_view name, std::uint64_t& sum) {
        const auto* const number = is_ours ? said->if_contains(name) : nullptr;
        is_ours = number != nullptr && number->is_int64() && number->get_int64() >= 0;
        sum += is_ours ? static_cast<std::uint64_t>(number->get_int64()) : 0;
    };
    add(found, decided.found);
    add("decided", decided.decided);
    add("profiles", decided.profiles);
    add("looked_at", decided.looked_at);
    const auto* const next = is_ours ? said->if_contains("next") : nullptr;
    if (next == nullptr || !(next->is_null() || next->is_string())) {
        return fail(
            ErrorKind::unavailable, "the server's answer is not the one of a footfall server"
        );
    }
    take_examples(*said, decided.examples);
    return next->is_null() ? std::nullopt : std::optional{std::string{next->get_string()}};
}

/// All portions, one behind the other. What was decided before a failure stays so.
Result<DecidedSoFar> decide_all(
    const ServerOptions& server,
    std::string_view verb,
    std::string_view found,
    std::string_view body,
    bool dry_run
) {
    TRY(http_server::ServerUrl url, server.address());
    PatientClient client{std::move(url)};
    const SystemClock clock;
    Progress progress{clock, standard_error_output()};
    DecidedSoFar decided;
    std::optional<std::string> next = "";
    while (next) {
        TRY(const http_server::ClientResponse response,
            client.send(
                http_server::Method::post,
                fmt::format(
                    "/api/v1/identities/{}?dry_run={}&cursor={}",
                    verb,
                    dry_run,
                    http_server::percent_encode(*next)
                ),
                body,
                {{"Content-Type", "application/json"}}
            ));
        if (response.status >= 300) {
            return std::unexpected(refusal_of(response));
        }
        TRY(auto after, take_portion(response.body, found, decided));
        if (after == next) {
            return fail(ErrorKind::unavailable, "the server answers the same portion again");
        }
        next = std::move(after);
        progress.update({.records = decided.looked_at});
    }
    return decided;
}

/// {"links":40,"decided":40,"profiles":40,"looked_at":202,"dry_run":true}
std::string json_of(std::string_view found, const DecidedSoFar& decided, bool dry_run) {
    return fmt::format(
        R"({{"{}":{},"decided":{},"profiles":{},"looked_at":{},"dry_run":{}}})"
        "\n",
        found,
        decided.found,
        decided.decided,
        decided.profiles,
        decided.looked_at,
        dry_run
    );
}

Result<void> run_undo(const UndoOptions& options) {
    if (options.source.empty()) {
        // All that nobody put a name to would go: most often a variable of a shell is not set.
        return fail(ErrorKind::invalid_input, "--source names who said the links; it is empty");
    }
    TRY(const DecidedSoFar undone,
        decide_all(options.server, "undo", "links", body_of(options), options.dry_run));
    const std::string text = options.json ? json_of("links", undone, options.dry_run)
                                          : fmt::format(
                                                "{} {} of {} links, of {} profiles\n",
                                                options.dry_run ? "would undo" : "undid",
                                                undone.decided,
                                                undone.found,
                                                undone.profiles
                                            );
    std::fputs(text.c_str(), stdout);
    return {};
}

Result<void> run_revoke(const RevokeOptions& options) {
    const bool is_author_named = options.author_option->count() > 0;
    const bool is_reason_named = options.with_reason_option->count() > 0;
    if (!is_author_named && !is_reason_named) {
        return fail(
            ErrorKind::invalid_input,
            "--author or --with-reason says which decisions are revoked; both may"
        );
    }
    // More would be revoked than was meant: most often a variable of a shell is not set.
    if (is_author_named && options.author.empty()) {
        return fail(ErrorKind::invalid_input, "--author is empty; of all authors: leave it out");
    }
    if (is_reason_named && options.with_reason.empty()) {
        return fail(
            ErrorKind::invalid_input, "--with-reason is empty; whatever the reason: leave it out"
        );
    }
    TRY(const DecidedSoFar revoked,
        decide_all(options.server, "revoke", "decisions", body_of(options), options.dry_run));
    std::string text = options.json ? json_of("decisions", revoked, options.dry_run)
                                    : fmt::format(
                                          "{} {} of {} decisions, of {} profiles\n",
                                          options.dry_run ? "would revoke" : "revoked",
                                          revoked.decided,
                                          revoked.found,
                                          revoked.profiles
                                      );
    if (!options.json && options.dry_run) {
        for (const std::string& each : revoked.examples) {
            text += "  " + each + "\n";
        }
    }
    std::fputs(text.c_str(), stdout);
    return {};
}

void add_undo(CommandLine& command_line, CLI::App& group) {
    auto options = std::make_shared<UndoOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "undo",
        "Take back what a source said of who is one person, in a time",
        "Links that the source said first in that time do not hold from now on; what others said "
        "does. A run that was broken off is run again: it undoes what is left. A profile is "
        "counted in each portion of 1,000 links that touches it. What was undone in error is "
        "taken back by `footfall identities revoke --with-reason`, with the reason of the undo.\n\n"
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

void add_revoke(CommandLine& command_line, CLI::App& group) {
    auto options = std::make_shared<RevokeOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "revoke",
        "Revoke decisions of an author, or with a reason: an undo is taken back so",
        "Detaches, accepts, rejects and lifts that were recorded in that time, of that author, "
        "with that reason, do not hold any more: profiles are as if they had never been made. "
        "A run that was broken off is run again: it revokes what is left. A profile is counted in "
        "each portion of 1,000 decisions that touches it. A revoke is not revoked: decide "
        "again.\n\n"
        "Examples:\n"
        "  footfall identities revoke --with-reason 'a broken form' --reason 'the form was right' "
        "--dry-run\n"
        "  footfall identities revoke --author ann --from 2026-11-02T10:00:00Z --until "
        "2026-11-02T11:00:00Z --reason 'not her task'\n",
        [options] {
            const Result<void> done = run_revoke(*options);
            return done ? ExitCode::ok : report(done.error());
        }
    );
    options->author_option =
        verb.add_option("--author", options->author, "Who decided, as the profile's why tells")
            ->type_name("NAME");
    options->with_reason_option =
        verb.add_option(
                "--with-reason", options->with_reason, "With which reason it was decided, whole"
        )
            ->type_name("TEXT");
    verb.add_option("--from", options->from, "Recorded no earlier, as 2026-11-02T10:00:00Z")
        ->type_name("TIME");
    verb.add_option("--until", options->until, "Recorded earlier")->type_name("TIME");
    verb.add_option("--reason", options->reason, "Why they are revoked, for whoever asks later")
        ->type_name("TEXT")
        ->required();
    verb.add_flag(
        "--dry-run",
        options->dry_run,
        "Say what would be revoked, with examples, and revoke nothing"
    );
    verb.add_flag("--json", options->json, "One JSON object");
    options->server.add_to(verb);
}

}  // namespace

void add_identities(CommandLine& command_line) {
    CLI::App& group = command_line.add_group(
        "identities",
        "Profiles of many networks: what was said of them",
        "Examples:\n"
        "  footfall identities undo --source crm --reason 'a broken form' --dry-run\n"
        "  footfall identities revoke --with-reason 'a broken form' --reason 'it was right'\n"
    );
    add_undo(command_line, group);
    add_revoke(command_line, group);
}

}  // namespace footfall::cli
