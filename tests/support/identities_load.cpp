#include "test_support/identities_load.h"

#include "events/rfc3339.h"
#include "foundation/lines.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <string_view>

namespace footfall::test_support {
namespace {

using http_server::Client;
using http_server::ClientResponse;
using http_server::Method;

constexpr std::size_t lines_max = 30;
const std::string matching = "/api/v1/identities/match";

std::string id_json(const std::string& id) {
    return fmt::format(R"({{"identifier":"crash","id_name":"id","id_value":"{}"}})", id);
}

std::string path_of(const std::string& id) {
    return "/api/v1/identities/crash/id/" + id;
}

/// Of what a look-up answers.
std::string profile_path(const boost::json::object& found) {
    return "/api/v1/profiles/" + std::string{found.at("sid").as_string()};
}

std::string match_line(const std::set<std::string>& link, std::uint64_t seconds) {
    constexpr Instant begin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
    std::vector<std::string> ids;
    ids.reserve(link.size());
    for (const std::string& each : link) {
        ids.push_back(id_json(each));
    }
    return fmt::format(
        R"({{"ids":[{}],"time":"{}"}})",
        fmt::join(ids, ","),
        events::format_rfc3339(begin + std::chrono::seconds{seconds})
    );
}

std::set<std::string> members_in(const boost::json::object& profile) {
    std::set<std::string> members;
    for (const boost::json::value& each : profile.at("ids").as_array()) {
        members.emplace(each.at("id_value").as_string());
    }
    return members;
}

}  // namespace

/// Links in the order in which they were said first; each unites unless a parting objects.
std::vector<IdentitiesLoad::Profile> IdentitiesLoad::profiles_of(const Crowd& crowd) {
    std::vector<std::pair<std::uint64_t, Link>> links;
    std::vector<Profile> profiles;
    for (const auto& [link, first] : crowd.links) {
        links.emplace_back(first, link);
        for (const std::string& id : link) {
            if (std::ranges::find(profiles, Profile{id}) == profiles.end()) {
                profiles.push_back({id});
            }
        }
    }
    std::ranges::sort(links);
    const auto profile_of = [&](const std::string& id) {
        return std::ranges::find_if(profiles, [&](const Profile& each) {
            return each.contains(id);
        });
    };
    const auto parts = [&](const Profile& one, const Profile& two) {
        return std::ranges::any_of(crowd.partings, [&](const auto& parting) {
            const auto& [id, others] = parting;
            const auto is_other = [&](const std::string& each) { return others.contains(each); };
            return (one.contains(id) && std::ranges::any_of(two, is_other)) ||
                   (two.contains(id) && std::ranges::any_of(one, is_other));
        });
    };
    for (const auto& [first, link] : links) {
        for (const std::string& id : link) {
            const auto one = profile_of(*link.begin());
            const auto two = profile_of(id);
            if (one != two && !parts(*one, *two)) {
                one->merge(*two);
                profiles.erase(two);
            }
        }
    }
    return profiles;
}

std::string IdentitiesLoad::any_id() {
    return fmt::format("c{}-{}-{}", number_, crowds_.size(), random_.below(crowd_ids));
}

IdentitiesLoad::Op IdentitiesLoad::draw() {
    if (steps_++ % steps_of_crowd == 0) {
        crowds_.emplace_back();
    }
    if (random_.below(4) == 0) {
        const std::vector<Profile> profiles = profiles_of(crowds_.back());
        const std::string id = any_id();
        for (const Profile& each : profiles) {
            if (each.contains(id) && each.size() > 1) {
                Profile others = each;
                others.erase(id);
                return {
                    .parted = id,
                    .others = std::move(others),
                    .reason = fmt::format("step {} of load {}", steps_, number_)
                };
            }
        }
    }
    Op op;
    const std::size_t lines = random_.below(2) == 0 ? 1 : 2 + random_.below(lines_max);
    for (std::size_t line = 0; line < lines; ++line) {
        Link link{any_id()};
        for (std::size_t more = random_.below(3); more > 0; --more) {
            link.insert(any_id());
        }
        op.links.emplace_back(std::move(link), ++seconds_);
    }
    return op;
}

bool IdentitiesLoad::step(Client& client) {
    is_retry_ = pending_.has_value();
    if (!pending_) {
        pending_ = draw();
    }
    return send(client);
}

bool IdentitiesLoad::settle(Client& client) {
    is_retry_ = true;
    return send(client);
}

bool IdentitiesLoad::send(Client& client) {
    if (!pending_) {
        return true;
    }
    const Op& op = *pending_;
    const bool done = op.parted.empty() ? say(client, op) : part(client, op);
    if (!done) {
        return false;
    }
    Crowd& crowd = crowds_.back();
    for (const auto& [link, time] : op.links) {
        crowd.links.try_emplace(link, time);
        ++links_said_;
    }
    if (!op.parted.empty()) {
        crowd.partings.emplace_back(op.parted, op.others);
        ++partings_said_;
    }
    pending_.reset();
    return true;
}

bool IdentitiesLoad::is_good(const Result<ClientResponse>& answer, const std::string& to) {
    if (!answer || answer->status >= 500) {
        return false;
    }
    if (answer->status != 200) {
        complaints_.push_back(fmt::format("{} answered {} {}", to, answer->status, answer->body));
    }
    return answer->status == 200;
}

/// One by itself, several as a batch.
bool IdentitiesLoad::say(Client& client, const Op& op) {
    std::string body;
    for (const auto& [link, time] : op.links) {
        body += match_line(link, time) + "\n";
    }
    const std::string type = op.links.size() == 1 ? "application/json" : "application/x-ndjson";
    const auto answer = client.send(Method::post, matching, body, {{"Content-Type", type}});
    if (!is_good(answer, matching + " " + body)) {
        return false;
    }
    std::size_t answers = 0;
    for (std::string_view left = answer->body; !left.empty(); ++answers) {
        const boost::json::object line = parse_object(take_line(left));
        if (const auto* const sid = line.if_contains("sid")) {
            sids_.emplace(sid->as_string());
        } else if (line.at("status").to_number<int>() < 500) {
            complaints_.push_back(fmt::format("a line is answered {}", answer->body));
        } else {
            return false;
        }
    }
    if (answers != op.links.size()) {
        complaints_.push_back(fmt::format("{} lines have {} answers", op.links.size(), answers));
    }
    return true;
}

std::optional<boost::json::object> IdentitiesLoad::ask(Client& client, const std::string& target) {
    const auto answer = client.send(Method::get, target);
    return is_good(answer, target) ? std::optional{parse_object(answer->body)} : std::nullopt;
}

/// It stands under ids of its smaller side, which may be either.
std::optional<bool> IdentitiesLoad::is_parted(Client& client, const Op& op) {
    for (const std::string& each : {op.parted, *op.others.begin()}) {
        const auto found = ask(client, path_of(each));
        const auto why = found ? ask(client, profile_path(*found) + "/why") : std::nullopt;
        if (!why) {
            return std::nullopt;
        }
        for (const boost::json::value& fact : why->at("facts").as_array()) {
            if (fact.at("kind").as_string() == "parting" &&
                fact.at("reason").as_string() == op.reason) {
                return true;
            }
        }
    }
    return false;
}

/// It is parted from those that its profile shows, so these are to be the ones that follow from
/// what was acknowledged: whoever was killed may have left rows of a moment before, until somebody
/// comes to see to them. A decision that is found in the log between the look and the detach is
/// seen by the next look.
bool IdentitiesLoad::part(Client& client, const Op& op) {
    const std::optional<bool> is_decided = is_retry_ ? is_parted(client, op) : false;
    const auto found = ask(client, path_of(op.parted));
    const std::string profile = found ? profile_path(*found) : std::string{};
    const auto shown = found ? ask(client, profile) : std::nullopt;
    if (!is_decided || !shown) {
        return false;
    }
    const Profile members = members_in(*shown);
    if (*is_decided) {
        return std::ranges::none_of(members, [&](const std::string& each) {
            return op.others.contains(each);
        });
    }
    Profile whole = op.others;
    whole.insert(op.parted);
    if (members != whole) {
        return false;
    }
    const std::string body =
        fmt::format(R"({{"ids":[{}],"reason":"{}"}})", id_json(op.parted), op.reason);
    const auto answer = client.send(Method::post, profile + "/detach", body);
    const bool is_stale = answer && answer->status == 400 && is_retry_;
    return !is_stale && is_good(answer, profile + "/detach " + body);
}

std::string IdentitiesLoad::text_of(Api& api, const Crowd& crowd, const Profile& profile) {
    std::string text = fmt::format("said: {}\nparted: {}\n", crowd.links, crowd.partings);
    for (const std::string& each : profile) {
        const std::string sid{api.get_json(path_of(each)).at("sid").as_string()};
        const auto why = api.get_json("/api/v1/profiles/" + sid + "/why");
        text += fmt::format("{} is in {}:\n", each, sid);
        for (const boost::json::value& fact : why.at("facts").as_array()) {
            text += fmt::format(
                "  {} {}\n",
                std::string_view{fact.at("time").as_string()},
                std::string_view{fact.at("says").as_string()}
            );
        }
    }
    return text;
}

/// Of one profile: all its ids have one sid, which has these ids, and each link is one fact.
std::string IdentitiesLoad::difference(Api& api, const Crowd& crowd, const Profile& profile) {
    const std::string sid{api.get_json(path_of(*profile.begin())).at("sid").as_string()};
    for (const std::string& each : profile) {
        if (api.get_json(path_of(each)).at("sid").as_string() != sid) {
            return fmt::format("{} and {} should be one", *profile.begin(), each);
        }
    }
    const Profile members = members_in(api.get_json("/api/v1/profiles/" + sid));
    if (members != profile) {
        return fmt::format("{} should be of {}, and is of {}", sid, profile, members);
    }
    std::size_t links = 0;
    const auto why = api.get_json("/api/v1/profiles/" + sid + "/why");
    for (const boost::json::value& each : why.at("facts").as_array()) {
        links += each.at("kind").as_string() == "link" ? 1 : 0;
    }
    const auto wanted = std::ranges::count_if(crowd.links, [&](const auto& link) {
        return std::ranges::any_of(link.first, [&](const std::string& each) {
            return profile.contains(each);
        });
    });
    return links == static_cast<std::size_t>(wanted)
               ? std::string{}
               : fmt::format("{} has {} links of {}", sid, links, wanted);
}

std::string IdentitiesLoad::difference(Api& api, bool all) const {
    for (std::size_t at = all || crowds_.empty() ? 0 : crowds_.size() - 1; at < crowds_.size();
         ++at) {
        for (const Profile& each : profiles_of(crowds_[at])) {
            if (const std::string found = difference(api, crowds_[at], each); !found.empty()) {
                return found + "\n" + text_of(api, crowds_[at], each);
            }
        }
    }
    for (const std::string& each : all ? sids_ : std::set<std::string>{}) {
        if (api.send(Method::get, "/api/v1/profiles/" + each).status != 200) {
            return fmt::format("{} was answered, and is none", each);
        }
    }
    return {};
}

}  // namespace footfall::test_support
