#include "people/sharers.h"

#include "foundation/check.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>

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
    const std::uint32_t at = chunk(id).names[id % chunk_readers];
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

Sharers::Id Sharers::add(std::string_view actor, const Reader& reader) {
    CHECK(next_ < std::numeric_limits<Id>::max(), "there are as many readers as there are ids");
    const Id id = next_++;
    if (id % chunk_readers == 0) {
        chunks_.push_back(std::make_unique<Chunk>());
    }
    chunk(id).names[id % chunk_readers] = store_name(actor);
    number(id) = reader.number;
    key(id) = reader.key;
    flags(id) = there;
    by_actor_.insert(id);
    by_number_.insert(id);
    return id;
}

void Sharers::take_out(Id id) {
    by_actor_.erase(id);
    by_number_.erase(id);
    flags(id) = 0;
    key(id) = {};
    until_.erase(id);
    sites_.erase(id);
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
    flags(id) = set;
}

void Sharers::put(std::string_view actor, const Reader& reader, const Consent& consent) {
    const std::lock_guard lock{mutex_};
    const auto known = by_actor_.find(actor);
    Id id = 0;
    if (known == by_actor_.end()) {
        id = add(actor, reader);
    } else if (number(*known) == reader.number) {
        id = *known;
        key(id) = reader.key;
    } else {
        take_out(*known);
        id = add(actor, reader);
    }
    set_consent(id, consent);
}

void Sharers::remove(std::string_view actor) {
    const std::lock_guard lock{mutex_};
    const auto known = by_actor_.find(actor);
    if (known != by_actor_.end()) {
        take_out(*known);
    }
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
    return Sharing{.id = id, .reader = {.number = number(id), .key = key(id)}};
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
    const bool is_to_friends = (flags(*known) & to_friends) != 0;
    return Shown{.id = *known, .to = is_to_friends ? Audience::friends : Audience::anyone};
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
    return Reader{.number = number(id), .key = key(id)};
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
                      bytes_of_set(by_number_.bucket_count()) + until_.size() * 48;
    for (const auto& [id, sites] : sites_) {
        sum += 80;
        for (const std::string& each : sites) {
            sum += sizeof(std::string) + each.capacity();
        }
    }
    return sum;
}

}  // namespace footfall::people
