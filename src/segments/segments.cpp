#include "segments/segments.h"

#include "events/event.h"
#include "foundation/utf8.h"
#include "identities/normalised.h"
#include "identities/profile_rows.h"
#include "identities/stored_instant.h"
#include "runtime/moment.h"
#include "segments/catalogue.h"
#include "segments/derivation.h"
#include "segments/derived_rows.h"
#include "segments/member_rows.h"
#include "segments/schema.h"
#include "segments/segments_state.h"
#include "sets/expression.h"
#include "sets/matrix.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <utility>

namespace footfall::segments {
namespace {

/// Ids of a note, and members of a write.
constexpr std::size_t ids_a_note = 1000;
constexpr std::size_t members_a_write = 5000;

Result<void> check_id(const identities::Id& id, std::size_t at) {
    const std::array texts{
        std::pair{"identifier", std::string_view{id.identifier}},
        std::pair{"id_name", std::string_view{id.id_name}},
        std::pair{"id_value", std::string_view{id.id_value}}
    };
    for (const auto& [field, text] : texts) {
        if (text.empty() || text.size() > events::longest_id || !is_utf8(text) ||
            events::has_control_character(text)) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "{} of id {}: UTF-8 of 1 to {} bytes without control characters",
                    field,
                    at,
                    events::longest_id
                )
            );
        }
    }
    return {};
}

std::vector<const sets::NumberSet*> sets_of(
    const PeopleSets& people, std::span<const std::int64_t> numbers
) {
    std::vector<const sets::NumberSet*> some;
    some.reserve(numbers.size());
    for (const std::int64_t each : numbers) {
        some.push_back(people.of(each));
    }
    return some;
}

Result<void> check_many(std::size_t many) {
    if (many > members_max) {
        return fail(
            ErrorKind::invalid_input, fmt::format("{} ids at once; at most {}", many, members_max)
        );
    }
    return {};
}

Result<void> check_asked(std::size_t many) {
    if (many > asked_max) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("{} segments at once; at most {}", many, asked_max)
        );
    }
    return {};
}

}  // namespace

/// Members wait while the store has much to do, so that what follows from them, and all others,
/// need not. They never are what fills it, or others would be refused: where it is nearly full they
/// are refused themselves, and nothing is done. A store that is full of what was submitted has room
/// again once that is written.
Result<storage::CommitPosition> Segments::State::submit(
    const storage::Batch& batch, storage::CommitPosition before
) {
    constexpr double busy_pressure = 0.5;
    constexpr double full_pressure = 1;
    constexpr std::chrono::milliseconds longest{1000};
    std::chrono::milliseconds pause{2};
    for (; store->pressure() > busy_pressure && pause < longest; pause *= 2) {
        runtime::wait_a_moment(pause);
    }
    if (store->pressure() >= full_pressure) {
        return fail(
            ErrorKind::overloaded,
            "members are sent faster than the disk takes what follows from them; send them again"
        );
    }
    for (;; pause *= 2) {
        Result<storage::CommitPosition> position = store->submit(batch);
        if (position || position.error().kind != ErrorKind::overloaded || pause > longest) {
            return position;
        }
        TRY_VOID(storage::wait_durable(*store, before));
        runtime::wait_a_moment(pause);
    }
}

template <class AddRows>
Result<void> Segments::State::write_members(
    std::span<const identities::Id> ids, const AddRows& add_rows
) {
    const Instant now = clock->now();
    const auto add_notes = [&](std::span<const identities::Id> some, storage::Batch& batch) {
        for (std::size_t at = 0; at < some.size(); at += ids_a_note) {
            add_noted_ids(
                now, next_token++, some.subspan(at, std::min(ids_a_note, some.size() - at)), batch
            );
        }
    };
    storage::Batch batch;
    if (shared) {
        add_notes(ids, batch);
        TRY_VOID(storage::write_durably(*store, batch));
    }
    storage::CommitPosition last = 0;
    for (std::size_t begin = 0; begin < ids.size(); begin += members_a_write) {
        const auto some = ids.subspan(begin, std::min(members_a_write, ids.size() - begin));
        batch.clear();
        if (!shared) {
            add_notes(some, batch);
        }
        for (std::size_t at = begin; at < begin + some.size(); ++at) {
            add_rows(at, batch);
        }
        const auto position = submit(batch, last);
        if (!position) {
            derivation.tell_ids(ids.first(begin), now);  // these may stand
            return std::unexpected(position.error());
        }
        last = *position;
    }
    const Result<void> durable = storage::wait_durable(*store, last);
    derivation.tell_ids(ids, now);
    if (durable) {
        written += ids.size();
    }
    return durable;
}

