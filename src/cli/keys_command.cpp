#include "cli/keys_command.h"

#include "audit/acts.h"
#include "cli/key_expiry.h"
#include "cli/server_options.h"
#include "deployment/deployment.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "jobs/list.h"
#include "keys/key_json.h"
#include "keys/rights.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::cli {
namespace {

using http_server::Method;
using keys::KeyRegistry;

/// What all three verbs have in common.
struct KeysOptions {
    ServerOptions server;
    std::string data;
    std::string name;
    std::optional<std::string> scopes;
    std::optional<std::string> reseller;
    std::optional<std::string> publisher;
    std::string expires;
    bool json = false;
};

/// One question to a server, and its good answer.
Result<std::string> ask_server(
    const KeysOptions& options, Method method, const std::string& target, const std::string& body
) {
    TRY(http_server::ServerUrl url, options.server.address());
    http_server::Client client{std::move(url)};
    TRY(http_server::ClientResponse response,
        client.send(method, target, body, {{"Content-Type", "application/json"}}));
    if (response.status >= 300) {
        return std::unexpected(refusal_of(response));
    }
    return std::move(response.body);
}

using AskRegistry = std::function<Result<std::string>(KeyRegistry&)>;

/// The same of a data directory. `create`: it may be made. `act`: what is recorded before it is
/// done; absent: it changes nothing.
Result<std::string> ask_directory(
    const KeysOptions& options, bool create, std::optional<audit::Act> act, const AskRegistry& ask
) {
    const SystemClock clock;
    metrics::Metrics metrics;
    deployment::DeploymentOptions open{
        .place = deployment::DirectoryPlace{.path = options.data, .create = create},
        .events = false,
        .jobs = jobs::all(),
        .open_jobs = false
    };
    TRY(const auto directory, deployment::Deployment::open(std::move(open), clock, metrics));
    if (act) {
        act->author = audit::author_directory;
        TRY_VOID(directory->audit().record(*std::move(act)));
    }
    return ask(directory->keys());
}

std::string text_of(const boost::json::object& object, std::string_view name) {
    const boost::json::value* value = object.if_contains({name.data(), name.size()});
    return value != nullptr && value->is_string() ? std::string{value->get_string()} : "";
}

/// The JSON of an answer; `unavailable` if it is none of ours.
Result<boost::json::object> object_of(const std::string& json) {
    boost::json::error_code error;
    boost::json::value document = boost::json::parse(json, error);
    if (error || !document.is_object()) {
        return fail(
            ErrorKind::unavailable, "the server's answer is not the one of a footfall server"
        );
    }
    return std::move(document.get_object());
}

void print(std::string line) {
    line += line.ends_with('\n') ? "" : "\n";
    std::fwrite(line.data(), 1, line.size(), stdout);
}

/// For people, so that standard output holds nothing but what was asked for.
void tell(std::string_view text) {
    if (!text.empty()) {
        std::fputs(fmt::format("footfall: {}\n", text).c_str(), stderr);
    }
}

/// What the key is to be allowed. Just one of three options says it; an empty one counts, so that
/// an unset variable of a shell gives nobody more than was meant.
Result<keys::Rights> rights_of(const KeysOptions& options) {
    const std::array<bool, 3> given{
        options.scopes.has_value(), options.reseller.has_value(), options.publisher.has_value()
    };
    if (std::ranges::count(given, true) != 1) {
        return fail(
            ErrorKind::invalid_input,
            "say what the key may do, in one way: --scope SCOPES (of read, write, people, money, "
            "audience, admin), --reseller ID or --publisher ID"
        );
    }
    if (options.reseller) {
        return keys::Party::make(keys::PartyKind::reseller, *options.reseller);
    }
    if (options.publisher) {
        return keys::Party::make(keys::PartyKind::publisher, *options.publisher);
    }
    return keys::Scopes::parse(options.scopes.value_or(""));
}

Result<std::string> add_at_server(
    const KeysOptions& options, const keys::Rights& rights, std::optional<Instant> expires
) {
    const std::string body = fmt::format(
        R"({{"name":{},{},"expires":{}}})",
        json_string(options.name),
        keys::asked_rights_json(rights),
        expires ? json_string(events::format_rfc3339(*expires)) : "null"
    );
    return ask_server(options, Method::post, "/api/v1/keys", body);
}

Result<void> run_add(const KeysOptions& options) {
    TRY(const keys::Rights rights, rights_of(options));
    std::optional<Instant> expires;
    if (!options.expires.empty()) {
        TRY(expires, parse_key_expiry(options.expires, SystemClock{}.now()));
    }
    const AskRegistry add_here = [&](KeyRegistry& registry) -> Result<std::string> {
        TRY(const auto added, registry.add(options.name, rights, expires));
        return keys::made_key_json(added);
    };
    audit::Act act{
        .kind = "key_added",
        .detail = fmt::format(
            R"({{"name":{},{},"expires":{}}})",
            json_string(options.name),
            keys::asked_rights_json(rights),
            expires ? json_string(events::format_rfc3339(*expires)) : "null"
        )
    };
    TRY(const std::string json,
        options.data.empty() ? add_at_server(options, rights, expires)
                             : ask_directory(options, true, std::move(act), add_here));
    TRY(const auto made, object_of(json));
    print(options.json ? json : text_of(made, "key"));
    tell("keep this key: only its hash is stored, so it cannot be shown again.");
    tell(text_of(made, "notice"));
    return {};
}

/// `read,write`, or `reseller "r"`.
std::string shown_rights(const boost::json::object& key) {
    for (const keys::PartyKind kind : {keys::PartyKind::reseller, keys::PartyKind::publisher}) {
        if (std::string id = text_of(key, keys::name_of(kind)); !id.empty()) {
            return keys::Party{.kind = kind, .id = std::move(id)}.description();
        }
    }
    std::string scopes;
    const boost::json::value* list = key.if_contains("scopes");
    if (list != nullptr && list->is_array()) {
        for (const boost::json::value& each : list->get_array()) {
            scopes += scopes.empty() ? "" : ",";
            scopes += each.is_string() ? std::string{each.get_string()} : "";
        }
    }
    return scopes;
}

/// "shop  write  created 2026-11-22T10:00:00Z  expires never".
std::string line_of(const boost::json::object& key) {
    const std::string expires = text_of(key, "expires");
    const boost::json::value* expired = key.if_contains("expired");
    const bool is_over = expired != nullptr && expired->is_bool() && expired->get_bool();
    return fmt::format(
        "{:<20}  {:<22}  created {}  {}",
        text_of(key, "name"),
        shown_rights(key),
        text_of(key, "created"),
        expires.empty() ? "never expires"
                        : fmt::format("{} {}", is_over ? "expired" : "expires", expires)
    );
}

Result<void> run_list(const KeysOptions& options) {
    const AskRegistry list_here = [](KeyRegistry& registry) -> Result<std::string> {
        return keys::key_list_json(registry.list(), registry.clock().now());
    };
    TRY(const std::string json,
        options.data.empty() ? ask_server(options, Method::get, "/api/v1/keys", {})
                             : ask_directory(options, false, std::nullopt, list_here));
    if (options.json) {
        print(json);
        return {};
    }
    TRY(const auto document, object_of(json));
    const boost::json::value* list = document.if_contains("keys");
    if (list == nullptr || !list->is_array() || list->get_array().empty()) {
        tell("there are no keys: only this machine is answered");
        return {};
    }
    for (const boost::json::value& each : list->get_array()) {
        if (const boost::json::object* key = each.if_object()) {
            print(line_of(*key));
        }
    }
    return {};
}

Result<void> run_revoke(const KeysOptions& options) {
    const AskRegistry revoke_here = [&](KeyRegistry& registry) -> Result<std::string> {
        TRY(const std::size_t left, registry.revoke(options.name));
        return keys::revoked_key_json(options.name, left);
    };
    const std::string target = "/api/v1/keys/" + http_server::percent_encode(options.name);
    audit::Act act{
        .kind = "key_revoked", .detail = fmt::format(R"({{"name":{}}})", json_string(options.name))
    };
    TRY(const std::string json,
        options.data.empty() ? ask_server(options, Method::del, target, {})
                             : ask_directory(options, false, std::move(act), revoke_here));
    TRY(const auto revoked, object_of(json));
    print(options.json ? json : "revoked " + options.name);
    tell(text_of(revoked, "notice"));
    return {};
}

using Run = Result<void> (*)(const KeysOptions&);

/// A verb of `keys` with the options that all of them have.
std::pair<CLI::App*, std::shared_ptr<KeysOptions>> add_keys_verb(
    CommandLine& command_line,
    CLI::App& group,
    const char* name,
    const char* description,
    const char* example,
    Run run
) {
    auto options = std::make_shared<KeysOptions>();
    CLI::App& verb = command_line.add_verb(group, name, description, example, [options, run] {
        const Result<void> done = run(*options);
        return done ? ExitCode::ok : report(done.error());
    });
    CLI::Option* const at_server = options->server.add_to(verb);
    CLI::Option* const in_directory =
        verb.add_option("--data", options->data, "A data directory that no server has open")
            ->type_name("DIR");
    at_server->excludes(in_directory);
    verb.add_flag("--json", options->json, "One JSON object");
    return {&verb, options};
}

}  // namespace

