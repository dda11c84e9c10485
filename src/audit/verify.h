#pragma once

#include "audit/entry.h"
#include "audit/note.h"
#include "audit/tree.h"
#include "foundation/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Holds a log to its head: what `footfall audit verify` does.
namespace footfall::audit {

/// Something that is wrong.
struct Finding {
    /// "edited", "inserted", "deleted", "swapped", "cut", "unsigned", "signature", "rewritten",
    /// "two_histories", "older".
    std::string what;
    std::optional<std::uint64_t> entry;  ///< Where, if that can be said.
    std::string text;                    ///< For people.
};

/// What a log is held to.
struct Anchors {
    std::string checkpoint;              ///< The head that the log shows.
    std::string vkey;                    ///< Whose signatures are asked for.
    std::vector<std::string> kept = {};  ///< Heads that somebody kept from earlier.
};

struct Verified {
    std::uint64_t entries = 0;
    TreeHead head;
    std::vector<Finding> findings;  ///< Empty: all is well. At most findings_max.
};

inline constexpr std::size_t findings_max = 100;

/// Checks a log whose entries are given one by one, as they stand there. A plain value, not
/// thread-safe. An entry costs two to three hashes of its length; what is kept in memory is a
/// few hundred bytes for each entry that is wrong, of which no more than 10,000 are looked at.
class Checker {
public:
    /// `tree_leaf`: the leaf of an entry as the stored tree has it; absent: it has none, or there
    /// is no tree beside the entries. May be empty.
    using TreeLeaf = std::function<std::optional<Hash>(std::uint64_t entry)>;

    explicit Checker(Anchors anchors, TreeLeaf tree_leaf = {});

    void add(const ShownEntry& entry);

    /// What is wrong, the first of it first.
    Verified finish();

private:
    struct Wrong {
        std::string tail;  ///< The entry's bytes behind its number.
        Hash shown;
    };

    void find(std::string what, std::optional<std::uint64_t> entry, std::string text);
    void take_number(std::uint64_t number);
    void keep_roots();
    bool is_signed_as(const Wrong& wrong, std::uint64_t number) const;
    void name_wrong();
    bool name_shift();
    void name_order();
    void check_head();
    void check_kept();

    Anchors anchors_;
    TreeLeaf tree_leaf_;
    Edge edge_;
    std::map<std::uint64_t, std::optional<Hash>> roots_;  ///< Of the sizes that heads have.
    std::uint64_t expected_ = 0;                          ///< The number that is to come.
    std::map<std::uint64_t, std::uint64_t> missing_;      ///< First and one behind the last.
    std::map<std::uint64_t, Wrong> wrong_;                ///< By number, leaf not as signed.
    std::vector<std::uint64_t> late_;                     ///< Came after a higher number.
    Verified verified_;
};

}  // namespace footfall::audit
