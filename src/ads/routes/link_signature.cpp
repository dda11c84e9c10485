#include "ads_routes/link_signature.h"

#include "keys/hmac.h"

#include <fmt/format.h>

#include <cstddef>

namespace footfall::ads::routes {
namespace {

constexpr std::size_t signature_bytes = 16;

}  // namespace

std::string make_signature(SipKey secret, const Link& link) {
    // The lengths say where each part ends, so no two links have one text.
    const std::string message = fmt::format(
        "footfall links to an ad {} {} {} {}{}{}",
        link.ad.size(),
        link.reseller.size(),
        link.to.size(),
        link.ad,
        link.reseller,
        link.to
    );
    return keys::hex_of(keys::hmac(secret, message), signature_bytes);
}

bool is_signature(std::string_view signature, SipKey secret, const Link& link) {
    return keys::same_proof(signature, make_signature(secret, link));
}

}  // namespace footfall::ads::routes
