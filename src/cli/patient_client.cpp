#include "cli/patient_client.h"

#include <algorithm>
#include <thread>

namespace footfall::cli {

using http_server::ClientResponse;

void pause_for(std::chrono::seconds time) {
    std::this_thread::sleep_for(time);  // tidy-allow(sleep): as the server asked
}

Result<ClientResponse> PatientClient::send(
    http_server::Method method,
    std::string_view target,
    std::string_view body,
    const std::vector<std::pair<std::string, std::string>>& headers
) {
    std::chrono::seconds waited{0};
    for (;;) {
        TRY(ClientResponse response, client_.send(method, target, body, headers));
        const bool is_busy = response.status == 429 || response.status == 503;
        if (!is_busy || waited >= patience) {
            return response;
        }
        const std::chrono::seconds time = std::clamp(
            response.retry_after.value_or(std::chrono::seconds{1}),
            std::chrono::seconds{1},
            longest_pause
        );
        pause_(time);
        waited += time;
    }
}

}  // namespace footfall::cli
