#include "moving/export_state.h"

#include "foundation/hex.h"
#include "foundation/parse_number.h"
#include "moving/sealed_text.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace footfall::moving {
namespace {

constexpr std::string_view state_file = "state";
constexpr std::string_view state_format = "footfall-export-state 1\n";

/// Takes a word off the front of a line.
std::string_view take_word(std::string_view& line) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(line.size(), word.size() + 1));
    return word;
}

std::string text_of(const RowMark& mark) {
    return fmt::format("{} {} {}", mark.length, hex(mark.last_key), text_of(mark.tally));
}

Result<std::uint64_t> take_unsigned(std::string_view& line) {
    const auto number = parse_unsigned(take_word(line));
    if (!number) {
        return fail(ErrorKind::corrupt, "the state of the export says no number");
    }
    return *number;
}

Result<std::string> bytes_in(std::string_view digits) {
    auto bytes = unhex(digits);
    if (!bytes) {
        return fail(ErrorKind::corrupt, "the state of the export says no bytes");
    }
    return *std::move(bytes);
}

Result<RowMark> mark_in(std::string_view line) {
    RowMark mark;
    TRY(mark.length, take_unsigned(line));
    TRY(mark.last_key, bytes_in(take_word(line)));
    TRY(mark.tally, tally_of(line));
    return mark;
}

Result<void> take_line(const TextLine& line, ExportState& state) {
    std::string_view value = line.value;
    if (line.name == "deployment") {
        state.deployment = value;
    } else if (line.name == "as_of") {
        TRY(const std::uint64_t moment, take_unsigned(value));
        state.as_of = static_cast<std::int64_t>(moment);
    } else if (line.name == "done") {
        ExportedTable table{.name = std::string{take_word(value)}};
        TRY(table.tally, tally_of(value));
        state.done.push_back(std::move(table));
    } else if (line.name == "cursor") {
        TRY(state.cursor, bytes_in(value));
    } else if (line.name == "scanned") {
        TRY(state.scanned, tally_of(value));
    } else if (line.name == "run") {
        Run run;
        TRY(run.number, take_unsigned(value));
        TRY(run.level, take_unsigned(value));
        TRY(run.mark, mark_in(value));
        state.runs.push_back(std::move(run));
    } else if (line.name == "merged") {
        state.merging = true;
        TRY(state.merged, mark_in(value));
    }
    return {};
}

}  // namespace

Result<void> write_state(const std::filesystem::path& directory, const ExportState& state) {
    std::string text =
        fmt::format("{}deployment {}\nas_of {}\n", state_format, state.deployment, state.as_of);
    for (const ExportedTable& table : state.done) {
        text += fmt::format("done {} {}\n", table.name, text_of(table.tally));
    }
    text += fmt::format("cursor {}\nscanned {}\n", hex(state.cursor), text_of(state.scanned));
    for (const Run& run : state.runs) {
        text += fmt::format("run {} {} {}\n", run.number, run.level, text_of(run.mark));
    }
    if (state.merging) {
        text += fmt::format("merged {}\n", text_of(state.merged));
    }
    return write_sealed(directory / state_file, text);
}

Result<std::optional<ExportState>> read_state(const std::filesystem::path& directory) {
    TRY(const auto text, read_sealed(directory / state_file));
    if (!text) {
        return std::nullopt;
    }
    if (!text->starts_with(state_format)) {
        return fail(
            ErrorKind::conflict,
            fmt::format("{} was begun by a newer version of footfall", directory.string())
        );
    }
    ExportState state;
    for (const TextLine& line : lines_of(*text)) {
        TRY_VOID(take_line(line, state));
    }
    return state;
}

Result<void> remove_state(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::remove(directory / state_file, error);
    if (error) {
        return fail(
            ErrorKind::unavailable, fmt::format("cannot remove the state: {}", error.message())
        );
    }
    return {};
}

}  // namespace footfall::moving
