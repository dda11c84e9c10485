#include "records/record_reader.h"

#include "foundation/check.h"
#include "records/access_log.h"
#include "records/delimited_record.h"
#include "records/json_record.h"
#include "records/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace footfall::records {
namespace {

std::string_view plural_end(std::size_t count) {
    return count == 1 ? "" : "s";
}

class DelimitedRecords final : public RecordReader {
public:
    DelimitedRecords(ByteSource& source, const ReadOptions& options)
        : reader_{source, delimited_options(options)}, header_{options.header} {
        name_ = source.name();
    }

    Result<void> resolve(const FieldMap& map) {
        TRY(const auto first, reader_.next());
        if (!first) {
            return {};
        }
        if (!first->rejected.empty()) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "{} line {}: {} cannot be read: {}",
                    name_,
                    first->line,
                    what_is_first(),
                    first->rejected
                )
            );
        }
        auto columns = header_ == Header::none ? map.columns_by_number(first->fields.size())
                                               : map.columns_in(first->fields);
        if (!columns) {
            return std::unexpected(with_context(columns.error(), name_));
        }
        columns_ = std::move(*columns);
        column_count_ = first->fields.size();
        mapped_.resize(columns_.size());
        if (header_ == Header::none) {
            first_record_ = first;
        }
        return {};
    }

    Result<std::optional<Record>> next() override {
        if (first_record_) [[unlikely]] {
            const DelimitedRecord record = *first_record_;
            first_record_.reset();
            return mapped(record);
        }
        TRY(const auto record, reader_.next());
        if (!record) {
            return std::nullopt;
        }
        return mapped(*record);
    }

private:
    static DelimitedOptions delimited_options(const ReadOptions& options) {
        const bool csv = options.format == InputFormat::csv;
        return {
            .delimiter = options.delimiter.value_or(csv ? ',' : '\t'),
            .quoting = csv ? Quoting::rfc4180 : Quoting::none,
            .record_bytes_max = options.record_bytes_max,
            .prefix_hash = options.prefix_hash
        };
    }

    std::string_view what_is_first() const {
        return header_ == Header::none ? "the first record" : "the header";
    }

    Record mapped(const DelimitedRecord& record) {
        if (!record.rejected.empty()) [[unlikely]] {
            return {.line = record.line, .rejected = record.rejected};
        }
        const auto count = record.fields.size();
        if (count != column_count_) [[unlikely]] {
            rejection_ = fmt::format(
                "has {} column{}, {} has {}",
                count,
                plural_end(count),
                what_is_first(),
                column_count_
            );
            return {.line = record.line, .rejected = rejection_};
        }
        for (std::size_t at = 0; at < columns_.size(); ++at) {
            mapped_[at] = record.fields[columns_[at]];
        }
        return {.line = record.line, .fields = mapped_, .prefix = reader_.prefix()};
    }

    DelimitedReader reader_;
    Header header_;
    std::string name_;
    std::vector<std::size_t> columns_;
    std::size_t column_count_ = 0;
    std::optional<DelimitedRecord> first_record_;  // already read, where there is no header
    std::vector<std::string_view> mapped_;
    std::string rejection_;
};

/// Takes one line apart for LineRecords.
class LineParser {
public:
    virtual ~LineParser() = default;

    /// All fields, of which LineRecords picks; valid until the next call.
    virtual Result<std::span<const std::string_view>> parse(std::string_view line) = 0;
};

class AccessLineParser final : public LineParser {
public:
    explicit AccessLineParser(AccessLogFormat format) : format_{format} {}

    Result<std::span<const std::string_view>> parse(std::string_view line) override {
        TRY(fields_, parse_access_line(line, format_));
        return fields_;
    }

private:
    AccessLogFormat format_;
    AccessFields fields_;
};

class JsonLineParser final : public LineParser {
public:
    explicit JsonLineParser(std::vector<WantedField> wanted) : reader_{std::move(wanted)} {}

    Result<std::span<const std::string_view>> parse(std::string_view line) override {
        return reader_.parse(line);
    }

private:
    JsonRecordReader reader_;
};

