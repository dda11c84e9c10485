#include "cli/erase_command.h"

#include "cli/patient_client.h"
#include "cli/progress.h"
#include "cli/server_options.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

struct EraseOptions {
    ServerOptions server;
    std::string profile;
    std::string actor;
    bool dry_run = false;
    bool json = false;
};

/// How far an erasure is.
struct ErasureState {
    std::string json;
    std::vector<std::string> open;
    std::vector<std::string> waits_for;  ///< Of each.
};

std::unexpected<Error> not_ours() {
    return fail(ErrorKind::unavailable, "the server's answer is not the one of a footfall server");
}

Result<std::string> text_of_answer(std::string_view json, const char* name) {
    boost::json::error_code error;
    const boost::json::value document = boost::json::parse(json, error);
    const auto* const said = error ? nullptr : document.if_object();
    const auto* const value = said == nullptr ? nullptr : said->if_contains(name);
    if (value == nullptr || !value->is_string()) {
        return not_ours();
    }
    return std::string{value->get_string()};
}

Result<ErasureState> ask(PatientClient& client, const std::string& receipt) {
    TRY(const auto response,
        client.send(http_server::Method::get, "/api/v1/erasures/" + receipt, "", {}));
    if (response.status != 200) {
        return std::unexpected(refusal_of(response));
    }
    boost::json::error_code error;
    const boost::json::value document = boost::json::parse(response.body, error);
    const auto* const said = error ? nullptr : document.if_object();
    const auto* const open = said == nullptr ? nullptr : said->if_contains("open");
    if (open == nullptr || !open->is_array()) {
        return not_ours();
    }
    ErasureState state{.json = response.body, .open = {}};
    for (const boost::json::value& each : open->get_array()) {
        if (each.is_string()) {
            state.open.emplace_back(each.get_string());
            const auto* const waits = said->if_contains("waits_for");
            const auto* const texts = waits == nullptr ? nullptr : waits->if_object();
            const auto* const text =
                texts == nullptr ? nullptr : texts->if_contains(each.get_string());
            state.waits_for.emplace_back(
                text == nullptr || !text->is_string() ? std::string_view{}
                                                      : std::string_view{text->get_string()}
            );
        }
    }
    return state;
}

/// Kafka and the nodes of Cassandra let go of what is old in their own time, days from now.
bool waits_for_others_alone(const ErasureState& state) {
    const auto is_open = [&](std::string_view part) {
        return std::ranges::find(state.open, part) != state.open.end();
    };
    return !is_open("tables") && !is_open("log") && (is_open("kafka") || state.open.empty());
}

std::string path_of(const EraseOptions& options) {
    return fmt::format(
        "/api/v1/{}/{}{}",
        options.actor.empty() ? "profiles" : "people",
        http_server::percent_encode(options.actor.empty() ? options.profile : options.actor),
        options.dry_run ? "?dry_run=true" : ""
    );
}

Result<void> run_erase(const EraseOptions& options) {
    if (options.profile.empty() == options.actor.empty()) {
        return fail(
            ErrorKind::invalid_input,
            "name who is to be erased: --profile SID or --actor NAME, one of them"
        );
    }
    TRY(http_server::ServerUrl url, options.server.address());
    PatientClient client{std::move(url)};
    TRY(const auto response, client.send(http_server::Method::del, path_of(options), "", {}));
    if (response.status >= 300) {
        return std::unexpected(refusal_of(response));
    }
    if (options.dry_run) {
        std::fputs((response.body + "\n").c_str(), stdout);
        return {};
    }
    TRY(const std::string receipt, text_of_answer(response.body, "receipt"));
    if (!options.json) {
        std::fputs(fmt::format("erased; receipt {}\n", receipt).c_str(), stdout);
    }
    std::vector<std::string> told;
    for (;;) {
        TRY(const ErasureState state, ask(client, receipt));
        const bool is_over = waits_for_others_alone(state);
        if (!options.json && (state.open != told || is_over)) {
            const std::string open = state.open.empty()
                                         ? "closed"
                                         : fmt::format("open: {}", fmt::join(state.open, ", "));
            std::fputs((open + "\n").c_str(), stdout);
            for (std::size_t at = 0; at < state.open.size(); ++at) {
                std::fputs(
                    fmt::format("  {}: {}\n", state.open[at], state.waits_for[at]).c_str(), stdout
                );
            }
            std::fflush(stdout);
        }
        if (is_over) {
            std::fputs(options.json ? (state.json + "\n").c_str() : "", stdout);
            return {};
        }
        told = state.open;
        pause_for(std::chrono::seconds{1});
    }
}

}  // namespace

void add_erase(CommandLine& command_line) {
    auto options = std::make_shared<EraseOptions>();
    CLI::App& verb = command_line.add_verb(
        "erase",
        "Erase a person: all ids of a profile, or an actor",
        "At once in answers; then it waits until nothing is left of them in tables, log and files, "
        "and says what is open. On a cluster it does not wait for what Kafka and Cassandra do in "
        "their own time. What was counted stays (docs/erasure.md).\n\n"
        "Examples:\n"
        "  footfall erase --profile 7b1c2a0e-93d5-5f0e-8a53-9f8f0c7f2d11 --dry-run\n"
        "  footfall erase --actor reader-17\n",
        [options] {
            const Result<void> done = run_erase(*options);
            return done ? ExitCode::ok : report(done.error());
        }
    );
    verb.add_option("--profile", options->profile, "The profile's sid")->type_name("SID");
    verb.add_option("--actor", options->actor, "The name of an actor")->type_name("NAME");
    verb.add_flag("--dry-run", options->dry_run, "Say what would be erased, and erase nothing");
    verb.add_flag("--json", options->json, "The receipt as one JSON object, at the end");
    options->server.add_to(verb);
}

}  // namespace footfall::cli
