#include "moving/sealed_text.h"

#include "foundation/crc32c.h"
#include "moving/file.h"

#include <fmt/format.h>

namespace footfall::moving {
namespace {

/// Nothing that is sealed comes near it.
constexpr std::uint64_t sealed_bytes_max = 64 << 20;

std::string seal_of(std::string_view text) {
    return fmt::format("crc32c {:08x}\n", crc32c(text));
}

/// 16 for what is no digit.
unsigned digit(char character) {
    if (character >= '0' && character <= '9') {
        return static_cast<unsigned>(character - '0');
    }
    return character >= 'a' && character <= 'f' ? static_cast<unsigned>(character - 'a' + 10) : 16;
}

}  // namespace

Result<void> write_sealed(const std::filesystem::path& path, std::string_view text) {
    std::filesystem::path fresh = path;
    fresh += ".new";
    TRY(File file, File::create(fresh));
    TRY_VOID(file.append(std::string{text} + seal_of(text)));
    TRY_VOID(file.sync());
    return replace_file(fresh, path);
}

Result<std::optional<std::string>> read_sealed(const std::filesystem::path& path) {
    if (!std::filesystem::exists(path)) {
        return std::nullopt;
    }
    TRY(File file, File::open(path));
    TRY(const std::uint64_t size, file.size());
    const std::size_t seal_size = seal_of({}).size();
    std::string text;
    if (size >= seal_size && size <= sealed_bytes_max) {
        TRY(text, file.read(0, size));
        const std::string seal = text.substr(size - seal_size);
        text.resize(size - seal_size);
        if (seal == seal_of(text)) {
            return text;
        }
    }
    return fail(
        ErrorKind::corrupt, fmt::format("{} is damaged: its checksum is wrong", path.string())
    );
}

std::vector<TextLine> lines_of(std::string_view text) {
    std::vector<TextLine> lines;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const std::size_t space = std::min(line.find(' '), line.size());
        lines.push_back(
            {.name = line.substr(0, space), .value = line.substr(std::min(line.size(), space + 1))}
        );
    }
    return lines;
}

std::string hex(std::string_view bytes) {
    std::string digits;
    digits.reserve(2 * bytes.size());
    for (const char byte : bytes) {
        constexpr std::string_view all = "0123456789abcdef";
        digits.push_back(all[static_cast<unsigned char>(byte) >> 4]);
        digits.push_back(all[static_cast<unsigned char>(byte) & 15]);
    }
    return digits;
}

std::optional<std::string> unhex(std::string_view digits) {
    std::string bytes;
    if (digits.size() % 2 != 0) {
        return std::nullopt;
    }
    for (std::size_t at = 0; at < digits.size(); at += 2) {
        const unsigned high = digit(digits[at]);
        const unsigned low = digit(digits[at + 1]);
        if (high > 15 || low > 15) {
            return std::nullopt;
        }
        bytes.push_back(static_cast<char>(high << 4 | low));
    }
    return bytes;
}

}  // namespace footfall::moving
