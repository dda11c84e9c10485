#include "backup/manifest.h"

#include "backup/sealed_depot.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "foundation/parse_number.h"
#include "moving/sealed_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace footfall::backup {
namespace {

constexpr std::string_view manifest_file = "manifest";
constexpr std::string_view kind_line = "footfall-backup ";
constexpr std::string_view first_line = "footfall-backup 2\n";
constexpr std::string_view earlier_line = "footfall-backup 1\n";
constexpr std::size_t sum_digits = 8;

void append_file(std::string_view kind, const StoredFile& file, std::string& text) {
    fmt::format_to(
        std::back_inserter(text),
        "{} {} {} {} {:08x} ",
        kind,
        file.name,
        file.stored,
        file.sums.size,
        file.sums.tail
    );
    for (const std::uint32_t sum : file.sums.portions) {
        fmt::format_to(std::back_inserter(text), "{:08x}", sum);
    }
    text += '\n';
}

std::string text_of(const Manifest& manifest) {
    std::string text = fmt::format(
        "{}name {}\ndeployment {}\nformat {}\ntaken {}\nlog_id {}\nlog_records {}\n"
        "history {}\nblock {}\npast_from {}\npast_to {}\nuntil {}\n",
        first_line,
        manifest.name,
        manifest.deployment,
        manifest.format,
        manifest.taken.time_since_epoch().count(),
        manifest.log_id,
        manifest.log_records,
        manifest.history,
        manifest.block,
        manifest.past_from,
        manifest.past_to,
        manifest.until.time_since_epoch().count()
    );
    if (!manifest.keyspace.empty()) {
        text += fmt::format("keyspace {}\nsnapshot {}\n", manifest.keyspace, manifest.snapshot);
    }
    for (const StoredFile& file : manifest.files) {
        append_file("file", file, text);
    }
    for (const StoredFile& file : manifest.past) {
        append_file("past", file, text);
    }
    for (const StoredFile& file : manifest.beside) {
        append_file("beside", file, text);
    }
    return text;
}

std::string_view take_word(std::string_view& text) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

std::optional<std::uint32_t> sum_of(std::string_view digits) {
    std::uint32_t sum = 0;
    const char* const begin = digits.data();
    const char* const end = begin + digits.size();
    const auto [read, error] = std::from_chars(begin, end, sum, 16);
    return digits.size() == sum_digits && error == std::errc{} && read == end ? std::optional{sum}
                                                                              : std::nullopt;
}

/// Whether a path of a manifest stays below where it begins: it comes from outside.
bool stays_below(std::string_view path) {
    const std::filesystem::path parts{path};
    return !path.empty() && parts.is_relative() && std::ranges::all_of(parts, [](const auto& part) {
        return !part.empty() && part != "." && part != "..";
    });
}

std::optional<StoredFile> file_of(std::string_view text) {
    StoredFile file;
    file.name = take_word(text);
    file.stored = take_word(text);
    const auto size = parse_unsigned(take_word(text));
    const auto tail = sum_of(take_word(text));
    if (!size || !tail || !stays_below(file.name) || !stays_below(file.stored) ||
        text.size() / sum_digits != portions_of(*size) || text.size() % sum_digits != 0) {
        return std::nullopt;
    }
    file.sums.size = *size;
    file.sums.tail = *tail;
    for (; !text.empty(); text.remove_prefix(sum_digits)) {
        const auto sum = sum_of(text.substr(0, sum_digits));
        if (!sum) {
            return std::nullopt;
        }
        file.sums.portions.push_back(*sum);
    }
    return file;
}

bool take_number(std::string_view text, std::uint64_t& number) {
    const auto read = parse_unsigned(text);
    number = read.value_or(0);
    return read.has_value();
}

template <class Place, std::size_t count>
Place* place_of(
    const std::array<std::pair<std::string_view, Place*>, count>& places, std::string_view name
) {
    const auto* const found =
        std::ranges::find(places, name, &std::pair<std::string_view, Place*>::first);
    return found == places.end() ? nullptr : found->second;
}

bool take_line(const moving::TextLine& line, Manifest& manifest) {
    const std::array<std::pair<std::string_view, std::vector<StoredFile>*>, 3> lists{
        {{"file", &manifest.files}, {"past", &manifest.past}, {"beside", &manifest.beside}}
    };
    if (std::vector<StoredFile>* const list = place_of(lists, line.name)) {
        auto file = file_of(line.value);
        if (!file) {
            return false;
        }
        list->push_back(*std::move(file));
        return true;
    }
    if (line.name == "name") {
        manifest.name = line.value;
        return stays_below(line.value);
    }
    const std::array<std::pair<std::string_view, std::string*>, 3> texts{
        {{"deployment", &manifest.deployment},
         {"keyspace", &manifest.keyspace},
         {"snapshot", &manifest.snapshot}}
    };
    if (std::string* const text = place_of(texts, line.name)) {
        *text = line.value;
        return true;
    }
    const std::array<std::pair<std::string_view, Instant*>, 2> times{
        {{"taken", &manifest.taken}, {"until", &manifest.until}}
    };
    if (Instant* const time = place_of(times, line.name)) {
        std::uint64_t micros = 0;
        const bool read = take_number(line.value, micros);
        *time = Instant{std::chrono::microseconds{micros}};
        return read;
    }
    const std::array<std::pair<std::string_view, std::uint64_t*>, 7> numbers{
        {{"format", &manifest.format},
         {"log_id", &manifest.log_id},
         {"log_records", &manifest.log_records},
         {"history", &manifest.history},
         {"block", &manifest.block},
         {"past_from", &manifest.past_from},
         {"past_to", &manifest.past_to}}
    };
    std::uint64_t* const number = place_of(numbers, line.name);
    return number == nullptr || take_number(line.value, *number);
}

}  // namespace

