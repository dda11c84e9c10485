#include "cli/import_command.h"

#include "audit/acts.h"
#include "cli/import_files.h"
#include "cli/record_sink.h"
#include "events/event.h"
#include "foundation/json_string.h"
#include "foundation/utf8.h"
#include "jobs/list.h"
#include "people/person.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

/// Of a record of a person: has room for as many friends as there may be, each with a name as long
/// as it may be.
constexpr std::size_t person_bytes_max = 2 * people::friends_max * (events::longest_name + 8);

/// What the user wrote.
struct ImportOptions {
    std::vector<std::string> files;
    std::string as;
    std::string format;
    std::string map;
    std::vector<std::string> constants;
    bool no_header = false;
    std::string delimiter;
    std::string time_format = "auto";
    std::string zone = "UTC";
    std::string rejects_file;
    TargetOptions target;
};

Result<records::ReadOptions> read_options(
    const ImportOptions& options, records::InputFormat format
) {
    records::ReadOptions read{
        .format = format,
        .header = options.no_header ? records::Header::none : records::Header::first_line
    };
    if (!options.delimiter.empty()) {
        const std::string delimiter = options.delimiter == "\\t" ? "\t" : options.delimiter;
        if (delimiter.size() != 1) {
            return fail(
                ErrorKind::invalid_input,
                "--delimiter takes one character, for example --delimiter ';'"
            );
        }
        read.delimiter = delimiter.front();
    }
    return read;
}

/// What stands below the options.
constexpr const char* import_help =
    "A second run of the same import adds nothing. gzip and zstd are recognised by content.\n"
    "A rate is what a reseller, or a publisher, gets from a day on: \"0.3\" is 30 %. One that "
    "stands for that day already is a duplicate; of several in a file for one day the last "
    "one stands.\n"
    "People say how they share what they read (reading, until, sites, to) and whom they list: "
    "friends replaces the list, friend adds one to it. In csv and tsv a semicolon stands "
    "between the names of a list. An empty field says nothing. Of each person lines are said "
    "again in their order.\n"
    "Identities say which ids are one person: --map NETWORK/NAME=COLUMN names the column of each, "
    "and an empty field is left out. A record without a time is said of now, one without a source "
    "by its file.\n\n"
    "Examples:\n"
    "  footfall import reviews.csv.gz --as tokens --format csv --map "
    "object=vendorId,token=reviewerId\n"
    "  footfall import access.log --as tokens --format combined --data ./footfall-data\n"
    "  footfall import access.log.1.gz access.log --as events --format combined\n"
    "  footfall import sales.csv --as events --format csv --map "
    "object=product,actor=customer,time=when,amount=price --set action=sale --zone "
    "Europe/Berlin\n"
    "  footfall import rates.csv --as rates --format csv --map "
    "reseller=partner,effective_since=from,reward_percent=share,reason=note\n"
    "  footfall import people.csv --as people --format csv --map "
    "actor=user,reading=sharing,sites=sites,friends=friends\n"
    "  footfall import edges.csv.gz --as people --format csv --no-header --map "
    "actor=1,friend=2\n"
    "  footfall import register.csv --as identities --format csv --map "
    "mlbam/key=key_mlbam,retro/key=key_retro --set source=register\n"
    "  zcat old.tsv.gz | footfall import - --as tokens --format tsv --no-header --map "
    "object=2,token=1\n";

/// What one run works with.
struct ImportRun {
    const ImportOptions* options;
    records::ImportKind kind;
    records::FieldMap map;
    records::ReadOptions read;
    Rejects* rejects;

    RejectLine reject() const {
        return [rejects = rejects](std::uint64_t line, std::string_view reason) {
            rejects->add(line, reason);
        };
    }

    Result<ImportCounts> into(RecordSink& sink, ImportFiles& files, const Clock& clock) const {
        Progress progress{clock, standard_error_output()};
        TRY_VOID(files.read_into(sink, map, read, *rejects, progress));
        return sink.counts();
    }
};

