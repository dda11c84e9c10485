#include "cli/segment_webhooks_command.h"

#include "cli/paged_list.h"
#include "cli/server_options.h"
#include "foundation/json_string.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
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

using http_server::Method;

struct WebhookOptions {
    ServerOptions server;
    std::string name;
    std::string segment;
    std::string url;
    std::string network;
    std::optional<std::uint64_t> after;
    bool json = false;
};

/// One question, and its good answer. `rest`: behind the path of all webhooks.
Result<http_server::ClientResponse> ask_webhooks(
    const WebhookOptions& options,
    Method method,
    std::string_view rest,
    const std::string& body = {}
) {
    TRY(http_server::ServerUrl url, options.server.address());
    http_server::Client client{std::move(url)};
    TRY(http_server::ClientResponse response,
        client.send(
            method,
            fmt::format("/api/v1/webhooks{}", rest),
            body,
            {{"Content-Type", "application/json"}}
        ));
    if (response.status >= 300) {
        return std::unexpected(refusal_of(response));
    }
    return response;
}

std::string path_of(const WebhookOptions& options) {
    return "/" + http_server::percent_encode(options.name);
}

std::string text_in_webhook(const boost::json::object& hook, std::string_view field) {
    const auto* const found = hook.if_contains(field);
    if (found == nullptr || found->is_null()) {
        return "-";
    }
    return found->is_string() ? std::string{found->get_string()} : boost::json::serialize(*found);
}

/// What failed stands last, for it is a sentence.
std::string line_of_webhook(const boost::json::object& hook) {
    std::string line;
    for (const std::string_view field :
         {"name", "state", "segment", "network", "after", "url", "trouble"}) {
        line += line.empty() ? "" : "\t";
        line += text_in_webhook(hook, field);
    }
    return line;
}

Result<void> run_webhook_list(const WebhookOptions& options) {
    TRY(const http_server::ClientResponse response, ask_webhooks(options, Method::get, ""));
    TRY(const boost::json::object answer, object_of(response));
    const auto* const found = answer.if_contains("webhooks");
    const auto* const hooks = found == nullptr ? nullptr : found->if_array();
    if (hooks == nullptr) {
        return fail(
            ErrorKind::unavailable, "the server's answer is not the one of a footfall server"
        );
    }
    for (const boost::json::value& each : *hooks) {
        if (const auto* const hook = each.if_object()) {
            fmt::print(
                "{}\n", options.json ? boost::json::serialize(each) : line_of_webhook(*hook)
            );
        }
    }
    return {};
}

/// The secret alone stands on standard output, so that a script can keep it.
Result<void> run_webhook_add(const WebhookOptions& options) {
    std::string body = fmt::format(
        R"({{"segment":{},"url":{})", json_string(options.segment), json_string(options.url)
    );
    if (!options.network.empty()) {
        body += fmt::format(R"(,"network":{})", json_string(options.network));
    }
    if (options.after) {
        body += fmt::format(R"(,"after":{})", *options.after);
    }
    TRY(const http_server::ClientResponse response,
        ask_webhooks(options, Method::put, path_of(options), body + "}"));
    if (options.json) {
        std::fputs(response.body.c_str(), stdout);
        return {};
    }
    TRY(const boost::json::object hook, object_of(response));
    if (hook.contains("secret")) {
        fmt::print("{}\n", text_in_webhook(hook, "secret"));
        std::fputs(
            "footfall: the receiver needs this secret to know who sends; it cannot be shown "
            "again.\n",
            stderr
        );
    } else {
        std::fputs(
            fmt::format(
                "footfall: {} was there, keeps its secret, and goes on behind change {}\n",
                options.name,
                text_in_webhook(hook, "after")
            )
                .c_str(),
            stderr
        );
    }
    return {};
}

Result<void> run_webhook_remove(const WebhookOptions& options) {
    TRY_VOID(ask_webhooks(options, Method::del, path_of(options)));
    fmt::print("removed {}\n", options.name);
    return {};
}

