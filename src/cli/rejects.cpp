#include "cli/rejects.h"

#include <fmt/format.h>

namespace footfall::cli {

void Rejects::start_file(const std::string& name, Progress* progress) {
    file_ = name;
    progress_ = progress;
}

void Rejects::add(std::uint64_t line, std::string_view reason) {
    ++count_;
    const std::string text = fmt::format("{}:{}: rejected: {}\n", file_, line, reason);
    if (all_ != nullptr) {
        std::fputs(text.c_str(), all_);
    }
    if (count_ <= shown) {
        progress_->clear();
        std::fputs(text.c_str(), stderr);
    }
}

}  // namespace footfall::cli