/// Opens the data directory that the records go into.
Result<std::unique_ptr<deployment::Deployment>> open_directory(
    const ImportRun& run,
    const ReadSettings& read_settings,
    const Clock& clock,
    metrics::Metrics& metrics
) {
    const TargetOptions& target = run.options->target;
    TRY(auto settings, read_settings(target.config));
    deployment::DeploymentOptions open{
        .place = deployment::DirectoryPlace{.path = target.data},
        .events =
            run.kind != records::ImportKind::tokens && run.kind != records::ImportKind::people,
        .rules = std::move(settings.rules),
        .jobs = jobs::all(),
        .jobs_options = std::move(settings.jobs),
        .reads = std::move(settings.reads)
    };
    return deployment::Deployment::open(std::move(open), clock, metrics);
}

/// Makes what takes events.
std::unique_ptr<EventSink> make_events(
    const ImportRun& run,
    std::optional<http_server::ServerUrl> server,
    deployment::Deployment* directory,
    const Clock& clock
) {
    return server ? make_server_event_sink(*std::move(server), run.reject())
                  : make_directory_event_sink(*directory, clock);
}

/// Makes what takes the records, out of a server's address or a directory.
Result<std::unique_ptr<RecordSink>> make_sink(
    const ImportRun& run,
    std::optional<http_server::ServerUrl> server,
    deployment::Deployment* directory,
    const Clock& clock
) {
    const ImportOptions& options = *run.options;
    switch (run.kind) {
        case records::ImportKind::tokens: {
            if (server) {
                return make_token_records(
                    run.map,
                    make_server_sink(*std::move(server), options.target.counter, run.reject()),
                    run.reject()
                );
            }
            TRY(auto tokens, make_directory_sink(*directory, options.target.counter, run.reject()));
            return make_token_records(run.map, std::move(tokens), run.reject());
        }
        case records::ImportKind::events: {
            TRY(EventTimeFormat time_format,
                EventTimeFormat::parse(options.time_format, options.zone));
            return make_event_records(
                run.map,
                run.read.format,
                std::move(time_format),
                make_events(run, std::move(server), directory, clock),
                run.reject()
            );
        }
        case records::ImportKind::rates:
            return make_rate_records(
                run.map,
                server ? make_server_rate_sink(*std::move(server), run.reject())
                       : make_directory_rate_sink(*directory, clock, run.reject()),
                run.reject()
            );
        case records::ImportKind::identities: {
            TRY(EventTimeFormat time_format,
                EventTimeFormat::parse(options.time_format, options.zone));
            return make_identity_records(
                run.map,
                std::move(time_format),
                clock,
                make_events(run, std::move(server), directory, clock),
                run.reject()
            );
        }
        case records::ImportKind::people:
            break;
    }
    return make_people_records(
        run.map,
        run.read.format,
        clock,
        server ? make_server_people_sink(*std::move(server))
               : make_directory_people_sink(directory->people()),
        run.reject()
    );
}

/// Rates and consent are acts, also where a file says them; who reads the log sees which file.
Result<void> record_import(const ImportRun& run, audit::Acts& acts) {
    const bool is_of_rates = run.kind == records::ImportKind::rates;
    if (!is_of_rates && run.kind != records::ImportKind::people) {
        return {};
    }
    constexpr std::size_t names_bytes_max = 8 << 10;
    std::string files;
    for (const std::string& each : run.options->files) {
        if (is_utf8(each) && files.size() + each.size() < names_bytes_max) {
            files += files.empty() ? "" : ",";
            append_json_string(files, each);
        }
    }
    TRY_VOID(acts.record(
        {.kind = is_of_rates ? "rates_imported" : "people_imported",
         .author = std::string{audit::author_directory},
         .detail = fmt::format(R"({{"count":{},"files":[{}]}})", run.options->files.size(), files)}
    ));
    return {};
}

Result<ImportCounts> import_records(
    const ImportRun& run, const ReadSettings& read_settings, ImportFiles& files, const Clock& clock
) {
    const TargetOptions& target = run.options->target;
    metrics::Metrics metrics;
    std::unique_ptr<deployment::Deployment> directory;
    std::optional<http_server::ServerUrl> server;
    if (target.uses_directory()) {
        TRY(directory, open_directory(run, read_settings, clock, metrics));
        TRY_VOID(record_import(run, directory->audit()));
    } else {
        TRY(server, target.server.address());
    }
    TRY(const auto sink, make_sink(run, std::move(server), directory.get(), clock));
    return run.into(*sink, files, clock);
}

