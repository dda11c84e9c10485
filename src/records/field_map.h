#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::records {

/// What the records of a file become (`--as`).
enum class ImportKind { tokens, events, rates, people, identities };

/// How a file is written (`--format`).
enum class InputFormat { csv, tsv, ndjson, common, combined };

/// What a column of the source can become.
enum class TargetField {
    object,
    token,
    ttl,
    id,
    time,
    action,
    actor,
    address,
    agent,
    referrer,
    amount,
    currency,
    reseller,
    ad,
    publisher,
    effective_since,
    reward_percent,
    reason,
    reading,
    until,
    sites,
    audience,
    friends,
    one_friend,
    source,
    network_id,  ///< An id: its target is NETWORK/NAME, and there may be several.
};

/// "csv" and so on; `invalid_input` naming the choices.
Result<ImportKind> parse_import_kind(std::string_view text);
Result<InputFormat> parse_input_format(std::string_view text);
/// As in `--map`: "object".
std::string_view name_of(TargetField field);
/// Whether it is several texts: an array in NDJSON, elsewhere one text, for the taker to take
/// apart.
bool is_list(TargetField field);

/// `--map object=vendorId,token=2` together with `--set action=view`: where the fields of a token,
/// an event, a rate, a person or a statement about ids come from.
class FieldMap {
public:
    /// One `target=column` of `--map`. The column is a name, or a number from 1.
    struct Mapping {
        TargetField target;
        std::string column;
        std::string name = {};  ///< The target as it was written: "mlbam/key" of a network_id.
    };

    /// One `--set target=value`: the same for every record.
    struct Constant {
        TargetField target;
        std::string value;
    };

    /// What the user wrote. Without `map` an access log has its default (tokens: object=url,
    /// token=address; events: object, time, address and what else the log has; --set takes the
    /// place of either), and its events are views unless something else is said; other formats have
    /// none. Space around a target or a column is not part of it; a column whose name holds a comma
    /// can be given by its number.
    struct Options {
        ImportKind kind = ImportKind::tokens;
        InputFormat format = InputFormat::csv;
        std::string map{};
        std::vector<std::string> constants{};
    };

    /// `invalid_input` for a target the kind does not have, a target given twice, one that is
    /// needed but not given (tokens: object, token; events: action, object; rates: reseller or
    /// publisher, never both, effective_since, reward_percent; people: actor, and one of reading,
    /// friends and friend, of which the latter two never go together; identities: 1 to 32 ids, each
    /// as NETWORK/NAME=COLUMN), an empty part, an empty map.
    static Result<FieldMap> parse(const Options& options);

    /// In the order of the text. RecordReader gives its fields in this order.
    const std::vector<Mapping>& mappings() const { return mappings_; }

    const std::vector<Constant>& constants() const { return constants_; }

    /// Whether records may have it.
    bool has(TargetField target) const;

    /// Whether no record is without it.
    bool needs(TargetField field) const;

    /// Where each mapping finds its column among `header`, from 0. A name wins over a number.
    /// `invalid_input` for a column that is not there (with those that are) or there twice.
    Result<std::vector<std::size_t>> columns_in(std::span<const std::string_view> header) const;
    /// The same for a file of `column_count` columns without a header: numbers only.
    Result<std::vector<std::size_t>> columns_by_number(std::size_t column_count) const;

private:
    explicit FieldMap(ImportKind kind) : kind_{kind} {}

    Result<void> add_mapping(std::string_view part);
    Result<void> add_constant(std::string_view part);
    Result<TargetField> new_target(std::string_view name) const;
    Result<void> check_complete() const;
    Result<void> check_rates() const;
    Result<void> check_people() const;
    Result<void> check_identities() const;
    bool has_constant(std::string_view name) const;

    ImportKind kind_;
    std::vector<Mapping> mappings_;
    std::vector<Constant> constants_;
};

}  // namespace footfall::records
