#include "guard/rule_registry.h"

#include "storage/blocking.h"

namespace footfall::guard {
namespace {

constexpr std::string_view scope = "guard";

}  // namespace

Result<std::uint32_t> register_rules(
    storage::Store& store, const RuleSet& rules, const Clock& clock
) {
    TRY(const std::vector<RegisteredRules> newest, read_rule_sets(store, 1));
    if (!newest.empty() && newest[0].digest == rules.digest()) {
        return newest[0].version;
    }
    const std::uint32_t version = newest.empty() ? 1 : newest[0].version + 1;
    storage::Batch batch;
    batch.upsert(
        rule_set_table,
        {scope,
         std::int64_t{version},
         clock.now().time_since_epoch().count(),
         rules.text(),
         rules.digest()}
    );
    TRY_VOID(storage::write_durably(store, batch));
    return version;
}

Result<std::vector<RegisteredRules>> read_rule_sets(storage::Store& store, std::size_t most) {
    TRY(const storage::Page page,
        storage::read_page(
            store, {.table = &rule_set_table, .partition = {std::string{scope}}, .max_rows = most}
        ));
    std::vector<RegisteredRules> sets;
    sets.reserve(page.rows.size());
    for (std::size_t row = 0; row < page.rows.size(); ++row) {
        sets.push_back(
            {.version = static_cast<std::uint32_t>(page.rows.at(row, 1).number()),
             .recorded = Instant{std::chrono::microseconds{page.rows.at(row, 2).number()}},
             .text = std::string{page.rows.at(row, 3).text()},
             .digest = std::string{page.rows.at(row, 4).text()}}
        );
    }
    return sets;
}

}  // namespace footfall::guard
