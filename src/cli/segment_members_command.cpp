#include "cli/segment_members_command.h"

#include "cli/batch_sender.h"
#include "cli/paged_list.h"
#include "cli/progress.h"
#include "cli/rejects.h"
#include "cli/server_options.h"
#include "foundation/lines.h"
#include "http_server/client.h"
#include "records/byte_source.h"
#include "records/line_reader.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

struct MemberOptions {
    ServerOptions server;
    std::string segment;
    std::vector<std::string> files;
    bool json = false;
};

constexpr std::uint64_t lines_a_progress = 1000;

std::string members_path(const std::string& segment) {
    return fmt::format("/api/v1/segments/{}/members", http_server::percent_encode(segment));
}

Result<void> check_segment(const std::string& segment) {
    // Most often a variable of a shell is not set.
    return segment.empty() ? fail(ErrorKind::invalid_input, "the name of the segment is empty")
                           : Result<void>{};
}

/// The files, one behind the other; each line as it stands.
Result<void> send_files(
    const std::vector<std::string>& paths, BatchSender& sender, Rejects& rejects
) {
    std::vector<std::unique_ptr<records::ByteSource>> sources;
    for (const std::string& each : paths) {
        TRY(sources.emplace_back(), records::open_byte_source(each));
    }
    const SystemClock clock;
    Progress progress{clock, standard_error_output()};
    std::uint64_t read = 0;
    for (const auto& source : sources) {
        rejects.start_file(source->name(), &progress);
        records::LineReader lines{*source};
        for (;;) {
            TRY(const auto line, lines.next());
            if (!line) {
                break;
            }
            if (++read % lines_a_progress == 0) {
                progress.update({.records = read});
            }
            if (line->too_long) {
                rejects.add(line->number, "the line is too long to be a member");
            } else if (!is_blank(line->text)) {
                sender.body() += line->text;
                TRY_VOID(sender.end_line(line->number));
            }
        }
        // Lines that are rejected are told with the name of their file.
        TRY_VOID(sender.finish());
    }
    return {};
}

Result<void> run_members_change(
    const MemberOptions& options, http_server::Method method, std::string_view done
) {
    TRY_VOID(check_segment(options.segment));
    TRY(http_server::ServerUrl url, options.server.address());
    Rejects rejects{nullptr};
    BatchSender sender{
        std::move(url),
        members_path(options.segment),
        [&](std::uint64_t line, std::string_view why) { rejects.add(line, why); },
        pause_for,
        method
    };
    const std::vector<std::string> files =
        options.files.empty() ? std::vector<std::string>{"-"} : options.files;
    TRY_VOID(send_files(files, sender, rejects));
    if (rejects.hidden() > 0) {
        fmt::print(stderr, "{} more lines were not taken\n", rejects.hidden());
    }
    const std::string text =
        options.json
            ? fmt::format(R"({{"{}":{},"rejected":{}}})", done, sender.accepted(), rejects.count())
            : fmt::format("{} {} rejected {}", done, sender.accepted(), rejects.count());
    fmt::print("{}\n", text);
    return {};
}

Result<void> run_members(const MemberOptions& options) {
    TRY_VOID(check_segment(options.segment));
    TRY(http_server::ServerUrl url, options.server.address());
    return for_each_listed(
        std::move(url),
        members_path(options.segment) + "?limit=10000",
        "members",
        [](const boost::json::object& member) {
            fmt::print("{}\n", boost::json::serialize(member));
            return Result<void>{};
        }
    );
}

void add_members_change(
    CommandLine& command_line,
    CLI::App& group,
    const std::string& name,
    const std::string& description,
    const std::string& example,
    http_server::Method method,
    std::string_view done
) {
    auto options = std::make_shared<MemberOptions>();
    CLI::App& verb =
        command_line.add_verb(group, name, description, example, [options, method, done] {
            const Result<void> changed = run_members_change(*options, method, done);
            return changed ? ExitCode::ok : report(changed.error());
        });
    verb.add_option("SEGMENT", options->segment, "Its name")->required();
    verb.add_option("FILE", options->files, "NDJSON, packed or not; - or none: standard input");
    verb.add_flag("--json", options->json, "One JSON object");
    options->server.add_to(verb);
}

}  // namespace

void add_segment_members(CommandLine& command_line, CLI::App& group) {
    add_members_change(
        command_line,
        group,
        "add",
        "Put ids into a segment, which is made by its first one",
        "A line is an id, with the seconds after which it leaves if it is to: "
        "{\"identifier\":\"www\",\"id_name\":\"id\",\"id_value\":\"w111\",\"ttl\":2592000}. A bad "
        "line is told and left out. To run it again is safe.\n\n"
        "Examples:\n"
        "  footfall segments add spring members.ndjson.gz\n"
        "  footfall segments members spring | footfall segments add copy\n",
        http_server::Method::post,
        "added"
    );
    add_members_change(
        command_line,
        group,
        "remove",
        "Take ids out of a segment",
        "Lines as of `add`. Only these ids leave: who is a member by another id stays.\n\n"
        "Examples:\n"
        "  footfall segments remove spring opted_out.ndjson\n"
        "  footfall segments members bought | footfall segments remove spring\n",
        http_server::Method::del,
        "removed"
    );
    auto options = std::make_shared<MemberOptions>();
    CLI::App& verb = command_line.add_verb(
        group,
        "members",
        "The ids in a segment, a JSON object a line, as `add` takes them",
        "Examples:\n"
        "  footfall segments members spring > members.ndjson\n",
        [options] {
            const Result<void> listed = run_members(*options);
            return listed ? ExitCode::ok : report(listed.error());
        }
    );
    verb.add_option("SEGMENT", options->segment, "Its name")->required();
    options->server.add_to(verb);
}

}  // namespace footfall::cli
