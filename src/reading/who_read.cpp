#include "reading/who_read.h"

#include "events/canonical_url.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

namespace footfall::reading {
namespace {

/// Those who may appear, by their numbers, with their names.
using Shown = boost::unordered_flat_map<std::uint64_t, std::string_view>;

/// Of the friends those who share: who appears to friends alone only if they list the asker.
Result<Shown> shown_friends(
    people::People& people,
    const std::vector<std::string>& friends,
    const std::optional<std::string>& asker
) {
    Shown shown;
    const std::string asked_by = asker.value_or("");
    std::vector<std::string> have_to_list;
    std::vector<std::pair<std::uint64_t, std::string_view>> if_they_list;
    for (const std::string& each : friends) {
        const auto sharer = people.sharers().shown(each);
        if (!sharer) {
            continue;
        }
        if (sharer->to == people::Audience::anyone) {
            shown.emplace(sharer->reader, each);
        } else if (asker) {
            have_to_list.push_back(each);
            if_they_list.emplace_back(sharer->reader, each);
        }
    }
    if (!have_to_list.empty()) {
        TRY(const std::vector<bool> lists, people.who_lists(have_to_list, asked_by));
        for (std::size_t at = 0; at < lists.size(); ++at) {
            if (lists[at]) {
                shown.insert(if_they_list[at]);
            }
        }
    }
    return shown;
}

UrlAnswer answer_of(const std::vector<UrlRead>& reads, const Shown& shown, std::size_t names) {
    std::set<std::string_view> readers;
    for (const UrlRead& each : reads) {
        if (const auto found = shown.find(each.reader); found != shown.end()) {
            readers.insert(found->second);
        }
    }
    UrlAnswer answer{.count = readers.size()};
    for (const std::string_view each : readers) {
        if (answer.readers.size() == names) {
            break;
        }
        answer.readers.emplace_back(each);
    }
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
    TRY(const auto readers,
        readership.readers_of(urls, [&](std::uint64_t reader) { return shown.contains(reader); }));
    std::vector<UrlAnswer> answers;
    answers.reserve(urls.size());
    std::size_t names_left = names_max;
    for (const std::vector<UrlRead>& each : readers) {
        answers.push_back(answer_of(each, shown, std::min(question.names, names_left)));
        names_left -= answers.back().readers.size();
    }
    return answers;
}

}  // namespace footfall::reading
