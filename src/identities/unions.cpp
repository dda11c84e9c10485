#include "identities/unions.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace footfall::identities {

Unions::Unions(std::size_t ids, std::size_t profile_ids)
    : profile_ids_{profile_ids}, above_(ids), size_(ids, 1), known_at_(ids, nothing) {
    std::iota(above_.begin(), above_.end(), std::uint32_t{0});
}

void Unions::bound(std::uint32_t id, std::uint32_t network, std::size_t per_profile) {
    known_of(id).networks.emplace(network, OfNetwork{.ids = 1, .most = per_profile});
}

void Unions::place(std::uint32_t id, std::uint32_t parting, std::uint32_t side) {
    known_of(id).sides.insert(2 * parting + side);
}

Unions::Known& Unions::known_of(std::uint32_t profile) {
    if (known_at_[profile] == nothing) {
        known_at_[profile] = static_cast<std::uint32_t>(known_.size());
        known_.emplace_back();
    }
    return known_[known_at_[profile]];
}

std::uint32_t Unions::profile_of(std::uint32_t id) {
    while (above_[id] != id) {
        above_[id] = above_[above_[id]];
        id = above_[id];
    }
    return id;
}

bool Unions::parted(std::uint32_t one, std::uint32_t other) const {
    const Sides* fewer = &known_[known_at_[one]].sides;
    const Sides* more = &known_[known_at_[other]].sides;
    if (more->size() < fewer->size()) {
        std::swap(fewer, more);
    }
    return std::ranges::any_of(*fewer, [&](std::uint32_t side) {
        return more->contains(side ^ 1);
    });
}

bool Unions::too_many(std::uint32_t one, std::uint32_t other) const {
    const Networks* fewer = &known_[known_at_[one]].networks;
    const Networks* more = &known_[known_at_[other]].networks;
    if (more->size() < fewer->size()) {
        std::swap(fewer, more);
    }
    return std::ranges::any_of(*fewer, [&](const auto& each) {
        const auto also = more->find(each.first);
        return also != more->end() && each.second.ids + also->second.ids > each.second.most;
    });
}

void Unions::move_known(std::uint32_t from, std::uint32_t to) {
    if (known_at_[from] == nothing || known_at_[to] == nothing) {
        known_at_[to] = std::min(known_at_[from], known_at_[to]);
        return;
    }
    Known moved = std::exchange(known_[known_at_[from]], {});
    Known& known = known_[known_at_[to]];
    if (known.networks.size() < moved.networks.size()) {
        std::swap(known.networks, moved.networks);
    }
    for (const auto& [network, of_it] : moved.networks) {
        const auto [at, alone] = known.networks.emplace(network, of_it);
        at->second.ids += alone ? 0 : of_it.ids;
    }
    if (known.sides.size() < moved.sides.size()) {
        std::swap(known.sides, moved.sides);
    }
    known.sides.insert(moved.sides.begin(), moved.sides.end());
}

std::optional<Objection> Unions::unite(std::uint32_t one, std::uint32_t other, bool accepted) {
    one = profile_of(one);
    other = profile_of(other);
    if (one == other) {
        return std::nullopt;
    }
    const bool both_known = known_at_[one] != nothing && known_at_[other] != nothing;
    if (both_known && parted(one, other)) {
        return Objection::parting;
    }
    if (!accepted && both_known && too_many(one, other)) {
        return Objection::per_profile;
    }
    if (!accepted && std::size_t{size_[one]} + size_[other] > profile_ids_) {
        return Objection::profile_ids;
    }
    if (size_[one] < size_[other]) {
        std::swap(one, other);
    }
    move_known(other, one);
    above_[other] = one;
    size_[one] += size_[other];
    return std::nullopt;
}

}  // namespace footfall::identities
