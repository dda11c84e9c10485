#include "people/people.h"

#include "people/said_work.h"
#include "people/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace footfall::people {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

/// What was said so long ago, by another clock, may be readable only now: clocks differ, and writes
/// take their time. Nearly always, and always.
constexpr seconds usual_delay{2};
constexpr minutes longest_delay{3};

/// Lists of so many are in memory at once, while they change.
constexpr std::size_t lists_at_once = 200;

bool says_friends(const Said& said) {
    return said.friends || !said.add.empty() || !said.remove.empty();
}

/// As many of the first as are taken together.
std::size_t some_of(std::span<const Said> said) {
    std::size_t lists = 0;
    std::size_t count = 0;
    while (count < said.size() && lists < lists_at_once) {
        lists += says_friends(said[count]) ? 1 : 0;
        ++count;
    }
    return count;
}

/// Keys are read for so many people at once when a process starts.
constexpr std::size_t readers_at_once = 1000;

}  // namespace

Result<std::unique_ptr<People>> People::open(
    storage::Store& store, const Clock& clock, Options options
) {
    std::unique_ptr<People> people{new People{store, clock, options}};
    TRY_VOID(people->load());
    if (options.shared) {
        TRY_VOID(people->read_changes());  // when who is off said so stands in no other row
    }
    return people;
}

/// A person without a key is not installed: it went, and the row was to follow.
Result<void> People::load() {
    TRY(const FormersByActor formers, scan_formers(*store_));
    std::vector<StoredPerson> some;
    const auto install_some = [&]() -> Result<void> {
        std::vector<std::string> actors;
        actors.reserve(some.size());
        for (const StoredPerson& each : some) {
            actors.push_back(each.person.actor);
        }
        TRY(const auto readers, read_readers(*store_, actors));
        for (std::size_t at = 0; at < some.size(); ++at) {
            if (readers[at]) {
                const auto found = formers.find(actors[at]);
                sharers_.put(
                    actors[at],
                    *readers[at],
                    some[at].person.consent,
                    found != formers.end() ? std::span{found->second}
                                           : std::span<const FormerReader>{}
                );
            }
        }
        some.clear();
        return {};
    };
    TRY_VOID(scan_people(*store_, [&](StoredPerson stored) -> Result<void> {
        if (stored.person.consent.reading == Reading::off) {
            return {};
        }
        some.push_back(std::move(stored));
        return some.size() < readers_at_once ? Result<void>{} : install_some();
    }));
    return install_some();
}

template <class OfSomebody>
People::Held People::hold(std::span<const OfSomebody> each_of) {
    std::array<bool, stripe_count> needed{};
    for (const OfSomebody& each : each_of) {
        needed[siphash13(options_.secret, each.actor) % stripe_count] = true;
    }
    Held held;  // in one order, so that nobody waits in a circle
    for (std::size_t at = 0; at < stripe_count; ++at) {
        if (needed[at]) {
            held.emplace_back(stripes_[at]);
        }
    }
    return held;
}

Result<std::vector<Result<Person>>> People::say(std::span<const Said> said) {
    std::vector<Result<Person>> answers;
    answers.reserve(said.size());
    while (!said.empty()) {
        const std::size_t count = some_of(said);
        TRY_VOID(say_together(said.first(count), answers));
        said = said.subspan(count);
    }
    return answers;
}

Result<void> People::say_together(
    std::span<const Said> said, std::vector<Result<Person>>& answers
) {
    const Held held = hold(said);
    TRY(SaidWork work, SaidWork::read(*store_, said));
    const Instant now = clock_->now();
    for (const Said& each : said) {
        answers.push_back(work.take(each, now, known_change(each.actor)));
    }
    // Who goes is not shared any more from the moment on from which their key may be gone.
    work.for_each([&](const StoredPerson& each) {
        if (!each.reader) {
            sharers_.remove(each.person.actor);
        }
    });
    TRY_VOID(work.write(options_.shared));
    TRY_VOID(tell_who_looks(work, now));
    // Also of whom nothing has changed: the outcome of an earlier write may not have been known.
    work.for_each([&](const StoredPerson& each) {
        install(
            each.person.actor,
            each.person.consent,
            each.reader,
            each.formers,
            each.person.changed_at
        );
    });
    std::ignore = work.erase_old_lists();
    return {};
}

/// Others look `usual_delay` back. What took long to be written they would find late, while who
/// said it goes by the answer: so it is told again first. A store that takes as long every time is
/// one of which `deep_every` holds.
Result<void> People::tell_who_looks(SaidWork& work, Instant told_at) const {
    constexpr int most = 3;
    for (int again = 0;
         options_.shared && again < most && told_at + usual_delay / 2 < clock_->now();
         ++again) {
        told_at = clock_->now();
        TRY_VOID(work.tell_again(told_at));
    }
    return {};
}

Result<void> People::forget_formers(std::span<const Forgotten> whom) {
    const Held held = hold(whom);
    std::vector<std::string> actors;
    actors.reserve(whom.size());
    for (const Forgotten& each : whom) {
        actors.push_back(each.actor);
    }
    TRY(const auto formers, read_formers(*store_, actors));
    storage::Batch batch;
    for (std::size_t at = 0; at < whom.size(); ++at) {
        for (const FormerReader& each : formers[at]) {
            if (each.at <= whom[at].through) {
                erase_former(whom[at].actor, each, batch);
            }
        }
    }
    if (!batch.empty()) {
        TRY_VOID(storage::write_durably(*store_, batch));
    }
    for (const Forgotten& each : whom) {
        sharers_.forget_formers(each.actor, each.through);
    }
    return {};
}

