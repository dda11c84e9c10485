#include "identities_routes/fact_roots.h"

#include "foundation/log.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace footfall::identities::routes {
namespace {

std::string_view bytes_of_fact(const FactId& fact) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return {reinterpret_cast<const char*>(fact.bytes.data()), fact.bytes.size()};
}

}  // namespace

FactRoots::FactRoots(audit::Acts& acts, std::uint64_t log) : acts_{&acts}, log_{log} {}

void FactRoots::start() {
    turns_.emplace("fact roots", runtime::Urgency::background, [this](const std::stop_token&) {
        return turn();
    });
}

void FactRoots::stop() {
    if (turns_) {
        turns_->stop();
        turns_.reset();
        turn();
    }
}

/// Facts of one record come one behind the other; a record comes again after a loss.
void FactRoots::add(std::uint32_t lane, std::uint64_t offset, const FactId& fact) {
    const audit::Hash leaf = audit::leaf_hash(acts_->digest(bytes_of_fact(fact)));
    const std::lock_guard lock{mutex_};
    const auto entered = entered_.find(lane);
    if (entered != entered_.end() && offset <= entered->second) {
        return;
    }
    const auto [at, is_new] = blocks_.try_emplace(lane);
    Block& block = at->second;
    if (is_new) {
        block.from = offset;
    } else if (offset < block.through) {
        return;
    }
    block.through = offset;
    block.edge.add(leaf);
}

Result<bool> FactRoots::enter() {
    std::map<std::uint32_t, Block> blocks;
    {
        const std::lock_guard lock{mutex_};
        for (const auto& [lane, block] : blocks_) {
            entered_[lane] = block.through;
        }
        blocks.swap(blocks_);
    }
    if (blocks.empty()) {
        return false;
    }
    std::string lanes;
    for (const auto& [lane, block] : blocks) {
        lanes += fmt::format(
            R"({}{{"lane":{},"from":{},"through":{},"facts":{},"root":"{}"}})",
            lanes.empty() ? "" : ",",
            lane,
            block.from,
            block.through,
            block.edge.size(),
            audit::base64_of(block.edge.root())
        );
    }
    TRY_VOID(acts_->record(
        {.kind = "facts",
         .author = std::string{audit::author_footfall},
         .detail = fmt::format(R"({{"log":"{:016x}","lanes":[{}]}})", log_, lanes)}
    ));
    return true;
}

/// What could not be entered is a gap in the log, of which the log of the program tells.
std::chrono::milliseconds FactRoots::turn() {
    const Result<bool> entered = enter();
    if (!entered) {
        troubles_.say(
            LogLevel::warning,
            fmt::format(
                "the roots of some facts of identities are not in the audit log: {}",
                entered.error().message
            )
        );
    }
    return period;
}

}  // namespace footfall::identities::routes
