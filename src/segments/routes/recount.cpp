#include "segments_routes/recount.h"

#include "erasure/ledger.h"
#include "runtime/moment.h"
#include "segments/did_recount.h"
#include "segments/segments.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segments::routes {
namespace {

/// While somebody derives, and there are differences, all is counted again after a moment.
constexpr int looks_max = 20;
constexpr std::chrono::milliseconds between_looks{500};

class SegmentsRecount final : public projecting::Recount {
public:
    explicit SegmentsRecount(const projecting::RecountPart& part) : part_{part} {}

    Result<void> add(const projecting::JudgedRecord& record) override {
        return tell(record.offset, record.judged);
    }

    Result<void> control(std::uint64_t offset, const events::Control& /*control*/) override {
        return tell(offset, nullptr);
    }

    Result<std::uint64_t> read_stored(projecting::WrittenRows& rows) override {
        TRY_VOID(begin_lane());
        if (did_ != nullptr) {
            while (part_.number == 0 && rows.end() < did_->wanted_end()) {
                TRY(const bool more, rows.wait());
                if (!more) {
                    break;
                }
            }
            if (part_.is_last) {
                TRY_VOID(compare_did());
            }
        }
        if (part_.lane == 0 && part_.number == 0) {
            TRY_VOID(compare_people());
        }
        return rows.end();
    }

    void add_behind(const projecting::JudgedRecord& /*record*/) override {}

    std::vector<std::string> differences() const override {
        std::vector<std::string> texts = found_.differences;
        add_rest(found_.count, found_.differences.size(), "segments", texts);
        texts.insert(texts.end(), did_found_.differences.begin(), did_found_.differences.end());
        add_rest(did_found_.count, did_found_.differences.size(), "what ids did", texts);
        return texts;
    }

    std::uint64_t events() const override { return events_; }

    std::uint64_t objects() const override {
        return found_.members + found_.people + did_found_.compared;
    }

private:
    static void add_rest(
        std::uint64_t count,
        std::size_t told,
        const std::string& what,
        std::vector<std::string>& texts
    ) {
        if (count > told) {
            texts.push_back(std::to_string(count - told) + " more differences of " + what);
        }
    }

    /// Each lane is gone through once, by its first part: what it comes to is left to the others.
    Result<void> begin_lane() {
        if (has_begun_ || part_.left == nullptr) {
            return {};
        }
        has_begun_ = true;
        if (*part_.left == nullptr) {
            TRY(auto begun, DidRecount::begin(*part_.store, now()));
            *part_.left = std::shared_ptr<DidRecount>{std::move(begun)};
        }
        did_ = std::static_pointer_cast<DidRecount>(*part_.left);
        if (part_.number == 0) {
            did_->begin_lane(part_.lane, part_.begins_later);
        }
        return {};
    }

    Result<void> tell(std::uint64_t offset, const events::JudgedEvent* judged) {
        TRY_VOID(begin_lane());
        if (did_ != nullptr && part_.number == 0) {
            const std::uint64_t before = did_->events();
            did_->add(offset, judged);
            events_ += did_->events() - before;
        }
        return {};
    }

    Result<void> compare_did() {
        TRY(const auto ledger, erasure::Ledger::open(*part_.store, part_.secret));
        TRY(did_found_,
            did_->compare(
                *part_.store,
                {.log = part_.log,
                 .alone = part_.alone,
                 .now = [this] { return now(); },
                 .was_erased = [&](const identities::Id& id
                               ) { return ledger->find(id).has_value(); }}
            ));
        return {};
    }

    Result<void> compare_people() {
        for (int look = 0; look < looks_max; ++look) {
            if (part_.stop.stop_requested()) {
                return fail(ErrorKind::cancelled, "the check of segments was stopped");
            }
            TRY(const auto ledger, erasure::Ledger::open(*part_.store, part_.secret));
            TRY(found_,
                segments::verify(
                    *part_.store, {.secret = part_.secret, .ledger = ledger.get()}, now()
                ));
            if (part_.progress) {
                part_.progress(found_.members + found_.people);
            }
            if (found_.count == 0) {
                break;
            }
            runtime::wait_a_moment(between_looks);
        }
        return {};
    }

    Instant now() const { return part_.clock != nullptr ? part_.clock->now() : part_.now; }

    const projecting::RecountPart part_;
    std::shared_ptr<DidRecount> did_;  ///< Null: nothing can be left to other parts.
    bool has_begun_ = false;
    std::uint64_t events_ = 0;
    Verified found_;
    DidRecount::Found did_found_;
};

}  // namespace

std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part) {
    return std::make_unique<SegmentsRecount>(part);
}

}  // namespace footfall::segments::routes
