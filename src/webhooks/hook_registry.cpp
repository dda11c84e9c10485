#include "webhooks/hook_registry.h"

#include "storage/blocking.h"
#include "webhooks/signature.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::webhooks {
namespace {

Progress progress_of(const AllProgress& all, const Hook& hook) {
    const auto found = all.find({hook.name, hook.created});
    return found == all.end() ? Progress{} : found->second;
}

}  // namespace

Result<HookRegistry::Put> HookRegistry::put(const Wanted& wanted) {
    TRY_VOID(check_name(wanted.name));
    TRY_VOID(check_url(wanted.url, reach_));
    if (wanted.secret) {
        TRY_VOID(check_secret(*wanted.secret));
    }
    const std::lock_guard alone{changing_};
    TRY(const Hooks hooks, read_hooks(*store_));
    const auto known = hooks.find(wanted.name);
    if (known == hooks.end() && hooks.size() >= hooks_max) {
        return fail(
            ErrorKind::conflict,
            fmt::format("there are {} webhooks, which is the most; remove one first", hooks_max)
        );
    }
    Hook hook{
        .name = wanted.name,
        .subject = wanted.subject,
        .filter = wanted.filter,
        .url = wanted.url,
        .secret = wanted.secret.value_or(known == hooks.end() ? "" : known->second.secret),
        .created = clock_->now()
    };
    if (hook.secret.empty()) {
        TRY(hook.secret, make_secret());
    }
    storage::Batch batch;
    const bool goes_on = known != hooks.end() && !wanted.after &&
                         known->second.subject == hook.subject &&
                         known->second.filter == hook.filter;
    if (goes_on) {
        hook.created = known->second.created;
    } else {
        if (known != hooks.end()) {
            erase_hook(known->second, batch);
            // Two within a microsecond are two all the same.
            hook.created =
                std::max(hook.created, known->second.created + std::chrono::microseconds{1});
        }
        add_progress(hook, {.after = wanted.after.value_or(0)}, batch);
    }
    add_hook(hook, batch);
    TRY_VOID(storage::write_durably(*store_, batch));
    return Put{.hook = std::move(hook), .created = known == hooks.end()};
}

Result<std::vector<HookRegistry::Listed>> HookRegistry::list() {
    TRY(Hooks hooks, read_hooks(*store_));
    TRY(const AllProgress all, read_progress(*store_));
    std::vector<Listed> listed;
    for (auto& [name, hook] : hooks) {
        Progress progress = progress_of(all, hook);
        listed.push_back({.hook = std::move(hook), .progress = std::move(progress)});
    }
    return listed;
}

Result<std::optional<HookRegistry::Listed>> HookRegistry::find(const std::string& name) {
    TRY(std::vector<Listed> all, list());
    for (Listed& each : all) {
        if (each.hook.name == name) {
            return std::optional{std::move(each)};
        }
    }
    return std::optional<Listed>{};
}

Result<bool> HookRegistry::remove(const std::string& name) {
    const std::lock_guard alone{changing_};
    TRY(const Hooks hooks, read_hooks(*store_));
    const auto known = hooks.find(name);
    if (known == hooks.end()) {
        return false;
    }
    storage::Batch batch;
    erase_hook(known->second, batch);
    TRY_VOID(storage::write_durably(*store_, batch));
    return true;
}

Result<bool> HookRegistry::resume(const std::string& name) {
    const std::lock_guard alone{changing_};
    TRY(const std::optional<Listed> listed, find(name));
    if (!listed) {
        return false;
    }
    Progress progress = listed->progress;
    progress.dead = false;
    progress.failures = 0;
    progress.due = {};
    progress.failing_since = {};
    storage::Batch batch;
    add_progress(listed->hook, progress, batch);
    TRY_VOID(storage::write_durably(*store_, batch));
    return true;
}

}  // namespace footfall::webhooks
