#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::rankings {

/// Keeps one busy site from filling a list: at most so many objects of each. Not thread-safe.
class SiteLimit {
public:
    using SiteOf = std::function<std::string(std::string_view object)>;

    /// `per_site` 0: any number, and nobody is asked for sites.
    SiteLimit(std::size_t per_site, SiteOf site_of)
        : per_site_{per_site}, site_of_{std::move(site_of)} {}

    bool has_room_for(std::string_view object) const {
        if (per_site_ == 0) {
            return true;
        }
        const auto found = taken_.find(site_of_(object));
        return found == taken_.end() || found->second < per_site_;
    }

    /// Takes a place of the object's site; false: it has none left.
    bool take(std::string_view object) {
        if (per_site_ == 0) {
            return true;
        }
        std::size_t& taken = taken_[site_of_(object)];
        if (taken == per_site_) {
            return false;
        }
        ++taken;
        return true;
    }

private:
    std::size_t per_site_;
    SiteOf site_of_;
    std::map<std::string, std::size_t> taken_;
};

}  // namespace footfall::rankings
