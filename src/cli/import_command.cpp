#include "cli/import_command.h"

#include "cli/byte_source.h"
#include "cli/field_map.h"
#include "cli/progress.h"
#include "cli/record_reader.h"
#include "cli/token_sink.h"
#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

constexpr std::uint64_t rejects_shown = 20;
constexpr std::uint64_t records_a_progress = 1'000;

/// What the user wrote.
struct ImportOptions {
    std::vector<std::string> files;
    std::string as;
    std::string format;
    std::string map;
    std::vector<std::string> constants;
    bool no_header = false;
    std::string delimiter;
    std::string rejects_file;
    TargetOptions target;
};

/// Counts rejected lines and shows them: the first ones on standard error, all of them in --rejects
/// FILE.
class Rejects {
public:
    explicit Rejects(std::FILE* all) : all_{all} {}

    void start_file(const std::string& name, Progress* progress) {
        file_ = name;
        progress_ = progress;
    }

    void add(std::uint64_t line, std::string_view reason) {
        ++count_;
        const std::string text = fmt::format("{}:{}: rejected: {}\n", file_, line, reason);
        if (all_ != nullptr) {
            std::fputs(text.c_str(), all_);
        }
        if (count_ <= rejects_shown) {
            progress_->clear();
            std::fputs(text.c_str(), stderr);
        }
    }

    std::uint64_t count() const { return count_; }

    /// How many were not shown.
    std::uint64_t hidden() const { return count_ > rejects_shown ? count_ - rejects_shown : 0; }

private:
    std::FILE* all_;
    std::string file_;
    Progress* progress_ = nullptr;
    std::uint64_t count_ = 0;
};

/// One token from a record, by the map.
class TokenRecords {
public:
    explicit TokenRecords(const FieldMap& map) : map_{&map} {}

    Result<SourceToken> token_of(const Record& record) const {
        SourceToken token{.line = record.line, .object = {}, .token = {}, .ttl = {}};
        for (const FieldMap::Constant& constant : map_->constants()) {
            TRY_VOID(set(token, constant.target, constant.value));
        }
        for (std::size_t at = 0; at < map_->mappings().size(); ++at) {
            TRY_VOID(set(token, map_->mappings()[at].target, record.fields[at]));
        }
        return token;
    }

private:
    static Result<void> set(SourceToken& token, TargetField target, std::string_view value) {
        if (target == TargetField::object) {
            token.object = value;
        } else if (target == TargetField::token) {
            token.token = value;
        } else if (target == TargetField::ttl && !value.empty()) {
            const auto seconds = parse_unsigned(value);
            if (!seconds || *seconds == 0 || *seconds > 1'000'000'000'000) {
                return fail(
                    ErrorKind::invalid_input, "ttl must be a whole number of seconds above 0"
                );
            }
            token.ttl = std::chrono::seconds{static_cast<std::int64_t>(*seconds)};
        }
        return {};
    }

    const FieldMap* map_;
};

/// One run of the verb.
class Import {
public:
    Import(const ImportOptions& options, const FieldMap& map, ReadOptions read, Rejects& rejects)
        : options_{&options}, map_{&map}, read_{read}, rejects_{&rejects}, records_{map} {}

    /// Opens all files, so that a missing one is known before anything is done, and their sizes
    /// before the first is read.
    Result<void> open_files() {
        std::optional<std::uint64_t> total = 0;
        for (const std::string& file : options_->files) {
            TRY(auto source, open_byte_source(file));
            const auto size = source->stored_size();
            total = total && size ? std::optional{*total + *size} : std::nullopt;
            sources_.push_back(std::move(source));
        }
        state_.bytes_total = total;
        return {};
    }

    /// Reads the opened files into `sink`.
    Result<void> run(TokenSink& sink, Progress& progress) {
        for (const auto& source : sources_) {
            rejects_->start_file(source->name(), &progress);
            TRY_VOID(read_file(*source, sink, progress));
            // Lines that the server rejects are told with the name of their file.
            TRY_VOID(sink.finish());
            bytes_before_ += source->stored_position();
        }
        return {};
    }

private:
    Result<void> read_file(ByteSource& source, TokenSink& sink, Progress& progress) {
        TRY(const auto reader, open_record_reader(source, *map_, read_));
        for (;;) {
            TRY(const std::optional<Record> record, reader->next());
            if (!record) {
                return {};
            }
            if (++state_.records % records_a_progress == 0) {
                state_.bytes_done = bytes_before_ + source.stored_position();
                progress.update(state_);
            }
            if (!record->rejected.empty()) {
                rejects_->add(record->line, record->rejected);
                continue;
            }
            const Result<SourceToken> token = records_.token_of(*record);
            if (!token) {
                rejects_->add(record->line, token.error().message);
                continue;
            }
            TRY_VOID(sink.put(*token));
        }
    }

