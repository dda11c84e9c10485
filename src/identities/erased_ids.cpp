#include "identities/erasing.h"
#include "identities/expiry_rows.h"
#include "identities/identities.h"
#include "identities/later_rows.h"
#include "identities/profile_rows.h"
#include "identities/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>

namespace footfall::identities {
namespace {

/// Ids that are erased together.
constexpr std::size_t erased_at_once = 1000;

Result<void> ended(const std::stop_token& stop) {
    return stop.stop_requested() ? fail(ErrorKind::cancelled, "erasing is to end") : Result<void>{};
}

/// Calls `take` with each page of a table.
template <class Take>
Result<void> for_pages(
    storage::Store& store,
    const storage::Table& table,
    const std::stop_token& stop,
    const Take& take
) {
    storage::ScanQuery query{.table = &table, .max_bytes = 1 << 20};
    do {
        TRY_VOID(ended(stop));
        TRY(const storage::Page page, storage::scan_page(store, query));
        TRY_VOID(take(page.rows));
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    return {};
}

}  // namespace

/// What leads to them: entries of the index in all places, names that they gave, also that of the
/// new person: who settled what another region had not unsaid yet gave it out.
Result<void> Identities::erase_rows_of(std::span<const Id> ids, storage::Batch& batch) {
    TRY(const LevelsSeen levels, settling_.levels().newest());
    const SidNames names = settling_.names();
    for (const Id& each : ids) {
        const IndexStep step = levels->of(each.identifier);
        for (const int level : {step.read_level(), step.other_level().value_or(step.level)}) {
            erase_index_entry(each, index_partition(each, level), batch);
        }
        for (const std::string& sid : names.all_of(each)) {
            batch.erase(sid_anchor_table, {stored_sid(sid)});
        }
    }
    return {};
}

Result<std::size_t> Identities::erase(std::span<const Id> ids) {
    if (ids.empty() || options_.ledger == nullptr) {
        return 0;
    }
    const IsErased is_erased = erased_by(*options_.ledger);
    TRY(const Unsaid unsaid, unsay(*store_, is_erased, ids));
    std::set<Id> touched{unsaid.others};
    touched.insert(ids.begin(), ids.end());
    touched.insert(unsaid.ids.begin(), unsaid.ids.end());
    const std::vector<Id> all{touched.begin(), touched.end()};
    TRY(const std::size_t left, under_newest_guards([&]() -> Result<std::size_t> {
            return settling_.settle_each(all, std::string{erased_writer}, /*trusts_shared=*/false);
        }));
    // Of those of whom nothing is said now: who was said anew meanwhile has rows of a new person.
    std::vector<Id> unknown;
    for (const Id& each : all) {
        if (!options_.ledger->find(each)) {
            continue;
        }
        bool is_known = false;
        TRY_VOID(for_facts_of(*store_, each, [&](std::span<const Fact> facts) -> Result<void> {
            is_known = is_known || !facts.empty();
            return {};
        }));
        if (!is_known) {
            unknown.push_back(each);
        }
    }
    storage::Batch batch;
    TRY_VOID(erase_rows_of(unknown, batch));
    if (!batch.empty()) {
        TRY_VOID(storage::write_durably(*store_, batch));
    }
    return left;
}

Result<Identities::SaidOf> Identities::said_of(std::span<const Id> ids) {
    SaidOf said;
    std::set<Id> all{ids.begin(), ids.end()};
    TRY(const Index index, read_index(settling_.levels(), ids, IndexPlaces::all));
    for (const auto& [id, entry] : index) {
        said.sids.insert(entry.sid);
    }
    TRY(const StoredProfiles profiles, read_profiles(*store_, said.sids));
    for (const auto& [sid, members] : profiles) {
        for (const Member& each : members) {
            all.insert(each.id);
        }
    }
    for (const Id& each : all) {
        if (said.facts.size() >= said_max) {
            break;
        }
        TRY_VOID(for_facts_of(*store_, each, [&](std::span<const Fact> facts) -> Result<void> {
            for (const Fact& fact : facts) {
                said.facts.insert(fact.id);
            }
            return {};
        }));
    }
    return said;
}

Result<void> Identities::sweep(const std::stop_token& stop) {
    if (options_.ledger == nullptr || options_.ledger->empty()) {
        return {};
    }
    TRY_VOID(settling_.finish(std::string{erased_writer}));
    TRY_VOID(sweep_facts(stop));
    TRY_VOID(sweep_index(stop));
    return sweep_expiries(stop);
}

/// Facts that name one who is erased, wherever they stand.
Result<void> Identities::sweep_facts(const std::stop_token& stop) {
    const IsErased is_erased = erased_by(*options_.ledger);
    std::set<Id> found;
    const auto erase_found = [&]() -> Result<void> {
        const std::vector<Id> ids{found.begin(), found.end()};
        found.clear();
        const Result<std::size_t> erased = erase(ids);
        return erased ? Result<void>{} : std::unexpected(erased.error());
    };
    TRY_VOID(for_pages(
        *store_,
        identity_fact_table,
        stop,
        [&](const storage::Rows& rows) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                TRY(const FactRow read, read_fact_row(rows, row));
                const Fact& fact = read.told.fact;
                if (names_erased(fact, is_erased)) {
                    // With the holder, under which a parting is found that names others.
                    const std::vector<Id> named = ids_of(fact);
                    found.insert(named.begin(), named.end());
                }
            }
            return found.size() < erased_at_once ? Result<void>{} : erase_found();
        }
    ));
    return erase_found();
}

