#include "moving/row_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <system_error>
#include <utility>

namespace footfall::moving {
namespace {

/// A run that is being merged, and the row it stands on.
struct Source {
    RowFileReader reader;
    EncodedRow row;
};

using Sources = std::vector<std::unique_ptr<Source>>;

/// Goes on to the next row; false at the end.
Result<bool> advance(Source& source) {
    TRY(const std::optional<EncodedRow> row, source.reader.next());
    if (row) {
        source.row = *row;
    }
    return row.has_value();
}

/// Takes the rows of all sources, the lowest key first.
Result<void> merge_sources(
    const Sources& sources, const std::function<Result<void>(EncodedRow)>& take
) {
    const auto behind = [](const Source* left, const Source* right) {
        return left->row.key > right->row.key;
    };
    std::priority_queue<Source*, std::vector<Source*>, decltype(behind)> waiting{behind};
    for (const auto& source : sources) {
        TRY(const bool more, advance(*source));
        if (more) {
            waiting.push(source.get());
        }
    }
    while (!waiting.empty()) {
        Source* const lowest = waiting.top();
        waiting.pop();
        TRY_VOID(take(lowest->row));
        TRY(const bool more, advance(*lowest));
        if (more) {
            waiting.push(lowest);
        }
    }
    return {};
}

}  // namespace

RowRuns::RowRuns(Options options, std::vector<Run> runs)
    : options_{std::move(options)}, runs_{std::move(runs)} {}

void RowRuns::add(EncodedRow row) {
    places_.push_back(
        {.start = bytes_.size(),
         .key = static_cast<std::uint32_t>(row.key.size()),
         .values = static_cast<std::uint32_t>(row.values.size())}
    );
    bytes_ += row.key;
    bytes_ += row.values;
}

EncodedRow RowRuns::row_at(const Place& place) const {
    const std::string_view bytes = std::string_view{bytes_}.substr(place.start);
    return {.key = bytes.substr(0, place.key), .values = bytes.substr(place.key, place.values)};
}

Result<void> RowRuns::write_chunk() {
    if (places_.empty()) {
        return {};
    }
    std::ranges::sort(places_, {}, [this](const Place& place) { return row_at(place).key; });
    const bool in_order =
        !runs_.empty() && runs_.back().mark.last_key < row_at(places_.front()).key;
    if (!in_order) {
        const std::uint64_t number = new_number();
        TRY(const RowFileWriter made, RowFileWriter::create(path_of(number), options_.header));
        runs_.push_back({.number = number, .level = 0, .mark = made.mark()});
    }
    Run& run = runs_.back();
    TRY(RowFileWriter writer, RowFileWriter::reopen(path_of(run.number), run.mark));
    for (const Place& place : places_) {
        TRY_VOID(writer.append(row_at(place)));
    }
    TRY_VOID(writer.end_block());
    TRY_VOID(writer.sync());
    run.mark = writer.mark();
    bytes_.clear();
    places_.clear();
    return merge_levels();
}

/// Keeps the number of runs, and so of files that are open at the end, small.
Result<void> RowRuns::merge_levels() {
    for (;;) {
        const auto of_last_level = std::ranges::count(runs_, runs_.back().level, &Run::level);
        if (std::cmp_less(of_last_level, options_.runs_a_level)) {
            return {};
        }
        TRY_VOID(merge_last(static_cast<std::size_t>(of_last_level)));
    }
}

Result<void> RowRuns::merge_last(std::size_t count) {
    const std::span<const Run> merged = std::span{runs_}.last(count);
    Run run{.number = new_number(), .level = merged.back().level + 1};
    RowRuns part{options_, {merged.begin(), merged.end()}};
    TRY(RowFileWriter writer, RowFileWriter::create(path_of(run.number), options_.header));
    TRY_VOID(part.merge("", [&](EncodedRow row) { return writer.append(row); }));
    TRY_VOID(writer.end_block());
    TRY_VOID(writer.sync());
    run.mark = writer.mark();
    runs_.resize(runs_.size() - count);
    runs_.push_back(std::move(run));
    return {};
}

Result<void> RowRuns::merge(
    std::string_view after, const std::function<Result<void>(EncodedRow)>& take
) const {
    Sources sources;
    for (const Run& run : runs_) {
        TRY(RowFileReader reader, RowFileReader::open(path_of(run.number), run.mark.length));
        sources.push_back(std::make_unique<Source>(std::move(reader), EncodedRow{}));
    }
    return merge_sources(sources, [&](EncodedRow row) {
        return row.key <= after ? Result<void>{} : take(row);
    });
}

Result<void> RowRuns::remove_files() const {
    std::error_code error;
    const std::string prefix = options_.table + ".run-";
    for (const auto& entry : std::filesystem::directory_iterator{options_.directory, error}) {
        if (entry.path().filename().string().starts_with(prefix)) {
            std::filesystem::remove(entry.path(), error);
        }
    }
    if (error) {
        return fail(
            ErrorKind::unavailable, fmt::format("cannot remove {}*: {}", prefix, error.message())
        );
    }
    return {};
}

std::filesystem::path RowRuns::path_of(std::uint64_t number) const {
    return options_.directory / fmt::format("{}.run-{}", options_.table, number);
}

std::uint64_t RowRuns::new_number() const {
    std::uint64_t number = 0;
    for (const Run& run : runs_) {
        number = std::max(number, run.number + 1);
    }
    return number;
}

}  // namespace footfall::moving
