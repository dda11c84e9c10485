#include "audit/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

namespace footfall::audit {
namespace {

constexpr std::size_t wrong_max = 10'000;

/// The bytes of an entry behind its number.
std::string tail_of(std::string_view bytes) {
    return std::string{bytes.substr(std::min(bytes.find(','), bytes.size()))};
}

Hash leaf_with(std::uint64_t number, std::string_view tail) {
    return leaf_hash(fmt::format(R"({{"entry":{}{})", number, tail));
}

std::string heads_text(const TreeHead& head) {
    return fmt::format("the head of {} entries with the root {}", head.size, base64_of(head.root));
}

}  // namespace

Checker::Checker(Anchors anchors, TreeLeaf tree_leaf)
    : anchors_{std::move(anchors)}, tree_leaf_{std::move(tree_leaf)} {
    const auto note_size = [&](std::string_view note) {
        if (const auto said = read_checkpoint(note)) {
            roots_.emplace(said->head.size, std::nullopt);
        }
    };
    note_size(anchors_.checkpoint);
    for (const std::string& each : anchors_.kept) {
        note_size(each);
    }
    keep_roots();
}

void Checker::find(std::string what, std::optional<std::uint64_t> entry, std::string text) {
    if (verified_.findings.size() < findings_max) {
        verified_.findings.push_back(
            {.what = std::move(what), .entry = entry, .text = std::move(text)}
        );
    }
}

/// The root is only worked out where somebody has signed it.
void Checker::keep_roots() {
    const auto found = roots_.find(edge_.size());
    if (found != roots_.end()) {
        found->second = edge_.root();
    }
}

void Checker::take_number(std::uint64_t number) {
    if (number >= expected_) {
        if (number > expected_) {
            missing_.emplace(expected_, number);
        }
        expected_ = number + 1;
        return;
    }
    const auto behind = missing_.upper_bound(number);
    const auto gap = behind == missing_.begin() ? missing_.end() : std::prev(behind);
    if (gap == missing_.end() || gap->second <= number) {
        find("inserted", number, fmt::format("entry {} stands there twice", number));
        return;
    }
    const auto [begin, end] = *gap;
    missing_.erase(gap);
    if (begin < number) {
        missing_.emplace(begin, number);
    }
    if (number + 1 < end) {
        missing_.emplace(number + 1, end);
    }
    late_.push_back(number);
}

void Checker::add(const ShownEntry& entry) {
    ++verified_.entries;
    take_number(entry.number);
    const Hash leaf = leaf_hash(entry.bytes);
    const auto in_tree = tree_leaf_ ? tree_leaf_(entry.number) : std::nullopt;
    if ((leaf != entry.leaf || (in_tree && *in_tree != leaf)) && wrong_.size() < wrong_max) {
        wrong_.try_emplace(entry.number, Wrong{.tail = tail_of(entry.bytes), .shown = entry.leaf});
    }
    edge_.add(leaf);
    keep_roots();
}

/// Whether what stands there was signed under this number.
bool Checker::is_signed_as(const Wrong& wrong, std::uint64_t number) const {
    const Hash leaf = leaf_with(number, wrong.tail);
    if (leaf == wrong.shown) {
        return true;
    }
    const auto in_tree = tree_leaf_ ? tree_leaf_(number) : std::nullopt;
    return in_tree && *in_tree == leaf;
}

/// Whether all from some entry on stand one place from where they were signed: one was put in, or
/// taken out, and the others given new numbers.
bool Checker::name_shift() {
    const auto& [first, at_first] = *wrong_.begin();
    const auto& [last, at_end] = *wrong_.rbegin();
    const bool is_pair =
        wrong_.size() == 2 && is_signed_as(at_first, last) && is_signed_as(at_end, first);
    if (is_pair) {
        return false;
    }
    if (is_signed_as(at_first, first + 1) && is_signed_as(at_end, last + 1)) {
        find(
            "deleted",
            first,
            fmt::format("entry {} was taken out, and those behind it have other numbers", first)
        );
        return true;
    }
    // What was put in has a leaf of its own where whoever did it wrote one.
    std::optional<std::uint64_t> put_in;
    if (first > 0 && is_signed_as(at_first, first - 1)) {
        put_in = first - 1;
    } else if (last > first && is_signed_as(std::next(wrong_.begin())->second, first) &&
               is_signed_as(at_end, last - 1)) {
        put_in = first;
    }
    if (put_in) {
        find(
            "inserted",
            put_in,
            fmt::format("entry {} was put in, and those behind it have other numbers", *put_in)
        );
    }
    return put_in.has_value();
}

void Checker::name_wrong() {
    if (wrong_.empty() || name_shift()) {
        return;
    }
    // Two that changed places are looked for among few: each is tried with each.
    constexpr std::size_t pairs_among = 200;
    while (!wrong_.empty()) {
        const auto node = wrong_.extract(wrong_.begin());
        const std::uint64_t number = node.key();
        const auto other = wrong_.size() > pairs_among
                               ? wrong_.end()
                               : std::ranges::find_if(wrong_, [&](const auto& each) {
                                     return is_signed_as(node.mapped(), each.first) &&
                                            is_signed_as(each.second, number);
                                 });
        if (other != wrong_.end()) {
            find(
                "swapped",
                number,
                fmt::format("entries {} and {} have changed places", number, other->first)
            );
            wrong_.erase(other);
        } else {
            find(
                "edited",
                number,
                fmt::format("entry {} is not what was signed: it was changed", number)
            );
        }
    }
}

/// Numbers that are missing, or came late.
void Checker::name_order() {
    for (const std::uint64_t each : late_) {
        find("swapped", each, fmt::format("entry {} stands behind a later one", each));
    }
    for (const auto& [begin, end] : missing_) {
        find(
            "deleted",
            begin,
            begin + 1 == end ? fmt::format("entry {} is missing", begin)
                             : fmt::format("entries {} to {} are missing", begin, end - 1)
        );
    }
}

void Checker::check_head() {
    const auto key = Verifier::parse(anchors_.vkey);
    const auto said = read_checkpoint(anchors_.checkpoint);
    if (!key || !said) {
        find("signature", std::nullopt, key ? said.error().message : key.error().message);
        return;
    }
    verified_.head = said->head;
    if (const auto good = key->check(anchors_.checkpoint); !good) {
        find("signature", std::nullopt, good.error().message);
    }
    const std::uint64_t size = said->head.size;
    if (expected_ < size) {
        find(
            "cut",
            expected_,
            fmt::format(
                "the end is cut off: the head has {} entries, and the last one there is {}",
                size,
                expected_ == 0 ? "none" : fmt::format("{}", expected_ - 1)
            )
        );
    } else if (expected_ > size) {
        find(
            "unsigned",
            size,
            fmt::format("entries from {} on are under no head: they were put behind it", size)
        );
    }
    if (verified_.findings.empty() && roots_.at(size) != said->head.root) {
        find(
            "rewritten",
            std::nullopt,
            "entries were changed and the hashes with them: they do not lead to the root that was "
            "signed"
        );
    }
}

/// Heads of earlier, each of which must be a beginning of this log.
void Checker::check_kept() {
    const auto key = Verifier::parse(anchors_.vkey);
    std::optional<std::uint64_t> good;
    for (const std::string& each : anchors_.kept) {
        const auto said = read_checkpoint(each);
        if (!said || (key && !key->check(each))) {
            find("signature", std::nullopt, "a head that was kept is not signed by this log's key");
            continue;
        }
        const auto& root = roots_.at(said->head.size);
        if (!root) {
            find(
                "older",
                expected_,
                fmt::format(
                    "{} was kept, and this log ends before it: its end was cut off, or an older "
                    "backup was put back",
                    heads_text(said->head)
                )
            );
        } else if (*root != said->head.root) {
            find(
                "two_histories",
                good,
                fmt::format(
                    "{} was kept, and is no beginning of this log: two histories were shown, or "
                    "the past was rewritten",
                    heads_text(said->head)
                )
            );
        } else {
            good = std::max(good.value_or(0), said->head.size);
        }
    }
}

Verified Checker::finish() {
    name_order();
    name_wrong();
    check_head();
    check_kept();
    std::ranges::sort(verified_.findings, {}, [](const Finding& each) {
        return std::tuple{
            each.entry.value_or(std::numeric_limits<std::uint64_t>::max()),
            std::string_view{each.what},
            std::string_view{each.text}
        };
    });
    return std::move(verified_);
}

}  // namespace footfall::audit
