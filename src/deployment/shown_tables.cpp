#include "deployment/shown_tables.h"

#include "audit/schema.h"
#include "deployment/deployment.h"
#include "deployment/shown_log.h"
#include "deployment/store_place.h"
#include "foundation/json_string.h"
#include "intake/schema.h"
#include "journal_rocksdb/blocks.h"
#include "journal_rocksdb/schema.h"
#include "keys/schema.h"
#include "people/schema.h"
#include "showing/value_text.h"
#include "storage/deployment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>

namespace footfall::deployment {
namespace {

using showing::RowInPage;
using showing::ShownColumn;

/// Of storage::load_secret(): whoever has it can find out who stands behind a hash.
constexpr std::string_view secret_name = "hash_secret";

/// The log's id as the number that other tables have. Of the secret only that it is there.
Result<std::string> fact_json(const RowInPage& row, std::string_view bytes) {
    const std::string_view name = row.value(0).text();
    std::int64_t log = 0;
    if (name == secret_name || name.starts_with(audit::key_fact_prefix)) {
        return json_string(fmt::format("{} bytes that are kept secret", bytes.size()));
    }
    if (name == journal_rocksdb::id_name && bytes.size() == sizeof(log)) {
        std::memcpy(&log, bytes.data(), sizeof(log));
        return fmt::to_string(log);
    }
    return showing::value_json(row.table(), 1, bytes);
}

Result<std::string> hash_json(const RowInPage& /*row*/, std::string_view bytes) {
    return json_string(showing::hex_text(bytes));
}

/// Its parts are of no use to people (docs/formats/rules_memory.md), and may be megabytes.
Result<std::string> memory_json(const RowInPage& /*row*/, std::string_view bytes) {
    return fmt::format(R"({{"bytes":{}}})", bytes.size());
}

/// What it opens is nobody's to read here.
Result<std::string> key_json(const RowInPage& /*row*/, std::string_view bytes) {
    return json_string(fmt::format("{} bytes that are kept secret", bytes.size()));
}

constexpr std::array<ShownColumn, 1> of_key{{{.column = "key", .json = key_json}}};
constexpr std::array<ShownColumn, 1> of_rules_memory{{{.column = "memory", .json = memory_json}}};
constexpr std::array<ShownColumn, 1> of_deployment{{{.column = "value", .json = fact_json}}};
constexpr std::array<ShownColumn, 1> of_api_key{{{.column = "hash", .json = hash_json}}};
constexpr std::array<ShownColumn, 1> of_log_block{{{.column = "records", .json = records_json}}};

std::span<const ShownColumn> columns_of(const storage::Table& table, jobs::List jobs) {
    const std::array<showing::ShownTable, 7> own{{
        {.table = &storage::deployment_table, .columns = of_deployment},
        {.table = &keys::api_key_table, .columns = of_api_key},
        {.table = &journal_rocksdb::log_block_table, .columns = of_log_block},
        {.table = &intake::rules_memory_table, .columns = of_rules_memory},
        {.table = &people::reader_key_table, .columns = of_key},
        {.table = &people::former_reader_table, .columns = of_key},
        {.table = &people::day_key_table, .columns = of_key},
    }};
    if (const auto found = std::ranges::find(own, &table, &showing::ShownTable::table);
        found != own.end()) {
        return found->columns;
    }
    for (const jobs::Registered* const job : jobs) {
        const bool is_its = std::ranges::find(job->tables, &table) != job->tables.end();
        if (is_its && job->shown != nullptr) {
            return job->shown();
        }
    }
    return {};
}

}  // namespace

std::vector<showing::ShownTable> shown_tables(jobs::List jobs) {
    std::vector<showing::ShownTable> shown;
    for (const storage::Table* const table : tables_on_cluster(Deployment::tables(jobs))) {
        shown.push_back({.table = table, .columns = columns_of(*table, jobs)});
    }
    return shown;
}

}  // namespace footfall::deployment
