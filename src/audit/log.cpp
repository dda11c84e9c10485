#include "audit/log.h"

#include "audit/schema.h"
#include "foundation/check.h"
#include "foundation/hex.h"
#include "foundation/log.h"
#include "foundation/secret_random.h"
#include "storage/blocking.h"
#include "storage/deployment.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::audit {
namespace {

using storage::Batch;
using storage::Value;

/// Of all who wait, so many are written together at most: a megabyte or two.
constexpr std::size_t entries_at_once = 4096;
/// Taken up at a time, at the start.
constexpr std::size_t taken_up_at_once = 1024;
constexpr std::size_t salt_bytes = 32;

/// The name of a log where there are no regions.
constexpr std::string_view only_region = "main";

/// The private key of a log: drawn once, kept where the deployment's other secret is.
Result<KeyBytes> signing_seed(storage::Store& store, std::string_view log) {
    const std::string fact = fmt::format("{}{}", key_fact_prefix, log);
    TRY(std::optional<std::string> stored, storage::stored_fact(store, fact));
    if (!stored) {
        std::string drawn(KeyBytes{}.size(), '\0');
        TRY_VOID(draw_secret(std::as_writable_bytes(std::span{drawn})));
        TRY(stored, storage::settle_fact(store, fact, drawn));
    }
    KeyBytes seed;
    if (stored->size() != seed.size()) {
        return fail(ErrorKind::corrupt, "the key of the audit log has not 32 bytes");
    }
    std::ranges::copy(*stored, seed.begin());
    return seed;
}

std::unexpected<Error> not_as_signed(std::string_view log, std::uint64_t size) {
    return fail(
        ErrorKind::corrupt,
        fmt::format(
            "the audit log {} is not what its head of {} entries was signed over: nothing is "
            "recorded any more; `footfall audit verify` says what is wrong",
            log,
            size
        )
    );
}

}  // namespace

Result<std::unique_ptr<Log>> Log::open(storage::Store& store, const Clock& clock, Options options) {
    const std::string log{options.region.empty() ? only_region : std::string_view{options.region}};
    TRY(const KeyBytes seed, signing_seed(store, log));
    TRY(Signer signer, Signer::make(fmt::format("footfall/{}/{}", options.origin, log), seed));
    TRY(const std::uint64_t writer, draw_secret<std::uint64_t>());
    std::unique_ptr<Log> opened{
        new Log{store, clock, std::move(options), std::move(signer), writer >> 1}
    };
    Result<Edge> edge = opened->load();
    if (edge) {
        opened->edge_ = *std::move(edge);
    } else if (edge.error().kind == ErrorKind::corrupt) {
        footfall::log(LogLevel::error, "{}", edge.error().message);
    } else {
        return std::unexpected(std::move(edge).error());
    }
    return opened;
}

Log::Log(
    storage::Store& store, const Clock& clock, Options options, Signer signer, std::uint64_t writer
)
    : store_{&store},
      clock_{&clock},
      options_{std::move(options)},
      name_{options_.region.empty() ? std::string{only_region} : options_.region},
      signer_{std::move(signer)},
      writer_{writer} {}

Result<Edge> Log::load() {
    Result<Edge> edge = load_signed();
    if (edge || edge.error().kind == ErrorKind::corrupt) {
        broken_.store(!edge, std::memory_order_relaxed);
    }
    return edge;
}

/// As it was signed, and then what was durable without that.
Result<Edge> Log::load_signed() {
    TRY(std::optional<SignedHead> signed_head, read_head(*store_, name_));
    Edge edge;
    if (signed_head) {
        const TreeHead& head = signed_head->head;
        TRY(edge, edge_of(head));
        const bool is_signed = signer_.verifier().check(signed_head->checkpoint).has_value();
        const std::uint64_t size = head.size;
        const bool is_whole = edge.root() == head.root;
        publish(*std::move(signed_head));
        if (!is_whole || !is_signed) {
            return not_as_signed(name_, size);
        }
    }
    const std::uint64_t before = edge.size();
    TRY_VOID(take_up(edge));
    if (edge.size() != before || before == 0) {
        TRY_VOID(sign(edge));
    }
    return edge;
}

/// The edge of the tree that was signed. Hashes follow from entries: where some are not there they
/// are made again, and the root says whether these are the entries that were signed.
Result<Edge> Log::edge_of(const TreeHead& head) {
    Result<std::vector<Hash>> roots = read_subtrees(*store_, name_, subtrees_of(0, head.size));
    if (roots) {
        return Edge::make(head.size, *std::move(roots));
    }
    if (roots.error().kind != ErrorKind::corrupt) {
        return std::unexpected(std::move(roots).error());
    }
    footfall::log(
        LogLevel::warning, "{}; they are made again from the entries", roots.error().message
    );
    Edge edge;
    while (edge.size() < head.size) {
        TRY(const std::vector<StoredEntry> found,
            read_entries(
                *store_,
                name_,
                edge.size(),
                std::min<std::uint64_t>(taken_up_at_once, head.size - edge.size())
            ));
        Batch batch;
        for (const StoredEntry& each : found) {
            if (each.entry.number != edge.size() || leaf_of(each.entry) != each.leaf) {
                return not_as_signed(name_, edge.size());
            }
            edge.add(each.leaf, [&](const Subtree& subtree, const Hash& hash) {
                put_subtree(batch, name_, subtree, hash);
            });
        }
        if (found.empty()) {
            return not_as_signed(name_, edge.size());
        }
        TRY_VOID(storage::write_durably(*store_, batch));
    }
    return edge;
}

