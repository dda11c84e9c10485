#include "identities/recount.h"

#include "identities/erasing.h"
#include "identities/fact_rows.h"
#include "identities/guards_text.h"
#include "identities/recorded_guards.h"
#include "identities/row_check.h"
#include "identities/said_facts.h"
#include "identities/stored_ids.h"
#include "projecting/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace footfall::identities {
namespace {

class IdentitiesRecount final : public projecting::Recount {
public:
    explicit IdentitiesRecount(const projecting::RecountPart& part)
        : part_{part}, writer_{projecting::writer_of(part.log, part.lane)} {}

    Result<void> add(const projecting::JudgedRecord& record) override {
        TRY_VOID(begin());
        last_ = record.offset;
        for (Fact& fact : facts_of(*record.judged, in_force_at(guards_, record.offset))) {
            take(std::move(fact));
        }
        return {};
    }

    Result<void> control(std::uint64_t offset, const events::Control& control) override {
        TRY_VOID(begin());
        last_ = offset;
        if (const auto* const said = std::get_if<events::IdentityGuards>(&control)) {
            return take_guards(offset, *said);
        }
        const auto* const decided = std::get_if<events::IdentityDecided>(&control);
        auto fact = decided == nullptr ? std::nullopt : decision_of(*decided);
        if (fact) {
            take(*std::move(fact));
        }
        return {};
    }

    Result<std::uint64_t> read_stored(projecting::WrittenRows& rows) override {
        while (last_ && rows.end() <= *last_) {
            TRY(const bool more, rows.wait());
            if (!more) {
                break;
            }
        }
        TRY_VOID(compare());
        if (part_.lane == 0 && part_.number == 0) {
            TRY_VOID(check_rows(rows));
        }
        return rows.end();
    }

    void add_behind(const projecting::JudgedRecord& /*record*/) override {}

    std::vector<std::string> differences() const override { return differences_; }

    std::vector<std::string> remarks() const override { return remarks_; }

    std::uint64_t events() const override { return events_; }

    std::uint64_t objects() const override { return objects_; }

private:
    /// What is kept of a fact until it is compared.
    struct Told {
        Instant first{};
        Instant last{};
        Instant recorded{};
        std::string holders;  ///< stored_text(holders_of()).
    };

    static constexpr std::size_t compared_at_once = 256;

    /// Guards that are in force since before the log begins.
    Result<void> begin() {
        if (!has_begun_) {
            TRY(ledger_, erasure::Ledger::open(*part_.store, part_.secret));
        }
        if (part_.begins_later && !has_begun_) {
            KnownGuards known;
            TRY(guards_, read_lane_guards(*part_.store, writer_, known));
        }
        has_begun_ = true;
        return {};
    }

    Result<void> take_guards(std::uint64_t offset, const events::IdentityGuards& said) {
        TRY(Guards guards, read_guards(said.guards));
        guards_.push_back(
            {.offset = offset,
             .guards =
                 {.version = {.version = said.version, .digest = digest_of(said.guards)},
                  .guards = std::make_shared<const Guards>(std::move(guards))}}
        );
        return {};
    }

    void take(Fact fact) {
        if (!say_without_erased(*ledger_, fact)) {
            return;
        }
        const std::uint64_t share = siphash13(part_.secret, text_of(fact.id)) % part_.of;
        if (share != part_.number) {
            return;
        }
        ++events_;
        const auto [at, is_new] = told_.try_emplace(
            fact.id,
            Told{
                .first = fact.first,
                .last = fact.last,
                .recorded = fact.recorded,
                .holders = stored_text(holders_of(fact))
            }
        );
        if (!is_new) {
            at->second.first = std::min(at->second.first, fact.first);
            at->second.last = std::max(at->second.last, fact.last);
            at->second.recorded = std::min(at->second.recorded, fact.recorded);
        }
    }

    Result<void> compare() {
        std::vector<FactPlace> places;
        for (const auto& [fact, told] : told_) {
            TRY(const std::vector<Id> holders, read_stored_ids(told.holders));
            for (const Id& each : holders) {
                places.push_back({.holder = each, .fact = fact, .writer = writer_});
            }
            if (places.size() >= compared_at_once) {
                TRY_VOID(compare_places(places));
                places.clear();
            }
        }
        return compare_places(places);
    }

    Result<void> compare_places(std::span<const FactPlace> places) {
        TRY(const auto rows, read_places(*part_.store, places));
        for (std::size_t at = 0; at < places.size(); ++at) {
            const FactPlace& place = places[at];
            const Told& told = told_.at(place.fact);
            const std::string name =
                fmt::format("fact {} under {}", text_of(place.fact), object_of(place.holder));
            const std::optional<Fact>& row = rows[at];
            if (!row) {
                note(fmt::format("{}: no row; lane {} of the log says it", name, part_.lane));
            } else if (told.first < row->first || row->last < told.last ||
                       told.recorded < row->recorded) {
                note(fmt::format(
                    "{}: lane {} of the log says it of earlier, or of later, than its row",
                    name,
                    part_.lane
                ));
            }
        }
        return {};
    }

    Result<void> check_rows(projecting::WrittenRows& rows) {
        TRY(const auto ledger, erasure::Ledger::open(*part_.store, part_.secret));
        RowCheck check{
            *part_.store,
            {.secret = part_.secret,
             .ledger = ledger.get(),
             .progress = part_.progress,
             .stop = part_.stop,
             .clock = part_.clock}
        };
        TRY_VOID(check.run([&]() -> Result<void> {
            const Result<bool> more = rows.wait();
            return more ? Result<void>{} : std::unexpected(more.error());
        }));
        std::ranges::for_each(check.differences(), [&](const auto& each) { note(each); });
        objects_ = check.ids();
        if (check.noted() > 0) {
            remarks_.push_back(fmt::format(
                "{} ids are still being settled, since much hangs together with them, or wait as "
                "too much does: what their profiles say was not held to facts",
                check.noted()
            ));
        }
        return {};
    }

    void note(std::string difference) {
        constexpr std::size_t differences_max = 1000;
        if (differences_.size() < differences_max) {
            differences_.push_back(std::move(difference));
        }
    }

    const projecting::RecountPart part_;
    const std::string writer_;
    bool has_begun_ = false;
    std::optional<std::uint64_t> last_;  ///< Record that was added.
    std::vector<LaneGuards> guards_;
    std::unique_ptr<erasure::Ledger> ledger_;  ///< From the first record on.
    std::map<FactId, Told> told_;
    std::vector<std::string> differences_;
    std::vector<std::string> remarks_;
    std::uint64_t events_ = 0;
    std::uint64_t objects_ = 0;
};

}  // namespace

std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part) {
    return std::make_unique<IdentitiesRecount>(part);
}

}  // namespace footfall::identities
