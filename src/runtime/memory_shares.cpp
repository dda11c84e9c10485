#include "runtime/memory_shares.h"

#include "foundation/check.h"

#include <algorithm>
#include <numeric>

namespace footfall::runtime {

MemoryShares::MemoryShares(std::size_t bytes, std::span<const std::size_t> least) : bytes_{bytes} {
    const std::size_t sum = std::accumulate(least.begin(), least.end(), std::size_t{0});
    CHECK(!least.empty() && sum <= bytes, "shares are no more than there is", sum, bytes);
    for (const std::size_t each : least) {
        shares_.emplace_back(each + (bytes - sum) / least.size()).least_ = each;
    }
}

void MemoryShares::follow_use() {
    MemoryShare* taker = nullptr;
    MemoryShare* giver = nullptr;
    for (MemoryShare& share : shares_) {
        if (share.short_.exchange(false)) {
            share.turns_content_ = 0;
            if (taker == nullptr || share.bytes() < taker->bytes()) {
                taker = &share;
            }
        } else {
            ++share.turns_content_;
        }
    }
    for (MemoryShare& share : shares_) {
        if (share.turns_content_ >= content_turns && share.bytes() > share.least_ &&
            (giver == nullptr || share.turns_content_ > giver->turns_content_)) {
            giver = &share;
        }
    }
    if (taker == nullptr || giver == nullptr) {
        return;
    }
    const std::size_t step = std::min(bytes_ / steps, giver->bytes() - giver->least_);
    giver->bytes_ -= step;
    taker->bytes_ += step;
}

}  // namespace footfall::runtime
