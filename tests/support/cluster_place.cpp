#include "test_support/cluster_place.h"

#include "test_support/must.h"
#include "test_support/own_name.h"

#include <fmt/format.h>

namespace footfall::test_support {
namespace {

int take_place() {
    constexpr int most = 64;
    for (int place = 1; place <= most; ++place) {
        if (take_name(fmt::format("footfall-test-{}", place))) {
            return place;
        }
    }
    give_up(fmt::format("{} processes test on the cluster already", most));
}

}  // namespace

int cluster_place() {
    static const int place = take_place();
    return place;
}

}  // namespace footfall::test_support
