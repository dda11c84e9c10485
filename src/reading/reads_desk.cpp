#include "reading/reads_desk.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace footfall::reading {
namespace {

/// Of URLs with more readers rows are read: an answer that tells all of them would be large, and
/// others wait for it.
constexpr std::size_t all_told_max = 20'000;

/// Friends as a question to memory has them, kept for the next one of this thread.
struct Scratch {
    std::shared_ptr<const KnownList> of;
    FriendSet set;
    std::vector<std::uint16_t> places;  ///< In the list, by id; of others it may say anything.
};

static_assert(friend_list_max <= 1 << 16, "places take two bytes");

void set_up(std::shared_ptr<const KnownList> list, Scratch& scratch) {
    scratch.set.clear();
    scratch.set.assign(list->ascending);
    if (!list->ascending.empty() && list->ascending.back() >= scratch.places.size()) {
        scratch.places.resize(list->ascending.back() + 1);
    }
    for (std::size_t at = 0; at < list->ids.size(); ++at) {
        scratch.places[list->ids[at]] = static_cast<std::uint16_t>(at);
    }
    scratch.of = std::move(list);
}

}  // namespace

/// Those of a question to some lanes. Looked for once where all lanes ask about the same.
struct ReadsDesk::Friends {
    std::optional<ListKey> key = {};
    bool are_known = false;               ///< The list is.
    Scratch* scratch = nullptr;           ///< Null: not all of them are known here yet.
    std::size_t all_left = all_told_max;  ///< Where everybody is asked about.
};

/// Null: one of them is not known here yet, or not any more.
std::shared_ptr<const KnownList> ReadsDesk::known(const std::vector<std::uint64_t>& numbers) const {
    auto list = std::make_shared<KnownList>();
    list->ids.reserve(numbers.size());
    for (const std::uint64_t each : numbers) {
        const auto id = sharers_->id_of_reader(each);
        if (!id) {
            return nullptr;
        }
        list->ids.push_back(*id);
    }
    list->ascending = list->ids;
    std::ranges::sort(list->ascending);
    return list;
}

/// False: the list is not known, and was not sent.
Result<bool> ReadsDesk::find_friends(
    const ReadsAsked& asked, std::string_view list, const Now& now, Friends& friends
) {
    thread_local Scratch scratch;
    if (friends.key == asked.list) {
        return friends.are_known;
    }
    friends = {.key = asked.list};
    auto found = known_.find(*asked.list);
    if (found == nullptr) {
        if (list.empty()) {
            return false;
        }
        TRY(const std::vector<std::uint64_t> numbers, read_list(list));
        if (key_of(secret_, numbers) != *asked.list) {
            return fail(ErrorKind::invalid_input, "the list of friends is not the one asked about");
        }
        found = known(numbers);
        if (found != nullptr) {
            known_.put(*asked.list, found, now.lists_bytes_max);
        }
    }
    friends.are_known = true;
    if (found != nullptr) {
        set_up(std::move(found), scratch);
        friends.scratch = &scratch;
    }
    return true;
}

Result<std::vector<std::string>> ReadsDesk::answer(
    std::span<const projecting::AskedLane> asked, std::string_view list, const Now& now
) {
    std::vector<std::string> answers;
    answers.reserve(asked.size());
    Friends friends;
    for (const projecting::AskedLane& each : asked) {
        TRY(const ReadsAsked question, read_reads_question(each.question));
        bool is_known = true;
        if (question.list) {
            TRY(is_known, find_friends(question, list, now, friends));
        }
        answers.push_back(written_reads(
            is_known ? told(each.lane, question, friends, now) : std::nullopt, question
        ));
    }
    return answers;
}

ReadsTold ReadsDesk::told(
    std::uint32_t lane, const ReadsAsked& asked, Friends& friends, const Now& now
) {
    const bool as_here = asked.first == now.first && hot_->covers(now.quarter) &&
                         (!asked.list || friends.scratch != nullptr);
    std::vector<UrlTold> urls;
    urls.reserve(asked.urls.size());
    for (const std::uint64_t each : asked.urls) {
        const Wanted url{.lane = lane, .url = each};
        urls.push_back(
            !as_here     ? left_to_rows(url)
            : asked.list ? told_of(url, asked, friends, now)
                         : all_of(url, now, friends.all_left)
        );
    }
    return urls;
}

UrlTold ReadsDesk::told_of(
    const Wanted& url, const ReadsAsked& asked, Friends& friends, const Now& now
) {
    Scratch& scratch = *friends.scratch;
    std::vector<ReaderId> matched;
    if (!hot_->match(url.lane, url.url, now.first, now.quarter, scratch.set, matched)) {
        want(url);
        return left_to_rows(url);
    }
    ReadersTold told;
    std::vector<ReaderId> timed;
    for (const ReaderId each : matched) {
        if (scratch.places[each] < asked.untimed) {
            told.untimed.push_back(scratch.places[each]);
        } else {
            timed.push_back(each);
        }
    }
    if (timed.empty()) {
        return told;
    }
    const auto reads = hot_->reads_of(url.lane, url.url, std::move(timed));
    if (!reads) {
        return left_to_rows(url);
    }
    for (const LatestRead& each : *reads) {
        told.timed.push_back(
            {.at = scratch.places[each.reader], .latest = quarter_of(hot_->begin_of(each.latest))}
        );
    }
    return told;
}

/// `left`: so many readers may be told yet.
UrlTold ReadsDesk::all_of(const Wanted& url, const Now& now, std::size_t& left) {
    auto reads = hot_->all_reads(url.lane, url.url, now.first, now.quarter, left);
    if (!reads) {
        if (!hot_->is_loaded(url.lane, url.url)) {
            want(url);
        }
        return left_to_rows(url);
    }
    left -= reads->size();
    return AllTold{.reads = *std::move(reads)};
}

UrlTold ReadsDesk::left_to_rows(const Wanted& url) {
    return WaitingTold{.reads = waiting_(url.lane, url.url)};
}

void ReadsDesk::want(const Wanted& url) {
    const std::lock_guard lock{mutex_};
    if (wanted_.size() < wanted_max && wanted_urls_.insert(url.url).second) {
        wanted_.push_back(url);
    }
}

std::vector<ReadsDesk::Wanted> ReadsDesk::take_wanted(std::size_t most) {
    const std::lock_guard lock{mutex_};
    const std::size_t count = std::min(most, wanted_.size());
    std::vector<Wanted> taken{wanted_.end() - static_cast<std::ptrdiff_t>(count), wanted_.end()};
    wanted_.resize(wanted_.size() - count);
    for (const Wanted& each : taken) {
        wanted_urls_.erase(each.url);
    }
    return taken;
}

}  // namespace footfall::reading