/// The entries behind the edge, up to the first that is not there. Their hashes are written again:
/// on a cluster a batch is not one thing.
Result<void> Log::take_up(Edge& edge) {
    while (true) {
        TRY(const std::vector<StoredEntry> found,
            read_entries(*store_, name_, edge.size(), taken_up_at_once));
        Batch batch;
        Edge next = edge;
        for (const StoredEntry& each : found) {
            if (each.entry.number != next.size()) {
                break;
            }
            if (leaf_of(each.entry) != each.leaf) {
                return not_as_signed(name_, next.size());
            }
            next.add(each.leaf, [&](const Subtree& subtree, const Hash& hash) {
                put_subtree(batch, name_, subtree, hash);
            });
        }
        if (next.size() == edge.size()) {
            return {};
        }
        TRY_VOID(storage::write_durably(*store_, batch));
        edge = std::move(next);
    }
}

Result<void> Log::sign(const Edge& edge) {
    const TreeHead head{.size = edge.size(), .root = edge.root()};
    const Verifier& verifier = signer_.verifier();
    TRY(std::string checkpoint, signer_.sign(checkpoint_text(verifier.name(), head)));
    SignedHead signed_head{
        .head = head,
        .when = clock_->now(),
        .checkpoint = std::move(checkpoint),
        .vkey = verifier.vkey()
    };
    Batch batch;
    put_head(batch, name_, signed_head);
    TRY_VOID(storage::write_durably(*store_, batch));
    publish(std::move(signed_head));
    return {};
}

/// One that is behind another that is known says nothing new.
void Log::publish(SignedHead head) {
    const std::lock_guard lock{head_mutex_};
    if (head_.checkpoint.empty() || head.head.size >= head_.head.size) {
        head_ = std::move(head);
    }
}

SignedHead Log::known_head() const {
    const std::lock_guard lock{head_mutex_};
    return head_;
}

Result<SignedHead> Log::head() {
    if (options_.shared) {
        TRY(std::optional<SignedHead> stored, read_head(*store_, name_));
        if (stored) {
            publish(*std::move(stored));
        }
    }
    return known_head();
}

/// A hash under a secret (the construction of HMAC with fixed lengths): who reads the tables cannot
/// try names.
Hash Log::keyed(std::string_view purpose, std::string_view bytes) const {
    const std::string key =
        fmt::format("{:016x}{:016x} audit {} ", options_.secret.k0, options_.secret.k1, purpose);
    return sha256({key, bytes_of(sha256({key, bytes}))});
}

std::string Log::person_hash(std::string_view person) const {
    return std::string{bytes_of(keyed("person", person))};
}

std::string Log::digest(std::string_view bytes) const {
    return hex(bytes_of(keyed("digest", bytes)));
}

Result<std::uint64_t> Log::record_all(std::vector<Act> acts) {
    CHECK(!acts.empty(), "something is recorded");
    for (Act& each : acts) {
        TRY_VOID(check_act(each));
    }
    Waiting own{.acts = std::move(acts)};
    std::unique_lock lock{mutex_};
    waiting_.push_back(&own);
    while (!own.answer) {
        if (writing_) {
            written_.wait(lock);
        } else {
            take_turn(lock);
        }
    }
    return *std::move(own.answer);
}

/// Writes for those who wait, the first of them first.
void Log::take_turn(std::unique_lock<std::mutex>& lock) {
    writing_ = true;
    std::vector<Waiting*> turn;
    std::size_t entries = 0;
    while (!waiting_.empty() && (turn.empty() || entries < entries_at_once)) {
        turn.push_back(waiting_.front());
        entries += waiting_.front()->acts.size();
        waiting_.pop_front();
    }
    lock.unlock();
    const Result<std::vector<std::uint64_t>> numbers = write(turn);
    if (!numbers) {
        edge_.reset();  // what is stored now is to be looked at
    }
    // Under the lock: whoever finds its answer returns, and what it waited with is gone.
    lock.lock();
    for (std::size_t at = 0; at < turn.size(); ++at) {
        if (numbers) {
            turn[at]->answer = (*numbers)[at];
        } else {
            turn[at]->answer = std::unexpected(numbers.error());
        }
    }
    writing_ = false;
    written_.notify_all();
}

