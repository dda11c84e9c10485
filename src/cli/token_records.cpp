#include "cli/record_sink.h"
#include "foundation/parse_number.h"

#include <utility>

namespace footfall::cli {
namespace {

class TokenRecords final : public RecordSink {
public:
    TokenRecords(const records::FieldMap& map, std::unique_ptr<TokenSink> sink, RejectLine reject)
        : map_{&map}, sink_{std::move(sink)}, reject_{std::move(reject)} {}

    Result<void> put(const records::Record& record) override {
        const Result<SourceToken> token = token_of(record);
        if (!token) {
            reject_(record.line, token.error().message);
            return {};
        }
        return sink_->put(*token);
    }

    Result<void> finish() override { return sink_->finish(); }

    /// Tokens know no duplicates: putting one again changes nothing but its expiry.
    ImportCounts counts() const override { return {.imported = sink_->imported()}; }

private:
    Result<SourceToken> token_of(const records::Record& record) const {
        SourceToken token{.line = record.line, .object = {}, .token = {}, .ttl = {}};
        for (const records::FieldMap::Constant& constant : map_->constants()) {
            TRY_VOID(set(token, constant.target, constant.value));
        }
        for (std::size_t at = 0; at < map_->mappings().size(); ++at) {
            TRY_VOID(set(token, map_->mappings()[at].target, record.fields[at]));
        }
        return token;
    }

    static Result<void> set(
        SourceToken& token, records::TargetField target, std::string_view value
    ) {
        if (target == records::TargetField::object) {
            token.object = value;
        } else if (target == records::TargetField::token) {
            token.token = value;
        } else if (target == records::TargetField::ttl && !value.empty()) {
            const auto seconds = parse_unsigned(value);
            if (!seconds || *seconds == 0 || *seconds > 1'000'000'000'000) {
                return fail(
                    ErrorKind::invalid_input, "ttl must be a whole number of seconds above 0"
                );
            }
            token.ttl = std::chrono::seconds{static_cast<std::int64_t>(*seconds)};
        }
        return {};
    }

    const records::FieldMap* map_;
    std::unique_ptr<TokenSink> sink_;
    RejectLine reject_;
};

}  // namespace

std::unique_ptr<RecordSink> make_token_records(
    const records::FieldMap& map, std::unique_ptr<TokenSink> sink, RejectLine reject
) {
    return std::make_unique<TokenRecords>(map, std::move(sink), std::move(reject));
}

}  // namespace footfall::cli
