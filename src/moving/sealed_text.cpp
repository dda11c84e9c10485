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

}  // namespace

std::string seal(std::string_view text) {
    return std::string{text} + seal_of(text);
}

std::optional<std::string> unseal(std::string_view sealed) {
    const std::size_t seal_size = seal_of({}).size();
    if (sealed.size() < seal_size) {
        return std::nullopt;
    }
    const std::string_view text = sealed.substr(0, sealed.size() - seal_size);
    return sealed.substr(text.size()) == seal_of(text) ? std::optional{std::string{text}}
                                                       : std::nullopt;
}

Result<void> write_sealed(const std::filesystem::path& path, std::string_view text) {
    std::filesystem::path fresh = path;
    fresh += ".new";
    TRY(File file, File::create(fresh));
    TRY_VOID(file.append(seal(text)));
    TRY_VOID(file.sync());
    return replace_file(fresh, path);
}

Result<std::optional<std::string>> read_sealed(const std::filesystem::path& path) {
    if (!std::filesystem::exists(path)) {
        return std::nullopt;
    }
    TRY(File file, File::open(path));
    TRY(const std::uint64_t size, file.size());
    if (size <= sealed_bytes_max) {
        TRY(const std::string bytes, file.read(0, static_cast<std::size_t>(size)));
        if (auto text = unseal(bytes)) {
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

}  // namespace footfall::moving
