#include "cli/batch_sender.h"
#include "cli/people_sink.h"
#include "reading_routes/person_json.h"

#include <utility>

namespace footfall::cli {
namespace {

/// Lists that a request changes, at most: each may have thousands of names, and the server reads
/// and writes them before it answers.
constexpr std::size_t lists_a_request = 400;

class ServerPeopleSink final : public PeopleSink {
public:
    explicit ServerPeopleSink(http_server::ServerUrl server)
        : sender_{
              std::move(server),
              "/api/v1/people",
              [this](std::uint64_t at, std::string_view reason) { (*refuse_)(at, reason); }
          } {}

    /// The sender calls back into this.
    ServerPeopleSink(const ServerPeopleSink&) = delete;
    ServerPeopleSink& operator=(const ServerPeopleSink&) = delete;
    ~ServerPeopleSink() override = default;

    Result<void> say(std::span<const people::Said> said, const RefuseSaid& refuse) override {
        refuse_ = &refuse;
        std::size_t lists = 0;
        for (std::size_t at = 0; at < said.size(); ++at) {
            reading::routes::append_person_line(said[at], sender_.body());
            TRY_VOID(sender_.end_line(at));
            lists += said[at].friends || !said[at].add.empty() ? 1 : 0;
            if (lists == lists_a_request) {
                TRY_VOID(sender_.finish());
                lists = 0;
            }
        }
        return sender_.finish();
    }

private:
    const RefuseSaid* refuse_ = nullptr;  ///< Of the call of say() under way.
    BatchSender sender_;
};

}  // namespace

std::unique_ptr<PeopleSink> make_server_people_sink(http_server::ServerUrl server) {
    return std::make_unique<ServerPeopleSink>(std::move(server));
}

}  // namespace footfall::cli
