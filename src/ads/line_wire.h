#pragma once

#include "ads/line.h"
#include "foundation/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::ads {

// Lines that wait for their rows, on their way from the process that counts their lane to one that
// is asked (projecting::Owners). Pure.

/// Whose lines are wanted; of an ad `kind` is absent.
struct LinesAsked {
    std::optional<PartyKind> kind = {};
    std::string name = {};
    bool all = false;  ///< Every line, whatever the others say.

    bool is_of(const Line& line) const {
        return all || (kind ? line.party(*kind) : line.ad()) == name;
    }
};

std::string written_question(const LinesAsked& asked);
Result<LinesAsked> read_question(std::string_view bytes);

void append_line(const Line& line, std::string& out);
/// `corrupt` if these are no lines.
Result<std::vector<Line>> read_lines(std::string_view bytes);

}  // namespace footfall::ads
