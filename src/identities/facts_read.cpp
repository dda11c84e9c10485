#include "identities/erasing.h"
#include "identities/fact_rows.h"
#include "identities/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace footfall::identities {
namespace {

constexpr std::size_t facts_page_bytes = 64 << 10;

std::size_t bytes_of_fact(const Fact& fact) {
    std::size_t bytes = sizeof(Fact) + fact.source.size() + fact.author.size() + fact.reason.size();
    for (const std::vector<Id>* const ids : {&fact.ids, &fact.others}) {
        for (const Id& each : *ids) {
            bytes +=
                sizeof(Id) + each.identifier.size() + each.id_name.size() + each.id_value.size();
        }
    }
    return bytes;
}

/// Reads the facts of some ids.
class FactsReader {
public:
    FactsReader(
        storage::Store& store,
        Instant until,
        const IsErased* is_erased,
        FactsRoom& room,
        Facts& facts
    )
        : store_{store}, until_{until}, is_erased_{is_erased}, room_{room}, facts_{facts} {}

    /// Their first pages side by side, and the rest of each behind one another: an id may have more
    /// than memory holds.
    Result<void> read(std::span<const AskedId> ids) {
        std::vector<storage::RangeQuery> queries;
        queries.reserve(ids.size());
        for (const AskedId& each : ids) {
            queries.push_back(
                {.table = &identity_fact_table,
                 .partition = {each.id.identifier, each.id.id_name, each.id.id_value},
                 .max_bytes = facts_page_bytes}
            );
        }
        TRY(std::vector<storage::Page> pages, storage::read_pages(store_, queries));
        for (std::size_t at = 0; at < pages.size(); ++at) {
            storage::Page page = std::move(pages[at]);
            std::set<Id> others;
            for (;;) {
                const bool is_whole = page.continuation.empty() && others.empty();
                TRY_VOID(take(page.rows, is_whole ? nullptr : &others));
                if (page.continuation.empty() || is_enough(ids[at], others.size())) {
                    break;
                }
                queries[at].continuation = std::move(page.continuation);
                TRY(page, storage::read_page(store_, queries[at]));
            }
        }
        return {};
    }

    /// What is left of those that name somebody who is erased, once all are read: decisions follow
    /// what they are about.
    void add_left() {
        if (!erased_.empty()) {
            for (Fact& each : without(std::move(erased_), *is_erased_)) {
                add(std::move(each));
            }
        }
    }

private:
    /// Of so many ids that links name, itself among them. That it was lifted has been read then.
    bool is_enough(const AskedId& asked, std::size_t named) const {
        const std::size_t others = named - std::min<std::size_t>(named, 1);
        return others > asked.enough_others &&
               (others > asked.enough_if_lifted || !is_lifted(facts_, asked.id));
    }

    /// With `others`, adds the ids that links name.
    Result<void> take(const storage::Rows& rows, std::set<Id>* others) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            TRY(Fact fact, read_row(rows, row));
            if (fact.recorded > until_) {
                ++left_out_;
                continue;
            }
            const bool is_left = is_erased_ == nullptr || !names_erased(fact, *is_erased_);
            if (others != nullptr && fact.kind == FactKind::link) {
                std::ranges::copy_if(
                    fact.ids,
                    std::inserter(*others, others->end()),
                    [&](const Id& each) { return is_left || !(*is_erased_)(each, fact.recorded); }
                );
            }
            if (is_left) {
                add(std::move(fact));
            } else {
                room_.bytes += bytes_of_fact(fact);
                erased_.push_back(std::move(fact));
            }
        }
        const std::size_t facts = facts_.size() + erased_.size() + left_out_;
        if (facts > room_.facts_max || room_.bytes > room_.bytes_max) {
            return too_many_facts(std::min(facts, room_.facts_max));
        }
        return {};
    }

    void add(Fact fact) {
        const auto known = facts_.lower_bound(fact.id);
        if (known != facts_.end() && known->first == fact.id) {
            merge(known->second, fact);
            return;
        }
        const FactId id = fact.id;
        room_.bytes += bytes_of_fact(fact);
        facts_.emplace_hint(known, id, std::move(fact));
    }

    storage::Store& store_;
    const Instant until_;
    const IsErased* is_erased_;  ///< Null: nobody is.
    std::vector<Fact> erased_;   ///< Rows that name somebody who is.
    std::size_t left_out_ = 0;   ///< Facts that were recorded later.
    FactsRoom& room_;
    Facts& facts_;
};

Result<void> read_each_of(
    storage::Store& store,
    std::span<const AskedId> ids,
    Instant until,
    const IsErased* is_erased,
    FactsRoom& room,
    Facts& facts
) {
    constexpr std::size_t ids_at_once = 64;
    FactsReader reader{store, until, is_erased, room, facts};
    for (std::size_t at = 0; at < ids.size(); at += ids_at_once) {
        TRY_VOID(reader.read(ids.subspan(at, std::min(ids_at_once, ids.size() - at))));
    }
    reader.add_left();
    return {};
}

}  // namespace

std::unexpected<Error> too_many_facts(std::size_t most) {
    return fail(
        ErrorKind::conflict,
        fmt::format(
            "more than {} statements hang together with these ids, and no more are looked at "
            "before an answer: they are kept, and profiles follow behind the answers",
            most
        )
    );
}

Result<void> read_facts(
    storage::Store& store,
    std::span<const AskedId> ids,
    FactsRoom& room,
    Facts& facts,
    const events::IsErased* is_erased
) {
    return read_each_of(store, ids, Instant::max(), is_erased, room, facts);
}

Result<void> read_facts(
    storage::Store& store, std::span<const AskedId> ids, std::size_t most, Facts& facts
) {
    return read_facts_until(store, ids, Instant::max(), most, facts);
}

Result<void> read_facts_until(
    storage::Store& store,
    std::span<const AskedId> ids,
    Instant until,
    std::size_t most,
    Facts& facts
) {
    FactsRoom room{.facts_max = most};
    return read_each_of(store, ids, until, nullptr, room, facts);
}

}  // namespace footfall::identities
