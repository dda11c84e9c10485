#include "intake/lane_judge.h"

#include "foundation/check.h"
#include "intake/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace footfall::intake {

using events::JudgedEvent;

/// Events that were judged and are about to be appended together.
struct LaneJudge::Chunk {
    struct Judged {
        Arriving* arriving;
        events::IdKeys known_by;
    };

    std::uint64_t first = 0;  ///< The offset of the first of them.
    std::uint64_t next_source = 0;
    std::vector<Judged> judged = {};
    std::string bytes = {};
    std::vector<std::size_t> ends = {};
    TakenEvents taken = {};
};

namespace {

/// So many events are taken with the mutex held; others wait that long.
constexpr std::size_t chunk_events = 500;

std::int64_t stored_time(Instant time) {
    return time.time_since_epoch().count();
}

/// No rule decides it: whatever the rules are, nothing is counted twice.
events::Verdict too_old_verdict(std::uint32_t rules_version, const events::Evidence& evidence) {
    return {
        .rules_version = rules_version,
        .refusal = events::Objection{.reason = "too_old", .rule = "too_old", .evidence = evidence}
    };
}

}  // namespace

std::string position_id(std::uint64_t log, std::uint32_t lane, std::uint64_t offset) {
    return fmt::format("{:016x}-{}-{}", log, lane, offset);
}

LaneJudge::LaneJudge(const Context& context, std::uint32_t lane)
    : context_{&context}, lane_{lane}, repeats_{context.rules->repeat_reach(), repeats_bytes()} {}

std::uint64_t LaneJudge::begin_asking() {
    const std::uint64_t readable = young_.readable_before(*context_->store);
    asking_.push_back(readable);
    return readable;
}

void LaneJudge::end_asking(std::uint64_t number) {
    const auto mine = std::ranges::find(asking_, number);
    CHECK(mine != asking_.end(), "an end without a beginning", number);
    asking_.erase(mine);
    // What every read under way is sure to find in the store need not be remembered.
    young_.drop_before(
        asking_.empty() ? young_.readable_before(*context_->store) : std::ranges::min(asking_)
    );
}

bool LaneJudge::must_ask_times(const Arriving& arriving) const {
    return !nearest_counted(arriving);
}

Result<void> LaneJudge::check_taking() const {
    if (lost_) {
        return fail(
            ErrorKind::unavailable,
            "the lane is another process's, or its log is being read again; try again"
        );
    }
    return {};
}

Result<TakenEvents> LaneJudge::judge(std::span<Arriving* const> arriving) {
    TRY_VOID(check_taking());
    TRY_VOID(submit_owed());
    Chunk chunk{.first = context_->log->end(lane_), .next_source = next_source_};
    arriving = arriving.first(std::min(arriving.size(), chunk_events));
    chunk.judged.reserve(arriving.size());
    for (Arriving* const each : arriving) {
        if (!judge_next(*each, chunk)) {
            break;
        }
    }
    if (!chunk.judged.empty()) {
        if (Result<void> committed = commit(chunk); !committed) {
            young_.take_back(chunk.judged.size());
            note_undone_rates(chunk);
            return std::unexpected(committed.error());
        }
    }
    next_source_ = chunk.next_source;
    note_figures(chunk);
    return chunk.taken;
}

void LaneJudge::note_figures(const Chunk& chunk) {
    figures_.duplicates += chunk.taken.duplicates;
    figures_.counted += chunk.judged.size() - chunk.taken.refused;
    if (chunk.taken.refused == 0) {
        return;
    }
    for (const Chunk::Judged& each : chunk.judged) {
        if (const auto& refusal = each.arriving->judged.verdict.refusal) {
            ++figures_.refused[refusal->reason];
        }
    }
}

const EarlierEvent* LaneJudge::earlier(const Arriving& arriving, EarlierEvent& young) const {
    if (arriving.keys.identity == 0) {
        return nullptr;
    }
    if (const YoungEvent* found = young_.find(arriving.keys.identity)) {
        young = {
            .log = context_->log->id(),
            .lane = lane_,
            .offset = found->offset,
            .content = found->content
        };
        return &young;
    }
    return arriving.earlier ? &*arriving.earlier : nullptr;
}