    const ImportOptions* options_;
    const FieldMap* map_;
    const ReadOptions read_;
    Rejects* rejects_;
    const TokenRecords records_;
    std::vector<std::unique_ptr<ByteSource>> sources_;
    ProgressState state_;
    std::uint64_t bytes_before_ = 0;
};

Result<ReadOptions> read_options(const ImportOptions& options, InputFormat format) {
    ReadOptions read{
        .format = format, .header = options.no_header ? Header::none : Header::first_line
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

/// Makes the sink and runs the import into it; answers how many tokens were taken.
Result<std::uint64_t> import_into(
    const ImportOptions& options,
    const ReadCounters& read_counters,
    Import& import,
    Rejects& rejects,
    const Clock& clock
) {
    Progress progress{clock, standard_error_output()};
    const auto reject = [&rejects](std::uint64_t line, std::string_view reason) {
        rejects.add(line, reason);
    };
    if (!options.target.uses_directory()) {
        TRY(http_server::ServerUrl server, http_server::parse_server_url(options.target.server));
        const auto sink = make_server_sink(std::move(server), options.target.counter, reject);
        TRY_VOID(import.run(*sink, progress));
        return sink->imported();
    }
    metrics::Metrics metrics;
    TRY(auto counters, read_counters(options.target.config));
    DataDirectoryOptions open{
        .path = options.target.data, .counters = std::move(counters), .events = false
    };
    TRY(const auto directory, DataDirectory::open(std::move(open), clock, metrics));
    TRY(const auto sink, make_directory_sink(*directory, options.target.counter, reject));
    TRY_VOID(import.run(*sink, progress));
    return sink->imported();
}

Result<void> run_import(const ImportOptions& options, const ReadCounters& read_counters) {
    TRY(const ImportKind kind, parse_import_kind(options.as));
    if (kind == ImportKind::events) {
        return fail(
            ErrorKind::invalid_input,
            "this version imports tokens only; events come with the view counts"
        );
    }
    TRY(const InputFormat format, parse_input_format(options.format));
    TRY(const FieldMap map,
        FieldMap::parse(
            {.kind = kind, .format = format, .map = options.map, .constants = options.constants}
        ));
    TRY(const ReadOptions read, read_options(options, format));

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
    Import import{options, map, read, rejects};
    TRY_VOID(import.open_files());
    const SystemClock clock;
    TRY(const std::uint64_t imported, import_into(options, read_counters, import, rejects, clock));
    if (rejects.hidden() > 0) {
        std::fputs(
            fmt::format(
                "and {} more rejected lines; --rejects FILE lists them all\n", rejects.hidden()
            )
                .c_str(),
            stderr
        );
    }
    // Tokens know no duplicates: putting one again changes nothing but its expiry.
    std::fputs(
        fmt::format("imported {} duplicates 0 rejected {}\n", imported, rejects.count()).c_str(),
        stdout
    );
    return {};
}

}  // namespace

void add_import(CommandLine& command_line, ReadCounters read_counters) {
    auto options = std::make_shared<ImportOptions>();
    CLI::App& verb = command_line.add_verb(
        "import",
        "Read files of what happened and put it into a server or a data directory",
        "A second run of the same import adds nothing. gzip and zstd are recognised by content.\n\n"
        "Examples:\n"
        "  footfall import reviews.csv.gz --as tokens --format csv --map "
        "object=vendorId,token=reviewerId\n"
        "  footfall import access.log --as tokens --format combined --data ./footfall-data\n"
        "  zcat old.tsv.gz | footfall import - --as tokens --format tsv --no-header --map "
        "object=2,token=1\n",
        [options, read_counters = std::move(read_counters)] {
            const Result<void> done = run_import(*options, read_counters);
            return done ? ExitCode::ok : report(done.error());
        }
    );
    verb.add_option("files", options->files, "Files to read; - is standard input")
        ->required()
        ->type_name("FILE...");
    verb.add_option("--as", options->as, "What the records become: tokens")
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
            "--set", options->constants, "A field that is the same for every record: ttl=3600"
    )
        ->type_name("FIELD=VALUE");
    verb.add_flag(
        "--no-header", options->no_header, "The first line of a csv or tsv file is a record"
    );
    verb.add_option("--delimiter", options->delimiter, "The character between columns")
        ->type_name("C");
    verb.add_option(
            "--rejects",
            options->rejects_file,
            "Write all rejected lines, with their numbers, to this file"
    )
        ->type_name("FILE");
    options->target.add_to(verb);
}

}  // namespace footfall::cli
