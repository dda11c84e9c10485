#include "backup/s3_answers.h"
#include "foundation/check.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

// The input is what a server with S3's interface answers, of which nobody knows who keeps it.
// Whatever it holds: it is refused, or has what its kind has.

namespace footfall::backup::s3 {
namespace {

void check_answer(std::string_view xml) {
    if (const auto page = page_of(xml)) {
        for (const Page::File& file : page->files) {
            CHECK(!file.key.empty(), "a file has a name");
        }
    }
    if (const auto upload = upload_of(xml)) {
        CHECK(!upload->empty(), "an upload has a name");
    }
    static_cast<void>(completed(xml));
    static_cast<void>(error_text(xml));
}

}  // namespace
}  // namespace footfall::backup::s3

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    footfall::backup::s3::check_answer({reinterpret_cast<const char*>(data), size});
    return 0;
}
