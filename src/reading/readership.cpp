#include "reading/readership.h"

#include "events/event_keys.h"
#include "foundation/varint.h"
#include "projecting/writer.h"
#include "reading/schema.h"
#include "runtime/lanes.h"
#include "storage/blocking.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

namespace footfall::reading {
namespace {

std::int64_t signed_of(std::uint64_t number) {
    return static_cast<std::int64_t>(number);
}

std::int64_t microseconds_of(Instant instant) {
    return instant.time_since_epoch().count();
}

/// What another process asks of a lane, and hears: 8 bytes a URL; of each the length of what waits,
/// and that.
std::optional<std::vector<std::uint64_t>> hashes_in(std::string_view question) {
    std::vector<std::uint64_t> hashes(question.size() / sizeof(std::uint64_t));
    if (question.size() % sizeof(std::uint64_t) != 0) {
        return std::nullopt;
    }
    std::memcpy(hashes.data(), question.data(), question.size());
    return hashes;
}

}  // namespace

Readership::Readership(storage::Store& store, const Clock& clock, Options options)
    : store_{&store},
      clock_{&clock},
      options_{options},
      facts_{store, clock, options.interval},
      urls_{
          store,
          clock,
          [this](std::uint32_t lane, const Urls::Waiting& some, storage::Batch& batch) {
              return merge(lane, some, batch);
          },
          {.interval = options.interval, .memory = options.memory}
      } {}

std::uint64_t Readership::hash_of(std::string_view url) const {
    return siphash13(options_.secret, url);
}

/// The first instant at which reads of the day have ended.
Instant Readership::end_of(people::UtcDay day) const {
    return Instant{std::chrono::days{day + 1} + options_.ttl};
}

/// What waits of both kinds shares one bound: facts have none of their own.
Result<void> Readership::wait_for_room() {
    const std::size_t most = options_.memory != nullptr ? options_.memory->bytes() : bytes_max;
    if (bytes() < most) {
        return {};
    }
    if (options_.memory != nullptr) {
        options_.memory->note_short();
    }
    return flush(true);
}

void Readership::apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    for (const projecting::JudgedRecord& each : records) {
        const events::JudgedEvent& judged = *each.judged;
        if (!judged.read || !judged.read->reader || !judged.verdict.counted()) {
            continue;
        }
        const std::uint64_t url = hash_of(judged.event.object);
        const QuarterOfTime quarter = quarter_of(judged.event.time);
        const people::UtcDay day = day_of(quarter);
        const std::int64_t expires = microseconds_of(end_of(day));
        facts_.add(lane, each.offset, [&](storage::Batch& rows) {
            rows.upsert(
                read_fact_table,
                {signed_of(*judged.read->reader), day, signed_of(url), quarter, expires}
            );
            rows.upsert(read_page_table, {signed_of(url), judged.event.object, expires});
        });
        urls_.add(lane, [&](const auto& add) {
            add(url,
                UrlRead{.offset = each.offset, .reader = *judged.read->reader, .quarter = quarter});
        });
    }
}

/// A row for each URL and day. Its key is the first of its records: those that come again after a
/// start make it again, with others or without, and all are written before the checkpoint moves.
Result<void> Readership::merge(std::uint32_t lane, const Urls::Waiting& some, storage::Batch& batch)
    const {
    const std::string writer = projecting::writer_of(options_.log, lane);
    for (const auto& [url, changes] : some) {
        std::map<people::UtcDay, std::vector<UrlRead>> by_day;
        for (const UrlRead& each : changes) {
            by_day[day_of(each.quarter)].push_back(each);
        }
        for (const auto& [day, reads] : by_day) {
            std::string readers;
            append_reads(reads, readers);
            batch.upsert(
                read_url_table,
                {signed_of(url),
                 day,
                 writer,
                 signed_of(reads.front().offset),
                 readers,
                 signed_of(reads.back().offset),
                 microseconds_of(end_of(day))}
            );
        }
    }
    return {};
}

Result<void> Readership::flush(bool all) {
    TRY_VOID(facts_.flush(all));
    return urls_.flush(all);
}

std::optional<std::uint64_t> Readership::unsaved(std::uint32_t lane) {
    const auto fact = facts_.unsaved(lane);
    const auto url = urls_.unsaved(lane);
    return !fact ? url : !url ? fact : std::min(*fact, *url);
}

Instant Readership::stored_until(std::uint32_t lane) {
    return std::min(facts_.stored_until(lane), urls_.stored_until(lane));
}

void Readership::drop() {
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        drop_lane(lane);
    }
}

