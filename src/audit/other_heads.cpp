#include "audit/log.h"
#include "audit/schema.h"
#include "foundation/json_string.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace footfall::audit {
namespace {

constexpr std::string_view head_kind = "head";
/// Of a log that has grown by more something else than heads is among them.
constexpr std::size_t looked_through = 1000;

/// Whether there is anything but heads in a log from `from` on, below `size`.
Result<bool> has_news(
    storage::Store& store, std::string_view log, std::uint64_t from, std::uint64_t size
) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(looked_through, size - from));
    TRY(const std::vector<StoredEntry> grown, read_entries(store, log, from, count));
    return size - from > looked_through || std::ranges::any_of(grown, [](const StoredEntry& each) {
               return each.entry.kind != head_kind;
           });
}

/// The newest head of another log that this one has.
Result<std::optional<TreeHead>> seen_head(
    storage::Store& store, const std::string& own, const std::string& other
) {
    TRY(const storage::Page page,
        storage::read_page(
            store, {.table = &audit_seen_table, .partition = {own, other}, .max_rows = 1}
        ));
    if (page.rows.empty()) {
        return std::nullopt;
    }
    TRY(const Hash root, hash_from(page.rows.at(0, 3).text()));
    return TreeHead{.size = static_cast<std::uint64_t>(page.rows.at(0, 2).number()), .root = root};
}

/// What is wrong with a head beside the one that was seen before; empty: it goes on from there.
Result<std::string> objection_to(
    storage::Store& store,
    std::string_view log,
    const std::optional<TreeHead>& before,
    const SignedHead& now
) {
    const auto key = Verifier::parse(now.vkey);
    const auto said = read_checkpoint(now.checkpoint);
    if (!key || !said || !key->check(now.checkpoint) || said->head != now.head) {
        return "its signature is not good";
    }
    if (!before || before->size == 0) {
        return "";
    }
    if (now.head.size < before->size) {
        return "it has fewer entries than the head before";
    }
    TRY(const std::vector<Hash> proof,
        proof_of(
            consistency_parts(before->size, now.head.size),
            [&](std::span<const Subtree> subtrees) { return read_subtrees(store, log, subtrees); }
        ));
    return is_consistent(before->size, before->root, now.head.size, now.head.root, proof)
               ? ""
               : "it does not go on from the head before: there are two histories";
}

}  // namespace

Result<std::size_t> Log::enter_heads() {
    TRY(const auto heads, read_heads(*store_));
    std::size_t entered = 0;
    for (const auto& [other, head] : heads) {
        if (other != name_) {
            TRY(const std::size_t here, enter_head(other, head));
            entered += here;
        }
    }
    return entered;
}

Result<std::size_t> Log::enter_head(const std::string& other, const SignedHead& head) {
    TRY(const std::optional<TreeHead> before, seen_head(*store_, name_, other));
    const std::uint64_t size = head.head.size;
    if (size == 0 || (before && before->size == size && before->root == head.head.root)) {
        return 0;
    }
    TRY(const std::string objection, objection_to(*store_, other, before, head));
    if (objection.empty()) {
        TRY(const bool news, has_news(*store_, other, before ? before->size : 0, size));
        if (!news) {
            return 0;
        }
    }
    // Of several processes one enters it. If it dies before it has, the next head is entered.
    std::vector<storage::Value> row{
        name_, other, static_cast<std::int64_t>(size), std::string{bytes_of(head.head.root)}
    };
    if (objection.empty()) {
        TRY(const auto there, read_one(*store_, audit_seen_table, {row.begin(), row.begin() + 3}));
        if (there) {
            return 0;
        }
    }
    std::string detail = R"({"log":)";
    append_json_string(detail, other);
    detail += R"(,"checkpoint":)";
    append_json_string(detail, head.checkpoint);
    detail += R"(,"vkey":)";
    append_json_string(detail, head.vkey);
    if (!objection.empty()) {
        detail += R"(,"objection":)";
        append_json_string(detail, objection);
    }
    detail += '}';
    TRY_VOID(record(
        {.kind = std::string{objection.empty() ? head_kind : "head_refused"},
         .author = std::string{author_footfall},
         .detail = std::move(detail)}
    ));
    TRY_VOID(store_->insert_new(audit_seen_table, std::move(row)));
    return 1;
}

}  // namespace footfall::audit
