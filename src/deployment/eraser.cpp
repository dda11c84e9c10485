#include "deployment/eraser.h"

#include "events/rfc3339.h"
#include "events/verdict.h"
#include "foundation/log.h"
#include "journal_rocksdb/rewritten_blocks.h"
#include "people/erased_people.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace footfall::deployment {
namespace {

using erasure::Part;
using erasure::Receipt;
using erasure::Swept;

/// What was recorded before an erasure is in rows and in the log by then: what waits in memory is
/// written without it, but a write may be under way.
constexpr std::chrono::seconds due_embedded{2};
/// Others hear of it within a second, by clocks that differ.
constexpr std::chrono::seconds due_shared{15};
constexpr std::chrono::milliseconds looks_every{500};
constexpr std::chrono::seconds again_after{5};
constexpr std::chrono::seconds sweeps_again_after{1};
constexpr std::chrono::seconds others_sweep_after{10};
/// Nodes of a cluster keep what was erased for ten days (cql_schema.cpp), and merge files after
/// that.
constexpr std::chrono::days cluster_forgets{12};

}  // namespace

Eraser::Eraser(Parts parts, const Clock& clock, Options options)
    : parts_{std::move(parts)}, clock_{&clock}, options_{options} {
    if (options_.shared && !parts_.ledger->empty()) {
        sweep_at_ = clock.now() + due_shared;  // others may have erased while it was away
    }
}

/// These, and what jobs know them as.
std::vector<events::Identifier> Eraser::names_of(std::vector<events::Identifier> ids) const {
    const std::size_t given = ids.size();
    for (std::size_t at = 0; at < given; ++at) {
        for (const jobs::Job* const each : parts_.jobs) {
            ids.push_back(each->known_as(ids[at]));
        }
    }
    std::ranges::sort(ids);
    const auto twice = std::ranges::unique(ids);
    ids.erase(twice.begin(), twice.end());
    return ids;
}

/// As what is in the log was sent: under its own name, or another one by which a job knows it.
events::IsErased Eraser::is_erased() const {
    return [this](const events::Identifier& id, Instant recorded) {
        if (parts_.ledger->drops(id, recorded)) {
            return true;
        }
        return std::ranges::any_of(parts_.jobs, [&](const jobs::Job* job) {
            return parts_.ledger->drops(job->known_as(id), recorded);
        });
    };
}

std::vector<Part> Eraser::parts_of_all() const {
    std::vector<Part> parts{Part::tables, Part::log, Part::compaction};
    if (options_.shared) {
        parts.push_back(Part::kafka);
    }
    return parts;
}

Result<Receipt> Eraser::erase(erasure::Wish wish) {
    wish.ids = names_of(std::move(wish.ids));
    TRY(const std::vector<std::string> persons, persons_of(wish.ids));
    TRY_VOID(record_act(wish));
    TRY(Receipt receipt, parts_.ledger->record(wish.ids, wish.kind, parts_of_all(), clock_->now()));
    may_be_open_.store(true);
    // Who is not told that it went well says it again, and this is done again: nobody else can.
    TRY_VOID(forget_acts(wish, persons));
    // It stands from now on, so a failure is no reason to say that it does not.
    if (const Result<void> erased = erase_rows(wish.ids); !erased) {
        log(LogLevel::warning,
            "an erasure stands, and its rows go later: {}",
            erased.error().message);
    }
    return receipt;
}

/// How acts called what jobs say of these, which nobody knows any more once they are erased.
Result<std::vector<std::string>> Eraser::persons_of(std::span<const events::Identifier> ids) {
    std::vector<std::string> persons;
    if (options_.acts == nullptr) {
        return persons;
    }
    for (jobs::Job* const each : parts_.jobs) {
        TRY(const std::vector<std::string> some, each->persons_of(ids));
        persons.insert(persons.end(), some.begin(), some.end());
    }
    return persons;
}

/// How many and of what kind: whom is for nobody to know any more.
Result<void> Eraser::record_act(const erasure::Wish& wish) {
    if (options_.acts == nullptr) {
        return {};
    }
    const auto recorded = options_.acts->record(
        {.kind = "erased",
         .author = wish.author,
         .detail = fmt::format(R"({{"of":"{}","ids":{}}})", wish.kind, wish.ids.size())}
    );
    return recorded ? Result<void>{} : std::unexpected(recorded.error());
}

