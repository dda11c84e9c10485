#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/store.h"
#include "webhooks/hook_rows.h"
#include "webhooks/poster.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace footfall::webhooks {

/// Whom changes are sent to, as operators say it. What is said is durable when it is answered; who
/// delivers (Deliveries::refresh) hears of it within a second. Thread-safe. All calls block.
class HookRegistry {
public:
    static constexpr std::size_t hooks_max = 100;

    struct Wanted {
        std::string name;
        std::string subject;
        std::string filter = {};
        std::string url;
        /// Absent: the one it has, or a new one is made.
        std::optional<std::string> secret = {};
        /// It has all changes up to this one; those behind it are sent. Of a hook that is there
        /// for the same subject and filter, absent: as far as it is.
        std::optional<std::uint64_t> after = {};
    };

    struct Put {
        Hook hook;
        bool created = false;
    };

    struct Listed {
        Hook hook;
        Progress progress;
    };

    /// All must outlive it.
    HookRegistry(storage::Store& store, const Clock& clock, Reach reach)
        : store_{&store}, clock_{&clock}, reach_{reach} {}

    /// Adds a hook, or puts it in place of the one with its name. `invalid_input`: what is wrong
    /// with name, URL or secret; `conflict`: there are hooks_max.
    Result<Put> put(const Wanted& wanted);

    /// By name.
    Result<std::vector<Listed>> list();

    Result<std::optional<Listed>> find(const std::string& name);

    /// Whether there was one.
    Result<bool> remove(const std::string& name);

    /// Has it tried at once, whether or not it was given up. False: there is none.
    Result<bool> resume(const std::string& name);

private:
    storage::Store* store_;
    const Clock* clock_;
    const Reach reach_;
    std::mutex changing_;  ///< Held while one is read and written again.
};

}  // namespace footfall::webhooks
