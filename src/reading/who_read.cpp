#include "reading/who_read.h"

#include "events/canonical_url.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace footfall::reading {
namespace {

/// A friend who may appear.
struct ShownFriend {
    ReaderId id = 0;
    std::string_view name;
    bool has_past = false;
};

/// By id, each once.
using Shown = std::vector<ShownFriend>;

/// Of the friends those who share: who appears to friends alone only if they list the asker.
Result<Shown> shown_friends(
    people::People& people,
    const std::vector<std::string>& friends,
    const std::optional<std::string>& asker
) {
    Shown shown;
    shown.reserve(friends.size());
    const std::string asked_by = asker.value_or("");
    std::vector<std::string> have_to_list;
    Shown if_they_list;
    for (const std::string& each : friends) {
        const auto sharer = people.sharers().shown(each);
        if (!sharer) {
            continue;
        }
        const ShownFriend one{.id = sharer->id, .name = each, .has_past = sharer->has_past};
        if (sharer->to == people::Audience::anyone) {
            shown.push_back(one);
        } else if (asker) {
            have_to_list.push_back(each);
            if_they_list.push_back(one);
        }
    }
    if (!have_to_list.empty()) {
        TRY(const std::vector<bool> lists, people.who_lists(have_to_list, asked_by));
        for (std::size_t at = 0; at < lists.size(); ++at) {
            if (lists[at]) {
                shown.push_back(if_they_list[at]);
            }
        }
    }
    std::ranges::sort(shown, {}, &ShownFriend::id);
    const auto repeated = std::ranges::unique(shown, {}, &ShownFriend::id);
    shown.erase(repeated.begin(), repeated.end());
    return shown;
}

/// Puts the ids of all in an empty set, with those of the readers they were.
void ask_for(const Shown& shown, const people::Sharers& sharers, FriendSet& asked, Pasts& pasts) {
    std::vector<ReaderId> ids;
    ids.reserve(shown.size());
    for (const ShownFriend& each : shown) {
        ids.push_back(each.id);
        if (auto past = each.has_past ? sharers.past_of(each.id) : nullptr) {
            ids.insert(ids.end(), past->before.begin(), past->before.end());
            pasts.add(std::move(past));
        }
    }
    if (!pasts.empty()) {
        std::ranges::sort(ids);
    }
    asked.clear();
    asked.assign(ids);
}

UrlAnswer answer_of(const std::vector<ReaderId>& matched, const Shown& shown, std::size_t names) {
    UrlAnswer answer{.readers = {}, .count = matched.size()};
    std::vector<std::string_view> readers;
    readers.reserve(matched.size());
    for (const ReaderId id : matched) {
        readers.push_back(std::ranges::lower_bound(shown, id, {}, &ShownFriend::id)->name);
    }
    std::ranges::sort(readers);
    readers.resize(std::min(readers.size(), names));
    answer.readers.assign(readers.begin(), readers.end());
    return answer;
}

}  // namespace

Result<std::vector<UrlAnswer>> who_read(
    Readership& readership, people::People& people, const WhoQuestion& question
) {
    std::vector<std::string> listed;
    if (!question.friends) {
        TRY(listed, people.friends_of(question.actor.value_or("")));
    }
    const std::vector<std::string>& friends = question.friends ? *question.friends : listed;
    TRY(const Shown shown, shown_friends(people, friends, question.actor));
    std::vector<std::string> urls;
    urls.reserve(question.urls.size());
    for (const std::string& each : question.urls) {
        urls.push_back(events::article_named(each));
    }
    thread_local FriendSet asked;
    Pasts pasts;
    ask_for(shown, people.sharers(), asked, pasts);
    TRY(const auto matched, readership.who(urls, asked, pasts));
    std::vector<UrlAnswer> answers;
    answers.reserve(urls.size());
    std::size_t names_left = names_max;
    for (const std::vector<ReaderId>& each : matched) {
        answers.push_back(answer_of(each, shown, std::min(question.names, names_left)));
        names_left -= answers.back().readers.size();
    }
    return answers;
}

}  // namespace footfall::reading
