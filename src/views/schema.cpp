#include "views/schema.h"

namespace footfall::views {

std::string writer_of(std::uint64_t log_id, std::size_t lane) {
    std::string writer;
    for (int shift = 56; shift >= 0; shift -= 8) {
        writer.push_back(static_cast<char>(log_id >> shift & 0xff));
    }
    writer.push_back(static_cast<char>(lane >> 8 & 0xff));
    writer.push_back(static_cast<char>(lane & 0xff));
    return writer;
}

}  // namespace footfall::views
