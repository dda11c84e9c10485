#include "foundation/varint.h"

namespace footfall {

bool take_varint(std::string_view& bytes, std::uint64_t& number) {
    number = 0;
    for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes.front());
        bytes.remove_prefix(1);
        if (shift == 63 && byte > 1) {
            return false;
        }
        number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

}  // namespace footfall
