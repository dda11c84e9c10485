#include "audit/tree.h"

#include "foundation/hex.h"
#include "foundation/random.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

namespace footfall::audit {
namespace {

std::vector<std::string> hexes(std::span<const Hash> hashes) {
    std::vector<std::string> texts;
    for (const Hash& each : hashes) {
        texts.push_back(hex(bytes_of(each)));
    }
    return texts;
}

/// The definition itself (RFC 9162, 2.1.1), for comparison.
Hash naive_root(std::span<const std::string> entries) {
    if (entries.empty()) {
        return sha256({});
    }
    if (entries.size() == 1) {
        return sha256({std::string_view{"\0", 1}, entries.front()});
    }
    const std::size_t split = std::bit_floor(entries.size() - 1);
    return sha256(
        {"\1",
         bytes_of(naive_root(entries.first(split))),
         bytes_of(naive_root(entries.subspan(split)))}
    );
}

/// The same of a proof (RFC 9162, 2.1.3.1).
std::vector<Hash> naive_inclusion(std::size_t leaf, std::span<const std::string> entries) {
    if (entries.size() == 1) {
        return {};
    }
    const std::size_t split = std::bit_floor(entries.size() - 1);
    const bool is_left = leaf < split;
    auto proof = is_left ? naive_inclusion(leaf, entries.first(split))
                         : naive_inclusion(leaf - split, entries.subspan(split));
    proof.push_back(naive_root(is_left ? entries.subspan(split) : entries.first(split)));
    return proof;
}

/// The same of SUBPROOF (RFC 9162, 2.1.4.1).
std::vector<Hash> naive_subproof(
    std::size_t from, std::span<const std::string> entries, bool is_known
) {
    if (from == entries.size()) {
        return is_known ? std::vector<Hash>{} : std::vector{naive_root(entries)};
    }
    const std::size_t split = std::bit_floor(entries.size() - 1);
    if (from <= split) {
        auto proof = naive_subproof(from, entries.first(split), is_known);
        proof.push_back(naive_root(entries.subspan(split)));
        return proof;
    }
    auto proof = naive_subproof(from - split, entries.subspan(split), false);
    proof.push_back(naive_root(entries.first(split)));
    return proof;
}

/// Answers subtrees by counting everything again.
ReadSubtrees reading(std::span<const std::string> entries) {
    return [entries](std::span<const Subtree> subtrees) -> Result<std::vector<Hash>> {
        std::vector<Hash> roots;
        for (const Subtree& each : subtrees) {
            const std::size_t width = std::size_t{1} << each.level;
            roots.push_back(naive_root(entries.subspan(each.index * width, width)));
        }
        return roots;
    };
}

std::vector<Hash> inclusion_of(
    std::uint64_t leaf, std::uint64_t size, std::span<const std::string> entries
) {
    return *proof_of(inclusion_parts(leaf, size), reading(entries));
}

std::vector<Hash> consistency_of(
    std::uint64_t from, std::uint64_t to, std::span<const std::string> entries
) {
    return *proof_of(consistency_parts(from, to), reading(entries));
}

/// The tree of the tests of Certificate Transparency (google/certificate-transparency,
/// merkle_tree_test; also in transparency-dev/merkle): its entries, roots and proofs.
std::vector<std::string> known_entries() {
    std::vector<std::string> entries;
    for (const char* const each :
         {"",
          "00",
          "10",
          "2021",
          "3031",
          "40414243",
          "5051525354555657",
          "606162636465666768696a6b6c6d6e6f"}) {
        entries.push_back(*unhex(each));
    }
    return entries;
}

TEST(Tree, has_the_roots_that_are_known) {
    EXPECT_EQ(
        hex(bytes_of(empty_root())),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    Edge edge;
    std::vector<std::string> roots;
    for (const std::string& each : known_entries()) {
        edge.add(leaf_hash(each));
        roots.push_back(hex(bytes_of(edge.root())));
    }
    EXPECT_THAT(
        roots,
        testing::ElementsAre(
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
        )
    );
}

TEST(Tree, has_the_proofs_that_are_known) {
    const std::vector<std::string> entries = known_entries();
    const std::string a = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
    const std::string b = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
    const std::string c = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";
    const std::string d = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
    const std::string e = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
    const std::string f = "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7";
    const std::string g = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a";
    const std::string h = "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125";
    using testing::ElementsAre;
    EXPECT_THAT(hexes(inclusion_of(0, 1, entries)), ElementsAre());
    EXPECT_THAT(hexes(inclusion_of(0, 8, entries)), ElementsAre(a, b, c));
    EXPECT_THAT(hexes(inclusion_of(5, 8, entries)), ElementsAre(d, e, f));
    EXPECT_THAT(hexes(inclusion_of(2, 3, entries)), ElementsAre(h));
    EXPECT_THAT(hexes(consistency_of(1, 8, entries)), ElementsAre(a, b, c));
    EXPECT_THAT(hexes(consistency_of(6, 8, entries)), ElementsAre(g, e, f));
    EXPECT_THAT(hexes(consistency_of(2, 5, entries)), ElementsAre(b, d));
    EXPECT_THAT(hexes(consistency_of(8, 8, entries)), ElementsAre());
}

TEST(Tree, is_as_defined_at_every_size) {
    std::vector<std::string> entries;
    Random random{27};
    Edge edge;
    for (std::size_t size = 1; size <= 70; ++size) {
        entries.push_back(fmt::format("{} {}", size, random.below(1'000'000)));
        std::size_t subtrees = 0;
        edge.add(leaf_hash(entries.back()), [&](const Subtree& subtree, const Hash& hash) {
            const std::size_t width = std::size_t{1} << subtree.level;
            EXPECT_EQ(hash, naive_root(std::span{entries}.subspan(subtree.index * width, width)));
            ++subtrees;
        });
        EXPECT_EQ(subtrees, 1U + static_cast<unsigned>(std::countr_zero(size)));
        const Hash root = naive_root(entries);
        ASSERT_EQ(edge.root(), root);
        for (std::size_t leaf = 0; leaf < size; ++leaf) {
            const auto proof = inclusion_of(leaf, size, entries);
            ASSERT_EQ(proof, naive_inclusion(leaf, entries));
            ASSERT_TRUE(includes(root, size, leaf, leaf_hash(entries[leaf]), proof));
            ASSERT_FALSE(
                includes(root, size, (leaf + 1) % (size + 1), leaf_hash(entries[leaf]), proof)
            );
            ASSERT_FALSE(includes(root, size, leaf, leaf_hash("another"), proof));
        }
        for (std::size_t from = 1; from <= size; ++from) {
            const auto proof = consistency_of(from, size, entries);
            ASSERT_EQ(proof, naive_subproof(from, entries, true));
            const Hash old_root = naive_root(std::span{entries}.first(from));
            ASSERT_TRUE(is_consistent(from, old_root, size, root, proof));
            ASSERT_FALSE(is_consistent(from, leaf_hash("another"), size, root, proof));
        }
    }
}

TEST(Tree, believes_no_proof_with_a_bit_changed_or_a_hash_more_or_less) {
    std::vector<std::string> entries;
    for (std::size_t at = 0; at < 37; ++at) {
        entries.push_back(std::to_string(at));
    }
    const Hash root = naive_root(entries);
    const Hash old_root = naive_root(std::span{entries}.first(21));
    const auto inclusion = inclusion_of(11, 37, entries);
    const auto consistency = consistency_of(21, 37, entries);
    const auto believed = [&](const std::vector<Hash>& path, const std::vector<Hash>& link) {
        return std::pair{
            includes(root, 37, 11, leaf_hash("11"), path),
            is_consistent(21, old_root, 37, root, link)
        };
    };
    EXPECT_EQ(believed(inclusion, consistency), (std::pair{true, true}));
    const auto spoilt = [](std::vector<Hash> proof, std::size_t at) {
        proof[at / 256][at % 256 / 8] ^= static_cast<std::uint8_t>(1U << at % 8);
        return proof;
    };
    for (std::size_t at = 0; at < 256 * inclusion.size(); at += 7) {
        EXPECT_FALSE(believed(spoilt(inclusion, at), consistency).first) << at;
    }
    for (std::size_t at = 0; at < 256 * consistency.size(); at += 7) {
        EXPECT_FALSE(believed(inclusion, spoilt(consistency, at)).second) << at;
    }
    const auto shorter = [](std::vector<Hash> proof) {
        proof.pop_back();
        return proof;
    };
    const auto longer = [](std::vector<Hash> proof) {
        proof.push_back(empty_root());
        return proof;
    };
    EXPECT_EQ(believed(shorter(inclusion), shorter(consistency)), (std::pair{false, false}));
    EXPECT_EQ(believed(longer(inclusion), longer(consistency)), (std::pair{false, false}));
    EXPECT_EQ(believed({}, {}), (std::pair{false, false}));
}

TEST(Tree, goes_on_from_the_subtrees_that_it_is_made_of) {
    std::vector<std::string> entries;
    for (std::size_t size = 0; size < 40; ++size) {
        const auto roots = *reading(entries)(subtrees_of(0, size));
        Edge edge = Edge::make(size, roots);
        EXPECT_EQ(edge.root(), naive_root(entries));
        entries.push_back(std::to_string(size));
        edge.add(leaf_hash(entries.back()));
        EXPECT_EQ(edge.root(), naive_root(entries));
    }
}

}  // namespace
}  // namespace footfall::audit