Result<void> run_webhook_resume(const WebhookOptions& options) {
    TRY_VOID(ask_webhooks(options, Method::post, path_of(options) + "/resume"));
    fmt::print("resumed {}\n", options.name);
    return {};
}

using RunWebhook = Result<void> (*)(const WebhookOptions&);

/// A verb, with the options that all of them have.
std::pair<CLI::App*, std::shared_ptr<WebhookOptions>> add_webhook_verb(
    CommandLine& command_line,
    CLI::App& group,
    const std::string& name,
    const std::string& description,
    const std::string& example,
    RunWebhook run
) {
    auto options = std::make_shared<WebhookOptions>();
    CLI::App& verb = command_line.add_verb(group, name, description, example, [options, run] {
        const Result<void> done = run(*options);
        return done ? ExitCode::ok : report(done.error());
    });
    options->server.add_to(verb);
    return {&verb, options};
}

void add_webhook_add(CommandLine& command_line, CLI::App& group) {
    const auto [verb, options] = add_webhook_verb(
        command_line,
        group,
        "add",
        "Have changes of a segment sent to a URL",
        "All who are in the segment first, and then who joins and who leaves. Prints the secret "
        "under which requests are signed (standardwebhooks.com). One of this name that is there is "
        "changed, and goes on where it is unless its segment or network is another one.\n\n"
        "Examples:\n"
        "  footfall segments webhooks add crm --segment spring --url https://crm.example.org/hook\n"
        "  footfall segments webhooks add ads --segment spring --network adx --after 120000 "
        "--url https://adx.example.org/in\n",
        run_webhook_add
    );
    verb->add_option("NAME", options->name, "1 to 64 letters, digits, '.', '_' and '-'")
        ->required();
    verb->add_option("--segment", options->segment, "Whose changes")
        ->required()
        ->type_name("SEGMENT");
    verb->add_option("--url", options->url, "Where they are sent")->required()->type_name("URL");
    verb->add_option("--network", options->network, "Only ids of this network")
        ->type_name("IDENTIFIER");
    verb->add_option("--after", options->after, "Only changes of a higher number")
        ->type_name("NUMBER");
    verb->add_flag("--json", options->json, "One JSON object");
}

}  // namespace

void add_segment_webhooks(CommandLine& command_line, CLI::App& segments) {
    CLI::App& group = *segments.add_subcommand(
        "webhooks", "Who is sent the changes of segments, and how far each receiver is"
    );
    group.footer(
        "Examples:\n"
        "  footfall segments webhooks add crm --segment spring --url https://crm.example.org/hook\n"
        "  footfall segments webhooks list\n"
        "  footfall segments webhooks resume crm\n"
    );
    group.require_subcommand(1);
    const auto [list, list_options] = add_webhook_verb(
        command_line,
        group,
        "list",
        "All webhooks, and how far each receiver is",
        "By tabs: name, ok, failing or dead, segment, network, the last change that was taken, "
        "URL, "
        "why it failed last.\n\n"
        "Examples:\n"
        "  footfall segments webhooks list\n"
        "  footfall segments webhooks list --json\n",
        run_webhook_list
    );
    list->add_flag("--json", list_options->json, "A JSON object a line");
    add_webhook_add(command_line, group);
    const auto [remove, remove_options] = add_webhook_verb(
        command_line,
        group,
        "remove",
        "Send no more to a receiver",
        "Examples:\n"
        "  footfall segments webhooks remove crm\n",
        run_webhook_remove
    );
    remove->add_option("NAME", remove_options->name, "Of the webhook")->required();
    const auto [resume, resume_options] = add_webhook_verb(
        command_line,
        group,
        "resume",
        "Try a failing or dead receiver again at once",
        "From the change where it is; nothing is left out.\n\n"
        "Examples:\n"
        "  footfall segments webhooks resume crm\n",
        run_webhook_resume
    );
    resume->add_option("NAME", resume_options->name, "Of the webhook")->required();
}

}  // namespace footfall::cli
