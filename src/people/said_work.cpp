#include "people/said_work.h"

#include "foundation/secret_random.h"
#include "people/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string_view>
#include <utility>

namespace footfall::people {
namespace {

/// Rows that are written together.
constexpr std::size_t rows_at_once = 4096;

/// Names of lists are random, so that two processes that replace one at once never mix them.
Result<std::int64_t> draw_list() {
    TRY(const auto drawn, draw_secret<std::uint64_t>());
    return static_cast<std::int64_t>((drawn >> 1) | 1);
}

bool has(const std::vector<FormerReader>& formers, const FormerReader& former) {
    return std::ranges::find(formers, former) != formers.end();
}

Consent tidy(Consent consent) {
    if (consent.reading == Reading::off) {
        return {};
    }
    std::ranges::sort(consent.sites);
    const auto repeated = std::ranges::unique(consent.sites);
    consent.sites.erase(repeated.begin(), repeated.end());
    return consent;
}

}  // namespace

Result<SaidWork> SaidWork::read(storage::Store& store, std::span<const Said> said) {
    SaidWork work{store};
    for (const Said& each : said) {
        work.people_.try_emplace(each.actor);
    }
    std::vector<std::string> actors;
    actors.reserve(work.people_.size());
    for (const auto& [actor, one] : work.people_) {
        actors.push_back(actor);
    }
    TRY(auto rows, read_people(store, actors));
    for (std::size_t at = 0; at < actors.size(); ++at) {
        One& one = work.people_.find(actors[at])->second;
        one.before = rows[at];
        one.now = std::move(rows[at]);
    }
    TRY_VOID(work.read_formers());
    TRY_VOID(work.read_lists(said));
    return work;
}

/// Of who shares nothing there are none, unless a write was lost.
Result<void> SaidWork::read_formers() {
    std::vector<std::string> actors;
    for (const auto& [actor, one] : people_) {
        if (is_worth_a_row(one.now)) {
            actors.push_back(actor);
        }
    }
    TRY(auto formers, people::read_formers(*store_, actors));
    for (std::size_t at = 0; at < actors.size(); ++at) {
        One& one = people_.find(actors[at])->second;
        one.before.formers = formers[at];
        one.now.formers = std::move(formers[at]);
    }
    return {};
}

/// The lists of those whose friends change, with what is left of earlier ones.
Result<void> SaidWork::read_lists(std::span<const Said> said) {
    std::set<std::string_view> actors;
    for (const Said& each : said) {
        if (each.friends || !each.add.empty() || !each.remove.empty()) {
            actors.insert(each.actor);
        }
    }
    std::vector<storage::RangeQuery> queries;
    std::vector<std::function<void(std::string)>> takers;
    for (const std::string_view actor : actors) {
        One& one = people_.find(actor)->second;
        if (one.now.list != 0) {
            queries.push_back(list_query(one.now.person.actor, one.now.list));
            takers.emplace_back([&one](std::string name) { one.list.insert(std::move(name)); });
        }
        if (one.now.old_list != 0) {
            queries.push_back(list_query(one.now.person.actor, one.now.old_list));
            takers.emplace_back([&one](std::string name) {
                one.left_over.push_back(std::move(name));
            });
        }
    }
    TRY_VOID(storage::read_each(
        *store_,
        std::move(queries),
        [&](std::size_t at, const storage::Rows& rows) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                takers[at](std::string{rows.at(row, 2).text()});
            }
            return {};
        }
    ));
    for (const std::string_view actor : actors) {
        One& one = people_.find(actor)->second;
        one.list_before = one.list;
        one.lists_read = true;
    }
    return {};
}

Result<Person> SaidWork::take(const Said& said, Instant now, Instant known) {
    One& one = people_.find(said.actor)->second;
    StoredPerson before = one.now;
    if (said.consent) {
        TRY_VOID(take_consent(tidy(*said.consent), now, one));
    }
    if (said.take_back) {
        TRY_VOID(take_back(*said.take_back, now, one));
    }
    if (Result<void> friends = take_friends(said, one); !friends) {
        one.now = std::move(before);
        return std::unexpected(std::move(friends).error());
    }
    Person& person = one.now.person;
    const bool differs = one.replaced || one.list != one.list_before ||
                         person.consent != one.before.person.consent ||
                         one.now.reader != one.before.reader ||
                         one.now.formers != one.before.formers;
    // A clock that was set back hides no change.
    const Instant behind =
        std::max(one.before.person.changed_at, known) + std::chrono::microseconds{1};
    person.changed_at = differs ? std::max(now, behind) : one.before.person.changed_at;
    one.changed = differs;
    Person answer = person;
    answer.consent = effective(std::move(answer.consent), now);
    return answer;
}

Result<void> SaidWork::take_friends(const Said& said, One& one) {
    if (!said.friends && said.add.empty() && said.remove.empty()) {
        return {};
    }
    List list = one.list;
    if (said.friends) {
        list = {said.friends->begin(), said.friends->end()};
    }
    list.insert(said.add.begin(), said.add.end());
    for (const std::string& each : said.remove) {
        list.erase(each);
    }
    if (list.size() > friends_max) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{} would have {} friends, more than {}; nothing was changed",
                said.actor,
                list.size(),
                friends_max
            )
        );
    }
    one.replaced = one.replaced || (said.friends && list != one.list);
    one.list = std::move(list);
    one.now.person.friends = one.list.size();
    return {};
}

