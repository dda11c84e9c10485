#pragma once

#include "foundation/result.h"
#include "foundation/siphash.h"
#include "people/sharers.h"
#include "projecting/projection.h"
#include "reading/friend_list.h"
#include "reading/hot_urls.h"
#include "reading/known_lists.h"
#include "reading/reads_wire.h"
#include "runtime/accounted_lanes.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::reading {

/// Answers other processes who read URLs of the lanes that are counted here, from memory. It says
/// which numbers read what and nothing about people: who may appear, and what was taken back, is
/// for the asker to say, as it is of its own lanes.
///
/// What it cannot say as the asker would it leaves to rows, and says what is not in them yet: a URL
/// that is not in memory, which somebody is to load then (take_wanted()); friends of whom one is
/// not known here yet; another day.
///
/// Thread-safe, never waits. All must outlive it.
class ReadsDesk {
public:
    /// What waits for its rows of a URL.
    using Waiting = std::function<std::vector<UrlRead>(std::uint32_t lane, std::uint64_t url)>;

    ReadsDesk(const people::Sharers& sharers, HotUrls& hot, SipKey secret, Waiting waiting)
        : sharers_{&sharers}, hot_{&hot}, secret_{secret}, waiting_{std::move(waiting)} {}

    /// The day it is here, and how much lists may take.
    struct Now {
        QuarterOfTime quarter = 0;
        people::UtcDay first = 0;
        std::size_t lists_bytes_max = 0;
    };

    /// The answers for some lanes (written_reads()), in their order. `list`: that of all of them
    /// (written_list()), or empty. `invalid_input`: it is no question.
    Result<std::vector<std::string>> answer(
        std::span<const projecting::AskedLane> asked, std::string_view list, const Now& now
    );

    /// A URL that was asked for in vain.
    struct Wanted {
        std::uint32_t lane = 0;
        std::uint64_t url = 0;
    };

    /// Some of them, which nobody else is told of. Whoever asked for more than `wanted_max` that
    /// were not taken yet has to ask again.
    std::vector<Wanted> take_wanted(std::size_t most);

    std::size_t lists() { return known_.size(); }

    std::size_t lists_bytes() const { return known_.bytes(); }

    runtime::AccountAudit audit_lists(std::size_t lane) { return known_.audit(lane); }

private:
    static constexpr std::size_t wanted_max = 10'000;

    struct Friends;

    std::shared_ptr<const KnownList> known(const std::vector<std::uint64_t>& numbers) const;
    Result<bool> find_friends(
        const ReadsAsked& asked, std::string_view list, const Now& now, Friends& friends
    );
    ReadsTold told(std::uint32_t lane, const ReadsAsked& asked, Friends& friends, const Now& now);
    UrlTold told_of(const Wanted& url, const ReadsAsked& asked, Friends& friends, const Now& now);
    UrlTold all_of(const Wanted& url, const Now& now, std::size_t& left);
    UrlTold left_to_rows(const Wanted& url);
    void want(const Wanted& url);

    const people::Sharers* sharers_;
    HotUrls* hot_;
    const SipKey secret_;
    const Waiting waiting_;
    KnownLists known_;
    std::mutex mutex_;
    // Guarded by mutex_.
    std::vector<Wanted> wanted_;
    boost::unordered_flat_set<std::uint64_t> wanted_urls_;
};

}  // namespace footfall::reading