Result<std::vector<std::int64_t>> Segments::State::numbers_of(std::span<const std::string> names) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(names.size());
    for (const std::string& each : names) {
        TRY(const auto found, catalogue.find(each));
        if (!found) {
            return fail(ErrorKind::not_found, fmt::format("there is no segment {}", each));
        }
        numbers.push_back(found->number);
    }
    return numbers;
}

Segments::Segments(
    storage::Store& store, const identities::Settling& settling, const Clock& clock, Options options
)
    : state_{std::make_unique<State>(store, settling, clock, options)} {}

Segments::~Segments() = default;

Result<Segment> Segments::create(std::string_view name) {
    TRY_VOID(check_name(name));
    if (!state_->shared) {
        TRY_VOID(state_->derivation.follow());
    }
    return state_->catalogue.create(name);
}

Result<std::optional<Segment>> Segments::find(std::string_view name) {
    return state_->catalogue.find(name);
}

Result<void> Segments::add(
    std::string_view name, std::span<const Member> members, std::string_view source
) {
    TRY_VOID(check_many(members.size()));
    const auto guards = state_->settling->guards();
    const Instant now = state_->clock->now();
    std::vector<identities::Id> ids;
    ids.reserve(members.size());
    for (std::size_t at = 0; at < members.size(); ++at) {
        ids.push_back(identities::normalised(*guards, members[at].id));
        TRY_VOID(check_id(ids.back(), at));
    }
    TRY(const Segment segment, create(name));
    const std::string_view said_by = events::cut_text(source, events::longest_id);
    TRY_VOID(state_->write_members(ids, [&](std::size_t at, storage::Batch& batch) {
        const std::optional<Instant> expires = members[at].expires;
        if (expires && *expires <= now) {
            erase_member(segment.number, ids[at], batch);
        } else {
            add_member(segment.number, {.id = ids[at], .expires = expires}, now, said_by, batch);
        }
    }));
    // Whoever clears away a segment that is dropped meanwhile may be past these already.
    TRY(const auto after, state_->catalogue.find(name));
    if (after && after->number == segment.number) {
        return {};
    }
    TRY_VOID(state_->write_members(ids, [&](std::size_t at, storage::Batch& batch) {
        erase_member(segment.number, ids[at], batch);
    }));
    return fail(ErrorKind::conflict, "the segment was dropped while members were added");
}

Result<void> Segments::remove(std::string_view name, std::span<const identities::Id> sent) {
    TRY_VOID(check_many(sent.size()));
    TRY(const Segment segment, state_->catalogue.get(name));
    const auto guards = state_->settling->guards();
    std::vector<identities::Id> ids;
    ids.reserve(sent.size());
    for (std::size_t at = 0; at < sent.size(); ++at) {
        ids.push_back(identities::normalised(*guards, sent[at]));
        TRY_VOID(check_id(ids.back(), at));
    }
    return state_->write_members(ids, [&](std::size_t at, storage::Batch& batch) {
        erase_member(segment.number, ids[at], batch);
    });
}

Result<void> Segments::remove_from_all(std::span<const identities::Id> ids) {
    // Also of those that have ended: their rows have the id.
    TRY(const auto memberships, read_memberships(*state_->store, ids, Instant{}));
    storage::Batch batch;
    for (std::size_t at = 0; at < ids.size(); ++at) {
        for (const Membership& each : memberships[at]) {
            erase_member(each.segment, ids[at], batch);
        }
        if (batch.size() >= members_a_write || (at + 1 == ids.size() && !batch.empty())) {
            TRY_VOID(storage::write_durably(*state_->store, batch));
            batch.clear();
        }
    }
    look_at(ids);
    return {};
}