std::optional<guard::NearestCounted> LaneJudge::nearest_counted(const Arriving& arriving) const {
    if (!arriving.keys.person ||
        !context_->rules->asks_for_repeats(arriving.event(), arriving.judged.door)) {
        return guard::NearestCounted{};
    }
    std::vector<Instant> times;
    young_.append_times(arriving.keys.repeat, times);
    const Instant time = arriving.event().time;
    if (auto found = repeats_.judge(arriving.keys.repeat, time, times)) {
        return found;
    }
    // Of a read nothing is kept that the store could be asked for.
    if (!arriving.counted && !arriving.judged.read) {
        return std::nullopt;
    }
    if (arriving.counted) {
        times.insert(times.end(), arriving.counted->begin(), arriving.counted->end());
    }
    return repeats_.nearest(times, time);
}

std::optional<events::Verdict> LaneJudge::judge(
    const Arriving& arriving, const Chunk& chunk, const EarlierEvent* same_id
) const {
    if (arriving.too_old) {
        return too_old_verdict(context_->rules->version(), *arriving.too_old);
    }
    events::Evidence earlier;
    if (same_id != nullptr) {
        earlier.emplace_back("earlier", position_id(same_id->log, same_id->lane, same_id->offset));
    }
    const JudgedEvent& judged = arriving.judged;
    return context_->rules->judge(
        judged.event,
        {.arrival = judged.arrival,
         .door = judged.door,
         .machine_sign = judged.machine_sign,
         .id_conflict = same_id != nullptr ? &earlier : nullptr,
         .nearest = nearest_counted(arriving),
         .rates = context_->rates,
         .place = place_of(chunk.first + chunk.judged.size(), judged),
         .rates_away = arriving.rates_away}
    );
}

/// Whether it came before: as the first of its id, or as one that says something else than that.
bool LaneJudge::is_duplicate(
    const Arriving& arriving, const EarlierEvent* same_id, events::IdKeys known_by
) const {
    if (same_id == nullptr || same_id->content == arriving.keys.content) {
        return same_id != nullptr;
    }
    return arriving.same_conflict || young_.find(known_by.identity) != nullptr;
}

bool LaneJudge::judge_next(Arriving& arriving, Chunk& chunk) {
    const std::optional<std::uint64_t> source = arriving.judged.source;
    if (source && *source < chunk.next_source) {
        ++chunk.taken.count;
        return true;
    }
    EarlierEvent young;
    const EarlierEvent* const same_id = earlier(arriving, young);
    const bool conflicts = same_id != nullptr && same_id->content != arriving.keys.content;
    const events::IdKeys known_by =
        conflicts ? conflict_keys(arriving.keys, arriving.event().object, context_->secret)
                  : id_keys(arriving.keys);
    if (is_duplicate(arriving, same_id, known_by)) {
        if (const YoungEvent* found = young_.find(known_by.identity);
            found != nullptr && found->record != YoungEvent::nowhere) {
            chunk.taken.position = std::max(chunk.taken.position, found->record);
        }
        chunk.next_source = source ? *source + 1 : chunk.next_source;
        ++chunk.taken.duplicates;
        ++chunk.taken.count;
        return true;
    }
    auto verdict = judge(arriving, chunk, same_id);
    if (!verdict) {
        return false;
    }
    chunk.next_source = source ? *source + 1 : chunk.next_source;
    JudgedEvent& judged = arriving.judged;
    judged.verdict = *std::move(verdict);
    const std::uint64_t offset = chunk.first + chunk.judged.size();
    chunk.judged.push_back({.arriving = &arriving, .known_by = known_by});
    add_id(known_by.identity);
    note_rate(offset, judged);  // the next of the chunk has to see it
    if (context_->reads != nullptr) {
        context_->reads->seals().seal(judged);
    }
    const std::size_t before = chunk.bytes.size();
    events::append_judged(judged, chunk.bytes);
    chunk.ends.push_back(chunk.bytes.size());
    CHECK(chunk.bytes.size() - before <= journal::Log::record_bytes_max, "an event too large");
    young_.add({
        .identity = known_by.identity,
        .content = arriving.keys.content,
        .offset = offset,
        .source = judged.source,
        .repeat = arriving.keys.repeat,
        .counted = repeats_count(judged, arriving.keys),
        .time = judged.event.time,
    });
    ++chunk.taken.count;
    chunk.taken.refused += judged.verdict.counted() ? 0 : 1;
    return true;
}