Result<void> Eraser::forget_acts(const erasure::Wish& wish, std::span<const std::string> known_as) {
    if (options_.acts == nullptr) {
        return {};
    }
    std::vector<std::string> persons = wish.persons;
    persons.insert(persons.end(), known_as.begin(), known_as.end());
    for (const events::Identifier& id : wish.ids) {
        persons.push_back(audit::person_of_id(id.identifier, id.id_name, id.id_value));
        if (id == events::id_of_actor(id.id_value)) {
            persons.push_back(audit::person_of_actor(id.id_value));
        }
    }
    const auto forgotten = options_.acts->forget(persons);
    return forgotten ? Result<void>{} : std::unexpected(forgotten.error());
}

Result<void> Eraser::erase_rows(std::span<const events::Identifier> ids) {
    Result<void> all;
    const auto note = [&](Result<void> done) { all = all ? std::move(done) : std::move(all); };
    if (parts_.people != nullptr) {
        note(people::erase_people(*parts_.people, ids));
    }
    for (jobs::Job* const each : parts_.jobs) {
        note(each->erase(ids));
    }
    return all;
}

Result<std::optional<Receipt>> Eraser::find(std::string_view receipt) {
    return parts_.ledger->find_receipt(receipt);
}

Result<std::vector<Receipt>> Eraser::list(std::string_view after, std::size_t limit) {
    return parts_.ledger->receipts(after, limit);
}

std::string Eraser::waits_for(const Receipt& receipt, Part part) const {
    const auto until = [&](std::chrono::seconds after) {
        return events::format_rfc3339(receipt.at + after);
    };
    switch (part) {
        case Part::tables:
            return "all tables are looked through for whom it was, and who follows segments, "
                   "webhooks first of all, is to hear that they left";
        case Part::log:
            return "blocks of the log are read, and written anew without whom it was";
        case Part::kafka:
            return options_.keep_events
                       ? fmt::format(
                             "topics let go of what was judged before, from {} on (keep_events)",
                             until(*options_.keep_events)
                         )
                       : "topics keep what was judged for ever: set keep_events to have them let "
                         "go";
        case Part::compaction:
            return options_.shared
                       ? fmt::format(
                             "nodes forget what was erased after ten days, and merge files after "
                             "that: closed at {}",
                             until(cluster_forgets)
                         )
                       : "files are written anew once tables and log are done";
    }
    return {};
}

Result<Swept> Eraser::sweep(const std::stop_token& stop) {
    const Instant begun = clock_->now();
    if (parts_.people != nullptr) {
        TRY_VOID(people::sweep_people(*parts_.store, *parts_.people, *parts_.ledger, stop));
    }
    Swept swept = Swept::done;
    for (jobs::Job* const each : parts_.jobs) {
        TRY(const Swept swept_here, each->sweep_erased(stop));
        swept = std::max(swept, swept_here);
    }
    const Instant now = clock_->now();
    sweep_not_before_ =
        swept == Swept::done
            ? Instant{}
            : now + std::max<Instant::duration>(
                        swept == Swept::open ? sweeps_again_after : others_sweep_after, now - begun
                    );
    return swept;
}

/// Who has to wait looks again later, the later the longer a look takes. False: that is so, or
/// another process is to do some of it.
Result<bool> Eraser::sweep_if_due(const std::stop_token& stop) {
    if (clock_->now() < sweep_not_before_) {
        return false;
    }
    TRY(const Swept swept, sweep(stop));
    return swept == Swept::done;
}

/// Of the embedded log, and of one that was moved to a cluster.
Result<void> Eraser::rewrite_log(const std::stop_token& stop) {
    const events::IsErased erased = is_erased();
    const auto change = [&](std::string_view bytes) -> Result<std::optional<std::string>> {
        TRY(events::LogRecord record, events::read_record(bytes));
        std::string written;
        if (auto* const judged = std::get_if<events::JudgedEvent>(&record)) {
            if (!events::erase_from(*judged, erased, options_.secret)) {
                return std::nullopt;
            }
            events::append_judged(*judged, written);
            return written;
        }
        auto& control = std::get<events::Control>(record);
        if (!events::erase_from(control, erased)) {
            return std::nullopt;
        }
        events::append_control(control, written);
        return written;
    };
    TRY(const std::uint64_t changed, journal_rocksdb::rewrite_blocks(*parts_.store, change, stop));
    log_records_ += changed;
    return {};
}

