#include "cli/segments_command.h"

#include "cli/paged_list.h"
#include "cli/patient_client.h"
#include "cli/segment_members_command.h"
#include "cli/segment_reports_command.h"
#include "cli/segment_webhooks_command.h"
#include "cli/server_options.h"
#include "foundation/json_string.h"
#include "records/byte_source.h"
#include "records/line_reader.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/error_code.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

struct SegmentListOptions {
    ServerOptions server;
    std::string prefix;
    bool json = false;
};

struct SegmentCountOptions {
    ServerOptions server;
    std::vector<std::string> all;
    std::vector<std::string> any;
    std::vector<std::string> none;
    bool json = false;
};

struct OverlapOptions {
    ServerOptions server;
    std::vector<std::string> segments;
    bool csv = false;
    bool json = false;
};

struct SegmentRuleOptions {
    ServerOptions server;
    std::string segment;
    std::string file;
    bool remove = false;
};

std::string text_in_row(const boost::json::object& row, std::string_view field) {
    const auto* const found = row.if_contains(field);
    return found != nullptr && found->is_string() ? std::string{found->get_string()}
                                                  : std::string{"?"};
}

/// As it stands in the answer.
std::string number_in_row(const boost::json::object& row, std::string_view field) {
    const auto* const found = row.if_contains(field);
    return found != nullptr && found->is_number() ? boost::json::serialize(*found) : "?";
}

/// Of an estimate the column behind it: between which numbers it is.
std::string bounds_in_row(const boost::json::object& row) {
    const auto* const exact = row.if_contains("exact");
    return exact == nullptr || !exact->is_bool() || exact->get_bool()
               ? ""
               : fmt::format("\t{} to {}", number_in_row(row, "low"), number_in_row(row, "high"));
}

/// ["spring","loyal"]
std::string json_list(const std::vector<std::string>& names) {
    std::string json = "[";
    for (const std::string& each : names) {
        json += json.size() == 1 ? "" : ",";
        json += json_string(each);
    }
    return json + "]";
}

Result<http_server::ClientResponse> ask_segments(
    const ServerOptions& server,
    std::string_view question,
    const std::string& body,
    std::string accept = "application/json"
) {
    TRY(http_server::ServerUrl url, server.address());
    PatientClient client{std::move(url)};
    TRY(http_server::ClientResponse response,
        client.send(
            http_server::Method::post,
            fmt::format("/api/v1/segments/{}", question),
            body,
            {{"Content-Type", "application/json"}, {"Accept", std::move(accept)}}
        ));
    if (response.status >= 300) {
        return std::unexpected(refusal_of(response));
    }
    return response;
}

Result<void> run_segment_list(const SegmentListOptions& options) {
    TRY(http_server::ServerUrl url, options.server.address());
    return for_each_listed(
        std::move(url),
        "/api/v1/segments?limit=1000&prefix=" + http_server::percent_encode(options.prefix),
        "segments",
        [&](const boost::json::object& segment) {
            if (options.json) {
                fmt::print("{}\n", boost::json::serialize(segment));
            } else {
                fmt::print(
                    "{}\t{}{}\n",
                    text_in_row(segment, "name"),
                    number_in_row(segment, "people"),
                    bounds_in_row(segment)
                );
            }
            return Result<void>{};
        }
    );
}

Result<void> run_segment_count(const SegmentCountOptions& options) {
    if (options.all.empty() && options.any.empty()) {
        return fail(ErrorKind::invalid_input, "--all or --any names a segment; both may");
    }
    TRY(const http_server::ClientResponse response,
        ask_segments(
            options.server,
            "count",
            fmt::format(
                R"({{"all":{},"any":{},"none":{}}})",
                json_list(options.all),
                json_list(options.any),
                json_list(options.none)
            )
        ));
    if (options.json) {
        std::fputs(response.body.c_str(), stdout);
        return {};
    }
    TRY(const boost::json::object answer, object_of(response));
    fmt::print("{}{}\n", number_in_row(answer, "people"), bounds_in_row(answer));
    return {};
}

