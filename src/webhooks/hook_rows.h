#pragma once

#include "foundation/result.h"
#include "storage/batch.h"
#include "storage/store.h"
#include "webhooks/hook.h"

#include <map>
#include <string>
#include <utility>

/// What is stored of webhooks. Reads block.
namespace footfall::webhooks {

/// By name.
using Hooks = std::map<std::string, Hook, std::less<>>;
/// By name and time of creation: a hook that took the place of another one has its own.
using AllProgress = std::map<std::pair<std::string, Instant>, Progress>;

/// All of them, in one read each: there are few (HookRegistry::hooks_max).
Result<Hooks> read_hooks(storage::Store& store);
Result<AllProgress> read_progress(storage::Store& store);

void add_hook(const Hook& hook, storage::Batch& batch);
void add_progress(const Hook& hook, const Progress& progress, storage::Batch& batch);

/// Of both.
void erase_hook(const Hook& hook, storage::Batch& batch);

}  // namespace footfall::webhooks
