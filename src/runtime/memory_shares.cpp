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

/// Makes all shares so large together as is left: from what each has above its least, and to all
/// alike.
void MemoryShares::fit(std::size_t taken) {
    std::size_t sum = 0;
    std::size_t least = 0;
    for (const MemoryShare& share : shares_) {
        sum += share.bytes();
        least += share.least_;
    }
    const std::size_t wanted = std::max(least, bytes_ - std::min(bytes_, taken));
    if (sum > wanted) {
        const double part = static_cast<double>(sum - wanted) / static_cast<double>(sum - least);
        for (MemoryShare& share : shares_) {
            const auto spare = static_cast<double>(share.bytes() - share.least_);
            share.bytes_ -= static_cast<std::size_t>(spare * part);
        }
    } else {
        for (MemoryShare& share : shares_) {
            share.bytes_ += (wanted - sum) / shares_.size();
        }
    }
}

void MemoryShares::follow_use(std::size_t taken) {
    fit(taken);
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
