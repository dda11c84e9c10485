#include "cli/segment_reports_command.h"

#include "cli/paged_list.h"
#include "cli/patient_client.h"
#include "cli/server_options.h"
#include "foundation/json_string.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::cli {
namespace {

using http_server::ClientResponse;
using http_server::Method;

struct ReportOptions {
    ServerOptions server;
    std::string name;
    std::vector<std::string> segments;
    std::string at;
    std::string day = "latest";
    bool now = false;
    bool remove = false;
    bool csv = false;
    bool json = false;
};

struct ReportListOptions {
    ServerOptions server;
    bool json = false;
};

Result<ClientResponse> ask_reports(
    const ServerOptions& server,
    Method method,
    const std::string& path,
    const std::string& body,
    std::string accept
) {
    TRY(http_server::ServerUrl url, server.address());
    PatientClient client{std::move(url)};
    TRY(ClientResponse response,
        client.send(
            method,
            "/api/v1/segment_reports" + path,
            body,
            {{"Content-Type", "application/json"}, {"Accept", std::move(accept)}}
        ));
    if (response.status >= 300) {
        return std::unexpected(refusal_of(response));
    }
    return response;
}

std::string shown(const boost::json::object& object, std::string_view field) {
    const auto* const found = object.if_contains(field);
    if (found == nullptr) {
        return "?";
    }
    return found->is_string() ? std::string{found->get_string()} : boost::json::serialize(*found);
}

/// Sizes, then pairs, by tabs.
Result<void> print_day(const ClientResponse& response) {
    TRY(const boost::json::object day, object_of(response));
    fmt::print("{}\tas of {}\n", shown(day, "day"), shown(day, "as_of"));
    if (const auto* const trouble = day.if_contains("trouble");
        trouble != nullptr && trouble->is_string()) {
        return fail(ErrorKind::not_found, std::string{trouble->get_string()});
    }
    if (const auto* const sizes = day.if_contains("sizes");
        sizes != nullptr && sizes->is_object()) {
        for (const auto& [segment, people] : sizes->get_object()) {
            fmt::print("{}\t{}\n", std::string_view{segment}, boost::json::serialize(people));
        }
    }
    if (const auto* const pairs = day.if_contains("overlap");
        pairs != nullptr && pairs->is_array()) {
        for (const boost::json::value& each : pairs->get_array()) {
            if (const auto* const pair = each.if_object()) {
                fmt::print(
                    "{}\t{}\t{}\n",
                    shown(*pair, "first"),
                    shown(*pair, "second"),
                    shown(*pair, "count")
                );
            }
        }
    }
    return {};
}

/// ["spring","loyal"]
std::string list_of(const std::vector<std::string>& names) {
    std::vector<std::string> texts;
    texts.reserve(names.size());
    for (const std::string& each : names) {
        texts.push_back(json_string(each));
    }
    return fmt::format("[{}]", fmt::join(texts, ","));
}

Result<void> run_report(const ReportOptions& options) {
    const std::string one = "/" + http_server::percent_encode(options.name);
    if (options.segments.empty() != options.at.empty()) {
        return fail(
            ErrorKind::invalid_input,
            "--at says at what time of each day the SEGMENTs are counted: give both, or neither to "
            "see what was counted"
        );
    }
    if (!options.at.empty()) {
        const std::string body = fmt::format(
            R"({{"segments":{},"at":{}}})", list_of(options.segments), json_string(options.at)
        );
        TRY(const ClientResponse put,
            ask_reports(options.server, Method::put, one, body, "application/json"));
        fmt::print("{} at {} UTC each day\n", options.name, options.at);
        return {};
    }
    if (options.remove) {
        TRY(const ClientResponse removed,
            ask_reports(options.server, Method::del, one, "", "application/json"));
        return {};
    }
    TRY(const ClientResponse response,
        ask_reports(
            options.server,
            options.now ? Method::post : Method::get,
            one + (options.now ? "/count" : "/days/" + http_server::percent_encode(options.day)),
            "",
            options.csv ? "text/csv" : "application/json"
        ));
    if (options.csv || options.json) {
        std::fputs(response.body.c_str(), stdout);
        return {};
    }
    return print_day(response);
}

Result<void> run_reports(const ReportListOptions& options) {
    TRY(const ClientResponse response,
        ask_reports(options.server, Method::get, "", "", "application/json"));
    if (options.json) {
        std::fputs(response.body.c_str(), stdout);
        return {};
    }
    TRY(const boost::json::object answer, object_of(response));
    const auto* const reports = answer.if_contains("reports");
    if (reports == nullptr || !reports->is_array()) {
        return fail(
            ErrorKind::unavailable, "the server's answer is not the one of a footfall server"
        );
    }
    for (const boost::json::value& each : reports->get_array()) {
        if (const auto* const row = each.if_object()) {
            fmt::print(
                "{}\t{}\t{}\n", shown(*row, "name"), shown(*row, "at"), shown(*row, "segments")
            );
        }
    }
    return {};
}

}  // namespace

void add_segment_reports(CommandLine& command_line, CLI::App& group) {
    auto one = std::make_shared<ReportOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "report",
        "Have segments counted and compared each day, and see what was counted",
        "Without --at: the latest day that there is, sizes first, then each two segments and how "
        "many people they share, by tabs. Kept for 400 days.\n\n"
        "Examples:\n"
        "  footfall segments report growth spring loyal --at 06:30\n"
        "  footfall segments report growth\n"
        "  footfall segments report growth --day 2026-11-28 --csv > growth.csv\n"
        "  footfall segments report growth --now\n",
        [one] {
            const Result<void> done = run_report(*one);
            return done ? ExitCode::ok : report(done.error());
        }
    );
    verb.add_option("NAME", one->name, "The report")->required();
    auto* const segments = verb.add_option("SEGMENT", one->segments, "What is counted, with --at");
    auto* const at = verb.add_option("--at", one->at, "Time of the day in UTC, as in 06:30");
    auto* const day = verb.add_option("--day", one->day, "A date, as in 2026-11-28")
                          ->excludes(at)
                          ->excludes(segments);
    auto* const now = verb.add_flag("--now", one->now, "Count now, as what today has");
    now->excludes(at)->excludes(day)->excludes(segments);
    verb.add_flag("--remove", one->remove, "Take it away with all that was counted")
        ->excludes(at)
        ->excludes(day)
        ->excludes(now)
        ->excludes(segments);
    auto* const csv = verb.add_flag("--csv", one->csv, "A table: pairs, with the sizes of both");
    verb.add_flag("--json", one->json, "One JSON object")->excludes(csv);
    one->server.add_to(verb);

    auto all = std::make_shared<ReportListOptions>();
    CLI::App& list = command_line.add_verb(
        group,
        "reports",
        "What is counted of segments each day, and when",
        "Example:\n"
        "  footfall segments reports\n",
        [all] {
            const Result<void> done = run_reports(*all);
            return done ? ExitCode::ok : report(done.error());
        }
    );
    list.add_flag("--json", all->json, "One JSON object");
    all->server.add_to(list);
}

}  // namespace footfall::cli