Result<void> LaneJudge::commit(Chunk& chunk) {
    std::vector<std::string_view> records;
    records.reserve(chunk.ends.size());
    for (std::size_t start = 0; const std::size_t end : chunk.ends) {
        records.push_back(std::string_view{chunk.bytes}.substr(start, end - start));
        start = end;
    }
    TRY(const storage::CommitPosition appended, context_->log->append(lane_, records));
    young_.appended(chunk.judged.size(), appended);
    OwedRows& owed = owed_.emplace_back();
    owed.records = appended;
    owed.events = chunk.judged.size();
    std::vector<projecting::JudgedRecord> told;
    told.reserve(chunk.judged.size());
    std::uint64_t offset = chunk.first;
    for (const Chunk::Judged& each : chunk.judged) {
        const JudgedEvent& judged = each.arriving->judged;
        const events::EventKeys& keys = each.arriving->keys;
        remember_repeat(offset, judged, keys);
        add_rows(offset, judged, keys, each.known_by, owed.rows);
        add_rate_notes(offset, judged, owed.notes);
        told.push_back(
            {.offset = offset, .judged = &judged, .person = counted_person(judged.event, keys)}
        );
        ++offset;
    }
    tell_projections({.events = told, .end = {.offset = offset, .source = chunk.next_source}});
    // Events may be answered once their records are durable: rows follow from records, and what the
    // store has no room for now it takes before the next event. Where both are of one store, who
    // has his answer finds the rows, too, which costs nothing: mostly they are of the same block.
    chunk.taken.position = std::max(chunk.taken.position, appended);
    if (submit_owed() && context_->log->is_in(*context_->store)) {
        chunk.taken.position = std::max(chunk.taken.position, last_rows_);
    }
    return {};
}

void LaneJudge::tell_projections(const projecting::Told& told) const {
    if (context_->host != nullptr) {
        context_->host->tell(lane_, told);
    }
}

Result<void> LaneJudge::submit_owed() {
    const bool in_store = context_->log->is_in(*context_->store);
    while (!owed_.empty() && (in_store || context_->log->durable(owed_.front().records))) {
        TRY(const storage::CommitPosition position, context_->store->submit(owed_.front().rows));
        young_.submitted(owed_.front().events, position);
        last_rows_ = std::max(last_rows_, position);
        tell_rates(owed_.front().notes);
        owed_.pop_front();
    }
    return {};
}

Result<storage::CommitPosition> LaneJudge::submit_all() {
    TRY_VOID(submit_owed());
    CHECK(owed_.empty(), "records that are not durable", lane_);
    return last_rows_;
}

bool LaneJudge::repeats_count(const JudgedEvent& judged, const events::EventKeys& keys) const {
    return keys.person && judged.verdict.counted() &&
           context_->rules->asks_for_repeats(judged.event, judged.door);
}

void LaneJudge::note_rate(std::uint64_t offset, const JudgedEvent& judged) {
    if (judged.verdict.counted()) {
        context_->rules->note_counted(
            judged.event, judged.door, place_of(offset, judged), *context_->rates
        );
    }
}

/// Rates were told of these events, which are not in the log.
void LaneJudge::note_undone_rates(const Chunk& chunk) const {
    std::vector<guard::RateKey> keys;
    for (const Chunk::Judged& each : chunk.judged) {
        const JudgedEvent& judged = each.arriving->judged;
        if (judged.verdict.counted()) {
            context_->rules->append_rate_keys(judged.event, judged.door, *context_->rates, keys);
        }
    }
    if (!keys.empty()) {
        context_->rates->note_undone();
    }
}

/// Of one that came from a log of events its place there: that is the same whoever judges it.
guard::EventPlace LaneJudge::place_of(std::uint64_t offset, const JudgedEvent& judged) const {
    return {.lane = lane_, .offset = judged.source.value_or(offset)};
}

/// What other processes are to be told, once the event is sure to stay.
void LaneJudge::add_rate_notes(
    std::uint64_t offset, const JudgedEvent& judged, std::vector<guard::RateNote>& notes
) const {
    if (context_->shared_rates == nullptr || !judged.verdict.counted()) {
        return;
    }
    std::vector<guard::RateKey> keys;
    context_->rules->append_rate_keys(judged.event, judged.door, *context_->rates, keys);
    for (const guard::RateKey& of : keys) {
        notes.push_back({.of = of, .time = judged.event.time, .place = place_of(offset, judged)});
    }
}

void LaneJudge::tell_rates(std::span<const guard::RateNote> notes) const {
    if (!notes.empty()) {
        context_->shared_rates->note(notes);
    }
}

