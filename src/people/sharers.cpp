#include "people/sharers.h"

#include "foundation/check.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

namespace footfall::people {
namespace {

/// A name has its length before it.
using NameLength = std::uint16_t;

/// What a hash set of ids takes: an id and a byte a place.
std::size_t bytes_of_set(std::size_t places) {
    return places * (sizeof(Sharers::Id) + 1);
}

}  // namespace

Sharers::Sharers(SipKey secret)
    : secret_{secret},
      by_actor_{0, ByActor{this}, ByActor{this}},
      by_number_{0, ByNumber{this}, ByNumber{this}} {}

std::size_t Sharers::ByActor::operator()(std::string_view actor) const {
    return siphash13(sharers->secret_, actor);
}

std::size_t Sharers::ByActor::operator()(Id id) const {
    return (*this)(sharers->name(id));
}

bool Sharers::ByActor::operator()(std::string_view actor, Id id) const {
    return sharers->name(id) == actor;
}

bool Sharers::ByActor::operator()(Id id, std::string_view actor) const {
    return sharers->name(id) == actor;
}

std::string_view Sharers::name(Id id) const {
    const std::uint32_t at = row(id).name;
    const char* const bytes = name_blocks_[at / name_block_bytes].get() + at % name_block_bytes;
    NameLength length = 0;
    std::memcpy(&length, bytes, sizeof(length));
    return {bytes + sizeof(length), length};
}

std::uint32_t Sharers::store_name(std::string_view actor) {
    const std::size_t needed = sizeof(NameLength) + actor.size();
    CHECK(needed <= name_block_bytes, "a name is longer than names may be", actor.size());
    if (name_block_used_ + needed > name_block_bytes) {
        CHECK(
            name_blocks_.size() < (std::uint64_t{1} << 32) / name_block_bytes,
            "the names of sharers take more than 4 GiB"
        );
        name_blocks_.push_back(std::make_unique_for_overwrite<char[]>(name_block_bytes));
        name_block_used_ = 0;
    }
    char* const bytes = name_blocks_.back().get() + name_block_used_;
    const auto length = static_cast<NameLength>(actor.size());
    std::memcpy(bytes, &length, sizeof(length));
    std::ranges::copy(actor, bytes + sizeof(length));
    const std::size_t at = (name_blocks_.size() - 1) * name_block_bytes + name_block_used_;
    name_block_used_ += needed;
    return static_cast<std::uint32_t>(at);
}

Sharers::Id Sharers::add(const Reader& reader, std::uint32_t name) {
    CHECK(next_ < std::numeric_limits<Id>::max(), "there are as many readers as there are ids");
    const Id id = next_++;
    if (id % chunk_readers == 0) {
        chunks_.push_back(std::make_unique<Chunk>());
    }
    using Number = decltype(Row::number);
    row(id) = {.number = std::bit_cast<Number>(reader.number), .key = reader.key, .name = name};
    flags(id) = there;
    by_number_.insert(id);
    return id;
}

void Sharers::take_out(Id id) {
    by_number_.erase(id);
    flags(id) = 0;
    row(id).key = {};
    until_.erase(id);
    sites_.erase(id);
}

/// The id by which the actor is known from now on. That of another reader they were stays.
Sharers::Id Sharers::present(std::string_view actor, const Reader& reader) {
    const auto known = by_actor_.find(actor);
    if (known != by_actor_.end() && number(*known) == reader.number) {
        row(*known).key = reader.key;
        return *known;
    }
    std::uint32_t name = 0;
    if (known == by_actor_.end()) {
        name = store_name(actor);
    } else {
        const Id former = *known;
        by_actor_.erase(known);
        name = row(former).name;
        flags(former) = there;
        until_.erase(former);
        sites_.erase(former);
    }
    const Id id = add(reader, name);
    by_actor_.insert(id);
    return id;
}

void Sharers::set_consent(Id id, const Consent& consent) {
    CHECK(consent.reading != Reading::off, "who is off is no sharer");
    until_.erase(id);
    sites_.erase(id);
    std::uint8_t set = there;
    if (consent.reading == Reading::paused) {
        set |= paused;
        if (consent.until) {
            set |= paused_until;
            until_.emplace(id, *consent.until);
        }
    }
    if (!consent.sites.empty()) {
        set |= on_some_sites;
        sites_.emplace(id, consent.sites);
    }
    if (consent.to == Audience::friends) {
        set |= to_friends;
    }
    if (pasts_.contains(id)) {
        set |= with_past;
    }
    flags(id) = set;
}

/// A former reader who is the present one has only begun to be a former one: a write was lost
/// between the two.
void Sharers::set_past(Id id, std::span<const FormerReader> formers) {
    auto past = std::make_shared<Past>();
    past->now = id;
    for (const FormerReader& each : formers) {
        if (each.reader.number == number(id)) {
            continue;
        }
        const auto known = by_number_.find(each.reader.number);
        past->before.push_back(known != by_number_.end() ? *known : add(each.reader, row(id).name));
        past->formers.push_back(each);
    }
    if (past->before.empty()) {
        return;
    }
    pasts_.emplace(id, past);
    for (const Id each : past->before) {
        pasts_.emplace(each, past);
    }
}

void Sharers::put(
    std::string_view actor,
    const Reader& reader,
    const Consent& consent,
    std::span<const FormerReader> formers
) {
    const std::lock_guard lock{mutex_};
    std::vector<Id> before;
    if (const auto known = by_actor_.find(actor); known != by_actor_.end()) {
        before = take_past(*known);
        if (number(*known) != reader.number) {
            before.push_back(*known);
        }
    }
    const Id id = present(actor, reader);
    replace_past(id, before, formers);
    set_consent(id, consent);
}

/// Of `before` those who are no former readers any more are nobody.
void Sharers::replace_past(
    Id id, const std::vector<Id>& before, std::span<const FormerReader> formers
) {
    set_past(id, formers);
    for (const Id each : before) {
        if (!pasts_.contains(each)) {
            take_out(each);
        }
    }
}

void Sharers::forget_formers(std::string_view actor, Instant through) {
    const std::lock_guard lock{mutex_};
    const auto known = by_actor_.find(actor);
    const auto past = known == by_actor_.end() ? pasts_.end() : pasts_.find(*known);
    if (past == pasts_.end()) {
        return;
    }
    const Id id = *known;
    std::vector<FormerReader> left = past->second->formers;
    std::erase_if(left, [&](const FormerReader& each) { return each.at <= through; });
    replace_past(id, take_past(id), left);
    if (!pasts_.contains(id)) {
        flags(id) = static_cast<std::uint8_t>(flags(id) & ~with_past);
    }
}

void Sharers::remove(std::string_view actor) {
    const std::lock_guard lock{mutex_};
    const auto known = by_actor_.find(actor);
    if (known == by_actor_.end()) {
        return;
    }
    const Id id = *known;
    by_actor_.erase(known);
    for (const Id each : take_past(id)) {
        take_out(each);
    }
    take_out(id);
}

/// Forgets that the actor with this id had taken anything back: the ids of the readers they were.
std::vector<Sharers::Id> Sharers::take_past(Id id) {
    const auto found = pasts_.find(id);
    if (found == pasts_.end()) {
        return {};
    }
    std::vector<Id> before = found->second->before;
    pasts_.erase(found);
    for (const Id each : before) {
        pasts_.erase(each);
    }
    return before;
}

std::shared_ptr<const Past> Sharers::past_of(Id id) const {
    const std::shared_lock lock{mutex_};
    const auto found = pasts_.find(id);
    return found == pasts_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<const Past>> Sharers::pasts() const {
    const std::shared_lock lock{mutex_};
    std::vector<std::shared_ptr<const Past>> all;
    for (const auto& [id, past] : pasts_) {
        if (id == past->now) {
            all.push_back(past);
        }
    }
    return all;
}

std::optional<Sharers::Sharing> Sharers::sharing(
    std::string_view actor, std::string_view host, Instant now
) const {
    const std::shared_lock lock{mutex_};
    const auto known = by_actor_.find(actor);
    if (known == by_actor_.end()) {
        return std::nullopt;
    }
    const Id id = *known;
    const std::uint8_t set = flags(id);
    if ((set & paused) != 0 && ((set & paused_until) == 0 || now < until_.at(id))) {
        return std::nullopt;
    }
    if ((set & on_some_sites) != 0 && !is_on_sites(host, sites_.at(id))) {
        return std::nullopt;
    }
    return Sharing{.id = id, .reader = reader(id)};
}

std::optional<Sharers::Id> Sharers::id_of(std::string_view actor) const {
    const std::shared_lock lock{mutex_};
    const auto known = by_actor_.find(actor);
    return known == by_actor_.end() ? std::nullopt : std::optional{*known};
}

std::optional<Sharers::Shown> Sharers::shown(std::string_view actor) const {
    const std::shared_lock lock{mutex_};
    const auto known = by_actor_.find(actor);
    if (known == by_actor_.end()) {
        return std::nullopt;
    }
    const std::uint8_t set = flags(*known);
    return Shown{
        .id = *known,
        .number = number(*known),
        .to = (set & to_friends) != 0 ? Audience::friends : Audience::anyone,
        .past = (set & with_past) != 0 ? pasts_.at(*known) : nullptr
    };
}

std::optional<Sharers::Id> Sharers::id_of_reader(std::uint64_t number) const {
    const std::shared_lock lock{mutex_};
    const auto known = by_number_.find(number);
    return known == by_number_.end() ? std::nullopt : std::optional{*known};
}

std::optional<Reader> Sharers::reader_of(Id id) const {
    const std::shared_lock lock{mutex_};
    if (id >= next_ || flags(id) == 0) {
        return std::nullopt;
    }
    return reader(id);
}

std::optional<Sharers::Numbered> Sharers::numbered(std::uint64_t number) const {
    const std::shared_lock lock{mutex_};
    const auto known = by_number_.find(number);
    if (known == by_number_.end()) {
        return std::nullopt;
    }
    return Numbered{.id = *known, .reader = reader(*known)};
}

std::string Sharers::actor_of(Id id) const {
    const std::shared_lock lock{mutex_};
    return id >= next_ || flags(id) == 0 ? std::string{} : std::string{name(id)};
}

Sharers::Id Sharers::ids_end() const {
    const std::shared_lock lock{mutex_};
    return next_;
}

std::size_t Sharers::size() const {
    const std::shared_lock lock{mutex_};
    return by_actor_.size();
}

std::size_t Sharers::bytes() const {
    const std::shared_lock lock{mutex_};
    std::size_t sum = chunks_.size() * sizeof(Chunk) + name_blocks_.size() * name_block_bytes +
                      bytes_of_set(by_actor_.bucket_count()) +
                      bytes_of_set(by_number_.bucket_count()) + until_.size() * 48 +
                      pasts_.size() * 160;
    for (const auto& [id, sites] : sites_) {
        sum += 80;
        for (const std::string& each : sites) {
            sum += sizeof(std::string) + each.capacity();
        }
    }
    return sum;
}

}  // namespace footfall::people
