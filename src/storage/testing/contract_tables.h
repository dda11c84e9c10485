#pragma once

#include "storage/table.h"

#include <span>

namespace footfall::storage {

/// The tables that the contract suite works on; together they have every column type, both orders,
/// both ways of writing, with and without expiry, values and clustering columns.
///
/// `visits` (site, object | day desc, moment, id) -> note, hits, raw
/// `visits_bulk` the same, declared bulk; its name starts with the other's, so a store that mixes
/// tables up shows it.
/// `marks` (object, level | mark) -> expires; bulk.
/// `visas` (object | number desc) -> until, note; expiring, not bulk, expiry not the last column.
/// `settings` (scope) -> text; no clustering columns.
/// `links` (owner | other) -> nothing; a row is its key.
/// `sights` (name, level |) -> log, lane, offset, expires; of_record, bulk.
/// `bills` (payer | number) -> amount, note, paid; decimals, which no key has; bulk.
/// `secrets` (owner) -> secret; secret.
extern const Table visits;
extern const Table visits_bulk;
extern const Table marks;
extern const Table visas;
extern const Table settings;
extern const Table links;
extern const Table sights;
extern const Table bills;
extern const Table secrets;

std::span<const Table* const> contract_tables();

}  // namespace footfall::storage
