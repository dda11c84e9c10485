#include "foundation/json_string.h"

namespace footfall {

void append_json_string(std::string& json, std::string_view text) {
    constexpr std::string_view hex_digits = "0123456789abcdef";
    constexpr unsigned char first_plain = 0x20;
    json += '"';
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (code < first_plain) {
            json += R"(\u00)";
            json += hex_digits[code >> 4U];
            json += hex_digits[code & 15U];
            continue;
        }
        if (letter == '"' || letter == '\\') {
            json += '\\';
        }
        json += letter;
    }
    json += '"';
}

std::string json_string(std::string_view text) {
    std::string json;
    append_json_string(json, text);
    return json;
}

}  // namespace footfall
