#include "identities/fact.h"

#include "foundation/check.h"
#include "foundation/hex.h"
#include "foundation/siphash.h"
#include "keys/key_text.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace footfall::identities {
namespace {

/// In the order of FactKind.
constexpr std::array<std::string_view, 7> kind_names{
    "link", "parting", "accept", "reject", "revoke", "datum", "lift"
};

/// Zeros at the beginning of ids that stand first.
constexpr std::ptrdiff_t first_zeros = 4;

/// Of any length, so that no two lists of texts have the same bytes.
void append_text(std::string_view text, std::string& out) {
    for (std::size_t at = 0; at < sizeof(std::uint32_t); ++at) {
        out += static_cast<char>(text.size() >> (8 * at));
    }
    out += text;
}

void append_ids(const std::vector<Id>& ids, std::string& out) {
    out += static_cast<char>(ids.size());
    for (const Id& each : ids) {
        append_text(each.identifier, out);
        append_text(each.id_name, out);
        append_text(each.id_value, out);
    }
}

/// Of `fact`, whose times are still those of its own statement, and of `other`, which says `said`.
void merge(Datum& datum, const Datum& said, const Fact& fact, const Fact& other) {
    if (std::tie(other.first, said.first) < std::tie(fact.first, datum.first)) {
        datum.first = said.first;
    }
    if (std::tie(fact.last, datum.latest) < std::tie(other.last, said.latest)) {
        datum.latest = said.latest;
    }
    const auto length_of = [](const std::string& value) { return std::pair{value.size(), value}; };
    if (length_of(datum.longest) < length_of(said.longest)) {
        datum.longest = said.longest;
    }
}

}  // namespace

std::string text_of(const FactId& fact) {
    return hex(std::string{fact.bytes.begin(), fact.bytes.end()});
}

std::optional<FactId> fact_id_of(std::string_view text) {
    FactId id;
    const auto bytes = unhex(text);
    if (!bytes || bytes->size() != id.bytes.size()) {
        return std::nullopt;
    }
    std::ranges::copy(*bytes, id.bytes.begin());
    return id;
}

void arrange(std::vector<Id>& ids) {
    std::ranges::sort(ids);
    const auto repeated = std::ranges::unique(ids);
    ids.erase(repeated.begin(), repeated.end());
}

/// Parts are told from each other: none has a NUL.
std::uint64_t hash_of(const Id& id) {
    std::string text = id.identifier;
    for (const std::string* const each : {&id.id_name, &id.id_value}) {
        text += '\0';
        text += *each;
    }
    return siphash13(SipKey{0, 0}, text);
}

void seal(Fact& fact) {
    arrange(fact.ids);
    arrange(fact.others);
    // Which side of a parting is named first says nothing.
    if (!fact.others.empty() && fact.others < fact.ids) {
        std::swap(fact.ids, fact.others);
    }
    std::string bytes{"footfall fact 1"};
    bytes += static_cast<char>(fact.kind);
    append_ids(fact.ids, bytes);
    append_ids(fact.others, bytes);
    append_text(fact.about ? text_of(*fact.about) : std::string{}, bytes);
    append_text(fact.source, bytes);
    if (fact.datum) {
        append_text(fact.datum->name, bytes);
    }
    const keys::SecretHash hash = keys::hash_of(bytes);
    std::copy_n(hash.begin(), fact.id.bytes.size(), fact.id.bytes.begin());
    if (decides_sharing(fact)) {
        std::fill_n(fact.id.bytes.begin(), first_zeros, std::uint8_t{0});
    }
}

bool decides_sharing(const Fact& fact) {
    return fact.kind == FactKind::lift ||
           (fact.kind == FactKind::revoke && fact.about && stands_first(*fact.about));
}

bool stands_first(const FactId& fact) {
    return std::all_of(fact.bytes.begin(), fact.bytes.begin() + first_zeros, [](std::uint8_t each) {
        return each == 0;
    });
}

void merge(Fact& fact, const Fact& other) {
    CHECK(fact.id == other.id, "two statements of one fact");
    // Of who said it the earliest statement tells.
    if (std::tie(other.recorded, other.author, other.reason) <
        std::tie(fact.recorded, fact.author, fact.reason)) {
        fact.recorded = other.recorded;
        fact.author = other.author;
        fact.reason = other.reason;
    }
    if (fact.datum && other.datum) {
        merge(*fact.datum, *other.datum, fact, other);
    }
    fact.first = std::min(fact.first, other.first);
    fact.last = std::max(fact.last, other.last);
}

std::string_view name_of(FactKind kind) {
    return kind_names.at(static_cast<std::size_t>(kind));
}

std::optional<FactKind> kind_named(std::string_view name) {
    const auto* const found = std::ranges::find(kind_names, name);
    return found == kind_names.end()
               ? std::nullopt
               : std::optional{static_cast<FactKind>(found - kind_names.begin())};
}

std::vector<Id> holders_of(const Fact& fact) {
    const bool is_other_smaller = !fact.others.empty() && fact.others.size() < fact.ids.size();
    return is_other_smaller ? fact.others : fact.ids;
}

std::vector<Id> ids_of(const Fact& fact) {
    std::vector<Id> all = fact.ids;
    std::ranges::copy(fact.others, std::back_inserter(all));
    arrange(all);
    return all;
}

}  // namespace footfall::identities
