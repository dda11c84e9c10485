#include "cli/audit_command.h"

#include "audit/verify.h"
#include "cli/audit_source.h"
#include "foundation/json_string.h"

#include <CLI/Option.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

/// What verbs have in common, and what some of them take.
struct AuditOptions {
    AuditPlace place;
    std::vector<std::string> kept;  ///< Files of heads from earlier.
    std::string vkey;
    std::optional<std::uint64_t> entry;
    std::optional<std::uint64_t> from;
    std::optional<std::uint64_t> size;
    bool json = false;
};

/// A head is a few hundred bytes; what is longer is none.
constexpr std::size_t head_bytes_max = 64 << 10;

void put_line(std::string_view line) {
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
}

Result<std::string> read_head_file(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    std::string text;
    if (file) {
        text.assign(std::istreambuf_iterator<char>{file}, {});
    }
    if (!file || text.empty() || text.size() > head_bytes_max) {
        return fail(ErrorKind::not_found, fmt::format("{} is no head that was kept", path));
    }
    TRY_VOID(audit::read_checkpoint(text));
    return text;
}

std::string finding_json(const audit::Finding& finding) {
    return fmt::format(
        R"({{"what":{},"entry":{},"text":{}}})",
        json_string(finding.what),
        finding.entry ? fmt::format("{}", *finding.entry) : "null",
        json_string(finding.text)
    );
}

void tell_verified(
    const AuditOptions& options, const audit::Verified& verified, std::string_view vkey
) {
    if (options.json) {
        std::string findings;
        for (const audit::Finding& each : verified.findings) {
            findings += (findings.empty() ? "" : ",") + finding_json(each);
        }
        put_line(fmt::format(
            R"({{"entries":{},"size":{},"root":"{}","vkey":{},"findings":[{}]}})",
            verified.entries,
            verified.head.size,
            audit::base64_of(verified.head.root),
            json_string(vkey),
            findings
        ));
        return;
    }
    for (const audit::Finding& each : verified.findings) {
        put_line(fmt::format("{}: {}", each.what, each.text));
    }
    if (verified.findings.empty()) {
        put_line(fmt::format(
            "{} entries lead to the head, which is signed by {}{}",
            verified.entries,
            vkey,
            options.kept.empty() ? ""
                                 : fmt::format("; it goes on from {} kept", options.kept.size())
        ));
    }
}

/// Lines of a file are kept until its end, where its head stands: of other places it is there.
Result<ExitCode> run_audit_verify(const AuditOptions& options) {
    audit::Anchors anchors;
    for (const std::string& each : options.kept) {
        TRY(anchors.kept.emplace_back(), read_head_file(each));
    }
    if (!options.place.file.empty()) {
        // A first reading for the head, which stands at the end.
        TRY(const auto ahead, AuditSource::open(options.place));
        TRY_VOID(ahead->for_each([](std::string_view) { return Result<void>{}; }));
        anchors.checkpoint = ahead->checkpoint();
        anchors.vkey = ahead->vkey();
    }
    TRY(const auto source, AuditSource::open(options.place));
    if (options.place.file.empty()) {
        anchors.checkpoint = source->checkpoint();
        anchors.vkey = source->vkey();
    }
    if (!options.vkey.empty()) {
        TRY(const audit::Verifier key, audit::Verifier::parse(options.vkey));
        anchors.vkey = key.vkey();
    }
    const std::string vkey = anchors.vkey;
    audit::Checker checker{std::move(anchors), [&](std::uint64_t entry) {
                               return source->tree_leaf(entry);
                           }};
    std::uint64_t line_number = 0;
    TRY_VOID(source->for_each([&](std::string_view line) -> Result<void> {
        ++line_number;
        const auto shown = audit::read_entry_line(line);
        if (!shown) {
            return fail(
                ErrorKind::corrupt, fmt::format("line {}: {}", line_number, shown.error().message)
            );
        }
        checker.add(*shown);
        return {};
    }));
    const audit::Verified verified = checker.finish();
    tell_verified(options, verified, vkey);
    return verified.findings.empty() ? ExitCode::ok : ExitCode::failed;
}

Result<ExitCode> run_audit_export(const AuditOptions& options) {
    TRY(const auto source, AuditSource::open(options.place));
    TRY_VOID(source->for_each([](std::string_view line) -> Result<void> {
        put_line(line);
        return {};
    }));
    put_line(export_end(source->checkpoint(), source->vkey()));
    return ExitCode::ok;
}

std::string hashes_json(const std::vector<std::string>& hashes) {
    std::string json;
    for (const std::string& each : hashes) {
        json += json.empty() ? "" : ",";
        append_json_string(json, each);
    }
    return json;
}