Result<void> SaidWork::take_consent(const Consent& consent, Instant now, One& one) {
    if (consent.reading == Reading::off) {
        one.now.reader.reset();
        one.now.formers.clear();
        one.now.person.since = {};
    } else if (!one.now.reader) {
        TRY(one.now.reader, draw_secret<Reader>());
        one.now.person.since = now;
    }
    one.now.person.consent = consent;
    return {};
}

/// Another reader from now on, so that what is read again is told from what was taken back. Who is
/// off has nothing to take back.
Result<void> SaidWork::take_back(const TakeBack& what, Instant now, One& one) {
    std::vector<FormerReader>& formers = one.now.formers;
    if (!one.now.reader) {
        return {};
    }
    if (what.taken == Taken::all) {
        formers.clear();
    } else if (formers.size() < former_readers_max) {
        const Instant behind =
            formers.empty() ? now : formers.back().at + std::chrono::microseconds{1};
        formers.push_back(former_reader(*one.now.reader, std::max(now, behind), what));
    } else {
        return fail(
            ErrorKind::overloaded,
            fmt::format(
                "{} took back {} times within minutes: try again in a quarter of an hour, or take "
                "back all",
                one.now.person.actor,
                formers.size()
            )
        );
    }
    TRY(one.now.reader, draw_secret<Reader>());
    return {};
}

void SaidWork::add_formers(const One& one, storage::Batch& batch) {
    for (const FormerReader& each : one.now.formers) {
        if (!has(one.before.formers, each)) {
            add_former(one.now.person.actor, each, batch);
        }
    }
}

void SaidWork::erase_formers(const One& one, storage::Batch& batch) {
    for (const FormerReader& each : one.before.formers) {
        if (!has(one.now.formers, each)) {
            erase_former(one.now.person.actor, each, batch);
        }
    }
}

/// The rows of a list that is new, or what changes in one that stays.
void SaidWork::add_names(const One& one, storage::Batch& batch) {
    const std::string& actor = one.now.person.actor;
    const bool is_new = one.now.list != one.before.list;
    for (const std::string& each : one.list) {
        if (is_new || !one.list_before.contains(each)) {
            batch.upsert(friend_table, {actor, one.now.list, each});
        }
    }
    for (const std::string& each : one.list_before) {
        if (!is_new && !one.list.contains(each)) {
            batch.erase(friend_table, {actor, one.now.list, each});
        }
    }
    for (const std::string& each : one.left_over) {
        batch.erase(friend_table, {actor, one.before.old_list, each});
    }
}

Result<void> SaidWork::write(storage::Batch& batch, std::size_t if_more_than) {
    if (batch.size() <= if_more_than) {
        return {};
    }
    TRY_VOID(storage::write_durably(*store_, batch));
    batch.clear();
    return {};
}

Result<void> SaidWork::write(bool tell) {
    storage::Batch batch;
    for (const auto& [actor, one] : people_) {
        add_formers(one, batch);
        TRY_VOID(write(batch, rows_at_once));
    }
    TRY_VOID(write(batch, 0));  // before the key that they had is nobody's
    for (auto& [actor, one] : people_) {
        if (!one.changed) {
            continue;
        }
        if (one.replaced || (one.now.list == 0 && !one.list.empty())) {
            one.now.old_list = one.before.list;
            one.now.list = 0;
            if (!one.list.empty()) {
                TRY(one.now.list, draw_list());
            }
        } else if (one.lists_read) {
            one.now.old_list = 0;  // what was left of it is erased here
        }
        add_names(one, batch);
        erase_formers(one, batch);
        if (one.now.reader != one.before.reader) {
            add_reader(one.now, batch);
        }
        TRY_VOID(write(batch, rows_at_once));
    }
    TRY_VOID(write(batch, 0));
    for (const auto& [actor, one] : people_) {
        if (!one.changed) {
            continue;
        }
        add_person(one.now, batch);
        if (tell) {
            add_change(one.now, one.now.person.changed_at, batch);
        }
        TRY_VOID(write(batch, rows_at_once));
    }
    return write(batch, 0);
}

Result<void> SaidWork::tell_again(Instant told_at) {
    storage::Batch batch;
    for (const auto& [actor, one] : people_) {
        if (one.changed) {
            add_change(one.now, told_at, batch);
            TRY_VOID(write(batch, rows_at_once));
        }
    }
    return write(batch, 0);
}

Result<void> SaidWork::erase_old_lists() {
    storage::Batch batch;
    for (const auto& [actor, one] : people_) {
        if (one.now.list == one.before.list) {
            continue;
        }
        for (const std::string& each : one.list_before) {
            batch.erase(friend_table, {actor, one.before.list, each});
        }
        TRY_VOID(write(batch, rows_at_once));
    }
    return write(batch, 0);
}

}  // namespace footfall::people