void Readership::drop_lane(std::uint32_t lane) {
    facts_.drop_lane(lane);
    urls_.drop_lane(lane);
}

std::vector<UrlRead> Readership::waiting_of(std::uint32_t lane, std::uint64_t url) {
    return urls_.look(lane, [&](const Urls::Waiting& waiting) {
        const auto found = waiting.find(url);
        return found == waiting.end() ? std::vector<UrlRead>{} : found->second;
    });
}

Result<std::string> Readership::answer(std::uint32_t lane, std::string_view question) {
    const auto hashes = hashes_in(question);
    if (!hashes) {
        return fail(ErrorKind::invalid_input, "who read which URLs is asked by their hashes");
    }
    std::string bytes;
    for (const std::uint64_t each : *hashes) {
        std::string reads;
        append_reads(waiting_of(lane, each), reads);
        append_varint(reads.size(), bytes);
        bytes += reads;
    }
    return bytes;
}

/// What is in no row yet, here and where others count.
Result<void> Readership::add_waiting(
    std::span<const std::string> urls,
    std::span<const std::uint64_t> hashes,
    std::vector<std::vector<UrlRead>>& readers
) {
    std::map<std::uint32_t, std::vector<std::size_t>> of_others;
    for (std::size_t at = 0; at < urls.size(); ++at) {
        const std::uint32_t lane = events::lane_of(urls[at], options_.secret);
        if (options_.owners != nullptr && !options_.owners->counted_here(lane)) {
            of_others[lane].push_back(at);
        } else {
            readers[at] = waiting_of(lane, hashes[at]);
        }
    }
    std::vector<projecting::LaneQuestion> questions;
    for (const auto& [lane, asked] : of_others) {
        projecting::LaneQuestion& question = questions.emplace_back();
        question.lane = lane;
        for (const std::size_t at : asked) {
            question.bytes.append(reinterpret_cast<const char*>(&hashes[at]), sizeof(hashes[at]));
        }
    }
    if (questions.empty()) {
        return {};
    }
    const projecting::LaneAnswers told = options_.owners->ask(name, questions);
    for (std::size_t question = 0; question < questions.size(); ++question) {
        const auto& answer = told.of_asked[question];
        if (!answer) {
            return fail(
                ErrorKind::unavailable, "who counts some of these reads did not answer; try again"
            );
        }
        std::string_view left = answer->bytes;
        for (const std::size_t at : of_others[questions[question].lane]) {
            std::uint64_t length = 0;
            if (!take_varint(left, length) || length > left.size()) {
                return fail(ErrorKind::corrupt, "the owner of a lane answered what are no reads");
            }
            TRY_VOID(take_reads(left.substr(0, length), readers[at]));
            left.remove_prefix(length);
        }
    }
    return {};
}

Result<std::vector<std::vector<UrlRead>>> Readership::readers_of(
    std::span<const std::string> urls, const IsWanted& is_wanted
) {
    std::vector<std::uint64_t> hashes;
    std::vector<storage::RangeQuery> queries;
    const people::UtcDay first =
        people::utc_day_of(clock_->now()) - static_cast<people::UtcDay>(options_.ttl.count());
    for (const std::string& each : urls) {
        hashes.push_back(hash_of(each));
        queries.push_back(
            {.table = &read_url_table,
             .partition = {signed_of(hashes.back())},
             .from = {std::int64_t{first}}}
        );
    }
    std::vector<std::vector<UrlRead>> readers(urls.size());
    // Memory before rows: what leaves it meanwhile is in them.
    TRY_VOID(add_waiting(urls, hashes, readers));
    const auto is_left_out = [&](const UrlRead& read) {
        return day_of(read.quarter) < first || !is_wanted(read.reader);
    };
    for (std::vector<UrlRead>& each : readers) {
        std::erase_if(each, is_left_out);
    }
    std::vector<UrlRead> of_row;
    TRY_VOID(storage::read_each(
        *store_,
        std::move(queries),
        [&](std::size_t at, const storage::Rows& rows) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                of_row.clear();
                TRY_VOID(take_reads(rows.at(row, 4).text(), of_row));
                std::ranges::remove_copy_if(of_row, std::back_inserter(readers[at]), is_left_out);
            }
            return {};
        }
    ));
    return readers;
}

std::vector<runtime::AuditedAccount> Readership::accounts() {
    return {
        {.of = std::string{name}, .audit = [this](std::size_t lane) { return urls_.audit(lane); }},
        {.of = std::string{name} + " facts",
         .audit = [this](std::size_t lane) { return facts_.audit(lane); }}
    };
}

}  // namespace footfall::reading
