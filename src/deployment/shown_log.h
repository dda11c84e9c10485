#pragma once

#include "showing/shown_column.h"

#include <string>
#include <string_view>

namespace footfall::deployment {

/// The records of a row of log_block as a JSON list: each event as `GET /api/v1/events/{id}`
/// answers it, but without its address, which is to be read only as long as `keep_addresses` says;
/// each control record with its position.
Result<std::string> records_json(const showing::RowInPage& row, std::string_view bytes);

}  // namespace footfall::deployment
