#include "jobs/shown_writer.h"

#include "projecting/writer.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace footfall::jobs {
namespace {

Result<std::string> writer_json(const showing::RowInPage& /*row*/, std::string_view bytes) {
    if (bytes.empty()) {
        return "null";
    }
    const auto writer = projecting::writer_in(bytes);
    if (!writer) {
        return fail(ErrorKind::corrupt, "a writer has 10 bytes");
    }
    return fmt::format(
        R"({{"log":{},"lane":{}}})", static_cast<std::int64_t>(writer->log), writer->lane
    );
}

}  // namespace

const showing::ShownColumn shown_writer{.column = "writer", .json = writer_json};

}  // namespace footfall::jobs
