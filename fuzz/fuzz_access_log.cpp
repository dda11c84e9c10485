// Any bytes as a line of an access log. Properties: the fields are views of the line, in its order
// and apart from each other; a line that is combined is common up to its bytes.
#include "foundation/check.h"
#include "records/access_log.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace footfall;
using namespace footfall::records;

const AccessFields* check_fields(
    std::string_view line, AccessLogFormat format, const Result<AccessFields>& fields
) {
    if (!fields) {
        CHECK(!fields.error().message.empty(), "a refusal has a reason");
        CHECK(fields.error().kind == ErrorKind::invalid_input, "a bad line is bad input");
        return nullptr;
    }
    const char* behind = line.data();
    for (std::size_t at = 0; at < access_field_names(format).size(); ++at) {
        const auto field = (*fields)[at];
        CHECK(field.data() >= behind, "a field overlaps the one before", at);
        behind = field.data() + field.size();
        CHECK(behind <= line.data() + line.size(), "a field reaches out of the line", at);
        CHECK(
            !field.empty() || at == static_cast<std::size_t>(AccessField::referrer) ||
                at == static_cast<std::size_t>(AccessField::agent),
            "only what stands in quotes may be empty",
            at
        );
    }
    return &*fields;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view line{reinterpret_cast<const char*>(data), size};
    const auto common = parse_access_line(line, AccessLogFormat::common);
    check_fields(line, AccessLogFormat::common, common);
    const auto combined = parse_access_line(line, AccessLogFormat::combined);
    if (const auto* fields = check_fields(line, AccessLogFormat::combined, combined)) {
        CHECK(!common.has_value(), "a combined line is not a common one");
        const auto bytes = (*fields)[static_cast<std::size_t>(AccessField::bytes)];
        const auto prefix_size =
            static_cast<std::size_t>(bytes.data() + bytes.size() - line.data());
        const auto prefix = parse_access_line(line.substr(0, prefix_size), AccessLogFormat::common);
        CHECK(prefix.has_value(), "the beginning of a combined line is a common one");
        for (std::size_t at = 0; at < prefix->size() - 2; ++at) {
            CHECK((*prefix)[at] == (*fields)[at], "the two formats disagree", at);
        }
    }
    return 0;
}
