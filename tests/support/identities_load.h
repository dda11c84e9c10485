#pragma once

#include "foundation/random.h"
#include "http_server/client.h"
#include "test_support/api.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall::test_support {

/// A client that says of ids of its own which are one person, one by one and many at once, and
/// parts some again; and what profiles should follow. What nobody acknowledged is said again until
/// somebody does. Not thread-safe.
class IdentitiesLoad {
public:
    /// `number`: no other load has it.
    IdentitiesLoad(std::size_t number, std::uint64_t seed) : number_{number}, random_{seed} {}

    /// Says one thing more. False: no answer, or 5xx; nobody knows whether it was done.
    bool step(http_server::Client& client);

    /// What nobody knew is said again.
    bool settle(http_server::Client& client);

    /// Where profiles differ from what should be; "": nowhere. Of all ids, or of the newest ones.
    std::string difference(Api& api, bool all) const;

    /// Acknowledged.
    std::uint64_t links() const { return links_said_; }

    std::uint64_t partings() const { return partings_said_; }

    /// Answers that are neither good nor 5xx: there should be none.
    const std::vector<std::string>& complaints() const { return complaints_; }

private:
    /// Ids of one crowd are linked with one another alone.
    static constexpr std::size_t crowd_ids = 12;
    static constexpr std::size_t steps_of_crowd = 40;

    using Link = std::set<std::string>;
    using Profile = std::set<std::string>;

    struct Crowd {
        std::map<Link, std::uint64_t> links;                    ///< By when they were said first.
        std::vector<std::pair<std::string, Profile>> partings;  ///< An id, and those it is not.
    };

    /// What is to be said: links, each with its time, or an id that is to be parted.
    struct Op {
        std::vector<std::pair<Link, std::uint64_t>> links = {};
        std::string parted = {};
        Profile others = {};
        std::string reason = {};  ///< Of the parting: no other has it.
    };

    static std::vector<Profile> profiles_of(const Crowd& crowd);

    std::string any_id();
    Op draw();
    bool send(http_server::Client& client);
    /// What was said of a profile, and what the server says of it: to look into a difference.
    static std::string text_of(Api& api, const Crowd& crowd, const Profile& profile);
    bool say(http_server::Client& client, const Op& op);
    bool part(http_server::Client& client, const Op& op);
    /// Whether the parting is in rows, though nobody acknowledged it. Absent: no answer.
    std::optional<bool> is_parted(http_server::Client& client, const Op& op);
    /// The answer of a GET; absent as in send().
    std::optional<boost::json::object> ask(http_server::Client& client, const std::string& target);
    /// Whether it is an answer of 200; a complaint where it is neither that nor 5xx.
    bool is_good(const Result<http_server::ClientResponse>& answer, const std::string& to);
    static std::string difference(Api& api, const Crowd& crowd, const Profile& profile);

    const std::size_t number_;
    Random random_;
    std::vector<Crowd> crowds_;
    std::uint64_t steps_ = 0;
    std::uint64_t seconds_ = 0;  ///< Each thing that is said has a time of its own.
    std::optional<Op> pending_;
    bool is_retry_ = false;       ///< `pending_` may have been done.
    std::set<std::string> sids_;  ///< That were ever answered.
    std::uint64_t links_said_ = 0;
    std::uint64_t partings_said_ = 0;
    std::vector<std::string> complaints_;
};

}  // namespace footfall::test_support
