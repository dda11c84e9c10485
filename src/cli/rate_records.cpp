#include "ads/rate_changes.h"
#include "ads/share.h"
#include "cli/record_sink.h"
#include "events/event.h"
#include "foundation/calendar_day.h"
#include "foundation/utf8.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::cli {
namespace {

using records::TargetField;

class RateRecords final : public RecordSink {
public:
    RateRecords(const records::FieldMap& map, std::unique_ptr<RateSink> sink, RejectLine reject)
        : map_{&map}, sink_{std::move(sink)}, reject_{std::move(reject)} {}

    Result<void> set_constants() {
        for (const records::FieldMap::Constant& each : map_->constants()) {
            const auto done = set(constant_, each.target, each.value);
            if (!done) {
                return fail(ErrorKind::invalid_input, "--set: " + done.error().message);
            }
        }
        return {};
    }

    Result<void> put(const records::Record& record) override {
        const Result<SourceRate> rate = rate_of(record);
        if (!rate) {
            reject_(record.line, rate.error().message);
            return {};
        }
        return sink_->put(*rate);
    }

    Result<void> finish() override { return {}; }

    ImportCounts counts() const override {
        return {.imported = sink_->recorded(), .duplicates = sink_->unchanged()};
    }

private:
    Result<SourceRate> rate_of(const records::Record& record) const {
        SourceRate rate = constant_;
        rate.line = record.line;
        for (std::size_t at = 0; at < map_->mappings().size(); ++at) {
            TRY_VOID(set(rate, map_->mappings()[at].target, record.fields[at]));
        }
        return rate;
    }

    static Result<void> set(SourceRate& rate, TargetField target, std::string_view value) {
        const auto wrong = [target](std::string_view what) {
            return fail(
                ErrorKind::invalid_input, fmt::format("{} {}", records::name_of(target), what)
            );
        };
        if (!is_utf8(value)) {
            return wrong("is not UTF-8");
        }
        if (target == TargetField::effective_since) {
            const auto day = parse_day(value);
            if (!day) {
                return wrong("must be a day such as 2026-11-21");
            }
            rate.effective_since = *day;
        } else if (target == TargetField::reward_percent) {
            const auto share = ads::parse_share(value);
            if (!share) {
                return wrong("is not understood: " + share.error().message);
            }
            rate.share = *share;
        } else if (target == TargetField::reason) {
            if (value.size() > ads::longest_reason) {
                return wrong(fmt::format("has at most {} bytes", ads::longest_reason));
            }
            rate.reason = value;
        } else {
            if (value.empty() || value.size() > events::longest_id) {
                return wrong(fmt::format("must be a name of 1 to {} bytes", events::longest_id));
            }
            rate.party = value;
            rate.kind = target == TargetField::reseller ? events::PartyKind::reseller
                                                        : events::PartyKind::publisher;
        }
        return {};
    }

    const records::FieldMap* map_;
    SourceRate constant_;
    std::unique_ptr<RateSink> sink_;
    RejectLine reject_;
};

}  // namespace

Result<std::unique_ptr<RecordSink>> make_rate_records(
    const records::FieldMap& map, std::unique_ptr<RateSink> sink, RejectLine reject
) {
    auto records = std::make_unique<RateRecords>(map, std::move(sink), std::move(reject));
    TRY_VOID(records->set_constants());
    return records;
}

}  // namespace footfall::cli
