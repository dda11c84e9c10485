#include "identities/erasing.h"

#include "identities/contested_rows.h"
#include "identities/fact_bytes.h"
#include "identities/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>

namespace footfall::identities {
namespace {

bool is_decision(const Fact& fact) {
    return fact.about.has_value();
}

/// Decisions stand behind what they are about: a revoke may be about an accept.
int rank_of(const Fact& fact) {
    return !is_decision(fact) ? 0 : fact.kind == FactKind::revoke ? 2 : 1;
}

bool erase_from(std::vector<Id>& ids, const IsErased& is_erased, Instant recorded) {
    return std::erase_if(ids, [&](const Id& each) { return is_erased(each, recorded); }) > 0;
}

/// For one call of unsay().
class Unsaying {
public:
    Unsaying(storage::Store& store, const IsErased& is_erased)
        : store_{store}, is_erased_{is_erased} {}

    Result<Unsaid> unsay(std::span<const Id> ids) {
        TRY_VOID(read_all_of({ids.begin(), ids.end()}));
        // A parting stands under the ids of its smaller side alone, so it may name one of these
        // where they know nothing of it.
        const std::set<Id> others = unsaid_.others;  // what is read adds to them
        TRY_VOID(read_all_of(others));
        for (const int rank : {1, 2}) {
            for (ToldFact& each : decisions_) {
                if (rank_of(each.fact) == rank) {
                    take(std::move(each));
                }
            }
            TRY_VOID(write());
        }
        storage::Batch batch;
        for (const ToldFact& each : said_again_) {
            add_rows(each, batch);
        }
        if (!batch.empty()) {
            TRY_VOID(storage::write_durably(store_, batch));
        }
        return std::move(unsaid_);
    }

private:
    using Told = std::pair<std::string, FactId>;  ///< Who was told which.

    static constexpr std::size_t written_at_once = 2000;

    Result<void> read_all_of(const std::set<Id>& ids) {
        for (const Id& each : ids) {
            storage::RangeQuery query{
                .table = &identity_fact_table,
                .partition = {each.identifier, each.id_name, each.id_value},
                .max_bytes = 256 << 10
            };
            do {
                TRY(const storage::Page page, storage::read_page(store_, query));
                TRY_VOID(read(page.rows));
                query.continuation = page.continuation;
            } while (!query.continuation.empty());
        }
        return write();
    }

    Result<void> read(const storage::Rows& rows) {
        ToldFact living{.writer = {}, .fact = {.ids = {}}};
        for (std::size_t row = 0; row < rows.size(); ++row) {
            TRY(FactRow read, read_fact_row(rows, row));
            ToldFact& told = read.told;
            if (!names_erased(told.fact, is_erased_)) {
                living = std::move(told);
                note_said_again(living);
                continue;
            }
            if (!seen_.emplace(told.writer, told.fact.id).second) {
                continue;
            }
            gone_ids_.insert(told.fact.id);
            if (living.fact.id == told.fact.id) {
                note_said_again(living);
            }
            for (const Id& each : ids_of(told.fact)) {
                (is_erased_(each, told.fact.recorded) ? unsaid_.ids : unsaid_.others).insert(each);
            }
            if (is_decision(told.fact)) {
                decisions_.push_back(std::move(told));
            } else {
                take(std::move(told));
            }
            if (gone_.size() >= written_at_once) {
                TRY_VOID(write());
            }
        }
        return {};
    }

    /// Of a fact that another lane was told behind the erasure: it is one of the new person, and
    /// found by the anchor that goes with the old one.
    void note_said_again(const ToldFact& living) {
        if (gone_ids_.contains(living.fact.id)) {
            said_again_.push_back(living);
        }
    }

    void take(ToldFact told) {
        const Fact before = told.fact;
        const Left left = leave(told.fact, is_erased_, renamed_);
        if (left != Left::none) {
            renamed_[before.id] = told.fact.id;
            const auto [at, is_new] = kept_.try_emplace({told.writer, told.fact.id}, told);
            if (!is_new) {
                merge(at->second.fact, told.fact);
            }
        } else {
            renamed_[before.id] = std::nullopt;
        }
        told.fact = before;
        gone_.push_back(std::move(told));
    }