std::uint64_t Manifest::bytes() const {
    std::uint64_t sum = 0;
    for_each_file([&](const StoredFile& file) { sum += file.sums.size; });
    return sum;
}

std::string json_of(const Manifest& manifest) {
    const std::string node = manifest.keyspace.empty() ? ""
                                                       : fmt::format(
                                                             R"("keyspace":{},"snapshot":{},)",
                                                             json_string(manifest.keyspace),
                                                             json_string(manifest.snapshot)
                                                         );
    return fmt::format(
        R"({{"name":{},"taken":"{}","until":"{}","deployment":{},{}"format":{},"log_records":{},"files":{},"bytes":{}}})",
        json_string(manifest.name),
        events::format_rfc3339(manifest.taken),
        events::format_rfc3339(manifest.until),
        json_string(manifest.deployment),
        node,
        manifest.format,
        manifest.log_records,
        manifest.file_count(),
        manifest.bytes()
    );
}

std::string name_of(Instant taken) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(taken);
    return fmt::format("{:%Y%m%dT%H%M%S}.{:06}Z", seconds, (taken - seconds).count());
}

std::string folder_of(std::string_view backup) {
    return fmt::format("{}/{}", backups_folder, backup);
}

std::string manifest_name(std::string_view backup) {
    return fmt::format("{}/{}", folder_of(backup), manifest_file);
}

Result<void> write_manifest(Depot& depot, const Manifest& manifest) {
    return depot.put(manifest_name(manifest.name), moving::seal(text_of(manifest)));
}

Result<Manifest> read_manifest(Depot& depot, std::string_view backup) {
    const std::string name = manifest_name(backup);
    TRY(const std::string bytes, read_small(depot, name));
    if (bytes.starts_with(sealed_magic)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{} is encrypted: --encryption-key FILE (backup_encryption_key) names its key",
                depot.where(name)
            )
        );
    }
    const auto text = moving::unseal(bytes);
    if (!text) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("{} is damaged: its checksum is wrong", depot.where(name))
        );
    }
    if (text->starts_with(kind_line) && !text->starts_with(first_line)) {
        const bool earlier = text->starts_with(earlier_line);
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "the backup {} was made by {} version of footfall{}",
                depot.where(folder_of(backup)),
                earlier ? "an earlier" : "a newer",
                earlier ? ", whose backups this one does not read: restore it with that version"
                        : ""
            )
        );
    }
    const auto damaged = [&](std::string_view what) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("{} is no list of a backup: {}", depot.where(name), what)
        );
    };
    if (!text->starts_with(first_line)) {
        return damaged("it begins otherwise");
    }
    Manifest manifest;
    for (const moving::TextLine& line : moving::lines_of(*text)) {
        if (!take_line(line, manifest)) {
            constexpr std::size_t shown = 80;
            return damaged(fmt::format("\"{} {}\"", line.name, line.value.substr(0, shown)));
        }
    }
    if (manifest.name != backup) {
        return damaged(fmt::format("it is of \"{}\"", manifest.name));
    }
    return manifest;
}

}  // namespace footfall::backup
