#pragma once

#include "foundation/result.h"
#include "foundation/siphash.h"
#include "projecting/owners.h"
#include "reading/friend_list.h"
#include "reading/reads_wire.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace footfall::reading {

/// Asks the owners of lanes that others count who read URLs of them: each owner once a question,
/// all side by side, with the key of the list of friends; those who do not know the list are sent
/// it. Thread-safe. `owners` must outlive it.
class ReadsOfOthers {
public:
    /// `projection`: under which name they know it, a literal.
    ReadsOfOthers(projecting::Owners& owners, std::string_view projection, SipKey secret)
        : owners_{&owners}, projection_{projection}, secret_{secret} {}

    struct Url {
        std::uint32_t lane = 0;
        std::uint64_t url = 0;
    };

    /// Of each URL, in their order; absent: the owner did not answer. Places are those in `list`,
    /// of which the first `untimed` are told without times; null: everybody is told. Waits, but
    /// never long (projecting::Owners).
    std::vector<std::optional<UrlTold>> ask(
        std::span<const Url> urls, const FriendList* list, std::size_t untimed, people::UtcDay first
    );

    /// What was asked since the start.
    struct Figures {
        std::uint64_t told = 0;          ///< URLs told from an owner's memory.
        std::uint64_t left = 0;          ///< URLs left to rows.
        std::uint64_t unanswered = 0;    ///< URLs whose owner did not answer.
        std::uint64_t by_key = 0;        ///< Questions in which all knew the list.
        std::uint64_t sent = 0;          ///< Questions with a list that had not been sent before.
        std::uint64_t sent_again = 0;    ///< Questions in which some did not know it any more.
        std::uint64_t microseconds = 0;  ///< For how long was waited.
    };

    Figures figures() const;

private:
    static constexpr std::size_t keys_max = 4'096;

    struct OfLane;

    bool was_sent(const ListKey& key);
    std::size_t send(std::span<OfLane> lanes, std::size_t listed, std::string_view list);
    void count(std::span<const std::optional<UrlTold>> answers);

    projecting::Owners* owners_;
    const std::string_view projection_;
    const SipKey secret_;
    std::mutex mutex_;
    boost::unordered_flat_set<ListKey, std::hash<ListKey>> sent_;  ///< Guarded by mutex_.
    std::atomic<std::uint64_t> told_ = 0;
    std::atomic<std::uint64_t> left_ = 0;
    std::atomic<std::uint64_t> unanswered_ = 0;
    std::atomic<std::uint64_t> by_key_ = 0;
    std::atomic<std::uint64_t> lists_sent_ = 0;
    std::atomic<std::uint64_t> sent_again_ = 0;
    std::atomic<std::uint64_t> microseconds_ = 0;
};

}  // namespace footfall::reading
