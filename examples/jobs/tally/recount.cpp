#include "tally/recount.h"

#include "tally/schema.h"
#include "tally/tally.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::tally {
namespace {

/// All of a lane is a few numbers, so its first part takes all of them.
class TallyRecount final : public projecting::Recount {
public:
    explicit TallyRecount(const projecting::RecountPart& part) : part_{part} {}

    Result<void> add(const projecting::JudgedRecord& record) override {
        if (part_.number > 0) {
            return {};
        }
        if (events_++ == 0 && part_.begins_later) {
            TRY(truth_, read_cells(*part_.store, tally_expired_table, part_.lane));
        }
        truth_[key_of(*record.judged)].add(record.offset);
        return {};
    }

    Result<std::uint64_t> read_stored(projecting::WrittenRows& rows) override {
        for (bool may_come = part_.number == 0; may_come;) {
            const std::uint64_t written = rows.end();
            TRY(stored_, read_cells(*part_.store, tally_table, part_.lane));
            if (!is_behind(written)) {
                break;
            }
            TRY(may_come, rows.wait());
        }
        std::uint64_t through = 0;
        for (const auto& [key, cell] : stored_) {
            through = std::max(through, cell.through);
        }
        return through;
    }

    void add_behind(const projecting::JudgedRecord& record) override {
        const Key key = key_of(*record.judged);
        const auto row = stored_.find(key);
        if (row != stored_.end() && record.offset < row->second.through) {
            truth_[key].add(record.offset);
        }
    }

    std::vector<std::string> differences() const override {
        std::vector<std::string> differences;
        const auto compare = [&](const Key& key, std::uint64_t stored, std::uint64_t truth) {
            if (stored != truth) {
                differences.push_back(fmt::format(
                    "{} on day {} of lane {}: {} events stored; the log has {}",
                    key.first,
                    key.second,
                    part_.lane,
                    stored,
                    truth
                ));
            }
        };
        for (const auto& [key, cell] : truth_) {
            const auto row = stored_.find(key);
            compare(key, row == stored_.end() ? 0 : row->second.events, cell.events);
        }
        for (const auto& [key, cell] : stored_) {
            // Nothing is said of what has left the log as a whole.
            if (!truth_.contains(key) && !part_.begins_later) {
                compare(key, cell.events, 0);
            }
        }
        return differences;
    }

    std::uint64_t events() const override { return events_; }

    std::uint64_t objects() const override { return truth_.size(); }

private:
    /// Whether events that the log has from `from` on are in no row.
    bool is_behind(std::uint64_t from) const {
        return std::ranges::any_of(truth_, [&](const auto& each) {
            const auto row = stored_.find(each.first);
            const std::uint64_t through = row == stored_.end() ? 0 : row->second.through;
            return each.second.through > from && through < each.second.through;
        });
    }

    const projecting::RecountPart part_;
    std::uint64_t events_ = 0;
    Cells truth_;
    Cells stored_;
};

}  // namespace

std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part) {
    return std::make_unique<TallyRecount>(part);
}

}  // namespace footfall::tally