Result<void> run_overlap(const OverlapOptions& options) {
    TRY(const http_server::ClientResponse response,
        ask_segments(
            options.server,
            "overlap",
            fmt::format(R"({{"segments":{}}})", json_list(options.segments)),
            options.csv ? "text/csv" : "application/json"
        ));
    if (options.json || options.csv) {
        std::fputs(response.body.c_str(), stdout);
        return {};
    }
    TRY(const boost::json::object answer, object_of(response));
    const auto* const pairs = answer.if_contains("overlap");
    const auto* const rows = pairs == nullptr ? nullptr : pairs->if_array();
    if (rows == nullptr) {
        return fail(
            ErrorKind::unavailable, "the server's answer is not the one of a footfall server"
        );
    }
    for (const boost::json::value& each : *rows) {
        const auto* const pair = each.if_object();
        const auto* const named = pair == nullptr ? nullptr : pair->if_contains("segments");
        const auto* const both = named == nullptr ? nullptr : named->if_array();
        if (both == nullptr || both->size() != 2 || !both->at(0).is_string() ||
            !both->at(1).is_string()) {
            continue;
        }
        fmt::print(
            "{}\t{}\t{}{}\n",
            std::string_view{both->at(0).get_string()},
            std::string_view{both->at(1).get_string()},
            number_in_row(*pair, "count"),
            bounds_in_row(*pair)
        );
    }
    return {};
}

/// Rules are small: what is longer is another file.
constexpr std::size_t rule_file_bytes_max = 64 << 10;

Result<std::string> rule_in_file(const std::string& path) {
    TRY(const auto source, records::open_byte_source(path));
    records::LineReader lines{*source};
    std::string text;
    for (;;) {
        TRY(const auto line, lines.next());
        if (!line) {
            return text;
        }
        text += line->text;
        text += '\n';
        if (line->too_long || text.size() > rule_file_bytes_max) {
            return fail(ErrorKind::invalid_input, path + " is too long to be a rule");
        }
    }
}

/// The rule of an answer, a line; "none" where there is none.
Result<void> print_rule(const http_server::ClientResponse& response) {
    if (response.status >= 300) {
        return std::unexpected(refusal_of(response));
    }
    TRY(const boost::json::object answer, object_of(response));
    const auto* const rule = answer.if_contains("rule");
    fmt::print("{}\n", rule == nullptr || rule->is_null() ? "none" : boost::json::serialize(*rule));
    return {};
}

Result<void> run_segment_rule(const SegmentRuleOptions& options) {
    if (options.segment.empty()) {
        return fail(ErrorKind::invalid_input, "the name of the segment is empty");
    }
    std::string body;
    if (options.remove) {
        body = R"({"rule":null})";
    } else if (!options.file.empty()) {
        TRY(const std::string rule, rule_in_file(options.file));
        boost::system::error_code failed;
        const boost::json::value value = boost::json::parse(rule, failed);
        if (failed) {
            return fail(ErrorKind::invalid_input, options.file + " is not one JSON value");
        }
        body = boost::json::serialize(boost::json::object{{"rule", value}});
    }
    TRY(http_server::ServerUrl url, options.server.address());
    PatientClient client{std::move(url)};
    TRY(const http_server::ClientResponse response,
        client.send(
            body.empty() ? http_server::Method::get : http_server::Method::put,
            "/api/v1/segments/" + http_server::percent_encode(options.segment),
            body,
            {{"Content-Type", "application/json"}, {"Accept", "application/json"}}
        ));
    return print_rule(response);
}

