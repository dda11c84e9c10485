#include "reading/reads_of_others.h"

#include "foundation/log.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <variant>

namespace footfall::reading {

/// What is asked of one lane, and what it answered.
struct ReadsOfOthers::OfLane {
    std::uint32_t lane = 0;
    ReadsAsked asked = {};
    std::vector<std::size_t> places = {};  ///< Of its URLs among all.
    bool list_is_unknown = false;
    std::vector<UrlTold> told = {};  ///< Empty: no answer.
};

/// From now on it was.
bool ReadsOfOthers::was_sent(const ListKey& key) {
    const std::lock_guard lock{mutex_};
    if (sent_.size() >= keys_max) {
        sent_.clear();
    }
    return !sent_.insert(key).second;
}

/// Asks for some lanes, each owner once, and answers in how many the list was not known.
std::size_t ReadsOfOthers::send(
    std::span<OfLane> lanes, std::size_t listed, std::string_view list
) {
    std::vector<projecting::LaneQuestion> questions;
    questions.reserve(lanes.size());
    for (const OfLane& each : lanes) {
        questions.push_back({.lane = each.lane, .bytes = written_question(each.asked)});
    }
    const projecting::LaneAnswers answers = owners_->ask(projection_, questions, list);
    std::size_t unknown = 0;
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        OfLane& lane = lanes[at];
        lane.list_is_unknown = false;
        if (!answers.of_asked[at]) {
            continue;
        }
        Result<ReadsTold> told = read_reads(answers.of_asked[at]->bytes, lane.asked, listed);
        if (!told) {
            log(LogLevel::warning, "the owner of a lane of reading: {}", told.error().message);
        } else if (*told) {
            lane.told = **std::move(told);
        } else {
            lane.list_is_unknown = true;
            ++unknown;
        }
    }
    return unknown;
}

std::vector<std::optional<UrlTold>> ReadsOfOthers::ask(
    std::span<const Url> urls, const FriendList* list, std::size_t untimed, people::UtcDay first
) {
    std::vector<std::optional<UrlTold>> answers(urls.size());
    if (urls.empty()) {
        return answers;
    }
    const auto begin = std::chrono::steady_clock::now();
    ReadsAsked question{.untimed = static_cast<std::uint32_t>(untimed), .first = first};
    if (list != nullptr) {
        question.list = key_of(secret_, list->numbers);
    }
    std::map<std::uint32_t, OfLane> by_lane;
    for (std::size_t at = 0; at < urls.size(); ++at) {
        OfLane& lane =
            by_lane.try_emplace(urls[at].lane, OfLane{.lane = urls[at].lane, .asked = question})
                .first->second;
        lane.asked.urls.push_back(urls[at].url);
        lane.places.push_back(at);
    }
    std::vector<OfLane> lanes;
    for (auto& [number, lane] : by_lane) {
        lanes.push_back(std::move(lane));
    }
    const std::size_t listed = list == nullptr ? 0 : list->numbers.size();
    const bool is_new = list != nullptr && !was_sent(*question.list);
    if (list != nullptr) {
        ++(is_new ? lists_sent_ : by_key_);
    }
    const std::size_t unknown =
        send(lanes, listed, is_new ? written_list(list->numbers) : std::string{});
    if (unknown > 0 && !is_new) {
        ++sent_again_;
        const auto known = std::ranges::partition(lanes, &OfLane::list_is_unknown).begin();
        send({lanes.begin(), known}, listed, written_list(list->numbers));
    }
    for (OfLane& lane : lanes) {
        for (std::size_t at = 0; at < lane.told.size(); ++at) {
            answers[lane.places[at]] = std::move(lane.told[at]);
        }
    }
    count(answers);
    microseconds_ +=
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(
                                       std::chrono::steady_clock::now() - begin
        )
                                       .count());
    return answers;
}

void ReadsOfOthers::count(std::span<const std::optional<UrlTold>> answers) {
    for (const std::optional<UrlTold>& each : answers) {
        ++(!each ? unanswered_ : std::holds_alternative<WaitingTold>(*each) ? left_ : told_);
    }
}

ReadsOfOthers::Figures ReadsOfOthers::figures() const {
    return {
        .told = told_.load(),
        .left = left_.load(),
        .unanswered = unanswered_.load(),
        .by_key = by_key_.load(),
        .sent = lists_sent_.load(),
        .sent_again = sent_again_.load(),
        .microseconds = microseconds_.load()
    };
}

}  // namespace footfall::reading