/// What is of one kind only must not be given for the other.
Result<void> check_options(const ImportOptions& options, records::ImportKind kind) {
    const ImportOptions defaults;
    if (kind != records::ImportKind::tokens && options.target.counter != defaults.target.counter) {
        return fail(ErrorKind::invalid_input, "--counter goes with --as tokens");
    }
    if (kind != records::ImportKind::events && kind != records::ImportKind::identities &&
        (options.time_format != defaults.time_format || options.zone != defaults.zone)) {
        return fail(
            ErrorKind::invalid_input,
            "--time-format and --zone go with --as events and --as identities"
        );
    }
    return {};
}

Result<void> run_import(const ImportOptions& options, const ReadSettings& read_settings) {
    TRY(const records::ImportKind kind, records::parse_import_kind(options.as));
    TRY_VOID(check_options(options, kind));
    TRY(const records::InputFormat format, records::parse_input_format(options.format));
    TRY(records::FieldMap map,
        records::FieldMap::parse(
            {.kind = kind, .format = format, .map = options.map, .constants = options.constants}
        ));
    TRY(records::ReadOptions read, read_options(options, format));
    if (kind == records::ImportKind::events || kind == records::ImportKind::identities) {
        read.prefix_hash = records::PrefixHash::kept;
    } else if (kind == records::ImportKind::people && map.has(records::TargetField::friends)) {
        read.record_bytes_max = person_bytes_max;
    }

    std::unique_ptr<std::FILE, int (*)(std::FILE*)> rejects_file{nullptr, std::fclose};
    if (!options.rejects_file.empty()) {
        rejects_file.reset(std::fopen(options.rejects_file.c_str(), "w"));
        if (!rejects_file) {
            return fail(
                ErrorKind::invalid_input, fmt::format("cannot write {}", options.rejects_file)
            );
        }
    }
    Rejects rejects{rejects_file.get()};
    const ImportRun run{
        .options = &options, .kind = kind, .map = std::move(map), .read = read, .rejects = &rejects
    };
    TRY(ImportFiles files, ImportFiles::open(options.files));
    const SystemClock clock;
    TRY(const ImportCounts counts, import_records(run, read_settings, files, clock));
    if (rejects.hidden() > 0) {
        std::fputs(
            fmt::format(
                "and {} more rejected lines; --rejects FILE lists them all\n", rejects.hidden()
            )
                .c_str(),
            stderr
        );
    }
    std::fputs(
        fmt::format(
            "imported {} duplicates {} rejected {}\n",
            counts.imported,
            counts.duplicates,
            rejects.count()
        )
            .c_str(),
        stdout
    );
    return {};
}

}  // namespace

void add_import(CommandLine& command_line, ReadSettings read_settings) {
    auto options = std::make_shared<ImportOptions>();
    CLI::App& verb = command_line.add_verb(
        "import",
        "Read files of what happened and put it into a server or a data directory",
        import_help,
        [options, read_settings = std::move(read_settings)] {
            const Result<void> done = run_import(*options, read_settings);
            return done ? ExitCode::ok : report(done.error());
        }
    );
    verb.add_option("files", options->files, "Files to read; - is standard input")
        ->required()
        ->type_name("FILE...");
    verb.add_option(
            "--as",
            options->as,
            "What the records become: tokens, events, rates, people or identities"
    )
        ->required()
        ->type_name("KIND");
    verb.add_option("--format", options->format, "csv, tsv, ndjson, common or combined")
        ->required()
        ->type_name("FORMAT");
    verb.add_option(
            "--map",
            options->map,
            "Source column of each field, by name or by number from 1: object=a,token=2"
    )
        ->type_name("MAP");
    verb.add_option(
            "--set", options->constants, "A field that is the same for every record: action=view"
    )
        ->type_name("FIELD=VALUE");
    verb.add_flag(
        "--no-header", options->no_header, "The first line of a csv or tsv file is a record"
    );
    verb.add_option("--delimiter", options->delimiter, "The character between columns")
        ->type_name("C");
    verb.add_option(
            "--time-format",
            options->time_format,
            "How times are written: auto, unix, unix_ms, or a pattern as of strptime"
    )
        ->type_name("FORMAT")
        ->capture_default_str();
    verb.add_option("--zone", options->zone, "The time zone of times that name none")
        ->type_name("ZONE")
        ->capture_default_str();
    verb.add_option(
            "--rejects",
            options->rejects_file,
            "Write all rejected lines, with their numbers, to this file"
    )
        ->type_name("FILE");
    options->target.add_to(verb);
}

}  // namespace footfall::cli