void add_segment_rule(CommandLine& command_line, CLI::App& group) {
    auto options = std::make_shared<SegmentRuleOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "rule",
        "By which rule a segment fills itself",
        "Shows the rule, or takes another one from --set: whoever clicked twice in 30 days, "
        "say.\n\n"
        "Examples:\n"
        "  footfall segments rule keen\n"
        "  echo "
        "'{\"event\":{\"action\":\"click\",\"ad\":\"spring\",\"times\":2,\"within\":\"30d\"}}' "
        "| footfall segments rule keen --set -\n"
        "  footfall segments rule keen --remove\n",
        [options] {
            const Result<void> done = run_segment_rule(*options);
            return done ? ExitCode::ok : report(done.error());
        }
    );
    verb.add_option("SEGMENT", options->segment, "Its name")->required();
    auto* const set =
        verb.add_option("--set", options->file, "A file with a rule; - is standard input")
            ->type_name("FILE");
    verb.add_flag("--remove", options->remove, "Take its rule away")->excludes(set);
    options->server.add_to(verb);
}

void add_segment_list(CommandLine& command_line, CLI::App& group) {
    auto options = std::make_shared<SegmentListOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "list",
        "All segments and how many people each is, by name",
        "Examples:\n"
        "  footfall segments list\n"
        "  footfall segments list --prefix spring- --json\n",
        [options] {
            const Result<void> listed = run_segment_list(*options);
            return listed ? ExitCode::ok : report(listed.error());
        }
    );
    verb.add_option("--prefix", options->prefix, "Only those whose names begin so")
        ->type_name("TEXT");
    verb.add_flag("--json", options->json, "A JSON object a line");
    options->server.add_to(verb);
}

void add_segment_count(CommandLine& command_line, CLI::App& group) {
    auto options = std::make_shared<SegmentCountOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "count",
        "How many people are in some segments and not in others",
        "Those who are in each of --all, in at least one of --any where it is given, and in none "
        "of --none. A person counts once.\n\n"
        "Examples:\n"
        "  footfall segments count --all spring --none bought\n"
        "  footfall segments count --any spring summer --json\n",
        [options] {
            const Result<void> counted = run_segment_count(*options);
            return counted ? ExitCode::ok : report(counted.error());
        }
    );
    verb.add_option("--all", options->all, "In each of these")->type_name("SEGMENT");
    verb.add_option("--any", options->any, "In at least one of these")->type_name("SEGMENT");
    verb.add_option("--none", options->none, "In none of these")->type_name("SEGMENT");
    verb.add_flag("--json", options->json, "One JSON object");
    options->server.add_to(verb);
}

void add_overlap(CommandLine& command_line, CLI::App& group) {
    auto options = std::make_shared<OverlapOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "overlap",
        "How many people each two of some segments share",
        "Every pair once: two names and a number, by tabs.\n\n"
        "Examples:\n"
        "  footfall segments overlap spring loyal bought\n"
        "  footfall segments overlap spring loyal bought --csv > overlap.csv\n",
        [options] {
            const Result<void> compared = run_overlap(*options);
            return compared ? ExitCode::ok : report(compared.error());
        }
    );
    verb.add_option("SEGMENT", options->segments, "Up to 100 of them")->required();
    auto* const csv = verb.add_flag("--csv", options->csv, "A table, with the sizes of both");
    verb.add_flag("--json", options->json, "One JSON object")->excludes(csv);
    options->server.add_to(verb);
}

}  // namespace

void add_segments(CommandLine& command_line) {
    CLI::App& group = command_line.add_group(
        "segments",
        "Audiences: named sets of ids, and how many people they are",
        "Examples:\n"
        "  footfall segments add spring members.ndjson\n"
        "  footfall segments list\n"
        "  footfall segments overlap spring loyal\n"
    );
    add_segment_members(command_line, group);
    add_segment_list(command_line, group);
    add_segment_count(command_line, group);
    add_overlap(command_line, group);
    add_segment_reports(command_line, group);
    add_segment_webhooks(command_line, group);
    add_segment_rule(command_line, group);
}

}  // namespace footfall::cli
