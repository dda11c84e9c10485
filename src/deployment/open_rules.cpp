#include "deployment/open_rules.h"

#include "foundation/json_string.h"
#include "foundation/log.h"
#include "guard/rule_registry.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::deployment {
namespace {

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

/// For a process that judges nothing: the rules by which others judge, as they were registered
/// last; `own` if nobody registered any.
Result<guard::RuleSet> rules_in_force(
    storage::Store& store, guard::RuleSet own, const std::optional<std::string>& path
) {
    TRY(const std::vector<guard::RegisteredRules> newest, guard::read_rule_sets(store, 1));
    if (newest.empty()) {
        return own;
    }
    if (newest[0].digest != own.digest()) {
        const std::filesystem::path folder = std::filesystem::path{path.value_or("")}.parent_path();
        Result<guard::RuleSet> theirs =
            guard::RuleSet::read(newest[0].text, guard::lists_in(folder));
        if (!theirs || theirs->digest() != newest[0].digest) {
            log(LogLevel::warning,
                "rules: others judge by version {}, and this process does not have its lists, so "
                "it tells of its own rules: give it their rule file, and the lists beside it",
                newest[0].version);
            return own;
        }
        own = *std::move(theirs);
    }
    own.set_version(newest[0].version);
    return own;
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

/// Rules that are others than those that were in force are an act of whoever wrote the file.
Result<void> record_rules(storage::Store& store, const guard::RuleSet& rules, audit::Acts* acts) {
    TRY(const std::vector<guard::RegisteredRules> newest, guard::read_rule_sets(store, 1));
    const std::string digest = rules.digest();
    if (acts == nullptr || (!newest.empty() && newest[0].digest == digest)) {
        return {};
    }
    TRY_VOID(acts->record(
        {.kind = "rules_set",
         .author = std::string{audit::author_settings},
         .detail = fmt::format(
             R"({{"version":{},"digest":{}}})",
             newest.empty() ? 1 : newest[0].version + 1,
             json_string(digest)
         )}
    ));
    return {};
}

}  // namespace

Result<guard::RuleSet> open_rules(
    storage::Store& store, const Clock& clock, const EventOptions& options
) {
    TRY(guard::RuleSet rules, read_rules(options.rules));
    if (options.judges && !options.is_judge()) {
        TRY(rules, rules_in_force(store, std::move(rules), options.rules));
    }
    TRY_VOID(check_keep(options.keep, rules));
    if (options.is_judge()) {
        TRY_VOID(record_rules(store, rules, options.acts));
        TRY(const std::uint32_t version, guard::register_rules(store, rules, clock));
        rules.set_version(version);
    }
    return rules;
}

}  // namespace footfall::deployment
