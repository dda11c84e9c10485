#include "cli/event_parts.h"

#include "guard/rule_registry.h"
#include "intake/schema.h"
#include "journal_rocksdb/schema.h"
#include "runtime/lanes.h"
#include "views/schema.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <utility>

namespace footfall::cli {
namespace {

/// Names the deployment's one secret in stored sketches.
constexpr std::uint16_t sketch_key = 1;

Result<guard::RuleSet> read_rules(const std::optional<std::string>& path) {
    if (!path) {
        return guard::RuleSet::standard();
    }
    const std::filesystem::path file{*path};
    TRY(const std::string text, guard::lists_in(file.parent_path())(file.filename().string()));
    Result<guard::RuleSet> rules = guard::RuleSet::read(text, guard::lists_in(file.parent_path()));
    if (!rules) {
        return std::unexpected(with_context(rules.error(), *path));
    }
    return rules;
}

/// Nobody finds a repeat of an event that is gone.
Result<void> check_keep(std::optional<std::chrono::seconds> keep, const guard::RuleSet& rules) {
    if (!keep || *keep >= rules.repeat_reach()) {
        return {};
    }
    return fail(
        ErrorKind::invalid_input,
        fmt::format(
            "keep_events: events are kept for {} s, but a rule looks for repeats as far as {} s "
            "back; keep them longer, or look back less",
            keep->count(),
            std::chrono::ceil<std::chrono::seconds>(rules.repeat_reach()).count()
        )
    );
}

}  // namespace

std::span<const storage::Table* const> EventParts::tables() {
    static const std::array<const storage::Table*, 12> all{
        &journal_rocksdb::log_block_table,
        &journal_rocksdb::log_lane_table,
        &journal_rocksdb::log_begin_table,
        &intake::event_by_id_table,
        &intake::guard_seen_table,
        &intake::lane_checkpoint_table,
        &guard::rule_set_table,
        &views::view_day_table,
        &views::view_total_table,
        &views::view_expired_day_table,
        &views::view_expired_total_table,
        &views::view_rank_table
    };
    return all;
}

Result<std::unique_ptr<EventParts>> EventParts::open(
    storage::Store& store, const Clock& clock, const Options& options
) {
    std::unique_ptr<EventParts> parts{new EventParts};
    TRY(guard::RuleSet rules, read_rules(options.rules));
    TRY_VOID(check_keep(options.keep, rules));
    if (options.judges) {
        TRY(const std::uint32_t version, guard::register_rules(store, rules, clock));
        rules.set_version(version);
    }
    TRY(parts->log_, journal_rocksdb::StoreLog::open(store));
    const std::size_t guard_half = options.guard_bytes / 2;
    parts->rates_ = std::make_unique<guard::RateState>(options.secret, guard_half);
    parts->views_ = std::make_unique<views::Views>(
        store,
        parts->log_->id(),
        sketch_key,
        clock,
        views::Views::Options{.memory_bytes = options.views_bytes, .secret = options.secret}
    );
    parts->projection_ = std::make_unique<ViewsProjection>(*parts->views_);
    intake::Bench bench{
        .store = &store,
        .log = parts->log_.get(),
        .clock = &clock,
        .secret = options.secret,
        .rules = std::make_shared<const guard::RuleSet>(std::move(rules)),
        .rates = parts->rates_.get(),
        .projections = {parts->projection_.get()},
        .lane_memory_bytes = guard_half / intake::JudgeLanes::count,
        .keep_addresses = options.keep_addresses
    };
    TRY(parts->intake_, intake::Intake::open(std::move(bench)));
    if (options.keep) {
        parts->retention_ = std::make_unique<intake::Retention>(*parts->intake_, *options.keep);
        parts->retention_->start();
    }
    return parts;
}

void EventParts::close() {
    if (retention_) {
        retention_->stop();
    }
    intake_->close();
}

}  // namespace footfall::cli
