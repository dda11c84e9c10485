#include "webhooks/hook_rows.h"

#include "storage/blocking.h"
#include "webhooks/schema.h"

#include <utility>

namespace footfall::webhooks {
namespace {

Instant instant_at(const storage::Rows& rows, std::size_t row, std::size_t column) {
    return Instant{std::chrono::microseconds{rows.at(row, column).number()}};
}

std::int64_t microseconds_of(Instant instant) {
    return instant.time_since_epoch().count();
}

std::string text_at(const storage::Rows& rows, std::size_t row, std::size_t column) {
    return std::string{rows.at(row, column).text()};
}

}  // namespace

Result<Hooks> read_hooks(storage::Store& store) {
    TRY(const storage::Rows rows,
        storage::read_all(store, {.table = &webhook_table, .partition = {all_hooks}}));
    Hooks hooks;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        Hook hook{
            .name = text_at(rows, row, 1),
            .subject = text_at(rows, row, 2),
            .filter = text_at(rows, row, 3),
            .url = text_at(rows, row, 4),
            .secret = text_at(rows, row, 5),
            .created = instant_at(rows, row, 6)
        };
        std::string name = hook.name;
        hooks.emplace(std::move(name), std::move(hook));
    }
    return hooks;
}

Result<AllProgress> read_progress(storage::Store& store) {
    TRY(const storage::Rows rows,
        storage::read_all(store, {.table = &webhook_progress_table, .partition = {all_hooks}}));
    AllProgress all;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        all.emplace(
            std::pair{text_at(rows, row, 1), instant_at(rows, row, 2)},
            Progress{
                .after = static_cast<std::uint64_t>(rows.at(row, 3).number()),
                .through = static_cast<std::uint64_t>(rows.at(row, 4).number()),
                .failures = static_cast<std::uint32_t>(rows.at(row, 5).number()),
                .due = instant_at(rows, row, 6),
                .failing_since = instant_at(rows, row, 7),
                .answered = instant_at(rows, row, 8),
                .dead = rows.at(row, 9).number() != 0,
                .trouble = text_at(rows, row, 10)
            }
        );
    }
    return all;
}

void add_hook(const Hook& hook, storage::Batch& batch) {
    batch.upsert(
        webhook_table,
        {all_hooks,
         hook.name,
         hook.subject,
         hook.filter,
         hook.url,
         hook.secret,
         microseconds_of(hook.created)}
    );
}

void add_progress(const Hook& hook, const Progress& progress, storage::Batch& batch) {
    batch.upsert(
        webhook_progress_table,
        {all_hooks,
         hook.name,
         microseconds_of(hook.created),
         static_cast<std::int64_t>(progress.after),
         static_cast<std::int64_t>(progress.through),
         std::int64_t{progress.failures},
         microseconds_of(progress.due),
         microseconds_of(progress.failing_since),
         microseconds_of(progress.answered),
         std::int64_t{progress.dead ? 1 : 0},
         progress.trouble}
    );
}

void erase_hook(const Hook& hook, storage::Batch& batch) {
    batch.erase(webhook_table, {all_hooks, hook.name});
    batch.erase(webhook_progress_table, {all_hooks, hook.name, microseconds_of(hook.created)});
}

}  // namespace footfall::webhooks
