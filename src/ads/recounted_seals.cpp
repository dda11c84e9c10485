#include "ads/recounted_controls.h"
#include "ads/schema.h"
#include "projecting/writer.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace footfall::ads {
namespace {

constexpr std::size_t log_bytes = 8;  ///< Of a writer.

}  // namespace

RecountedSeals::RecountedSeals(const projecting::RecountPart& part)
    : part_{part}, writer_{projecting::writer_of(part.log, part.lane)} {}

Result<storage::Rows> RecountedSeals::read_rows() const {
    return storage::read_all(
        *part_.store, {.table = &ledger_seal_table, .partition = {std::string{the_ledger}}}
    );
}

Result<void> RecountedSeals::begin(std::uint64_t first) {
    TRY(const storage::Rows rows, read_rows());
    std::set<Month> of_this_log;
    std::set<Month> of_all;
    const auto add = [&](Month month) { sealed_ = std::max(sealed_.value_or(month), month); };
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const Month month = month_of(static_cast<Day>(column_of(rows, row, "month").number()));
        const std::string_view writer = column_of(rows, row, "writer").text();
        const auto offset = count_of(rows, row, "offset");
        if (writer == writer_ && offset < first) {
            add(month);
        }
        if (writer.empty()) {
            of_all.insert(month);
        } else if (writer.starts_with(std::string_view{writer_}.substr(0, log_bytes))) {
            of_this_log.insert(month);
        }
    }
    for (const Month month : of_all) {
        if (!of_this_log.contains(month)) {
            add(month);
        }
    }
    return {};
}

void RecountedSeals::add(std::uint64_t offset, const events::MonthSealed& said) {
    sealed_ = std::max(sealed_.value_or(said.month), Month{said.month});
    truth_.try_emplace(
        said.month,
        Seal{
            .offset = offset,
            .sealed_at = said.said.time_since_epoch().count(),
            .author = said.author,
            .reason = said.reason
        }
    );
}

Result<RecountedSeals::Seals> RecountedSeals::read_own() const {
    TRY(const storage::Rows rows, read_rows());
    Seals own;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (column_of(rows, row, "writer").text() == writer_) {
            own.emplace(
                month_of(static_cast<Day>(column_of(rows, row, "month").number())),
                Seal{
                    .offset = count_of(rows, row, "offset"),
                    .sealed_at = column_of(rows, row, "sealed_at").number(),
                    .author = std::string{column_of(rows, row, "author").text()},
                    .reason = std::string{column_of(rows, row, "reason").text()}
                }
            );
        }
    }
    return own;
}

std::string RecountedSeals::text_of(const Seal& seal) {
    return fmt::format(
        "record {}, at {}, by \"{}\", reason \"{}\"",
        seal.offset,
        seal.sealed_at,
        seal.author,
        seal.reason
    );
}

Result<void> RecountedSeals::compare_stored(
    projecting::WrittenRows& rows, const Reach& reach, std::vector<std::string>& differences
) {
    Seals stored;
    for (bool may_come = true; may_come;) {
        const std::uint64_t written = rows.end();
        TRY(stored, read_own());
        const bool is_behind = std::ranges::any_of(truth_, [&](const auto& each) {
            return each.second.offset >= written && !stored.contains(each.first);
        });
        if (!is_behind) {
            break;
        }
        TRY(may_come, rows.wait());
    }
    const auto name = [&](Month month) {
        return fmt::format("ledger_seal: {} of lane {}", month_text(month), part_.lane);
    };
    for (const auto& [month, seal] : truth_) {
        const auto row = stored.find(month);
        if (row == stored.end()) {
            differences.push_back(
                fmt::format("{}: none stored; the log has {}", name(month), text_of(seal))
            );
        } else if (row->second.offset >= reach.first && row->second != seal) {
            differences.push_back(fmt::format(
                "{}: {} stored; the log has {}", name(month), text_of(row->second), text_of(seal)
            ));
        }
    }
    for (const auto& [month, seal] : stored) {
        if (reach.has(seal.offset) && !truth_.contains(month)) {
            differences.push_back(
                fmt::format("{}: {} stored; the log has no such seal", name(month), text_of(seal))
            );
        }
    }
    return {};
}

}  // namespace footfall::ads