void LaneJudge::remember(
    std::uint64_t offset, const JudgedEvent& judged, const events::EventKeys& keys
) {
    remember_repeat(offset, judged, keys);
    note_rate(offset, judged);
    std::vector<guard::RateNote> notes;
    add_rate_notes(offset, judged, notes);
    tell_rates(notes);
}

void LaneJudge::remember_repeat(
    std::uint64_t offset, const JudgedEvent& judged, const events::EventKeys& keys
) {
    if (repeats_count(judged, keys)) {
        repeats_.counted(keys.repeat, judged.event.time, judged.arrival);
    }
    marks_.note(offset, judged.verdict.counted(), judged.event.time);
}

void LaneJudge::add_rows(
    std::uint64_t offset,
    const JudgedEvent& judged,
    const events::EventKeys& keys,
    events::IdKeys known_by,
    storage::Batch& rows
) const {
    const events::Event& event = judged.event;
    const std::int64_t log = signed_of(context_->log->id());
    const std::int64_t expires =
        context_->keep_rows ? stored_time(judged.arrival + *context_->keep_rows) : 0;
    if (known_by.identity != 0) {
        rows.upsert(
            event_by_id_table,
            {signed_of(known_by.id),
             event.object,
             log,
             std::int64_t{lane_},
             signed_of(offset),
             signed_of(keys.content),
             expires}
        );
    }
    if (repeats_count(judged, keys) && !judged.read) {
        rows.upsert(
            guard_seen_table,
            {event.action,
             event.object,
             signed_of(keys.person.value_or(0)),
             stored_time(event.time),
             log,
             std::int64_t{lane_},
             signed_of(offset),
             expires}
        );
    }
}

Result<storage::CommitPosition> LaneJudge::submit_again(
    std::uint64_t offset,
    const JudgedEvent& judged,
    const events::EventKeys& keys,
    events::IdKeys known_by
) {
    add_id(known_by.identity);
    storage::Batch rows;
    add_rows(offset, judged, keys, known_by, rows);
    return context_->store->submit(rows);
}

void LaneJudge::begin(const Checkpoint& checkpoint) {
    repeats_ = guard::RepeatJudge{context_->rules->repeat_reach(), repeats_bytes()};
    repeats_.forgotten(checkpoint.guard.time);
    young_.clear();
    owed_.clear();
    marks_.begin(checkpoint.guard);
    written_ = checkpoint;
    told_version_ = checkpoint.rules_version;
    told_at_ = 0;
    last_rows_ = 0;
    next_source_ = checkpoint.next_source;
    lost_ = false;
}

void LaneJudge::begin_adding_to(std::shared_ptr<IdFilter> filter) {
    young_.for_each_identity([&](std::uint64_t identity) { filter->add(identity); });
    id_filters_.push_back(std::move(filter));
}

void LaneJudge::end_adding_to(const IdFilter& filter) {
    std::erase_if(id_filters_, [&](const auto& each) { return each.get() == &filter; });
}

void LaneJudge::add_id(std::uint64_t identity) const {
    if (identity == 0) {
        return;
    }
    for (const std::shared_ptr<IdFilter>& each : id_filters_) {
        each->add(identity);
    }
}

std::size_t LaneJudge::repeats_bytes() const {
    return context_->repeats_memory != nullptr
               ? context_->repeats_memory->bytes() / JudgeLanes::count
               : context_->lane_memory_bytes;
}

void LaneJudge::follow_memory() {
    repeats_.set_memory(repeats_bytes());
    if (context_->repeats_memory != nullptr && repeats_.is_short()) {
        context_->repeats_memory->note_short();
    }
}

std::optional<LaneJudge::Checkpoint> LaneJudge::checkpoint() {
    if (lost_ || !submit_owed() || !context_->log->durable(told_at_)) {
        return std::nullopt;
    }
    const std::uint64_t end = context_->log->end(lane_);
    const YoungEvent* const unstored = young_.first_unstored(*context_->store);
    const std::uint64_t stored = unstored != nullptr ? unstored->offset : end;
    const guard::RuleSet& rules = *context_->rules;
    Checkpoint now{
        .offset = stored,
        .guard = marks_.start(std::max(rules.repeat_reach(), rules.rate_reach()), end, stored),
        .rules_version = told_version_,
        .next_source = unstored != nullptr && unstored->source ? *unstored->source : next_source_
    };
    now.offset = std::max(now.offset, written_.offset);
    if (written_ == now) {
        return std::nullopt;
    }
    written_ = now;
    return now;
}

}  // namespace footfall::intake