bool Segments::look_at(std::span<const identities::Id> ids) {
    return state_->derivation.tell_ids(ids, state_->clock->now());
}

bool Segments::is_shared() const {
    return state_->shared;
}

Result<void> Segments::drop(std::string_view name) {
    TRY(const std::string named_by, state_->book.who_names(name));
    if (!named_by.empty()) {
        return fail(
            ErrorKind::conflict, fmt::format("the rule of segment \"{}\" names it", named_by)
        );
    }
    TRY(const bool was_there, state_->catalogue.drop(name));
    if (!was_there) {
        return fail(ErrorKind::not_found, "there is no segment of this name");
    }
    TRY_VOID(state_->book.remove(name));
    state_->derivation.tell_dropped();
    return {};
}

Result<Listed<Segment>> Segments::list(
    std::string_view prefix, std::string_view cursor, std::size_t limit
) {
    return state_->catalogue.list(prefix, cursor, limit);
}

Result<Listed<Member>> Segments::members(
    std::string_view name, std::string_view cursor, std::size_t limit
) {
    TRY(const Segment segment, state_->catalogue.get(name));
    const std::size_t most = std::clamp<std::size_t>(limit, 1, page_max);
    TRY(Listed<Member> listed, read_members(*state_->store, segment.number, cursor, most));
    const Instant now = state_->clock->now();
    std::erase_if(listed.rows, [&](const Member& each) {
        return each.expires && *each.expires <= now;
    });
    return listed;
}

Result<bool> Segments::is_member(std::string_view name, const identities::Id& id) {
    TRY_VOID(check_id(id, 0));
    TRY(const Segment segment, state_->catalogue.get(name));
    const std::array ids{identities::normalised(*state_->settling->guards(), id)};
    TRY(const auto memberships, read_memberships(*state_->store, ids, state_->clock->now()));
    return std::ranges::find(memberships[0], segment.number, &Membership::segment) !=
           memberships[0].end();
}

Result<bool> Segments::contains(std::string_view name, const identities::Id& id) {
    TRY_VOID(check_id(id, 0));
    TRY(const Segment segment, state_->catalogue.get(name));
    std::vector<identities::Id> ids{identities::normalised(*state_->settling->guards(), id)};
    TRY(const identities::Index index,
        identities::read_index(state_->settling->levels(), ids, identities::IndexPlaces::read));
    std::vector<identities::Member> of_profile;
    if (const auto entry = index.find(ids.front()); entry != index.end()) {
        TRY(identities::StoredProfiles profiles,
            identities::read_profiles(*state_->store, {entry->second.sid}));
        for (auto& [sid, members] : profiles) {
            of_profile = std::move(members);
        }
        for (const identities::Member& each : of_profile) {
            ids.push_back(each.id);
        }
    }
    TRY(const std::vector<std::int64_t> segments, state_->segments_of(ids, of_profile));
    return std::ranges::binary_search(segments, segment.number);
}

/// Those of other networks are passed over, so many at most.
Result<Changes> Segments::changes(
    std::string_view name, std::uint64_t after, std::string_view network, std::size_t limit
) {
    constexpr std::size_t changes_at_once = 1000;
    constexpr std::size_t passed_over_max = 100'000;
    if (after > std::uint64_t{1} << 62) {
        return fail(ErrorKind::invalid_input, "no change has such a number");
    }
    TRY(const Segment segment, state_->catalogue.get(name));
    const std::size_t most = std::clamp<std::size_t>(limit, 1, page_max);
    Changes answer{.rows = {}, .after = after, .more = true};
    std::size_t passed_over = 0;
    while (answer.rows.size() < most && passed_over < passed_over_max) {
        const std::size_t some = network.empty()
                                     ? std::min(changes_at_once, most - answer.rows.size())
                                     : changes_at_once;
        TRY(std::vector<Change> changes,
            read_changes(*state_->store, segment.number, answer.after, some));
        answer.more = !changes.empty();
        if (changes.empty()) {
            break;
        }
        for (Change& each : changes) {
            if (answer.rows.size() == most) {
                break;
            }
            answer.after = each.number;
            if (network.empty() || each.id.identifier == network) {
                answer.rows.push_back(std::move(each));
            } else {
                ++passed_over;
            }
        }
    }
    return answer;
}

