#include "identities/found_facts.h"

#include "identities/fact_bytes.h"
#include "identities/fact_rows.h"
#include "identities/networks.h"
#include "identities/profile_rows.h"
#include "identities/schema.h"
#include "identities/standing.h"
#include "storage/blocking.h"

#include <algorithm>
#include <span>
#include <utility>

namespace footfall::identities {
namespace {

/// Parts that are read side by side.
constexpr std::int64_t found_parts_at_once = 16;
constexpr std::size_t found_ids_a_page = 256;
/// Ids of which the facts are read side by side.
constexpr std::size_t found_ids_at_once = 64;
constexpr std::size_t found_page_bytes = 64 << 10;
/// Decisions about facts of one id that are in memory.
constexpr std::size_t found_decisions_max = 100'000;

// Of profile_index.
constexpr std::size_t found_name_column = 2;
constexpr std::size_t found_value_column = 3;

storage::RangeQuery found_facts_query(const Id& id, const std::optional<FactId>& from = {}) {
    storage::RangeQuery query{
        .table = &identity_fact_table,
        .partition = {id.identifier, id.id_name, id.id_value},
        .max_bytes = found_page_bytes
    };
    if (from) {
        query.from = {bytes_of(*from)};
    }
    return query;
}

/// For one call of find_facts().
class Finding {
public:
    Finding(
        storage::Store& store,
        const std::function<bool(const Fact& fact)>& wanted,
        const FindingBounds& bounds
    )
        : store_{store}, wanted_{wanted}, bounds_{bounds} {}

    Result<FoundFacts> find(const std::optional<PlaceInIndex>& after);

private:
    Result<void> take_parts(
        const std::string& identifier,
        std::int64_t first,
        int level,
        const std::optional<PlaceInIndex>& after
    );
    Result<void> take_network(
        const std::string& identifier, const std::optional<PlaceInIndex>& after
    );
    Result<void> take_ids(
        std::span<const Id> ids, std::int64_t partition, const PlaceInIndex* begun
    );
    Result<void> take_id(
        const Id& id,
        std::int64_t partition,
        const std::optional<FactId>& after,
        storage::RangeQuery query,
        storage::Page page
    );
    Result<void> add(const Id& id, const Facts& wanted);

    bool is_full() const { return found_.next.has_value(); }

