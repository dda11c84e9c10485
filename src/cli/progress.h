#pragma once

#include "foundation/clock.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::cli {

/// How far a long piece of work has come.
struct ProgressState {
    std::uint64_t records = 0;
    std::uint64_t bytes_done = 0;                ///< Of the files as stored.
    std::optional<std::uint64_t> bytes_total{};  ///< Absent when one of them has no known size.
    std::string_view unit = "record";            ///< What `records` are, one of them.
};

/// The line for a person: "  43 %  248,100 records  310,000/s  1 s left". No longer than `width`
/// columns: parts are left out from the right. Percentage and time left need a known size, the
/// rate and the time left a tenth of a second of work. ASCII, no colour, no control characters.
std::string render_progress(
    const ProgressState& state, std::chrono::microseconds elapsed, std::size_t width
);

/// Where progress is written.
struct ProgressOutput {
    enum class Kind { terminal, plain };

    Kind kind = Kind::plain;
    std::function<std::size_t()> width;  ///< In columns, asked for each line: windows change size.
    std::function<void(std::string_view)> write;
};

/// Standard error; a terminal unless TERM is "dumb".
ProgressOutput standard_error_output();

/// Shows how a long piece of work goes: on a terminal one line that is written over, at most five
/// times a second; elsewhere a line every ten seconds, so that short work leaves nothing in a log.
/// For one thread. `clock` must outlive it.
class Progress {
public:
    static constexpr std::chrono::milliseconds terminal_interval{200};
    static constexpr std::chrono::seconds plain_interval{10};

    Progress(const Clock& clock, ProgressOutput output);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    Progress(Progress&&) = delete;
    Progress& operator=(Progress&&) = delete;
    /// Clears.
    ~Progress();

    /// To be called often, best once a batch: reads the clock and seldom does more.
    void update(const ProgressState& state);
    /// Takes the line off the terminal, so that other text can be written; the next update brings
    /// it back.
    void clear();

private:
    const Clock* clock_;
    ProgressOutput output_;
    Instant started_;
    Instant due_;
    std::size_t shown_columns_ = 0;
};

}  // namespace footfall::cli
