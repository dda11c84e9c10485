#include "ads/share.h"
#include "cli/patient_client.h"
#include "cli/rate_sink.h"
#include "cli/server_options.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"
#include "keys/party.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::cli {
namespace {

class ServerRateSink final : public RateSink {
public:
    ServerRateSink(http_server::ServerUrl server, RejectLine reject)
        : client_{std::move(server)}, reject_{std::move(reject)} {}

    Result<void> put(const SourceRate& rate) override {
        const std::string target = fmt::format(
            "/api/v1/{}s/{}/rates/{}",
            keys::name_of(rate.kind),
            http_server::percent_encode(rate.party),
            format_day(rate.effective_since)
        );
        const std::string body = fmt::format(
            R"({{"reward_percent":"{}","reason":{}}})",
            ads::format_share(rate.share),
            json_string(rate.reason)
        );
        TRY(const http_server::ClientResponse response,
            client_.send(
                http_server::Method::put, target, body, {{"Content-Type", "application/json"}}
            ));
        switch (response.status) {
            case 201:
                ++recorded_;
                return {};
            case 200:
                ++unchanged_;
                return {};
            case 400:
            case 409:  // the party's rate was changed too often
                reject_(rate.line, detail_of(response));
                return {};
            default:
                return std::unexpected(refusal_of(response));
        }
    }

    std::uint64_t recorded() const override { return recorded_; }

    std::uint64_t unchanged() const override { return unchanged_; }

private:
    PatientClient client_;
    RejectLine reject_;
    std::uint64_t recorded_ = 0;
    std::uint64_t unchanged_ = 0;
};

}  // namespace

std::unique_ptr<RateSink> make_server_rate_sink(http_server::ServerUrl server, RejectLine reject) {
    return std::make_unique<ServerRateSink>(std::move(server), std::move(reject));
}

}  // namespace footfall::cli