/// Entries of whom nothing is said any more, and names that they gave: another region has erased
/// the facts, or has settled them once more before it heard.
Result<void> Identities::sweep_index(const std::stop_token& stop) {
    const erasure::Ledger& ledger = *options_.ledger;
    std::set<Id> found;
    const auto erase_found = [&]() -> Result<void> {
        const std::vector<Id> ids{found.begin(), found.end()};
        found.clear();
        const Result<std::size_t> erased = erase(ids);
        return erased ? Result<void>{} : std::unexpected(erased.error());
    };
    const auto sweep_ids = [&](const storage::Table& table, const auto& id_of) {
        return for_pages(*store_, table, stop, [&](const storage::Rows& rows) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                if (Id id = id_of(rows, row); ledger.find(id)) {
                    found.insert(std::move(id));
                }
            }
            return found.size() < erased_at_once ? Result<void>{} : erase_found();
        });
    };
    TRY_VOID(sweep_ids(profile_index_table, [](const storage::Rows& rows, std::size_t row) {
        return read_index_row(rows, row).id;
    }));
    TRY_VOID(sweep_ids(sid_anchor_table, [](const storage::Rows& rows, std::size_t row) {
        return Id{
            std::string{rows.at(row, 1).text()},
            std::string{rows.at(row, 2).text()},
            std::string{rows.at(row, 3).text()}
        };
    }));
    return erase_found();
}

/// When facts end that nobody says any more.
Result<void> Identities::sweep_expiries(const std::stop_token& stop) {
    const erasure::Ledger& ledger = *options_.ledger;
    return for_pages(
        *store_,
        identity_expiry_table,
        stop,
        [&](const storage::Rows& rows) -> Result<void> {
            storage::Batch batch;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                TRY(const ExpiryRow read, read_expiry_row(rows, row));
                const bool names_one = std::ranges::any_of(read.expiry.ids, [&](const Id& each) {
                    return ledger.find(each).has_value();
                });
                if (!names_one) {
                    continue;
                }
                TRY(const auto fact, read_fact(*store_, read.expiry.ids.front(), read.expiry.fact));
                if (!fact) {
                    erase_expiry(
                        {.hour = rows.at(row, 0).number(), .part = rows.at(row, 1).number()},
                        read,
                        batch
                    );
                }
            }
            return batch.empty() ? Result<void>{} : storage::write_durably(*store_, batch);
        }
    );
}

}  // namespace footfall::identities