/// Entries without numbers, and what they say of persons as rows.
Result<std::vector<Entry>> Log::begin_entries(std::span<Waiting* const> turn, Batch& secrets)
    const {
    std::vector<Entry> entries;
    const Instant now = clock_->now();
    for (Waiting* const each : turn) {
        for (Act& act : each->acts) {
            Entry entry{
                .number = 0,
                .time = now,
                .kind = std::move(act.kind),
                .author = std::move(act.author),
                .detail = std::move(act.detail),
                .people = {}
            };
            for (const Personal& personal : act.people) {
                std::string salt(salt_bytes, '\0');
                TRY_VOID(draw_secret(std::as_writable_bytes(std::span{salt})));
                const Hash commitment = sha256({salt, personal.payload});
                secrets.upsert(audit_secret_table, {bytes_of(commitment), salt, personal.payload});
                for (const std::string& person : personal.persons) {
                    secrets.upsert(
                        audit_person_table,
                        {person_hash(person), bytes_of(commitment), now.time_since_epoch().count()}
                    );
                }
                entry.people.push_back(commitment);
            }
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

/// The first number of each of these.
Result<std::vector<std::uint64_t>> Log::write(std::span<Waiting* const> turn) {
    if (!edge_) {
        TRY(edge_, load());
    }
    Batch batch;
    TRY(std::vector<Entry> entries, begin_entries(turn, batch));
    Edge edge = *edge_;
    TRY_VOID(
        options_.shared ? write_shared(edge, entries, batch) : write_alone(edge, entries, batch)
    );
    TRY_VOID(sign(edge));
    edge_ = std::move(edge);
    recorded_.fetch_add(entries.size(), std::memory_order_relaxed);
    std::vector<std::uint64_t> numbers;
    numbers.reserve(turn.size());
    std::size_t at = 0;
    for (const Waiting* const each : turn) {
        numbers.push_back(entries[at].number);
        at += each->acts.size();
    }
    return numbers;
}

/// All in one batch.
Result<void> Log::write_alone(Edge& edge, std::vector<Entry>& entries, Batch& batch) {
    for (Entry& each : entries) {
        each.number = edge.size();
        const Hash leaf = leaf_of(each);
        put_entry(batch, name_, each, leaf);
        edge.add(leaf, [&](const Subtree& subtree, const Hash& hash) {
            put_subtree(batch, name_, subtree, hash);
        });
    }
    return storage::write_durably(*store_, batch);
}

/// A number is whose row is taken first; whoever comes later follows what took it, and asks for the
/// next one.
Result<void> Log::write_shared(Edge& edge, std::vector<Entry>& entries, Batch& batch) {
    if (!batch.empty()) {
        TRY_VOID(storage::write_durably(*store_, batch));
        batch.clear();
    }
    TRY_VOID(take_up(edge));
    for (Entry& each : entries) {
        while (true) {
            each.number = edge.size();
            const Hash leaf = leaf_of(each);
            const std::vector<Value> row = entry_row(name_, each, leaf, writer_);
            TRY(const std::vector<Value> taken, store_->insert_new(audit_entry_table, row));
            if (taken == row) {
                edge.add(leaf, [&](const Subtree& subtree, const Hash& hash) {
                    put_subtree(batch, name_, subtree, hash);
                });
                break;
            }
            TRY_VOID(take_up(edge));
            if (edge.size() == each.number) {
                return fail(
                    ErrorKind::unavailable, "an entry of another process cannot be read yet"
                );
            }
        }
    }
    return storage::write_durably(*store_, batch);
}

Result<std::size_t> Log::forget(std::span<const std::string> persons) {
    std::size_t forgotten = 0;
    for (const std::string& each : persons) {
        const std::string person = person_hash(each);
        TRY(const storage::Rows rows,
            storage::read_all(*store_, {.table = &audit_person_table, .partition = {person}}));
        Batch batch;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const std::string_view commitment = rows.at(row, 1).text();
            batch.erase(audit_secret_table, {commitment});
            batch.erase(audit_person_table, {person, commitment});
        }
        if (!batch.empty()) {
            TRY_VOID(storage::write_durably(*store_, batch));
        }
        forgotten += rows.size();
    }
    return forgotten;
}

Result<std::size_t> Log::forget_until(Instant last) {
    std::size_t forgotten = 0;
    storage::ScanQuery query{.table = &audit_person_table};
    do {
        TRY(storage::Page page, storage::scan_page(*store_, query));
        Batch batch;
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            if (page.rows.at(row, 2).number() > last.time_since_epoch().count()) {
                continue;
            }
            batch.erase(audit_secret_table, {page.rows.at(row, 1).text()});
            batch.erase(
                audit_person_table, {page.rows.at(row, 0).text(), page.rows.at(row, 1).text()}
            );
            ++forgotten;
        }
        if (!batch.empty()) {
            TRY_VOID(storage::write_durably(*store_, batch));
        }
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return forgotten;
}

}  // namespace footfall::audit
