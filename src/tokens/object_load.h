#pragma once

#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "storage/store.h"
#include "tokens/counted_object.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace footfall::tokens {

/// Reads the live tokens of one object from the store: its live spans, page by page, tokens united
/// by hash, the later expiry winning. Examines at most twice the counter's limit of rows, and 16
/// MiB of tokens (more if the limit is above 100,000, in proportion); what it then has not seen
/// leaves the object saturated. Keeps itself alive until `done` was
/// called, on a thread of the store. Nothing is shared with others.
class ObjectLoad : public std::enable_shared_from_this<ObjectLoad> {
public:
    using Done = std::move_only_function<void(Result<CountedObject>)>;

    /// `config` and `store` must outlive the load.
    static void start(
        storage::Store& store,
        const CounterConfig& config,
        std::string object,
        SipKey secret,
        Instant now,
        Done done
    );

private:
    ObjectLoad(
        storage::Store& store,
        const CounterConfig& config,
        std::string object,
        SipKey secret,
        Instant now,
        Done done
    );

    void read_spans(std::string continuation);
    void read_tokens(std::string continuation);
    void take_spans(Result<storage::Page> page);
    void take_tokens(Result<storage::Page> page);
    void finish();

    storage::Store* store_;
    const CounterConfig* config_;
    const std::string object_;
    const SipKey secret_;
    const Instant now_;
    Done done_;
    std::vector<std::int64_t> spans_;  ///< To be read, the next one last.
    std::size_t rows_left_;
    std::size_t bytes_left_;  ///< Of tokens.
    bool rows_seen_ = false;
    CountedObject state_;
};

/// The keyed hash that stands for a token in memory.
std::uint64_t token_hash(SipKey secret, std::string_view token);

}  // namespace footfall::tokens
