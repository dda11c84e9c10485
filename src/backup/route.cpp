#include "backup/route.h"

#include "events/rfc3339.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

namespace footfall::backup {
namespace {

bool follows(const Manifest& base, const Manifest& later) {
    return later.history == base.history && later.taken > base.taken;
}

/// Whether a backup has all that was written after the one before. Where nothing was, there is no
/// first block.
bool goes_on(const Manifest& before, const Manifest& later) {
    return follows(before, later) && !later.past.empty() &&
           (later.past_from == 0 ? later.block <= before.past_to
                                 : later.past_from <= before.past_to + 1);
}

/// The first backup at or after `moment` in the history of `base`, if it and all between have what
/// was written before them; null: there is none.
const Manifest* backup_at(std::span<const Manifest> since, const Manifest& base, Instant moment) {
    const Manifest* before = &base;
    for (const Manifest& each : since) {
        if (!follows(base, each)) {
            continue;
        }
        if (!goes_on(*before, each)) {
            return nullptr;
        }
        if (each.taken >= moment) {
            return &each;
        }
        before = &each;
    }
    return nullptr;
}

/// The logs of the backups from behind `base` to `last`. A log that was still written to when one
/// was made is longer in a later one.
std::vector<StoredFile> logs_of(
    std::span<const Manifest> since, const Manifest& base, const Manifest& last
) {
    std::map<std::string, const StoredFile*> logs;
    for (const Manifest& manifest : since) {
        if (!follows(base, manifest) || manifest.taken > last.taken) {
            continue;
        }
        for (const StoredFile& log : manifest.past) {
            const StoredFile*& known = logs[log.name];
            known = known == nullptr || known->sums.size < log.sums.size ? &log : known;
        }
    }
    std::vector<StoredFile> found;
    found.reserve(logs.size());
    for (const auto& [name, log] : logs) {
        found.push_back(*log);
    }
    return found;
}

std::string_view why_not(std::span<const Manifest> whole, Instant moment) {
    if (whole.empty() || moment < whole.front().until) {
        return "there is no backup as old";
    }
    if (moment > whole.back().taken) {
        return "no backup was made since, so nothing was taken along of what was written until "
               "then; make one";
    }
    return "between the backup before it and the next one nothing was kept, or not all (the "
           "setting backup_history; docs/backup.md)";
}

}  // namespace

Result<Route> route_to(const Listing& listing, Instant moment) {
    const std::vector<Manifest>& whole = listing.whole;
    const auto behind = std::ranges::find_if(whole, [&](const Manifest& manifest) {
        return manifest.until > moment;
    });
    if (behind != whole.begin()) {
        const Manifest& base = *std::prev(behind);
        const std::span since{behind, whole.end()};
        if (const Manifest* const last = backup_at(since, base, moment)) {
            return Route{
                .base = base, .past = logs_of(since, base, *last), .block_min = last->block
            };
        }
    }
    std::string why = fmt::format(
        "{} cannot be restored: {}", events::format_rfc3339(moment), why_not(whole, moment)
    );
    const std::string spans = text_of(spans_of(listing));
    why += spans.empty() ? "; nor can any other moment, but backups as they are (without --time)"
                         : fmt::format("; moments that can be: {}", spans);
    for (const std::string& text : listing.unusable) {
        why += "; " + text;
    }
    return fail(ErrorKind::not_found, why);
}

std::vector<Span> spans_of(const Listing& listing) {
    std::vector<Span> spans;
    const Manifest* before = nullptr;
    for (const Manifest& manifest : listing.whole) {
        if (before != nullptr && goes_on(*before, manifest)) {
            if (!spans.empty() && spans.back().last == before->taken) {
                spans.back().last = manifest.taken;
            } else {
                spans.push_back({.first = before->until, .last = manifest.taken});
            }
        }
        before = &manifest;
    }
    return spans;
}

std::string json_of(const std::vector<Span>& spans) {
    std::string text;
    for (const Span& span : spans) {
        text += fmt::format(
            R"({}{{"first":"{}","last":"{}"}})",
            text.empty() ? "" : ",",
            events::format_rfc3339(span.first),
            events::format_rfc3339(span.last)
        );
    }
    return fmt::format("[{}]", text);
}

std::string text_of(const std::vector<Span>& spans) {
    std::string text;
    for (const Span& span : spans) {
        text += fmt::format(
            "{}{} to {}",
            text.empty() ? "" : ", and ",
            events::format_rfc3339(span.first),
            events::format_rfc3339(span.last)
        );
    }
    return text;
}

}  // namespace footfall::backup
