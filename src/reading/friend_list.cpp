#include "reading/friend_list.h"

#include <string_view>

namespace footfall::reading {

ListKey key_of(SipKey secret, std::span<const std::uint64_t> numbers) {
    const std::string_view bytes{
        reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()
    };
    // Nothing else of the deployment is hashed under these.
    constexpr SipKey one{0x6672'6965'6e64'7331, 0x6c69'7374'206f'6e65};
    constexpr SipKey other{0x6672'6965'6e64'7332, 0x6c69'7374'2074'776f};
    return {
        .one = siphash13({secret.k0 ^ one.k0, secret.k1 ^ one.k1}, bytes),
        .other = siphash13({secret.k0 ^ other.k0, secret.k1 ^ other.k1}, bytes)
    };
}

}  // namespace footfall::reading