    /// What is left first: whoever reads in between finds one or the other, and never nothing.
    Result<void> write() {
        std::vector<ToldFact> kept;
        kept.reserve(kept_.size());
        for (auto& [key, told] : kept_) {
            kept.push_back(std::move(told));
        }
        kept_.clear();
        TRY_VOID(merge_with_rows(store_, kept));
        storage::Batch batch;
        for (const ToldFact& each : kept) {
            add_rows(each, batch);
        }
        if (!batch.empty() && !store_.loses_only_the_end()) {
            TRY_VOID(storage::write_durably(store_, batch));
            batch.clear();
        }
        for (const ToldFact& each : gone_) {
            const std::string id = bytes_of(each.fact.id);
            for (const Id& holder : holders_of(each.fact)) {
                batch.erase(
                    identity_fact_table,
                    {holder.identifier, holder.id_name, holder.id_value, id, each.writer}
                );
            }
            batch.erase(fact_anchor_table, {id});
            erase_contested(each.fact.id, batch);
        }
        unsaid_.facts += gone_.size();
        gone_.clear();
        return batch.empty() ? Result<void>{} : storage::write_durably(store_, batch);
    }

    storage::Store& store_;
    const IsErased& is_erased_;
    Unsaid unsaid_;
    Renamed renamed_;
    std::set<Told> seen_;
    std::set<FactId> gone_ids_;
    std::vector<ToldFact> said_again_;
    std::vector<ToldFact> decisions_;
    std::map<Told, ToldFact> kept_;  ///< To be written.
    std::vector<ToldFact> gone_;     ///< To be erased.
};

}  // namespace

IsErased erased_by(const erasure::Ledger& ledger) {
    return [&ledger](const Id& id, Instant recorded) { return ledger.drops(id, recorded); };
}

bool names_erased(const Fact& fact, const IsErased& is_erased) {
    const auto is_gone = [&](const Id& each) { return is_erased(each, fact.recorded); };
    return std::ranges::any_of(fact.ids, is_gone) || std::ranges::any_of(fact.others, is_gone);
}

Left leave(Fact& fact, const IsErased& is_erased) {
    const bool had_others = !fact.others.empty();
    const bool changed = static_cast<int>(erase_from(fact.ids, is_erased, fact.recorded)) +
                             static_cast<int>(erase_from(fact.others, is_erased, fact.recorded)) >
                         0;
    if (!changed) {
        return Left::all;
    }
    if (fact.ids.empty() || (had_others && fact.others.empty())) {
        return Left::none;
    }
    seal(fact);
    return Left::some;
}

Left leave(Fact& fact, const IsErased& is_erased, const Renamed& renamed) {
    if (!fact.about) {
        return leave(fact, is_erased);
    }
    const FactId was_about = *fact.about;
    const auto about = renamed.find(was_about);
    if (about == renamed.end()) {
        return leave(fact, is_erased);
    }
    if (!about->second) {
        return Left::none;
    }
    fact.about = about->second;
    const Left left = leave(fact, is_erased);
    if (left == Left::all && fact.about != was_about) {
        seal(fact);
        return Left::some;
    }
    return left;
}

bool say_without_erased(const erasure::Ledger& ledger, Fact& fact) {
    if (ledger.empty()) {
        return true;
    }
    const Left left = leave(fact, erased_by(ledger));
    return left == Left::all || (left == Left::some && !is_decision(fact));
}

std::vector<Fact> without(std::vector<Fact> facts, const IsErased& is_erased) {
    std::ranges::sort(facts, {}, rank_of);
    Renamed renamed;
    std::map<FactId, Fact> kept;
    for (Fact& each : facts) {
        const FactId before = each.id;
        const Left left = leave(each, is_erased, renamed);
        renamed[before] = left == Left::none ? std::nullopt : std::optional{each.id};
        if (left == Left::none) {
            continue;
        }
        const FactId id = each.id;
        const auto [at, is_new] = kept.try_emplace(id, each);
        if (!is_new) {
            merge(at->second, each);
        }
    }
    return list_of(kept);
}

Result<Unsaid> unsay(storage::Store& store, const IsErased& is_erased, std::span<const Id> ids) {
    return Unsaying{store, is_erased}.unsay(ids);
}

}  // namespace footfall::identities