void add_keys(CommandLine& command_line) {
    CLI::App& group = command_line.add_group(
        "keys",
        "API keys: who else may ask, and for what",
        "Without a key only this machine is answered; with the first, every request needs one.\n\n"
        "Examples:\n"
        "  footfall keys add shop --scope write\n"
        "  footfall keys list\n"
        "  footfall keys revoke shop\n"
    );
    const auto [add, adding] = add_keys_verb(
        command_line,
        group,
        "add",
        "Make a key and show it, once",
        "Scopes: read asks for data, write puts tokens and sends events, people says what persons "
        "said and asks who read what, money is for rates and income, admin is for the rest and "
        "implies all. In their place a key may be bound to one "
        "reseller or publisher: it reads the income, rates, statements and clicks of that one, "
        "and nothing else.\n\n"
        "Examples:\n"
        "  footfall keys add ops --scope admin\n"
        "  footfall keys add shop --scope write --expires 90d\n"
        "  footfall keys add report --scope read,money --expires 2027-06-30\n"
        "  footfall keys add partner --reseller r-7\n"
        "  footfall keys add ops --scope admin --data ./footfall-data    while no server runs\n",
        run_add
    );
    add->add_option("name", adding->name, "What it is for: letters, digits, '.', '_', '-'")
        ->type_name("NAME")
        ->required();
    add->add_option(
           "--scope",
           adding->scopes,
           "What it may do: of read, write, people, money, audience, admin"
    )
        ->type_name("SCOPES");
    add->add_option("--reseller", adding->reseller, "The one reseller that it may read of")
        ->type_name("ID");
    add->add_option("--publisher", adding->publisher, "The one publisher that it may read of")
        ->type_name("ID");
    add->add_option("--expires", adding->expires, "When it ends: 90d, 2027-06-30 [never]")
        ->type_name("WHEN");
    add_keys_verb(
        command_line,
        group,
        "list",
        "The keys there are",
        "Examples:\n"
        "  footfall keys list\n"
        "  footfall keys list --data ./footfall-data --json\n",
        run_list
    );
    const auto [revoke, revoking] = add_keys_verb(
        command_line,
        group,
        "revoke",
        "Take a key away, at once",
        "Example:\n"
        "  footfall keys revoke shop\n",
        run_revoke
    );
    revoke->add_option("name", revoking->name, "Which")->type_name("NAME")->required();
}

}  // namespace footfall::cli
