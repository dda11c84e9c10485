#pragma once

#include "audit/sha256.h"
#include "foundation/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

/// The Merkle tree of RFC 9162, section 2.1 (the same as that of RFC 6962): a leaf is SHA-256(0x00
/// || entry), a node SHA-256(0x01 || left || right), and the left part of a tree of n leaves has as
/// many as the greatest power of two below n. Pure functions; what they cost is said in hashes, of
/// which each takes about 0.2 us.
namespace footfall::audit {

Hash leaf_hash(std::string_view entry);
Hash node_hash(const Hash& left, const Hash& right);

/// The root of the tree without leaves: SHA-256 of nothing.
Hash empty_root();

/// A whole subtree: the 2^level leaves from index * 2^level on.
struct Subtree {
    unsigned level = 0;
    std::uint64_t index = 0;

    friend bool operator==(const Subtree&, const Subtree&) = default;
};

/// The whole subtrees that the leaves [begin, end) of a tree are made of, from the left to the
/// right, where `begin` is the beginning of a part of the tree as it is split (RFC 9162).
std::vector<Subtree> subtrees_of(std::uint64_t begin, std::uint64_t end);

/// The right edge of a tree that grows: the roots of the whole subtrees that it is made of, the
/// largest first. All that is needed to add a leaf.
class Edge {
public:
    std::uint64_t size() const { return size_; }

    /// Adds a leaf. `completed(subtree, hash)` is told of each subtree that is whole by it, the
    /// leaf itself first. One hash a leaf, on average.
    template <class Completed>
    void add(const Hash& leaf, Completed completed) {
        Subtree subtree{.level = 0, .index = size_};
        Hash hash = leaf;
        completed(subtree, hash);
        for (std::uint64_t ones = size_; (ones & 1) != 0; ones >>= 1) {
            hash = node_hash(roots_.back(), hash);
            roots_.pop_back();
            subtree = {.level = subtree.level + 1, .index = subtree.index >> 1};
            completed(subtree, hash);
        }
        roots_.push_back(hash);
        ++size_;
    }

    void add(const Hash& leaf) {
        add(leaf, [](const Subtree&, const Hash&) {});
    }

    /// The root; at most one hash a subtree.
    Hash root() const { return root_of(roots_); }

    /// The edge of a tree of so many leaves, whose subtrees have these roots.
    static Edge make(std::uint64_t size, std::vector<Hash> roots);

    /// The root of what is made of these whole subtrees, the largest first.
    static Hash root_of(std::span<const Hash> roots);

private:
    std::uint64_t size_ = 0;
    std::vector<Hash> roots_;
};

/// The roots of these whole subtrees, in their order.
using ReadSubtrees = std::function<Result<std::vector<Hash>>(std::span<const Subtree>)>;

/// Parts of a tree, each as the whole subtrees that it is made of: the hashes of a proof.
using ProofParts = std::vector<std::vector<Subtree>>;

/// What proves that leaf `leaf` is in the tree of `size` leaves (RFC 9162, 2.1.3.1); `leaf` below
/// `size`.
ProofParts inclusion_parts(std::uint64_t leaf, std::uint64_t size);

/// What proves that the tree of `from` leaves is the beginning of that of `to` (RFC 9162,
/// 2.1.4.1); 0 < from <= to.
ProofParts consistency_parts(std::uint64_t from, std::uint64_t to);

/// The hashes of these parts: one question to `read`.
Result<std::vector<Hash>> proof_of(const ProofParts& parts, const ReadSubtrees& read);

/// Whether the proof leads from this leaf to the root (RFC 9162, 2.1.3.2).
bool includes(
    const Hash& root,
    std::uint64_t size,
    std::uint64_t leaf,
    const Hash& leaf_hash,
    std::span<const Hash> proof
);

/// Whether the proof leads from the root of `from` leaves to that of `to` (RFC 9162, 2.1.4.2). A
/// tree without leaves is the beginning of every one, by a proof of no hashes.
bool is_consistent(
    std::uint64_t from,
    const Hash& from_root,
    std::uint64_t to,
    const Hash& to_root,
    std::span<const Hash> proof
);

}  // namespace footfall::audit
