#pragma once

#include "storage/table.h"

#include <array>
#include <cstdint>
#include <string_view>

/// The tables of the audit log. Rows of the first two are written once and never again, and are a
/// function of the entries: any process may write them, at the same time as another.
namespace footfall::audit {

/// So many entries are a partition, a tile, a bundle (c2sp.org/tlog-tiles).
inline constexpr std::uint64_t tile_width = 256;

/// How the fact of the deployment is called that is a log's private key; behind it its name.
inline constexpr std::string_view key_fact_prefix = "audit_key.";

/// What was recorded, one row an entry. The bytes that the leaf is a hash of are made of the other
/// columns (entry.h).
inline const storage::Table audit_entry_table{
    .name = "audit_entry",
    .purpose = "What operators did, one row an act, in a log of the region: never changed.",
    .partition = {{"log", storage::ColumnType::text}, {"chunk", storage::ColumnType::integer}},
    .clustering = {{"entry", storage::ColumnType::integer}},
    .values =
        {{"time", storage::ColumnType::timestamp},
         {"kind", storage::ColumnType::text},
         {"author", storage::ColumnType::text},
         {"detail", storage::ColumnType::text},
         {"people", storage::ColumnType::bytes},
         {"leaf", storage::ColumnType::bytes},
         {"writer", storage::ColumnType::integer}},
    .shared = true
};

/// The roots of whole subtrees of 256^level leaves, 256 of them a partition: a tile.
inline const storage::Table audit_hash_table{
    .name = "audit_hash",
    .purpose = "Hashes of the Merkle tree over audit_entry, by the tile that they stand in.",
    .partition =
        {{"log", storage::ColumnType::text},
         {"level", storage::ColumnType::integer},
         {"tile", storage::ColumnType::integer}},
    .clustering = {{"place", storage::ColumnType::integer}},
    .values = {{"hash", storage::ColumnType::bytes}},
    .shared = true
};

/// The newest signed head of each region's log.
inline const storage::Table audit_head_table{
    .name = "audit_head",
    .purpose = "The newest head of each log of audit_entry, and who signed it.",
    .partition = {{"kind", storage::ColumnType::text}},
    .clustering = {{"log", storage::ColumnType::text}},
    .values =
        {{"size", storage::ColumnType::integer},
         {"root", storage::ColumnType::bytes},
         {"signed", storage::ColumnType::timestamp},
         {"checkpoint", storage::ColumnType::text},
         {"vkey", storage::ColumnType::text}},
    .shared = true
};

/// The only value of `kind`.
inline constexpr const char* newest_heads = "newest";

/// Which heads of other regions a log has, or is about to have, as entries.
inline const storage::Table audit_seen_table{
    .name = "audit_seen",
    .purpose = "Which heads of other regions stand in a log as entries: written by who enters one.",
    .partition = {{"log", storage::ColumnType::text}, {"other", storage::ColumnType::text}},
    .clustering = {{"size", storage::ColumnType::integer, storage::Order::descending}},
    .values = {{"root", storage::ColumnType::bytes}},
    .shared = true
};

/// What entries say of persons, behind the commitments in audit_entry.people.
inline const storage::Table audit_secret_table{
    .name = "audit_secret",
    .purpose =
        "What an entry says of persons, until they are forgotten: SHA-256(salt || payload) "
        "is the commitment in the entry.",
    .partition = {{"commitment", storage::ColumnType::bytes}},
    .clustering = {},
    .values = {{"salt", storage::ColumnType::bytes}, {"payload", storage::ColumnType::text}},
    .secret = true,
    .personal = true,
    .shared = true
};

/// Where something is said of a person, by a keyed hash of what it is called.
inline const storage::Table audit_person_table{
    .name = "audit_person",
    .purpose = "Rows of audit_secret by the keyed hash of whom they are about, to be forgotten.",
    .partition = {{"person", storage::ColumnType::bytes}},
    .clustering = {{"commitment", storage::ColumnType::bytes}},
    .values = {{"recorded", storage::ColumnType::timestamp}},
    .secret = true,
    .shared = true
};

inline constexpr std::array<const storage::Table*, 6> all_tables{
    &audit_entry_table,
    &audit_hash_table,
    &audit_head_table,
    &audit_seen_table,
    &audit_secret_table,
    &audit_person_table
};

}  // namespace footfall::audit
