#pragma once

#include "cli/progress.h"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace footfall::cli {

/// Told of each line that was not taken, and why.
using RejectLine = std::function<void(std::uint64_t line, std::string_view reason)>;

/// Counts rejected lines and shows them: the first ones on standard error, all of them in a file,
/// if there is one.
class Rejects {
public:
    static constexpr std::uint64_t shown = 20;

    /// `all` may be null.
    explicit Rejects(std::FILE* all) : all_{all} {}

    void start_file(const std::string& name, Progress* progress);
    void add(std::uint64_t line, std::string_view reason);

    std::uint64_t count() const { return count_; }

    /// How many were not shown.
    std::uint64_t hidden() const { return count_ > shown ? count_ - shown : 0; }

private:
    std::FILE* all_;
    std::string file_;
    Progress* progress_ = nullptr;
    std::uint64_t count_ = 0;
};

}  // namespace footfall::cli
