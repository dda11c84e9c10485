#include "ads/ledger.h"

#include "ads/cells.h"
#include "ads/page_source.h"
#include "ads/schema.h"
#include "projecting/writer.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace footfall::ads {
namespace {

Result<void> compare(const std::vector<storage::Value>& row, const Ledger::Options& options) {
    const auto& zone = std::get<std::string>(row[1]);
    const auto& currency = std::get<std::string>(row[2]);
    if (zone != options.zone.zone().name() || currency != options.currency) {
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "the ledger was begun in the zone {} with the currency {}, and both stay: set "
                "ledger_zone = \"{}\" and ledger_currency = \"{}\"",
                zone,
                currency,
                zone,
                currency
            )
        );
    }
    return {};
}

/// Of the job's memory; the rest is for what waits for its rows.
constexpr std::size_t pages_percent = 40;
constexpr std::size_t clicks_percent = 20;
/// How long rows of clicks wait.
constexpr std::chrono::seconds clicks_interval{1};

std::vector<std::string> writers_of(std::uint64_t log) {
    std::vector<std::string> writers;
    writers.reserve(runtime::lane_count);
    for (std::size_t lane = 0; lane < runtime::lane_count; ++lane) {
        writers.push_back(projecting::writer_of(log, lane));
    }
    return writers;
}

}  // namespace

Result<std::unique_ptr<Ledger>> Ledger::open(
    storage::Store& store, const Clock& clock, std::uint64_t log, Options options
) {
    TRY(const auto row, storage::read_one(store, ledger_table, {std::string{the_ledger}}));
    if (row) {
        TRY_VOID(compare(*row, options));
    }
    return std::unique_ptr<Ledger>{new Ledger{store, clock, log, std::move(options)}};
}

Ledger::Ledger(storage::Store& store, const Clock& clock, std::uint64_t log, Options options)
    : store_{&store},
      clock_{&clock},
      log_{log},
      options_{std::move(options)},
      parties_{store, options_.secret},
      writers_{writers_of(log)},
      poster_{store, clock, log, parties_},
      clicks_{store, clock, clicks_interval},
      waiting_{
          store,
          clock,
          [this](std::span<const Waiting::Part> parts, storage::Batch& batch) {
              return merge(parts, batch);
          },
          [this](std::span<const Waiting::Part> parts) { note_written(parts); },
          {.interval = options_.interval,
           .memory = options_.memory,
           .memory_percent = 100 - pages_percent - clicks_percent}
      } {
    if (options_.owners == nullptr) {
        pages_ = std::make_unique<PartyPages>(
            [this](PartyKind kind, const std::string& party, const std::string& currency) {
                return make_party_page(*this, kind, party, currency);
            },
            options_.memory,
            pages_percent
        );
    }
    if (options_.live != nullptr) {
        options_.live->read_again(clock.now());
    }
}

/// A lane's seals before its checkpoint are in rows; those behind it come again.
Result<void> Ledger::begin(std::span<const projecting::LaneStart> lanes) {
    TRY(const Seals stored, seals());
    seal_progress_.note(stored);
    for (const projecting::LaneStart& each : lanes) {
        lanes_.with(each.lane, [&](LaneState& state) {
            state.seals = stored.of_lane(each.lane);
            state.taken_before = each.offset;
        });
    }
    return {};
}

void Ledger::apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    if (records.empty()) {
        return;
    }
    lanes_.with(lane, [&](LaneState& state) {
        clicks_.add(lane, records.front().offset, [&](storage::Batch& clicks) {
            waiting_.add(lane, [&](const auto& add, bool is_first) {
                if (is_first) {
                    state.names.clear();
                }
                for (const projecting::JudgedRecord& each : records) {
                    if (is_of_ledger(each.judged->event)) {
                        add({.what = take_line(lane, each, state, clicks)});
                    }
                }
            });
        });
        state.taken_before = records.back().offset + 1;
    });
    to_hand_over_.store(true);
    note_live(records);
}

/// Makes the line of an event, and the row of one that counts.
Line Ledger::take_line(
    std::uint32_t lane,
    const projecting::JudgedRecord& record,
    LaneState& state,
    storage::Batch& clicks
) const {
    Line line =
        line_of(record.offset, *record.judged, options_.zone, options_.currency, state.names);
    line.booked = booked_month(line.day, state.seals.sealed_before(record.offset));
    if (line.kind != Line::Kind::refused) {
        add_click_row(line, record.judged->event, writers_.at(lane), clicks);
    }
    return line;
}

void Ledger::note_live(std::span<const projecting::JudgedRecord> records) {
    if (options_.live == nullptr) {
        return;
    }
    const Instant now = clock_->now();
    for (const projecting::JudgedRecord& each : records) {
        options_.live->note_new(*each.judged, now);
    }
}

/// Rows of clicks are written each second in any case; this is for a burst.
Result<void> Ledger::wait_for_room() {
    if (options_.memory != nullptr &&
        clicks_.bytes() > options_.memory->bytes() / 100 * clicks_percent) {
        options_.memory->note_short();
        TRY_VOID(clicks_.flush(true));
    }
    return waiting_.wait_for_room();
}

std::optional<std::uint64_t> Ledger::unsaved(std::uint32_t lane) {
    const std::optional<std::uint64_t> lines = waiting_.unsaved(lane);
    const std::optional<std::uint64_t> clicks = clicks_.unsaved(lane);
    return lines && clicks ? std::min(*lines, *clicks) : lines ? lines : clicks;
}

