#include "audit/tree.h"

#include "foundation/check.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace footfall::audit {
namespace {

constexpr std::string_view leaf_prefix{"\0", 1};
constexpr std::string_view node_prefix{"\1", 1};

/// The greatest power of two below `size`, which is above 1.
std::uint64_t split_of(std::uint64_t size) {
    return std::bit_floor(size - 1);
}

}  // namespace

Hash leaf_hash(std::string_view entry) {
    return sha256({leaf_prefix, entry});
}

Hash node_hash(const Hash& left, const Hash& right) {
    return sha256({node_prefix, bytes_of(left), bytes_of(right)});
}

Hash empty_root() {
    return sha256({});
}

std::vector<Subtree> subtrees_of(std::uint64_t begin, std::uint64_t end) {
    std::vector<Subtree> subtrees;
    while (begin < end) {
        const auto level = static_cast<unsigned>(std::bit_width(end - begin) - 1);
        CHECK((begin & ((std::uint64_t{1} << level) - 1)) == 0, "a part of a tree", begin, end);
        subtrees.push_back({.level = level, .index = begin >> level});
        begin += std::uint64_t{1} << level;
    }
    return subtrees;
}

Edge Edge::make(std::uint64_t size, std::vector<Hash> roots) {
    CHECK(roots.size() == static_cast<std::size_t>(std::popcount(size)), "a subtree a bit", size);
    Edge edge;
    edge.size_ = size;
    edge.roots_ = std::move(roots);
    return edge;
}

Hash Edge::root_of(std::span<const Hash> roots) {
    if (roots.empty()) {
        return empty_root();
    }
    Hash root = roots.back();
    for (std::size_t at = roots.size() - 1; at > 0; --at) {
        root = node_hash(roots[at - 1], root);
    }
    return root;
}

ProofParts inclusion_parts(std::uint64_t leaf, std::uint64_t size) {
    CHECK(leaf < size, "a leaf of the tree", leaf, size);
    ProofParts parts;
    std::uint64_t begin = 0;
    std::uint64_t end = size;
    while (end - begin > 1) {
        const std::uint64_t middle = begin + split_of(end - begin);
        if (leaf < middle) {
            parts.push_back(subtrees_of(middle, end));
            end = middle;
        } else {
            parts.push_back(subtrees_of(begin, middle));
            begin = middle;
        }
    }
    std::ranges::reverse(parts);
    return parts;
}

ProofParts consistency_parts(std::uint64_t from, std::uint64_t to) {
    CHECK(from > 0 && from <= to, "a beginning of the tree", from, to);
    ProofParts parts;
    std::uint64_t begin = 0;
    std::uint64_t end = to;
    while (from != end) {
        const std::uint64_t middle = begin + split_of(end - begin);
        if (from <= middle) {
            parts.push_back(subtrees_of(middle, end));
            end = middle;
        } else {
            parts.push_back(subtrees_of(begin, middle));
            begin = middle;
        }
    }
    // The old tree itself is known to whoever asks, unless it is only a part of what is left.
    if (begin != 0) {
        parts.push_back(subtrees_of(begin, end));
    }
    std::ranges::reverse(parts);
    return parts;
}

Result<std::vector<Hash>> proof_of(const ProofParts& parts, const ReadSubtrees& read) {
    std::vector<Subtree> asked;
    for (const auto& part : parts) {
        asked.insert(asked.end(), part.begin(), part.end());
    }
    TRY(const std::vector<Hash> hashes, read(asked));
    CHECK(hashes.size() == asked.size(), "each is answered");
    std::vector<Hash> proof;
    proof.reserve(parts.size());
    std::span<const Hash> left{hashes};
    for (const auto& part : parts) {
        proof.push_back(Edge::root_of(left.first(part.size())));
        left = left.subspan(part.size());
    }
    return proof;
}

bool includes(
    const Hash& root,
    std::uint64_t size,
    std::uint64_t leaf,
    const Hash& leaf_hash,
    std::span<const Hash> proof
) {
    if (leaf >= size) {
        return false;
    }
    std::uint64_t at = leaf;
    std::uint64_t last = size - 1;
    Hash reached = leaf_hash;
    for (const Hash& each : proof) {
        if (last == 0) {
            return false;
        }
        if ((at & 1) != 0 || at == last) {
            reached = node_hash(each, reached);
            while ((at & 1) == 0 && at != 0) {
                at >>= 1;
                last >>= 1;
            }
        } else {
            reached = node_hash(reached, each);
        }
        at >>= 1;
        last >>= 1;
    }
    return last == 0 && reached == root;
}

bool is_consistent(
    std::uint64_t from,
    const Hash& from_root,
    std::uint64_t to,
    const Hash& to_root,
    std::span<const Hash> proof
) {
    if (from > to) {
        return false;
    }
    if (from == 0) {
        return proof.empty() && from_root == empty_root();
    }
    if (from == to) {
        return proof.empty() && from_root == to_root;
    }
    std::span<const Hash> left = proof;
    Hash old_root = from_root;
    if (!std::has_single_bit(from)) {
        if (left.empty()) {
            return false;
        }
        old_root = left.front();
        left = left.subspan(1);
    }
    Hash new_root = old_root;
    std::uint64_t at = from - 1;
    std::uint64_t last = to - 1;
    while ((at & 1) != 0) {
        at >>= 1;
        last >>= 1;
    }
    for (const Hash& each : left) {
        if (last == 0) {
            return false;
        }
        if ((at & 1) != 0 || at == last) {
            old_root = node_hash(each, old_root);
            new_root = node_hash(each, new_root);
            while ((at & 1) == 0 && at != 0) {
                at >>= 1;
                last >>= 1;
            }
        } else {
            new_root = node_hash(new_root, each);
        }
        at >>= 1;
        last >>= 1;
    }
    return last == 0 && old_root == from_root && new_root == to_root;
}

}  // namespace footfall::audit
