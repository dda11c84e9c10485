#pragma once

#include "http_server/request.h"

#include <string>
#include <string_view>
#include <vector>

namespace footfall::api {

/// A list of a JSON answer, and what its rows are called where an answer has lists of several
/// kinds.
struct TableList {
    std::string name;
    std::string_view row = {};
};

/// How an answer reads as a table. Texts live as long as this does.
struct TableForm {
    std::vector<TableList> lists;
    /// Members of the rows, in the order of the columns. One that is an object ("refused") makes a
    /// column for each name that occurs in it, "refused.repeat".
    std::vector<std::string_view> columns;
};

/// Whether as_asked() would make rows of an answer: who has to make a form for it first saves that.
bool asks_for_rows(const http_server::Request& request);

/// The answer as it is, or, where the request's Accept names one of them, only its rows:
/// `application/x-ndjson` has one object a line, as it stands in the list; `text/csv` is RFC 4180
/// with a header row, null an empty cell. Both begin rows with "row" where the lists have names for
/// theirs. Text that a spreadsheet would take for a formula gets a leading ' in CSV. `answer` is
/// made from JSON text of the program's own; one that is a problem is left alone. Where `next` in
/// it is a cursor, a Link header names the next page. Costs a parse of the answer.
http_server::Response as_asked(
    const http_server::Request& request, http_server::Response answer, const TableForm& form
);

/// A cell of CSV: quoted where it has to be, and a text where a spreadsheet would take it for a
/// formula. Numbers stay numbers.
std::string csv_cell(std::string_view text);

}  // namespace footfall::api
