#include "reading/recount.h"

#include "events/rfc3339.h"
#include "foundation/calendar_day.h"
#include "foundation/check.h"
#include "people/read_seals.h"
#include "projecting/writer.h"
#include "rankings/rank_rows.h"
#include "reading/day_ranks.h"
#include "reading/schema.h"
#include "reading/told_reads.h"
#include "reading/url_readers.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace footfall::reading {
namespace {

using Read = std::pair<std::uint64_t, QuarterOfTime>;  ///< A reader's number, and when.

/// A row of read_url.
struct StoredRow {
    people::UtcDay day = 0;
    std::uint64_t from = 0;
    std::uint64_t through = 0;
};

struct RecountedUrl {
    std::string url;
    std::set<Read> reads;
    std::uint64_t last = 0;  ///< The record of the last of them.
    std::vector<StoredRow> rows = {};
    std::map<Read, std::uint64_t> stored = {};  ///< With the first record of a row that has it.
};

class ReadingRecount final : public projecting::Recount {
public:
    explicit ReadingRecount(const projecting::RecountPart& part)
        : part_{part}, writer_{projecting::writer_of(part.log, part.lane)} {
        CHECK(part.seals != nullptr, "who counts reads again needs to know readers");
    }

    Result<void> add(const projecting::JudgedRecord& record) override {
        first_ = std::min(first_, record.offset);
        const events::JudgedEvent& judged = *record.judged;
        if (const auto reader = reader_of(judged); reader && is_of_part(judged.event.object)) {
            ++events_;
            take(record.offset, *reader, judged.event.object, quarter_of(judged.event.time));
        }
        return {};
    }

    Result<void> control(std::uint64_t offset, const events::Control& control) override {
        first_ = std::min(first_, offset);
        for_each_told(control, [&](std::uint64_t reader, const ToldRead& each) {
            take(offset, reader, each.url, each.quarter);
        });
        return {};
    }

    Result<std::uint64_t> read_stored(projecting::WrittenRows& rows) override {
        std::uint64_t end = 0;
        for (auto& [hash, url] : urls_) {
            for (bool may_come = true; may_come;) {
                const std::uint64_t written = rows.end();
                TRY_VOID(read_rows(hash, url));
                const std::uint64_t through = end_of(url);
                end = std::max(end, through);
                if (url.last < through || url.last < written) {
                    break;
                }
                TRY(may_come, rows.wait());
            }
        }
        TRY_VOID(read_names());
        TRY_VOID(read_facts());
        TRY_VOID(read_ranks(rows.end()));
        return end;
    }

    void add_behind(const projecting::JudgedRecord& record) override {
        const events::JudgedEvent& judged = *record.judged;
        if (const auto reader = reader_of(judged)) {
            take_behind(record.offset, *reader, judged.event.object, quarter_of(judged.event.time));
        }
    }

    Result<void> control_behind(std::uint64_t offset, const events::Control& control) override {
        for_each_told(control, [&](std::uint64_t reader, const ToldRead& each) {
            take_behind(offset, reader, each.url, each.quarter);
        });
        return {};
    }

    std::vector<std::string> differences() const override {
        std::vector<std::string> differences = found_;
        for (const auto& [hash, url] : urls_) {
            for (const Read& each : url.reads) {
                if (!url.stored.contains(each) && is_live(each.second)) {
                    differences.push_back(sentence(url, each, "is in the log, and in no row"));
                }
            }
            for (const auto& [each, from] : url.stored) {
                if (!url.reads.contains(each) && from >= first_ && is_somebodys(each)) {
                    differences.push_back(sentence(url, each, "is in a row, and not in the log"));
                }
            }
        }
        return differences;
    }

    std::uint64_t events() const override { return events_; }

    std::uint64_t objects() const override { return urls_.size(); }

private:
    std::optional<std::uint64_t> reader_of(const events::JudgedEvent& judged) const {
        return judged.verdict.counted() ? part_.seals->reader_of(judged) : std::nullopt;
    }

    std::uint64_t hash_of(std::string_view url) const { return siphash13(part_.secret, url); }

    bool is_of_part(std::string_view url) const { return hash_of(url) % part_.of == part_.number; }

    bool is_live_day(people::UtcDay day) const { return part_.seals->is_live(day); }

    bool is_live(QuarterOfTime quarter) const { return is_live_day(day_of(quarter)); }

    /// A read of nobody may have been told again under a key that is gone.
    bool is_somebodys(const Read& read) const {
        return is_live(read.second) && part_.seals->is_somebodys(read.first);
    }

    template <class Function>
    void for_each_told(const events::Control& control, const Function& function) const {
        const auto* const told = std::get_if<events::ReadsToldAgain>(&control);
        const auto text = told != nullptr ? part_.seals->open_text(told->seal) : std::nullopt;
        if (!text) {
            return;
        }
        for (const ToldRead& each : told_reads(text->text)) {
            if (is_of_part(each.url)) {
                function(text->reader, each);
            }
        }
    }

    void take(
        std::uint64_t offset, std::uint64_t reader, std::string_view url, QuarterOfTime quarter
    ) {
        RecountedUrl& own = urls_[hash_of(url)];
        own.url = url;
        own.reads.emplace(reader, quarter);
        own.last = offset;
    }

    /// It counts where a row says that it includes it.
    void take_behind(
        std::uint64_t offset, std::uint64_t reader, std::string_view url, QuarterOfTime quarter
    ) {
        const auto found = urls_.find(hash_of(url));
        if (found == urls_.end()) {
            return;
        }
        const bool is_stored = std::ranges::any_of(found->second.rows, [&](const StoredRow& row) {
            return row.day == day_of(quarter) && row.from <= offset && offset <= row.through;
        });
        if (is_stored) {
            found->second.reads.emplace(reader, quarter);
        }
    }

