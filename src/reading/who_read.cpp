#include "reading/who_read.h"

#include "events/canonical_url.h"
#include "reading/shown_friends.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace footfall::reading {
namespace {

UrlAnswer answer_of(const std::vector<ReaderId>& matched, const Shown& shown, std::size_t names) {
    UrlAnswer answer{.readers = {}, .count = matched.size()};
    std::vector<std::string_view> readers;
    readers.reserve(matched.size());
    for (const ReaderId id : matched) {
        readers.push_back(name_in(shown, id));
    }
    std::ranges::sort(readers);
    readers.resize(std::min(readers.size(), names));
    answer.readers.assign(readers.begin(), readers.end());
    return answer;
}

}  // namespace

Result<WhoAnswer> who_read(
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
    thread_local AskedFriends asked;
    ask_for(shown, asked);
    WhoAnswer answer;
    TRY(const auto matched, readership.who(urls, asked, &answer.provisional));
    answer.urls.reserve(urls.size());
    std::size_t names_left = names_max;
    for (const std::vector<ReaderId>& each : matched) {
        answer.urls.push_back(answer_of(each, shown, std::min(question.names, names_left)));
        names_left -= answer.urls.back().readers.size();
    }
    return answer;
}

}  // namespace footfall::reading
