#include "timeseries/catalogue.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace footfall::timeseries {
namespace {

/// Of a node of the ordered map beside its pair: three pointers and a colour.
constexpr std::size_t tree_node_bytes = 32;
/// Of the other map: a node's pointer and hash, and a place in its table.
constexpr std::size_t hash_node_bytes = 16;
constexpr std::size_t longest_inline_text = 15;

}  // namespace

/// What a search has found, and how much it may.
struct Catalogue::Walk {
    const series::Glob* pattern;
    std::size_t most;
    std::vector<Node> found = {};
};

Catalogue::Standing Catalogue::standing(SeriesId id, std::string_view name) const {
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) {
        return Standing::unknown;
    }
    return found->second->first == name ? Standing::known : Standing::other;
}

void Catalogue::see(SeriesId id, std::string_view name, std::int32_t day) {
    if (const auto found = by_id_.find(id); found != by_id_.end()) {
        found->second->second.seen = day;
        return;
    }
    const auto [place, added] =
        names_like(name).try_emplace(std::string{name}, Entry{.id = id, .seen = day});
    CHECK(added, "a name has one number");
    by_id_.emplace(id, place);
    bytes_ += bytes_of(name);
}

void Catalogue::remove(SeriesId id) {
    const auto found = by_id_.find(id);
    if (found != by_id_.end()) {
        bytes_ -= bytes_of(found->second->first);
        names_like(found->second->first).erase(found->second);
        by_id_.erase(found);
    }
}

const std::string* Catalogue::name_of(SeriesId id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second->first;
}

void Catalogue::remove_older(
    std::int32_t newest, const std::function<std::int32_t(std::string_view name)>& day_of
) {
    for (ByName* const names : {&tree_, &tagged_}) {
        for (auto at = names->begin(); at != names->end();) {
            const auto& [name, entry] = *at++;
            if (entry.seen < newest && entry.seen < day_of(name)) {
                remove(entry.id);
            }
        }
    }
}

Catalogue::ByName& Catalogue::names_like(std::string_view name) {
    return name.contains(';') ? tagged_ : tree_;
}

std::size_t Catalogue::bytes_of(std::string_view name) {
    const std::size_t text = name.size() > longest_inline_text ? name.size() + 1 : 0;
    return allocated_bytes(tree_node_bytes + sizeof(ByName::value_type)) + allocated_bytes(text) +
           allocated_bytes(hash_node_bytes + sizeof(std::pair<SeriesId, ByName::iterator>)) +
           sizeof(void*);
}

std::size_t Catalogue::recount() const {
    std::size_t bytes = 0;
    for (const ByName* const names : {&tree_, &tagged_}) {
        for (const auto& [name, entry] : *names) {
            bytes += bytes_of(name);
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
        found.push_back(at->first);
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
    const bool branch = next != tree_.end() && next->first.starts_with(beneath);
    if (level + 1 < walking.pattern->parts()) {
        if (branch) {
            walk(walking, level + 1, beneath);
        }
        return;
    }
    const bool leaf = tree_.contains(name);
    if (leaf || branch) {
        walking.found.push_back({.name = name, .leaf = leaf, .branch = branch});
    }
}

/// The parts that follow, each once, in order. Jumps over all that stands beneath one.
std::vector<std::string> Catalogue::children(const std::string& above) const {
    std::vector<std::string> parts;
    for (auto at = tree_.lower_bound(above); at != tree_.end() && at->first.starts_with(above);) {
        const std::string_view rest = std::string_view{at->first}.substr(above.size());
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
