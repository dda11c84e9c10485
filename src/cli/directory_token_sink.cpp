#include "cli/token_sink.h"
#include "storage/blocking.h"
#include "tokens_routes/tokens_job.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace footfall::cli {
namespace {

using tokens::Count;

/// Puts that wait for their objects to be loaded; more than these wait for some to be answered.
constexpr std::size_t waiting_max = 5'000;
/// After so many tokens all must be durable before more are put: the store's write queue never
/// fills up.
constexpr std::size_t tokens_a_turn = 20'000;
/// Nor does the memory for rows that wait for their files: no turn begins while the store slows
/// writes down, unless it does so for that long.
constexpr double pressure_max = 1;
constexpr std::chrono::seconds room_patience{60};
constexpr std::chrono::milliseconds room_pause{5};

class DirectoryTokenSink final : public TokenSink {
public:
    DirectoryTokenSink(
        storage::Store& store,
        tokens::TokenCounters& counters,
        const tokens::CounterConfig& config,
        RejectLine reject
    )
        : store_{&store}, counters_{&counters}, config_{&config}, reject_{std::move(reject)} {}

    /// Nothing may call back into what is gone.
    ~DirectoryTokenSink() override { wait_below(1); }

    DirectoryTokenSink(const DirectoryTokenSink&) = delete;
    DirectoryTokenSink& operator=(const DirectoryTokenSink&) = delete;

    Result<void> put(const SourceToken& token) override {
        if (++since_durable_ >= tokens_a_turn) {
            TRY_VOID(wait_durable());
            wait_for_room();
            since_durable_ = 0;
        }
        const auto count = counters_->put_now(*config_, token.object, token.token, token.ttl);
        if (count) {
            take(token.line, *count);
        } else {
            put_waiting(token);
        }
        return failure();
    }

    Result<void> finish() override {
        wait_below(1);
        TRY_VOID(failure());
        return wait_durable();
    }

    std::uint64_t imported() const override {
        const std::lock_guard lock{mutex_};
        return imported_;
    }

private:
    void put_waiting(const SourceToken& token) {
        wait_below(waiting_max);
        {
            const std::lock_guard lock{mutex_};
            ++waiting_;
        }
        counters_->put(
            *config_,
            token.object,
            token.token,
            token.ttl,
            [this, line = token.line](const Result<Count>& count) {
                take(line, count);
                // Notified with the mutex held: once it is free, nobody here touches this any more.
                const std::lock_guard lock{mutex_};
                --waiting_;
                changed_.notify_all();
            }
        );
    }

    void take(std::uint64_t line, const Result<Count>& count) {
        const std::lock_guard lock{mutex_};
        if (count) {
            ++imported_;
            position_ = std::max(position_, count->position);
        } else if (count.error().kind == ErrorKind::invalid_input) {
            reject_(line, count.error().message);
        } else if (!failure_) {
            failure_ = count.error();
        }
    }

    Result<void> failure() const {
        const std::lock_guard lock{mutex_};
        return failure_ ? Result<void>{std::unexpected(*failure_)} : Result<void>{};
    }

    void wait_below(std::size_t bound) {
        std::unique_lock lock{mutex_};
        changed_.wait(lock, [&] { return waiting_ < bound; });
    }

    Result<void> wait_durable() {
        storage::CommitPosition position = 0;
        {
            const std::lock_guard lock{mutex_};
            position = position_;
        }
        return storage::wait_durable(*store_, position);
    }

    /// If there is none after all, the next put says why.
    void wait_for_room() const {
        const auto deadline = std::chrono::steady_clock::now() + room_patience;
        while (store_->pressure() >= pressure_max && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::sleep_for(room_pause);  // tidy-allow(sleep): the store has no event
        }
    }

    storage::Store* store_;
    tokens::TokenCounters* counters_;
    const tokens::CounterConfig* config_;
    std::size_t since_durable_ = 0;
    RejectLine reject_;  // called with mutex_ held: one line at a time
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t waiting_ = 0;               // guarded by mutex_
    std::uint64_t imported_ = 0;            // guarded by mutex_
    storage::CommitPosition position_ = 0;  // guarded by mutex_
    std::optional<Error> failure_;          // guarded by mutex_
};

}  // namespace

Result<std::unique_ptr<TokenSink>> make_directory_sink(
    deployment::Deployment& directory, const std::string& counter, RejectLine reject
) {
    tokens::TokenCounters& counters =
        tokens::routes::counters_of(directory.job(tokens::routes::job.name));
    TRY(const tokens::CounterConfig* config, counters.counter(counter));
    return std::make_unique<DirectoryTokenSink>(
        directory.store(), counters, *config, std::move(reject)
    );
}

}  // namespace footfall::cli
