#include "moving/manifest.h"

#include "foundation/siphash.h"
#include "moving/sealed_text.h"
#include "storage/blocking.h"
#include "storage/deployment.h"

#include <fmt/format.h>

#include <variant>

namespace footfall::moving {
namespace {

constexpr std::string_view manifest_file = "manifest";
constexpr std::string_view format_line = "footfall-export 1\n";
constexpr SipKey id_key{.k0 = 0x6578706f7274, .k1 = 0};

std::string text_of(const Manifest& manifest) {
    std::string text = fmt::format("{}deployment {}\n", format_line, manifest.deployment);
    for (const ExportedTable& table : manifest.tables) {
        text += fmt::format("table {} {}\n", table.name, text_of(table.tally));
    }
    return text;
}

}  // namespace

std::uint64_t Manifest::rows() const {
    std::uint64_t rows = 0;
    for (const ExportedTable& table : tables) {
        rows += table.tally.rows;
    }
    return rows;
}

Result<std::string> deployment_name(storage::Store& store) {
    TRY(const auto row, storage::stored_secret(store));
    return row ? fmt::format("{:016x}", siphash13(id_key, *row)) : std::string{"none"};
}

std::filesystem::path rows_path(const std::filesystem::path& directory, std::string_view table) {
    return directory / fmt::format("{}.rows", table);
}

Result<void> write_manifest(const std::filesystem::path& directory, const Manifest& manifest) {
    return write_sealed(directory / manifest_file, text_of(manifest));
}

Result<Manifest> read_manifest(const std::filesystem::path& directory) {
    TRY(const auto text, read_sealed(directory / manifest_file));
    if (!text) {
        return fail(
            ErrorKind::not_found,
            fmt::format(
                "{} holds no complete export; `footfall export` makes one, and goes on with one "
                "that "
                "was cut short",
                directory.string()
            )
        );
    }
    if (!text->starts_with(format_line)) {
        return fail(
            ErrorKind::conflict,
            fmt::format("{} was written by a newer version of footfall", directory.string())
        );
    }
    Manifest manifest;
    for (const TextLine& line : lines_of(*text)) {
        if (line.name == "deployment") {
            manifest.deployment = line.value;
        } else if (line.name == "table") {
            const std::size_t space = std::min(line.value.find(' '), line.value.size());
            TRY(const Tally tally,
                tally_of(line.value.substr(std::min(space + 1, line.value.size()))));
            manifest.tables.push_back(
                {.name = std::string{line.value.substr(0, space)}, .tally = tally}
            );
        }
    }
    return manifest;
}

std::string export_id(const Manifest& manifest) {
    return fmt::format("{:016x}", siphash13(id_key, text_of(manifest)));
}

}  // namespace footfall::moving