Result<void> People::erase(std::span<const std::string> actors) {
    std::vector<Said> withdrawn;
    std::vector<Forgotten> formers;
    for (const std::string& each : actors) {
        withdrawn.push_back(
            {.actor = each, .consent = Consent{}, .friends = std::vector<std::string>{}}
        );
        formers.push_back({.actor = each, .through = clock_->now()});
    }
    TRY(const auto answers, say(withdrawn));
    for (const Result<Person>& each : answers) {
        if (!each) {
            return std::unexpected(each.error());
        }
    }
    TRY_VOID(forget_formers(formers));
    return erase_rows(withdrawn);
}

/// Of those who are off and list nobody: what is left of lists, and that there was one.
Result<void> People::erase_rows(std::span<const Said> said) {
    const Held held = hold(said);
    std::vector<std::string> actors;
    actors.reserve(said.size());
    for (const Said& each : said) {
        actors.push_back(each.actor);
    }
    TRY(auto stored, read_people(*store_, actors));
    storage::Batch batch;
    for (StoredPerson& each : stored) {
        if (each.person.consent.reading != Reading::off || each.list != 0 || each.old_list == 0) {
            continue;
        }
        TRY(const std::vector<std::string> names,
            read_list(*store_, each.person.actor, each.old_list));
        for (const std::string& name : names) {
            batch.erase(friend_table, {each.person.actor, each.old_list, name});
        }
        each.old_list = 0;
        add_person(each, batch);
    }
    return batch.empty() ? Result<void>{} : storage::write_durably(*store_, batch);
}

/// A row is there before a former reader is known, and rows go the oldest first.
Result<void> People::forget_with_others(const std::vector<std::string>& actors) {
    std::vector<std::vector<FormerReader>> known(actors.size());
    for (std::size_t at = 0; at < actors.size(); ++at) {
        const auto id = sharers_.id_of(actors[at]);
        if (const auto past = id ? sharers_.past_of(*id) : nullptr) {
            known[at] = past->formers;
        }
    }
    TRY(const auto stored, read_formers(*store_, actors));
    for (std::size_t at = 0; at < actors.size(); ++at) {
        const Instant left = stored[at].empty() ? Instant::max() : stored[at].front().at;
        for (const FormerReader& each : known[at]) {
            if (each.at < left) {
                sharers_.forget_formers(actors[at], each.at);
            }
        }
    }
    return {};
}

Result<Person> People::find(const std::string& actor) {
    TRY(auto found, read_people(*store_, {actor}));
    Person person = std::move(found.front().person);
    person.consent = effective(std::move(person.consent), clock_->now());
    return person;
}

Result<std::vector<std::string>> People::friends_of(const std::string& actor) {
    TRY(const auto found, read_people(*store_, {actor}));
    return read_list(*store_, actor, found.front().list);
}

Result<std::vector<bool>> People::who_lists(
    const std::vector<std::string>& actors, const std::string& actor
) {
    TRY(const auto people, read_people(*store_, actors));
    std::vector<std::vector<storage::Value>> keys;
    std::vector<std::size_t> of_keys;
    for (std::size_t at = 0; at < people.size(); ++at) {
        if (people[at].list != 0) {
            keys.push_back({actors[at], people[at].list, actor});
            of_keys.push_back(at);
        }
    }
    std::vector<bool> lists(actors.size());
    if (keys.empty()) {
        return lists;
    }
    TRY(const storage::Found found, storage::read_many(*store_, friend_table, std::move(keys)));
    for (std::size_t at = 0; at < of_keys.size(); ++at) {
        lists[of_keys[at]] = found.row_of_key[at].has_value();
    }
    return lists;
}

Instant People::known_change(const std::string& actor) {
    const std::lock_guard lock{installing_};
    const auto known = recent_.find(actor);
    return known == recent_.end() ? Instant{} : known->second;
}

/// Unless a later change is known.
void People::install(
    const std::string& actor,
    const Consent& consent,
    const std::optional<Reader>& reader,
    std::span<const FormerReader> formers,
    Instant changed_at
) {
    const std::lock_guard lock{installing_};
    if (options_.shared) {
        Instant& known = recent_[actor];
        if (changed_at < known) {
            return;
        }
        known = changed_at;
    }
    if (reader && consent.reading != Reading::off) {
        sharers_.put(actor, *reader, consent, formers);
    } else {
        sharers_.remove(actor);
    }
}

/// What is so old that nothing before it is read any more.
void People::forget_recent() {
    const std::lock_guard lock{installing_};
    std::erase_if(recent_, [&](const auto& each) {
        return each.second < read_deeply_ - longest_delay;
    });
}

Result<void> People::read_changes() {
    const std::lock_guard alone{reading_};
    const Instant now = clock_->now();
    if (read_until_ + changes_kept < now) {
        return fail(
            ErrorKind::unavailable,
            "what people said could not be read for so long that some of it is gone; start again"
        );
    }
    const bool deep = now < read_deeply_ || read_deeply_ + deep_every <= now;
    const auto delay = deep ? seconds{longest_delay} : usual_delay;
    const Instant from = std::min(deep ? read_deeply_ : read_until_, now) - delay;
    TRY(const std::vector<Change> changes, people::read_changes(*store_, from, now + delay));
    std::vector<std::string> actors;
    actors.reserve(changes.size());
    for (const Change& each : changes) {
        actors.push_back(each.actor);
    }
    TRY(const auto readers, read_readers(*store_, actors));
    TRY(const auto formers, read_formers(*store_, actors));
    for (std::size_t at = 0; at < changes.size(); ++at) {
        const Change& change = changes[at];
        install(change.actor, change.consent, readers[at], formers[at], change.changed_at);
    }
    read_until_ = now;
    if (deep) {
        read_deeply_ = now;
        forget_recent();
    }
    return {};
}

}  // namespace footfall::people