    static std::uint64_t end_of(const RecountedUrl& url) {
        std::uint64_t end = 0;
        for (const StoredRow& each : url.rows) {
            end = std::max(end, each.through + 1);
        }
        return end;
    }

    Result<void> read_rows(std::uint64_t hash, RecountedUrl& url) const {
        url.rows.clear();
        url.stored.clear();
        TRY(const storage::Rows rows,
            storage::read_all(
                *part_.store,
                {.table = &read_url_table, .partition = {static_cast<std::int64_t>(hash)}}
            ));
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows.at(row, 2).text() != writer_) {
                continue;
            }
            const StoredRow stored{
                .day = static_cast<people::UtcDay>(rows.at(row, 1).number()),
                .from = static_cast<std::uint64_t>(rows.at(row, 3).number()),
                .through = static_cast<std::uint64_t>(rows.at(row, 5).number())
            };
            std::vector<UrlRead> reads;
            TRY_VOID(take_reads(rows.at(row, 4).text(), reads));
            for (const UrlRead& each : reads) {
                const auto [found, is_first] =
                    url.stored.try_emplace({each.reader, each.quarter}, stored.from);
                found->second = std::max(found->second, stored.from);
            }
            url.rows.push_back(stored);
        }
        return {};
    }

    Result<void> read_names() {
        std::vector<std::vector<storage::Value>> keys;
        std::vector<const RecountedUrl*> of_keys;
        for (const auto& [hash, url] : urls_) {
            keys.push_back({static_cast<std::int64_t>(hash)});
            of_keys.push_back(&url);
        }
        return storage::for_each_missing(*part_.store, read_page_table, keys, [&](std::size_t at) {
            if (std::ranges::any_of(of_keys[at]->stored, [&](const auto& each) {
                    return is_live(each.first.second);
                })) {
                found_.push_back(
                    fmt::format("{}: no row says what its hash stands for", of_keys[at]->url)
                );
            }
        });
    }

    /// Only of what rows have: the lists of readers may be a moment behind them.
    Result<void> read_facts() {
        std::vector<std::vector<storage::Value>> keys;
        std::vector<std::pair<const RecountedUrl*, Read>> of_keys;
        for (const auto& [hash, url] : urls_) {
            for (const Read& each : url.reads) {
                if (url.stored.contains(each)) {
                    keys.push_back(
                        {static_cast<std::int64_t>(each.first),
                         day_of(each.second),
                         static_cast<std::int64_t>(hash),
                         each.second}
                    );
                    of_keys.emplace_back(&url, each);
                }
            }
        }
        return storage::for_each_missing(*part_.store, read_fact_table, keys, [&](std::size_t at) {
            const auto& [url, read] = of_keys[at];
            if (is_live(read.second)) {
                found_.push_back(sentence(*url, read, "is in no list of its reader"));
            }
        });
    }

    /// A row by which a list of the most read finds a URL on a day.
    struct RankRows {
        std::vector<std::vector<storage::Value>> keys = {};
        std::vector<std::pair<const RecountedUrl*, people::UtcDay>> of = {};
    };

    /// Who read a URL on a day did so in a read that was counted of it: it came at least as far.
    Result<void> read_ranks(std::uint64_t written) {
        constexpr std::size_t keys_together = 1000;
        RankRows rows;
        for (const auto& [hash, url] : urls_) {
            if (url.last >= written) {
                continue;  // rows of its last reads may come yet
            }
            std::map<people::UtcDay, std::set<std::uint64_t>> readers;
            for (const auto& [reader, quarter] : url.reads) {
                readers[day_of(quarter)].insert(reader);
            }
            for (const auto& [day, of_day] : readers) {
                // Rows of the last day may go while others are looked at.
                const Instant soon = part_.now + std::chrono::days{1};
                if (is_live_day(day) && rankings::is_ranked(day, soon)) {
                    rankings::append_rank_keys(
                        ranked_reads,
                        {.object = url.url, .lane = part_.lane, .day = day},
                        of_day.size(),
                        rows.keys
                    );
                    rows.of.resize(rows.keys.size(), {&url, day});
                }
            }
            if (rows.keys.size() >= keys_together) {
                TRY_VOID(look_up_ranks(std::exchange(rows, {})));
            }
        }
        return look_up_ranks(rows);
    }

    Result<void> look_up_ranks(const RankRows& rows) {
        return storage::for_each_missing(
            *part_.store,
            rankings::rank_day_table,
            rows.keys,
            [&](std::size_t at) {
                const auto& [url, day] = rows.of[at];
                found_.push_back(fmt::format(
                    "{}: a row of {} is missing by which a list of the most read finds it",
                    url->url,
                    format_day(day)
                ));
            }
        );
    }

    static std::string sentence(const RecountedUrl& url, const Read& read, std::string_view what) {
        return fmt::format(
            "{}: a read of the quarter-hour {} {}",
            url.url,
            events::format_rfc3339(begin_of(read.second)),
            what
        );
    }

    const projecting::RecountPart part_;
    const std::string writer_;
    std::uint64_t first_ = std::numeric_limits<std::uint64_t>::max();  ///< The first record seen.
    std::uint64_t events_ = 0;
    std::map<std::uint64_t, RecountedUrl> urls_;  ///< By hash.
    std::vector<std::string> found_;
};

}  // namespace

std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part) {
    return std::make_unique<ReadingRecount>(part);
}

}  // namespace footfall::reading
