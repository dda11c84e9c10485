#include "timeseries/catalogue.h"

#include "foundation/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace footfall::timeseries {
namespace {

/// The table of numbers has, of 15 places with a byte each and one for all, at least seven taken.
constexpr std::size_t table_bytes = (15 * sizeof(SmallPieces::Ref) + 16 + 6) / 7;
/// What a name and a day, since 1970 or before, have room for.
constexpr std::size_t name_bytes_end = SmallPieces::bytes_max / 2 + 1;
constexpr std::int32_t day_end = std::int32_t{1} << 19;
/// Less is not worth packing.
constexpr std::size_t packed_from = 64 << 10;

}  // namespace

/// What a search has found, and how much it may.
struct Catalogue::Walk {
    const series::Glob* pattern;
    std::size_t most;
    std::vector<Node> found = {};
};

Catalogue::~Catalogue() {
    for (ByName* const names : {&tree_, &tagged_}) {
        names->clear();  // before their memory goes
    }
}

Catalogue::Standing Catalogue::standing(SeriesId id, std::string_view name) const {
    return look_up(id, name).standing;
}

Catalogue::Known Catalogue::look_up(SeriesId id, std::string_view name) const {
    const Entry* const entry = find_entry(id);
    if (entry == nullptr) {
        return {};
    }
    return {
        .standing = entry->name() == name ? Standing::known : Standing::other,
        .seen = entry->seen,
        .noted = entry->noted
    };
}

Catalogue::Entry& Catalogue::of(SeriesId id) const {
    Entry* const entry = find_entry(id);
    CHECK(entry != nullptr, "a series is known", id);
    return *entry;
}

void Catalogue::see(SeriesId id, std::string_view name, std::int32_t day) {
    day = std::clamp(day, -day_end, day_end - 1);
    if (Entry* const known = find_entry(id); known != nullptr) {
        known->seen = day;
        return;
    }
    CHECK(name.size() < name_bytes_end, "the length of a name", name.size());
    const Piece piece{pieces_->take(sizeof(Entry) + name.size())};
    Entry& entry = make_entry(*pieces_, piece, name);
    entry.id = id;
    entry.seen = day;
    const auto [place, added] = names_like(name).insert(entry);
    CHECK(added, "a name has one number");
    by_id_.insert(piece);
    bytes_ += bytes_of(name);
}

void Catalogue::remove(SeriesId id) {
    if (Entry* const entry = find_entry(id); entry != nullptr) {
        drop(*entry);
        pack_if_sparse();
    }
}

void Catalogue::drop(Entry& entry) {
    const std::string_view name = entry.name();
    bytes_ -= bytes_of(name);
    const auto found = by_id_.find(entry.id);
    const Piece piece = *found;
    by_id_.erase(found);
    ByName& names = names_like(name);
    names.erase(names.iterator_to(entry));
    pieces_->give_back(piece.ref, sizeof(Entry) + name.size());
}

std::optional<std::string_view> Catalogue::name_of(SeriesId id) const {
    const Entry* const entry = find_entry(id);
    return entry == nullptr ? std::nullopt : std::optional{entry->name()};
}

void Catalogue::remove_older(
    std::int32_t newest, const std::function<std::int32_t(std::string_view name)>& day_of
) {
    for (ByName* const names : {&tree_, &tagged_}) {
        for (auto at = names->begin(); at != names->end();) {
            Entry& entry = *at++;
            if (entry.seen < newest && entry.seen < day_of(entry.name())) {
                drop(entry);
            }
        }
    }
    pack_if_sparse();
}

Catalogue::Entry& Catalogue::make_entry(SmallPieces& pieces, Piece piece, std::string_view name) {
    auto* const entry = new (pieces.at(piece.ref)) Entry;
    entry->name_bytes = static_cast<std::uint32_t>(name.size());
    std::ranges::copy(name, reinterpret_cast<char*>(entry + 1));
    return *entry;
}