Result<People> Segments::size(std::string_view name) {
    TRY(const Segment segment, state_->catalogue.get(name));
    return state_->derivation.with_sets(
        [&](const PeopleSets& sets, Instant as_of) -> Result<People> {
            return People{
                .people = sets.of(segment.number)->size() * sets.one_of(),
                .as_of = as_of,
                .one_of = sets.one_of()
            };
        }
    );
}

Result<People> Segments::count(const Expression& expression) {
    if (expression.all.empty() && expression.any.empty()) {
        return fail(ErrorKind::invalid_input, "one of all and any is to be given");
    }
    TRY_VOID(check_asked(expression.all.size() + expression.any.size() + expression.none.size()));
    TRY(const auto all, state_->numbers_of(expression.all));
    TRY(const auto any, state_->numbers_of(expression.any));
    TRY(const auto none, state_->numbers_of(expression.none));
    return state_->derivation.with_sets(
        [&](const PeopleSets& sets, Instant as_of) -> Result<People> {
            const auto in_all = sets_of(sets, all);
            const auto in_any = sets_of(sets, any);
            const auto in_none = sets_of(sets, none);
            return People{
                .people =
                    sets::count({.all = in_all, .any = in_any, .none = in_none}) * sets.one_of(),
                .as_of = as_of,
                .one_of = sets.one_of()
            };
        }
    );
}

Result<std::vector<std::int64_t>> Segments::numbers_of(std::span<const std::string> names) {
    TRY_VOID(check_asked(names.size()));
    if (names.empty()) {
        return fail(ErrorKind::invalid_input, "segments are to be named");
    }
    if (const std::set<std::string_view> each{names.begin(), names.end()};
        each.size() != names.size()) {
        return fail(ErrorKind::invalid_input, "each segment is to be named once");
    }
    return state_->numbers_of(names);
}

Result<Instant> Segments::look_at(std::span<const std::int64_t> numbers, const LookAtPeople& look) {
    return state_->derivation.with_sets(
        [&](const PeopleSets& people, Instant as_of) -> Result<Instant> {
            look(sets_of(people, numbers), people.one_of());
            return as_of;
        }
    );
}

std::vector<std::int64_t> Segments::take_news() {
    const std::set<std::int64_t> news = state_->derivation.take_news();
    return {news.begin(), news.end()};
}

Result<Overlaps> Segments::overlap(std::span<const std::string> names) {
    TRY(const auto numbers, numbers_of(names));
    Overlaps overlaps;
    const auto look = [&](std::span<const sets::NumberSet* const> people, std::uint32_t one_of) {
        overlaps.one_of = one_of;
        const sets::Matrix matrix = sets::matrix(people);
        for (std::size_t one = 0; one < people.size(); ++one) {
            overlaps.sizes.push_back(matrix.size(one) * one_of);
            for (std::size_t other = one + 1; other < people.size(); ++other) {
                overlaps.pairs.push_back(matrix.common(one, other) * one_of);
            }
        }
    };
    TRY(overlaps.as_of, look_at(numbers, look));
    return overlaps;
}

Result<void> Segments::begin() {
    return state_->derivation.begin();
}

Result<std::chrono::milliseconds> Segments::derive(const std::stop_token& stop) {
    return state_->derivation.go_on(stop);
}

void Segments::end() {
    state_->derivation.end();
}

bool Segments::is_derived_here() const {
    return state_->derivation.is_here();
}

Segments::Figures Segments::figures() const {
    const Derivation::Figures derived = state_->derivation.figures();
    return {
        .people = derived.people,
        .bytes = derived.bytes,
        .waiting = derived.waiting,
        .looked = derived.looked,
        .changes = derived.changes,
        .members = state_->written,
        .as_of = derived.as_of,
        .one_of = derived.one_of
    };
}

std::pair<std::size_t, std::size_t> Segments::memory() const {
    return state_->derivation.audit();
}

}  // namespace footfall::segments
