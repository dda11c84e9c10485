#include "ads/recount.h"

#include "ads/dropped_clicks.h"
#include "ads/ledger.h"
#include "ads/party_check.h"
#include "ads/recount_line.h"
#include "ads/recounted_controls.h"
#include "ads/recounted_sums.h"
#include "ads/schema.h"
#include "ads/statement_check.h"
#include "storage/blocking.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace footfall::ads {
namespace {

class AdsRecount final : public projecting::Recount {
public:
    explicit AdsRecount(const projecting::RecountPart& part)
        : part_{part}, sums_{part}, clicks_{part}, rates_{part}, seals_{part} {}

    Result<void> add(const projecting::JudgedRecord& record) override {
        TRY_VOID(take(record.offset));
        if (!has_events_) {
            has_events_ = true;
            reach_.begin_day = static_cast<Day>(basis_.zone.day_of(record.judged->arrival));
        }
        if (const auto line = recount_line(record, basis_, seals_.sealed())) {
            sums_.add(*line);
            clicks_.add(*line);
        }
        return {};
    }

    Result<void> control(std::uint64_t offset, const events::Control& control) override {
        TRY_VOID(take(offset));
        if (const auto* const seal = std::get_if<events::MonthSealed>(&control)) {
            seals_.add(offset, *seal);
        } else if (const auto* const rate = std::get_if<events::RateSaid>(&control)) {
            rates_.add(offset, *rate, seals_.sealed());
        }
        return {};
    }

    Result<std::uint64_t> read_stored(projecting::WrittenRows& rows) override {
        TRY_VOID(begin(0));
        TRY(const std::uint64_t through, sums_.read_stored(rows));
        TRY_VOID(check_basis(through));
        TRY_VOID(clicks_.compare_stored(rows, reach_, kept_, differences_));
        TRY_VOID(rates_.compare_stored(rows, reach_, differences_));
        if (part_.number == 0) {
            TRY_VOID(seals_.compare_stored(rows, reach_, differences_));
        }
        TRY_VOID(check_listed(rows));
        return through;
    }

    void add_behind(const projecting::JudgedRecord& record) override {
        if (const auto line = recount_line(record, basis_, seals_.sealed())) {
            sums_.add_behind(*line);
        }
    }

    Result<void> control_behind(std::uint64_t offset, const events::Control& control) override {
        if (const auto* const seal = std::get_if<events::MonthSealed>(&control)) {
            seals_.add(offset, *seal);
        }
        return {};
    }

    std::vector<std::string> differences() const override {
        std::vector<std::string> differences = differences_;
        sums_.add_differences(reach_, differences);
        return differences;
    }

    std::uint64_t events() const override { return clicks_.lines(); }

    std::uint64_t objects() const override { return parties_; }

private:
    /// What holds before the lane's first record.
    Result<void> begin(std::uint64_t first) {
        if (begun_) {
            return {};
        }
        begun_ = true;
        reach_ = {.first = first, .end = first, .begins_later = part_.begins_later};
        TRY(const auto basis, read_basis());
        if (basis) {
            basis_ = *basis;
        }
        TRY(const DroppedClicks dropped, DroppedClicks::read(*part_.store));
        kept_ = [dropped](Day day) { return dropped.kept(day); };
        return seals_.begin(first);
    }

    Result<void> take(std::uint64_t offset) {
        TRY_VOID(begin(offset));
        reach_.end = offset + 1;
        return {};
    }

    Result<std::optional<LedgerBasis>> read_basis() const {
        TRY(const auto row,
            storage::read_one(*part_.store, ledger_table, {std::string{the_ledger}}));
        if (!row) {
            return std::nullopt;
        }
        TRY(const TimeZone zone, TimeZone::find(std::get<std::string>((*row)[1])));
        return LedgerBasis{.zone = zone, .currency = std::get<std::string>((*row)[2])};
    }

    /// The row is written with the first rows of sums; until then there is nothing to be wrong.
    Result<void> check_basis(std::uint64_t through) {
        TRY(const auto basis, read_basis());
        if (!basis) {
            if (through > 0) {
                differences_.emplace_back("ledger: no zone and currency stored; there are rows");
            }
        } else if (basis->zone.name() != basis_.zone.name() || basis->currency != basis_.currency) {
            return fail(
                ErrorKind::unavailable, "the ledger was begun while it was counted: try again"
            );
        }
        return {};
    }

    /// Parties of whose names this lane is.
    Result<void> check_listed(projecting::WrittenRows& rows) {
        static const SystemClock clock;
        TRY(ledger_,
            Ledger::open(
                *part_.store,
                clock,
                part_.log,
                {.zone = LedgerZone{basis_.zone},
                 .currency = basis_.currency,
                 .secret = part_.secret}
            ));
        TRY(sealed_, ledger_->seals());
        for (const events::PartyKind kind :
             {events::PartyKind::reseller, events::PartyKind::publisher}) {
            TRY_VOID(for_each_listed(
                *part_.store,
                kind,
                part_.lane,
                [&](const CheckedParty& party) {
                    return is_of_part(part_, party.party) ? check(party, rows) : Result<void>{};
                }
            ));
        }
        return {};
    }

    Result<void> check(const CheckedParty& party, projecting::WrittenRows& rows) {
        if (part_.stop.stop_requested()) {
            return fail(ErrorKind::cancelled, "the comparison was stopped");
        }
        ++parties_;
        if (!party.party.empty() && !rates_.has(party.kind, party.party)) {
            TRY_VOID(rates_.compare_unsaid(party.kind, party.party, reach_, differences_));
        }
        const auto differ = [&]() -> Result<std::vector<std::string>> {
            TRY(auto found, check_party(*part_.store, party, basis_.zone, kept_));
            for (const std::string& currency : party.currencies) {
                if (!currency.empty()) {
                    TRY(const auto statements,
                        check_statements(*ledger_, sealed_, party.kind, party.party, currency));
                    found.insert(found.end(), statements.begin(), statements.end());
                }
            }
            return found;
        };
        TRY(const std::vector<std::string> once, differ());
        if (once.empty()) {
            return {};
        }
        TRY([[maybe_unused]] const bool may_come, rows.wait());
        TRY(const std::vector<std::string> again, differ());
        std::ranges::copy_if(again, std::back_inserter(differences_), [&](const auto& each) {
            return std::ranges::find(once, each) != once.end();
        });
        return {};
    }

    const projecting::RecountPart part_;
    ClicksKept kept_;
    RecountedSums sums_;
    RecountedClicks clicks_;
    RecountedRates rates_;
    RecountedSeals seals_;
    std::unique_ptr<Ledger> ledger_;  ///< To read rows by; it is told of nothing.
    Seals sealed_;
    LedgerBasis basis_;
    Reach reach_;
    bool begun_ = false;
    bool has_events_ = false;
    std::uint64_t parties_ = 0;
    std::vector<std::string> differences_;
};

}  // namespace

std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part) {
    return std::make_unique<AdsRecount>(part);
}

}  // namespace footfall::ads