/// Whether all that was judged by then is gone from the topics, which all keep for as long.
Result<bool> Eraser::has_kafka_let_go(const Receipt& receipt) {
    if (parts_.log == nullptr || parts_.log->is_in(*parts_.store) || !options_.keep_events ||
        clock_->now() < receipt.at + *options_.keep_events) {
        return false;
    }
    TRY_VOID(parts_.log->find_begins());
    for (std::uint32_t lane = 0; lane < parts_.log->lanes(); ++lane) {
        TRY(const journal::Records records,
            parts_.log->read(lane, parts_.log->begin(lane), {.records = 1}));
        if (records.empty()) {
            continue;
        }
        TRY(const events::LogRecord record, events::read_record(records[0]));
        const auto* const judged = std::get_if<events::JudgedEvent>(&record);
        if (judged == nullptr || judged->arrival <= receipt.at) {
            return false;
        }
    }
    return true;
}

Result<bool> Eraser::rewrite_files(const Receipt& receipt) {
    if (!receipt.is_done(Part::tables) || !receipt.is_done(Part::log)) {
        return false;
    }
    TRY(const bool is_done, parts_.store->rewrite());
    return is_done || clock_->now() > receipt.at + cluster_forgets;
}

/// Does a part of those that have it open, once for all, and writes down that it is done.
Result<void> Eraser::finish(
    std::vector<Receipt>& receipts,
    Part part,
    const std::function<Result<bool>(const Receipt&)>& done
) {
    std::optional<bool> is_done;
    for (Receipt& each : receipts) {
        if (each.is_done(part)) {
            continue;
        }
        if (!is_done || part == Part::kafka) {
            TRY(is_done, done(each));
        }
        if (*is_done) {
            TRY_VOID(parts_.ledger->finish(each, part, clock_->now()));
        }
    }
    return {};
}

Result<void> Eraser::finish_restores() {
    TRY(std::vector<Receipt> receipts, parts_.ledger->open_receipts());
    std::erase_if(receipts, [](const Receipt& each) {
        return each.kind != erasure::restore_kind || each.is_done(Part::tables);
    });
    for (const Receipt& each : receipts) {
        if (options_.acts != nullptr) {
            TRY_VOID(options_.acts->forget_until(each.at));
        }
    }
    return finish(receipts, Part::tables, [&](const Receipt&) -> Result<bool> {
        TRY(const Swept swept, sweep({}));
        return swept == Swept::done;
    });
}

Result<void> Eraser::turn(const std::stop_token& stop) {
    if (options_.shared) {
        TRY(const bool is_new, parts_.ledger->reload());
        may_be_open_.store(may_be_open_.load() || is_new);
        if (is_new) {
            sweep_at_ = clock_->now() + due_shared;
        }
    }
    if (sweep_at_ && *sweep_at_ <= clock_->now()) {
        TRY(const Swept swept, sweep(stop));
        sweep_at_ = swept == Swept::open ? std::optional{sweep_not_before_} : std::nullopt;
    }
    if (!may_be_open_.exchange(false)) {
        return {};
    }
    Result<std::vector<Receipt>> receipts = parts_.ledger->open_receipts();
    may_be_open_.store(!receipts || !receipts->empty());
    if (!receipts) {
        return std::unexpected(receipts.error());
    }
    open_.store(receipts->size());
    const Instant due = clock_->now() - (options_.shared ? due_shared : due_embedded);
    std::erase_if(*receipts, [&](const Receipt& each) { return each.at > due; });
    TRY_VOID(finish(*receipts, Part::tables, [&](const Receipt&) { return sweep_if_due(stop); }));
    TRY_VOID(finish(*receipts, Part::log, [&](const Receipt&) -> Result<bool> {
        TRY_VOID(rewrite_log(stop));
        return true;
    }));
    TRY_VOID(finish(*receipts, Part::kafka, [&](const Receipt& each) {
        return has_kafka_let_go(each);
    }));
    return finish(*receipts, Part::compaction, [&](const Receipt& each) {
        return rewrite_files(each);
    });
}

void Eraser::start() {
    turns_.emplace(
        "erasures",
        runtime::Urgency::background,
        [this](const std::stop_token& stop) -> runtime::Turns::Pause {
            const Result<void> done = turn(stop);
            if (!done && done.error().kind != ErrorKind::cancelled) {
                may_be_open_.store(true);
                log(LogLevel::warning,
                    "erasures are open still, and go on: {}",
                    done.error().message);
                return again_after;
            }
            return looks_every;
        }
    );
}

void Eraser::tell(metrics::Figures& figures) const {
    figures.set("footfall_erasures_open", "Erasures whose receipt is open.", open_.load());
    figures.raise(
        "footfall_erasures_ids_total",
        "Ids that were erased by this server.",
        parts_.ledger->recorded()
    );
    figures.raise(
        "footfall_erasures_log_records_total",
        "Records of the log that were rewritten without who was erased.",
        log_records_.load()
    );
}

}  // namespace footfall::deployment