void Ledger::control(std::uint32_t lane, std::uint64_t offset, const events::Control& control) {
    lanes_.with(lane, [&](LaneState& state) {
        Entry entry;
        if (const auto* const rate = std::get_if<events::RateSaid>(&control)) {
            const Month booked = booked_month_of_rate(state.seals.sealed_before(offset));
            entry.what = std::make_shared<const RateEntry>(offset, booked, *rate);
        } else if (const auto* const seal = std::get_if<events::MonthSealed>(&control)) {
            state.seals.add(offset, seal->month);
            entry.what = std::make_shared<const SealEntry>(offset, *seal);
        } else {
            return;
        }
        waiting_.add(lane, [&](const auto& add, bool is_first) {
            if (is_first) {
                state.names.clear();
            }
            add(std::move(entry));
        });
    });
    to_hand_over_.store(true);
}

Result<void> Ledger::flush(bool all) {
    TRY_VOID(clicks_.flush(all));
    return waiting_.flush(all);
}

void Ledger::drop() {
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        drop_lines(lane);
    }
    forget_pages();
    if (options_.live != nullptr) {
        options_.live->read_again(clock_->now());
    }
}

void Ledger::drop_lane(std::uint32_t lane) {
    drop_lines(lane);
    forget_pages();
}

void Ledger::drop_lines(std::uint32_t lane) {
    lanes_.with(lane, [](LaneState& state) { state.taken_before = 0; });
    waiting_.drop_lane(lane);
    clicks_.drop_lane(lane);
}

/// What was dropped comes again under the same offsets.
void Ledger::forget_pages() {
    const std::lock_guard lock{handing_};
    handed_.fill(0);
    if (pages_ != nullptr) {
        pages_->forget_all();
    }
}

void Ledger::hand_over() {
    if (pages_ == nullptr || pages_->empty()) {
        return;
    }
    const std::lock_guard lock{handing_};
    if (!to_hand_over_.exchange(false)) {
        return;
    }
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        std::uint64_t& handed = handed_.at(lane);
        waiting_.look_from(lane, handed, [&](const Entry& entry) {
            pages_->hand_over(lane, entry);
            handed = Entry::offset_of(entry) + 1;
        });
    }
}

/// Lines leave memory after this: what pages were not given yet they are given now.
void Ledger::note_written(std::span<const Waiting::Part> parts) {
    if (pages_ == nullptr) {
        return;
    }
    const std::lock_guard lock{handing_};
    for (const Waiting::Part& part : parts) {
        std::uint64_t& handed = handed_.at(part.lane);
        for (const Entry& entry : part.entries) {
            if (const auto* const rate = std::get_if<RareEntry<RateEntry>>(&entry.what)) {
                pages_->forget((*rate)->said.kind, (*rate)->said.party);
            } else if (const auto* const seal = std::get_if<RareEntry<SealEntry>>(&entry.what)) {
                seal_progress_.note_passed((*seal)->said.month);
                pages_->forget_all();
            }
            if (Entry::offset_of(entry) >= handed) {
                pages_->hand_over(part.lane, entry);
                handed = Entry::offset_of(entry) + 1;
            }
        }
    }
}

/// With the first line, or the first rate, the zone is fixed, for all processes.
Result<void> Ledger::merge(std::span<const Waiting::Part> parts, storage::Batch& batch) {
    if (!begun_) {
        TRY(const auto row,
            store_->insert_new(
                ledger_table,
                {std::string{the_ledger}, options_.zone.zone().name(), options_.currency}
            ));
        TRY_VOID(compare(row, options_));
        begun_ = true;
    }
    return poster_.merge(parts, batch);
}

Result<std::string> Ledger::answer(std::uint32_t lane, std::string_view question) {
    TRY(const LinesAsked asked, read_question(question));
    std::string bytes;
    waiting_.look(lane, [&](const Entry& entry) {
        const auto* const line = std::get_if<Line>(&entry.what);
        if (line != nullptr && asked.is_of(*line)) {
            append_line(*line, bytes);
        }
    });
    return bytes;
}

Result<WaitingLines> Ledger::waiting_lines(const LinesAsked& asked) {
    WaitingLines found;
    std::vector<projecting::LaneQuestion> questions;
    const std::string question = written_question(asked);
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        if (options_.owners != nullptr && !options_.owners->counted_here(lane)) {
            questions.push_back({.lane = lane, .bytes = question});
            continue;
        }
        waiting_.look(lane, [&](const Entry& entry) {
            const auto* const line = std::get_if<Line>(&entry.what);
            if (line != nullptr && asked.is_of(*line)) {
                found.lines.push_back({.lane = lane, .line = *line});
            }
        });
    }
    if (questions.empty()) {
        return found;
    }
    const projecting::LaneAnswers answers = options_.owners->ask(name, questions);
    for (std::size_t at = 0; at < questions.size(); ++at) {
        const auto& answer = answers.of_asked[at];
        if (!answer) {
            found.provisional = true;
            continue;
        }
        TRY(std::vector<Line> lines, read_lines(answer->bytes));
        for (Line& each : lines) {
            found.lines.push_back({.lane = questions[at].lane, .line = std::move(each)});
        }
    }
    return found;
}

}  // namespace footfall::ads
