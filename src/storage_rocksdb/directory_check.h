#pragma once

#include "foundation/result.h"

#include <string>

namespace rocksdb {
class Env;
}

namespace footfall::storage_rocksdb {

/// Looks through a data directory before the engine opens it, for damage that the engine would take
/// for the end of what was written: it would drop what stands behind without a word, and remove the
/// evidence (docs/decisions/0014-damage.md). `corrupt`, naming the file, the place and the remedy:
///
/// - CURRENT is gone or names no file, although there is data;
/// - the list of files (MANIFEST) holds a record that is not whole and was not cut short;
/// - a table file is missing or has another size than the list says;
/// - in a write-ahead log that is still needed a record is not whole, and later ones follow.
///
/// A directory that is absent, empty, or was left by a crash at any moment, passes. Changes
/// nothing. Nobody may have the directory open. Reads the list and the needed logs once, at the
/// speed of the disk or of the checksum.
Result<void> check_directory(rocksdb::Env& env, const std::string& directory);

}  // namespace footfall::storage_rocksdb