Result<ExitCode> run_audit_prove(const AuditOptions& options) {
    if (options.entry.has_value() == options.from.has_value()) {
        return fail(
            ErrorKind::invalid_input,
            "say what to prove: --entry N, that it is in the log, or --from SIZE, that the newest "
            "head goes on from the one with so many entries"
        );
    }
    TRY(const auto source, AuditSource::open(options.place));
    TRY(const audit::Checkpoint head, audit::read_checkpoint(source->checkpoint()));
    const std::uint64_t size = options.size.value_or(head.head.size);
    TRY(const std::vector<std::string> hashes,
        options.entry ? source->inclusion(*options.entry, size)
                      : source->consistency(options.from.value_or(0), size));
    const std::string what = options.entry ? fmt::format(R"("entry":{})", *options.entry)
                                           : fmt::format(R"("from":{})", options.from.value_or(0));
    put_line(fmt::format(
        R"({{{},"size":{},"hashes":[{}],"checkpoint":{},"vkey":{}}})",
        what,
        size,
        hashes_json(hashes),
        json_string(source->checkpoint()),
        json_string(source->vkey())
    ));
    return ExitCode::ok;
}

Result<ExitCode> run_audit_head(const AuditOptions& options) {
    TRY(const auto source, AuditSource::open(options.place));
    std::fputs(source->checkpoint().c_str(), stdout);
    return ExitCode::ok;
}

Result<ExitCode> run_audit_key(const AuditOptions& options) {
    TRY(const auto source, AuditSource::open(options.place));
    put_line(source->vkey());
    return ExitCode::ok;
}

using RunAudit = Result<ExitCode> (*)(const AuditOptions&);

std::pair<CLI::App*, std::shared_ptr<AuditOptions>> add_audit_verb(
    CommandLine& command_line,
    CLI::App& group,
    const char* name,
    const char* description,
    const char* examples,
    RunAudit run
) {
    auto options = std::make_shared<AuditOptions>();
    CLI::App& verb = command_line.add_verb(group, name, description, examples, [options, run] {
        const Result<ExitCode> done = run(*options);
        return done ? *done : report(done.error());
    });
    options->place.add_to(verb, std::string_view{name} == "verify");
    return {&verb, options};
}

void add_audit_verify(CommandLine& command_line, CLI::App& group) {
    const auto [verify, options] = add_audit_verb(
        command_line,
        group,
        "verify",
        "Hold the log to its head, and to heads that were kept",
        "Says which entry was changed, put in, taken out or moved, that the end was cut off, that\n"
        "two histories were shown, or an older state put back; exit 1 then.\n\n"
        "Examples:\n"
        "  footfall audit verify --checkpoint kept-in-may.txt\n"
        "  footfall audit verify --data ./footfall-data --json\n"
        "  footfall audit verify exported.ndjson --vkey "
        "footfall/4bca503c90257d82/main+d289e6ca+..\n",
        run_audit_verify
    );
    verify
        ->add_option(
            "--checkpoint",
            options->kept,
            "A head that somebody kept; it may be given several times"
        )
        ->type_name("FILE")
        ->allow_extra_args(false);
    verify->add_option("--vkey", options->vkey, "Whose signature to ask for [the log's own key]")
        ->type_name("KEY");
    verify->add_flag("--json", options->json, "One JSON object");
}

}  // namespace

void add_audit(CommandLine& command_line) {
    CLI::App& group = command_line.add_group(
        "audit",
        "What operators did, in a log that outsiders can check",
        "Examples:\n"
        "  footfall audit head > kept.txt\n"
        "  footfall audit verify --checkpoint kept.txt\n"
        "  footfall audit export > audit.ndjson\n"
    );
    add_audit_verify(command_line, group);
    add_audit_verb(
        command_line,
        group,
        "export",
        "All entries as NDJSON, and behind them the head",
        "Example:\n"
        "  footfall audit export > audit.ndjson\n",
        run_audit_export
    );
    const auto [prove, options] = add_audit_verb(
        command_line,
        group,
        "prove",
        "The hashes that prove an entry, or that a head goes on from an earlier one (RFC 9162)",
        "Examples:\n"
        "  footfall audit prove --entry 17\n"
        "  footfall audit prove --from 12\n",
        run_audit_prove
    );
    prove->add_option("--entry", options->entry, "That it is in the log")->type_name("N");
    prove->add_option("--from", options->from, "That nothing of so many entries was changed")
        ->type_name("SIZE");
    prove->add_option("--size", options->size, "Of which head [the newest]")->type_name("SIZE");
    add_audit_verb(
        command_line,
        group,
        "head",
        "The newest signed head: keep it where nobody who runs the server can change it",
        "Example:\n"
        "  footfall audit head > kept.txt\n",
        run_audit_head
    );
    add_audit_verb(
        command_line,
        group,
        "key",
        "The public key that heads are signed by",
        "Example:\n"
        "  footfall audit key\n",
        run_audit_key
    );
}

}  // namespace footfall::cli
