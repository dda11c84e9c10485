#pragma once

#include "cli/patient_client.h"
#include "cli/rejects.h"
#include "foundation/result.h"
#include "http_server/client.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::cli {

/// Sends lines of JSON to a server in batches that it takes as a whole, line by line, and tells
/// which lines it did not take. One batch at a time, so that lines arrive in their order.
///
/// A server that is busy is asked again, with the whole batch, as PatientClient does; so only for
/// lines that count once however often they are sent. For one thread.
class BatchSender {
public:
    static constexpr std::size_t lines_max = 10'000;
    static constexpr std::size_t bytes_max = 4 << 20;

    BatchSender(
        http_server::ServerUrl server,
        std::string target,
        RejectLine reject,
        Pause pause = pause_for,
        http_server::Method method = http_server::Method::post
    );

    /// To which a line is appended, without its newline, followed by end_line().
    std::string& body() { return body_; }

    /// Ends the line, which was made of `source_line`; sends if the batch is full. An error ends
    /// the import: the server cannot be reached, refuses the batch, or stays busy.
    Result<void> end_line(std::uint64_t source_line);

    /// Sends what is left.
    Result<void> finish();

    /// How many lines were taken, with those that were there already.
    std::uint64_t accepted() const { return accepted_; }

    std::uint64_t duplicates() const { return duplicates_; }

private:
    Result<void> send();
    Result<void> take_answer(std::string_view body);

    PatientClient client_;
    http_server::Method method_;
    std::string target_;
    RejectLine reject_;
    std::string body_;
    std::vector<std::uint64_t> source_lines_;  ///< Of the lines in `body_`.
    std::uint64_t accepted_ = 0;
    std::uint64_t duplicates_ = 0;
};

}  // namespace footfall::cli
