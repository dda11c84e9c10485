#include "identities/expiry_rows.h"
#include "identities/identities.h"
#include "identities/lifetime.h"
#include "storage/blocking.h"

namespace footfall::identities {
namespace {

/// What has ended before that is settled as such by whoever writes it, and has no rows.
constexpr std::chrono::minutes expiry_kept = clocks_differ_max;

}  // namespace

void Identities::touch(
    const std::vector<Id>& named, const std::vector<Id>& decided, Touched& touched
) const {
    std::set<Id>& all = settling_.is_crowd(named) ? touched.later : touched.ids;
    all.insert(named.begin(), named.end());
    touched.decided.insert(decided.begin(), decided.end());
}

void Identities::touch(const Fact& fact, Touched& touched) const {
    const std::vector<Id> named = ids_of(fact);
    touch(named, decides_sharing(fact) ? named : std::vector<Id>{}, touched);
    if (fact.kind == FactKind::link || fact.kind == FactKind::datum) {
        touched.lasting.push_back({.fact = fact.id, .ids = &fact.ids, .last = fact.last});
    }
}

Result<void> Identities::write_expiries(std::span<const Expiry> expiries) {
    storage::Batch batch;
    add_expiries(expiries, batch);
    return batch.empty() ? Result<void>{} : storage::write_durably(*store_, batch);
}

/// Of each that ends under the guards that hold here.
std::vector<Expiry> Identities::expiries_of(std::span<const Lasting> lasting) const {
    const std::shared_ptr<const Guards> guards = settling_.guards();
    const Instant kept = clock_->now() - expiry_kept;
    std::vector<Expiry> expiries;
    for (const Lasting& each : lasting) {
        const auto end = end_of(*guards, *each.ids, each.last);
        if (end && *end > kept) {
            expiries.push_back({.fact = each.fact, .ids = *each.ids, .end = *end});
        }
    }
    return expiries;
}

/// The same of all that was said of these ids, as far as they are of a network with a ttl: a link
/// ends by one of its ids, and is found there.
Result<void> Identities::write_expiries_of(std::span<const Id> ids) {
    const std::shared_ptr<const Guards> guards = settling_.guards();
    const Instant kept = clock_->now() - expiry_kept;
    for (const Id& each : ids) {
        if (!end_of(*guards, {&each, 1}, Instant{})) {
            continue;
        }
        TRY_VOID(for_facts_of(*store_, each, [&](std::span<const Fact> facts) {
            std::vector<Expiry> expiries;
            for (const Fact& fact : facts) {
                const auto end = end_of(*guards, fact);
                if (end && *end > kept) {
                    expiries.push_back({.fact = fact.id, .ids = fact.ids, .end = *end});
                }
            }
            return write_expiries(expiries);
        }));
    }
    return {};
}

}  // namespace footfall::identities
