#pragma once

#include "foundation/random.h"
#include "http_server/client.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace footfall::test_support {

/// What one client has sent: points of metrics, of series of its own.
class PointLoad {
public:
    PointLoad(std::size_t number, std::uint64_t seed);

    /// Sends a request, the last one again if that was not answered. False when it fails.
    bool step(http_server::Client& client);

    /// What is not as it was answered; "" if nothing. A request without an answer may be there, in
    /// full or not, and what its points were before it, too.
    std::string difference(http_server::Client& client) const;

    std::size_t answered() const { return answered_.size(); }

private:
    struct Point {
        std::size_t series;
        std::int64_t at;
        std::int64_t value;
    };

    using Points = std::map<std::pair<std::size_t, std::int64_t>, std::int64_t>;

    std::string name_of(std::size_t series) const;
    void make_points();
    Points points_of(http_server::Client& client) const;

    const std::size_t number_;
    Random random_;
    /// Half an hour ago, to the second: a hundredth of one later for each point of a series.
    const std::int64_t start_;
    std::int64_t next_ = 20;
    std::vector<Point> pending_;
    Points answered_;
};

}  // namespace footfall::test_support
