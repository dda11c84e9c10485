#include "webhooks/hook.h"

#include "foundation/names.h"
#include "foundation/siphash.h"

#include <algorithm>

namespace footfall::webhooks {
namespace {

constexpr std::chrono::milliseconds first_wait = std::chrono::seconds{1};
constexpr std::chrono::milliseconds longest_wait = std::chrono::hours{1};

}  // namespace

Result<void> check_name(std::string_view name) {
    return check_plain_name("name of a webhook", name);
}

std::chrono::milliseconds wait_after(std::uint32_t failures, std::string_view name) {
    const std::uint32_t doublings = std::min(failures, std::uint32_t{13}) - 1;
    const auto wait = std::min(first_wait * (std::int64_t{1} << doublings), longest_wait);
    // From 80 % to 120 %: nothing is secret here, so a known key does.
    const auto percent = 80 + siphash13({failures, 0}, name) % 41;
    return wait * static_cast<std::int64_t>(percent) / 100;
}

}  // namespace footfall::webhooks
