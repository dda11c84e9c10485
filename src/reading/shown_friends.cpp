#include "reading/shown_friends.h"

#include "foundation/check.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace footfall::reading {

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
        const ShownFriend one{
            .id = sharer->id, .number = sharer->number, .name = each, .past = sharer->past
        };
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

void ask_for(const Shown& shown, AskedFriends& asked) {
    asked.pasts = {};
    asked.list.clear();
    for (const ShownFriend& each : shown) {
        if (each.past == nullptr) {
            asked.list.add(each.id, each.number);
        }
    }
    asked.list.untimed = asked.list.ids.size();
    for (const ShownFriend& each : shown) {
        if (each.past != nullptr) {
            asked.list.add(each.id, each.number);
            for (std::size_t at = 0; at < each.past->before.size(); ++at) {
                asked.list.add(each.past->before[at], each.past->formers[at].reader.number);
            }
            asked.pasts.add(each.past);
        }
    }
    asked.ids.clear();
    if (asked.pasts.empty()) {
        asked.ids.assign(asked.list.ids);
        return;
    }
    asked.pasts.sort();
    std::vector<ReaderId> ids = asked.list.ids;
    std::ranges::sort(ids);
    asked.ids.assign(ids);
}

std::string_view name_in(const Shown& shown, ReaderId id) {
    const auto found = std::ranges::lower_bound(shown, id, {}, &ShownFriend::id);
    CHECK(found != shown.end() && found->id == id, "who matched was asked for", id);
    return found->name;
}

}  // namespace footfall::reading