    storage::Store& store_;
    const std::function<bool(const Fact& fact)>& wanted_;
    const FindingBounds& bounds_;
    std::size_t parts_ = 0;
    std::size_t facts_ = 0;
    std::size_t named_ = 0;
    FoundFacts found_;
};

/// What standing_of() needs of a decision: many may be in memory.
Fact bare_decision(const Fact& decision) {
    return {
        .id = decision.id,
        .kind = decision.kind,
        .ids = {},
        .about = decision.about,
        .first = decision.first,
        .last = decision.last
    };
}

/// Adds these facts of an id with what decisions make of each, which stand where they do.
Result<void> Finding::add(const Id& id, const Facts& wanted) {
    if (wanted.empty()) {
        return {};
    }
    std::vector<Fact> facts = list_of(wanted);
    // A link is taken back by a reject that nobody revoked, a decision by its revoke alone.
    const bool has_links = std::ranges::find(facts, FactKind::link, &Fact::kind) != facts.end();
    storage::RangeQuery query = found_facts_query(id);
    do {
        TRY(const storage::Page page, storage::read_page(store_, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(const FactRow read, read_fact_row(page.rows, row));
            const Fact& fact = read.told.fact;
            // What a revoke is about may come after it.
            const bool may_decide =
                fact.about && !wanted.contains(fact.id) &&
                (wanted.contains(*fact.about) || (has_links && fact.kind == FactKind::revoke));
            if (may_decide) {
                facts.push_back(bare_decision(fact));
            }
        }
        if (facts.size() > wanted.size() + found_decisions_max) {
            return fail(ErrorKind::conflict, "too many decisions are about the facts of one id");
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    const std::vector<bool> taken = taken_back(facts);
    for (std::size_t at = 0; at < wanted.size(); ++at) {
        found_.facts.push_back({.fact = std::move(facts[at]), .is_taken_back = taken[at]});
    }
    return {};
}

/// Of a fact each lane that was told it has a row, one behind the other.
Result<void> Finding::take_id(
    const Id& id,
    std::int64_t partition,
    const std::optional<FactId>& after,
    storage::RangeQuery query,
    storage::Page page
) {
    Facts wanted;
    std::optional<Fact> current;
    const auto end_current = [&] {
        if (current && (!after || *after < current->id) && holders_of(*current).front() == id &&
            wanted_(*current)) {
            named_ += current->ids.size() + current->others.size();
            wanted.emplace(current->id, *current);
        }
    };
    const auto is_enough = [&] {
        return found_.facts.size() + wanted.size() >= bounds_.found_max ||
               named_ >= bounds_.named_max || facts_ >= bounds_.facts_max;
    };
    for (;;) {
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(FactRow read, read_fact_row(page.rows, row));
            if (current && current->id == read.told.fact.id) {
                merge(*current, read.told.fact);
                continue;
            }
            end_current();
            if (current && is_enough()) {
                found_.next = {
                    .identifier = id.identifier,
                    .partition = partition,
                    .id_name = id.id_name,
                    .id_value = id.id_value,
                    .fact = current->id
                };
                return add(id, wanted);
            }
            ++facts_;
            current = std::move(read.told.fact);
        }
        if (page.continuation.empty()) {
            break;
        }
        query.continuation = std::move(page.continuation);
        TRY(page, storage::read_page(store_, query));
    }
    end_current();
    ++found_.ids;
    TRY_VOID(add(id, wanted));
    if (found_.facts.size() >= bounds_.found_max || named_ >= bounds_.named_max ||
        found_.ids >= bounds_.ids_max || facts_ >= bounds_.facts_max) {
        found_.next = {
            .identifier = id.identifier,
            .partition = partition,
            .id_name = id.id_name,
            .id_value = id.id_value
        };
    }
    return {};
}

Result<void> Finding::take_ids(
    std::span<const Id> ids, std::int64_t partition, const PlaceInIndex* begun
) {
    for (std::size_t at = 0; at < ids.size() && !is_full(); at += found_ids_at_once) {
        const auto some = ids.subspan(at, std::min(found_ids_at_once, ids.size() - at));
        std::vector<storage::RangeQuery> queries;
        std::vector<std::optional<FactId>> from;
        for (const Id& each : some) {
            const bool is_begun = begun != nullptr && begun->id_name == each.id_name &&
                                  begun->id_value == each.id_value;
            from.push_back(is_begun ? begun->fact : std::nullopt);
            queries.push_back(found_facts_query(each, from.back()));
        }
        TRY(std::vector<storage::Page> pages, storage::read_pages(store_, queries));
        for (std::size_t each = 0; each < some.size() && !is_full(); ++each) {
            TRY_VOID(take_id(
                some[each], partition, from[each], std::move(queries[each]), std::move(pages[each])
            ));
        }
    }
    return {};
}

/// Some parts from `first` on, of which that of `after` was begun. What is to be found in a later
/// part is left to it.
Result<void> Finding::take_parts(
    const std::string& identifier,
    std::int64_t first,
    int level,
    const std::optional<PlaceInIndex>& after
) {
    const std::int64_t end = std::min(first + found_parts_at_once, std::int64_t{1} << level);
    std::vector<storage::RangeQuery> queries;
    for (std::int64_t partition = first; partition < end; ++partition) {
        auto& query = queries.emplace_back(storage::RangeQuery{
            .table = &profile_index_table,
            .partition = {identifier, partition},
            .max_rows = found_ids_a_page
        });
        if (after && after->partition == partition && !after->id_name.empty()) {
            query.from = {after->id_name, after->id_value};
        }
    }
    TRY(std::vector<storage::Page> pages, storage::read_pages(store_, queries));
    for (std::size_t at = 0; at < pages.size() && !is_full(); ++at) {
        const std::int64_t partition = first + static_cast<std::int64_t>(at);
        const PlaceInIndex* const begun = after && !queries[at].from.empty() ? &*after : nullptr;
        storage::Page page = std::move(pages[at]);
        for (;;) {
            std::vector<Id> ids;
            for (std::size_t row = 0; row < page.rows.size(); ++row) {
                Id id{
                    identifier,
                    std::string{page.rows.at(row, found_name_column).text()},
                    std::string{page.rows.at(row, found_value_column).text()}
                };
                const bool is_done = begun != nullptr && !begun->fact &&
                                     id.id_name == begun->id_name && id.id_value == begun->id_value;
                if (!is_done && index_partition(id, level) <= partition) {
                    ids.push_back(std::move(id));
                }
            }
            TRY_VOID(take_ids(ids, partition, begun));
            if (is_full() || page.continuation.empty()) {
                break;
            }
            queries[at].continuation = std::move(page.continuation);
            TRY(page, storage::read_page(store_, queries[at]));
        }
    }
    parts_ += pages.size();
    return {};
}

/// An entry that moves while its network doubles goes to a part behind all that there were: so the
/// end is looked up again once it is reached.
Result<void> Finding::take_network(
    const std::string& identifier, const std::optional<PlaceInIndex>& after
) {
    const IndexLevels levels{store_};
    TRY(LevelsSeen seen, levels.newest());
    std::int64_t first = after ? after->partition : 0;
    for (;;) {
        const IndexStep step = seen->of(identifier);
        for (; first < step.partitions(); first += found_parts_at_once) {
            if (parts_ >= bounds_.parts_max) {
                found_.next = {.identifier = identifier, .partition = first};
                return {};
            }
            TRY_VOID(take_parts(identifier, first, step.read_level(), after));
            if (is_full()) {
                return {};
            }
        }
        first = step.partitions();
        TRY(seen, levels.newest());
        if (seen->of(identifier).partitions() <= first) {
            return {};
        }
    }
}

Result<FoundFacts> Finding::find(const std::optional<PlaceInIndex>& after) {
    TRY(std::vector<std::string> networks, read_networks(store_));
    std::ranges::sort(networks);
    for (const std::string& identifier : networks) {
        if (after && identifier < after->identifier) {
            continue;
        }
        const bool is_begun = after && identifier == after->identifier;
        TRY_VOID(take_network(identifier, is_begun ? after : std::nullopt));
        if (is_full()) {
            break;
        }
    }
    return std::move(found_);
}

}  // namespace

Result<FoundFacts> find_facts(
    storage::Store& store,
    const std::function<bool(const Fact& fact)>& wanted,
    const std::optional<PlaceInIndex>& after,
    const FindingBounds& bounds
) {
    return Finding{store, wanted, bounds}.find(after);
}

}  // namespace footfall::identities
