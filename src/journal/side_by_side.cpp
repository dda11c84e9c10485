#include "journal/side_by_side.h"

#include "foundation/check.h"

#include <algorithm>
#include <atomic>
#include <latch>

namespace footfall::journal {

SideBySide::SideBySide(std::size_t lanes_at_once)
    : helpers_{lanes_at_once - 1}, pool_{helpers_, helpers_} {}

void SideBySide::give(LaneReader& reader, std::span<Portion> portions) {
    std::atomic<std::size_t> next = 0;
    const auto take_some = [&] {
        for (std::size_t at = next++; at < portions.size(); at = next++) {
            portions[at].taken = reader.consume(portions[at].lane, portions[at].records);
        }
    };
    const std::size_t helpers = portions.empty() ? 0 : std::min(helpers_, portions.size() - 1);
    std::latch helped{static_cast<std::ptrdiff_t>(helpers)};
    for (std::size_t helper = 0; helper < helpers; ++helper) {
        const Result<void> called = pool_.submit([&] {
            take_some();
            helped.count_down();
        });
        CHECK(called, "nobody else uses the pool", called ? "" : called.error().message);
    }
    take_some();
    helped.wait();
}

}  // namespace footfall::journal