/// Moves all entries to memory of their own size when a third of what they have is nobody's: what
/// series had that were forgotten is not booked any more.
void Catalogue::pack_if_sparse() {
    if (pieces_->free_bytes() <= std::max(bytes_ / 2, packed_from)) {
        return;
    }
    SmallPieces packed;
    by_id_.clear();
    std::vector<Piece> all;
    all.reserve(tree_.size() + tagged_.size());
    for (ByName* const names : {&tree_, &tagged_}) {
        ByName moved;
        for (const Entry& entry : *names) {
            const std::string_view name = entry.name();
            const Piece piece{packed.take(sizeof(Entry) + name.size())};
            Entry& copy = make_entry(packed, piece, name);
            copy.id = entry.id;
            copy.noted = entry.noted;
            copy.seen = entry.seen;
            moved.insert(moved.end(), copy);
            all.push_back(piece);
        }
        names->clear();
        names->swap(moved);
    }
    pieces_->swap(packed);
    by_id_.rehash(all.size());
    by_id_.insert(all.begin(), all.end());
}

Catalogue::ByName& Catalogue::names_like(std::string_view name) {
    return name.contains(';') ? tagged_ : tree_;
}

std::size_t Catalogue::bytes_of(std::string_view name) {
    return SmallPieces::bytes_of(sizeof(Entry) + name.size()) + table_bytes;
}

std::size_t Catalogue::recount() const {
    std::size_t bytes = 0;
    for (const ByName* const names : {&tree_, &tagged_}) {
        for (const Entry& entry : *names) {
            bytes += bytes_of(entry.name());
        }
    }
    return bytes;
}

Result<std::vector<Node>> Catalogue::find(const series::Glob& pattern, std::size_t most) const {
    Walk searching{.pattern = &pattern, .most = most};
    walk(searching, 0, "");
    if (searching.found.size() > most) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("{} stands for more than {} names: ask for less", pattern.text(), most)
        );
    }
    return std::move(searching.found);
}

std::vector<std::string> Catalogue::names_from(
    Tagged tagged, std::string_view from, std::size_t most
) const {
    const ByName& names = tagged == Tagged::yes ? tagged_ : tree_;
    std::vector<std::string> found;
    for (auto at = names.lower_bound(from); at != names.end() && found.size() < most; ++at) {
        found.emplace_back(at->name());
    }
    return found;
}

/// Goes through what is beneath `above`, which is empty or ends with a dot.
void Catalogue::walk(Walk& walk, std::size_t level, const std::string& above) const {
    if (walk.pattern->is_plain(level)) {
        look(walk, level, above + walk.pattern->part(level));
        return;
    }
    for (const std::string& part : children(above)) {
        if (walk.found.size() > walk.most) {
            return;
        }
        if (walk.pattern->matches_part(level, part)) {
            look(walk, level, above + part);
        }
    }
}

void Catalogue::look(Walk& walking, std::size_t level, const std::string& name) const {
    const std::string beneath = name + '.';
    const auto next = tree_.lower_bound(beneath);
    const bool branch = next != tree_.end() && next->name().starts_with(beneath);
    if (level + 1 < walking.pattern->parts()) {
        if (branch) {
            walk(walking, level + 1, beneath);
        }
        return;
    }
    const bool leaf = tree_.find(name) != tree_.end();
    if (leaf || branch) {
        walking.found.push_back({.name = name, .leaf = leaf, .branch = branch});
    }
}

/// The parts that follow, each once, in order. Jumps over all that stands beneath one.
std::vector<std::string> Catalogue::children(const std::string& above) const {
    std::vector<std::string> parts;
    for (auto at = tree_.lower_bound(above); at != tree_.end() && at->name().starts_with(above);) {
        const std::string_view rest = at->name().substr(above.size());
        std::string part{rest.substr(0, rest.find('.'))};
        // The byte that follows the dot.
        at = part.size() == rest.size() ? std::next(at) : tree_.lower_bound(above + part + '/');
        parts.push_back(std::move(part));
    }
    // "a-b" stands between "a" and "a.c".
    std::ranges::sort(parts);
    const auto repeated = std::ranges::unique(parts);
    parts.erase(repeated.begin(), repeated.end());
    return parts;
}

}  // namespace footfall::timeseries