/// The records of a format in which each line is one.
class LineRecords final : public RecordReader {
public:
    LineRecords(
        ByteSource& source,
        const ReadOptions& options,
        std::unique_ptr<LineParser> parser,
        std::vector<std::size_t> columns
    )
        : lines_{source, options.record_bytes_max, options.prefix_hash},
          line_bytes_max_{options.record_bytes_max},
          parser_{std::move(parser)},
          columns_{std::move(columns)},
          mapped_(columns_.size()) {}

    Result<std::optional<Record>> next() override {
        TRY(auto line, lines_.next());
        while (line && line->text.empty() && !line->too_long) {
            TRY(line, lines_.next());
        }
        if (!line) {
            return std::nullopt;
        }
        if (line->too_long) [[unlikely]] {
            return rejected(
                line->number, fmt::format("the line is longer than {} bytes", line_bytes_max_)
            );
        }
        auto fields = parser_->parse(line->text);
        if (!fields) [[unlikely]] {
            return rejected(line->number, std::move(fields).error().message);
        }
        for (std::size_t at = 0; at < columns_.size(); ++at) {
            mapped_[at] = (*fields)[columns_[at]];
        }
        return Record{.line = line->number, .fields = mapped_, .prefix = lines_.prefix()};
    }

private:
    Record rejected(std::uint64_t line, std::string reason) {
        rejection_ = std::move(reason);
        return {.line = line, .rejected = rejection_};
    }

    LineReader lines_;
    std::size_t line_bytes_max_;
    std::unique_ptr<LineParser> parser_;
    std::vector<std::size_t> columns_;  // of what the parser gives, for each mapping
    std::vector<std::string_view> mapped_;
    std::string rejection_;
};

Result<std::unique_ptr<RecordReader>> open_delimited(
    ByteSource& source, const FieldMap& map, const ReadOptions& options
) {
    const auto delimiter = options.delimiter.value_or(',');
    if (delimiter == '"' || delimiter == '\n' || delimiter == '\r') {
        return fail(
            ErrorKind::invalid_input, "--delimiter: a quote or a newline cannot separate columns"
        );
    }
    auto reader = std::make_unique<DelimitedRecords>(source, options);
    TRY_VOID(reader->resolve(map));
    return reader;
}

Result<std::unique_ptr<RecordReader>> open_access_log(
    ByteSource& source, const FieldMap& map, const ReadOptions& options, AccessLogFormat format
) {
    TRY(auto columns, map.columns_in(access_field_names(format)));
    return std::make_unique<LineRecords>(
        source, options, std::make_unique<AccessLineParser>(format), std::move(columns)
    );
}

/// Two targets may have one column, and the JSON reader wants each name once.
std::unique_ptr<RecordReader> open_json(
    ByteSource& source, const FieldMap& map, const ReadOptions& options
) {
    std::vector<WantedField> wanted;
    std::vector<std::size_t> columns;
    for (const auto& mapping : map.mappings()) {
        const bool needed = map.needs(mapping.target);
        const bool list = is_list(mapping.target);
        const auto found = std::ranges::find(wanted, mapping.column, &WantedField::name);
        columns.push_back(static_cast<std::size_t>(found - wanted.begin()));
        if (found == wanted.end()) {
            wanted.push_back({.name = mapping.column, .needed = needed, .list = list});
        } else {
            found->needed = found->needed || needed;
            found->list = found->list || list;
        }
    }
    return std::make_unique<LineRecords>(
        source, options, std::make_unique<JsonLineParser>(std::move(wanted)), std::move(columns)
    );
}

}  // namespace

Result<std::unique_ptr<RecordReader>> open_record_reader(
    ByteSource& source, const FieldMap& map, const ReadOptions& options
) {
    switch (options.format) {
        case InputFormat::csv:
        case InputFormat::tsv:
            return open_delimited(source, map, options);
        case InputFormat::ndjson:
            return open_json(source, map, options);
        case InputFormat::common:
            return open_access_log(source, map, options, AccessLogFormat::common);
        case InputFormat::combined:
            return open_access_log(source, map, options, AccessLogFormat::combined);
    }
    CHECK(false, "a format without a reader", static_cast<int>(options.format));
}

}  // namespace footfall::records
